// How far apart, and in which direction.
#include "headwise/comparison.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "headwise/error.h"
#include "headwise/work.h"

namespace headwise {

namespace {

// The first in reading order of the largest; Eigen's own search goes by columns.
CellPosition firstLargest(const Matrix& magnitudes) {
  CellPosition place;
  for (Index row = 0; row < magnitudes.rows(); ++row)
    for (Index column = 0; column < magnitudes.cols(); ++column)
      if (magnitudes(row, column) > magnitudes(place.row, place.column)) place = {row, column};
  return place;
}

// Of length 1; a zero matrix stays one. By a power of two it is brought to where its norm can neither overflow nor lose digits.
Matrix directionOf(const Matrix& matrix) {
  const Scalar largest = matrix.cwiseAbs().maxCoeff();
  if (largest == 0) return matrix;
  const int exponent = -std::ilogb(largest);
  const Matrix scaled = matrix.unaryExpr([exponent](Scalar cell) { return std::ldexp(cell, exponent); });
  return scaled / scaled.stableNorm();
}

}  // namespace

Comparison compareMatrices(const Matrix& a, const Matrix& b) {
  checkFinite("a", a);
  checkFinite("b", b);
  Comparison comparison;
  comparison.largestMagnitude = std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  comparison.sameShape = shapeOf(a) == shapeOf(b);
  comparison.tolerance = kEqualTolerance * std::max(Scalar{1}, comparison.largestMagnitude);
  if (!comparison.sameShape) return comparison;
  const Matrix differences = (a - b).cwiseAbs();
  checkOverflow("The difference of a and b", differences);
  const CellPosition place = firstLargest(differences);
  comparison.row = place.row;
  comparison.column = place.column;
  comparison.largestDifference = differences(place.row, place.column);
  comparison.equal = comparison.largestDifference < comparison.tolerance;
  return comparison;
}

CellPosition largestCell(const Matrix& matrix) {
  checkFinite("matrix", matrix);
  return firstLargest(matrix.cwiseAbs());
}

Matrix cosineSimilarity(const std::vector<Matrix>& matrices) {
  const auto count = static_cast<Index>(matrices.size());
  if (count == 0) throw Error(ErrorCode::invalidDimension, "matrices is empty; similarity needs at least one matrix.");
  std::vector<Matrix> directions;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::string name = "matrices[" + std::to_string(i) + "]";
    checkFinite(name, matrices[i]);
    checkShape(name, shapeOf(matrices[i]), shapeOf(matrices[0]), "as matrices[0]");
    directions.push_back(directionOf(matrices[i]));
  }
  checkResultSize("The similarities", 1, static_cast<double>(count) * static_cast<double>(count),
                  "Give fewer matrices.");
  checkWork("The similarities of " + std::to_string(count) + " matrices",
            static_cast<double>(count) * static_cast<double>(count) * static_cast<double>(matrices[0].size()),
            "Give fewer or smaller matrices.");
  Matrix similarity(count, count);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < count; ++j)
      similarity(i, j) =
          directions[static_cast<std::size_t>(i)].cwiseProduct(directions[static_cast<std::size_t>(j)]).sum();
  return similarity;
}

}  // namespace headwise
