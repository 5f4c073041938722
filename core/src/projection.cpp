// Input to queries, keys, values; heads to output.
#include "headwise/projection.h"

#include <string>

#include "headwise/error.h"

namespace headwise {

Matrix project(const Matrix& input, const Projection& projection) {
  if (projection.isIdentity()) return input;
  if (input.cols() != projection.weight.rows())
    throw Error(ErrorCode::shapeMismatch, "input is " + toString(shapeOf(input)) + " and weight is " +
                                              toString(shapeOf(projection.weight)) +
                                              "; the input's columns must be as many as the weight's rows.");
  Matrix result = input * projection.weight;
  if (projection.bias) {
    checkShape("bias", shapeOf(*projection.bias), {1, projection.weight.cols()}, "1 × the weight's columns");
    result.rowwise() += *projection.bias;
  }
  return result;
}

Projection columnsOf(const Projection& wide, Index first, Index count) {
  if (first < 0 || count < 1 || first > wide.weight.cols() - count)
    throw Error(ErrorCode::shapeMismatch, "A matrix of " + std::to_string(wide.weight.cols()) + " columns has no " +
                                              std::to_string(count) + " columns from column " + std::to_string(first) +
                                              " on.");
  Projection part{wide.weight.middleCols(first, count), {}};
  if (wide.bias) part.bias = wide.bias->segment(first, count);
  return part;
}

}  // namespace headwise
