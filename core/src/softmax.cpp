// Stable softmax over rows.
#include "headwise/softmax.h"

#include <cmath>
#include <limits>
#include <string>

#include "headwise/error.h"

namespace headwise {

Matrix softmaxRows(const Matrix& scores) {
  constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
  if (scores.size() == 0)
    throw Error(ErrorCode::invalidDimension, "scores is empty (" + toString(shapeOf(scores)) +
                                                 "); the softmax needs at least one row and one column.");
  Matrix weights = Matrix::Zero(scores.rows(), scores.cols());
  for (Index row = 0; row < scores.rows(); ++row) {
    for (Index column = 0; column < scores.cols(); ++column)
      if (std::isnan(scores(row, column)) || scores(row, column) == infinity)
        throw Error(ErrorCode::notFinite, "scores holds " +
                                              std::string(std::isnan(scores(row, column)) ? "NaN" : "+∞") + " at row " +
                                              std::to_string(row) + ", column " + std::to_string(column) +
                                              "; the softmax takes finite numbers, and −∞ for hidden cells.");
    const Scalar maximum = scores.row(row).maxCoeff();
    if (maximum == -infinity) continue;  // nothing to see: 0/0 otherwise
    // std::exp and not Eigen's vectorised one, which clamps: exp(−∞) is a denormal there, and here exactly 0.
    for (Index column = 0; column < scores.cols(); ++column)
      weights(row, column) = std::exp(scores(row, column) - maximum);
    weights.row(row) /= weights.row(row).sum();
  }
  return weights;
}

RowVector entropyOfRows(const Matrix& weights) {
  checkFinite("weights", weights);
  if (weights.minCoeff() < 0)
    throw Error(ErrorCode::invalidOption,
                "weights holds a negative number, " + toString(weights.minCoeff()) +
                    "; the entropy is of shares, which are 0 or more.",
                "weights");
  RowVector entropy = RowVector::Zero(weights.rows());
  for (Index row = 0; row < weights.rows(); ++row)
    for (Index column = 0; column < weights.cols(); ++column)
      if (weights(row, column) > 0) entropy(row) -= weights(row, column) * std::log(weights(row, column));
  checkOverflow("The entropy", entropy);
  return entropy;
}

}  // namespace headwise
