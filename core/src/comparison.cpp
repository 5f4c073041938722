// How far apart, and in which direction.
#include "headwise/comparison.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "headwise/error.h"

namespace headwise {

Comparison compareMatrices(const Matrix& a, const Matrix& b) {
  checkFinite("a", a);
  checkFinite("b", b);
  Comparison comparison;
  comparison.largestMagnitude = std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  comparison.sameShape = shapeOf(a) == shapeOf(b);
  comparison.tolerance = kEqualTolerance * std::max(Scalar{1}, comparison.largestMagnitude);
  if (!comparison.sameShape) return comparison;
  comparison.largestDifference = (a - b).cwiseAbs().maxCoeff(&comparison.row, &comparison.column);
  if (!std::isfinite(comparison.largestDifference)) checkOverflow("The difference of a and b", a - b);
  comparison.equal = comparison.largestDifference < comparison.tolerance;
  return comparison;
}

CellPosition largestCell(const Matrix& matrix) {
  checkFinite("matrix", matrix);
  CellPosition place;
  matrix.cwiseAbs().maxCoeff(&place.row, &place.column);
  return place;
}

Matrix cosineSimilarity(const std::vector<Matrix>& matrices) {
  const auto count = static_cast<Index>(matrices.size());
  if (count == 0) throw Error(ErrorCode::invalidDimension, "matrices is empty; similarity needs at least one matrix.");
  std::vector<Matrix> directions;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::string name = "matrices[" + std::to_string(i) + "]";
    checkFinite(name, matrices[i]);
    checkShape(name, shapeOf(matrices[i]), shapeOf(matrices[0]), "as matrices[0]");
    const Scalar norm = matrices[i].stableNorm();
    directions.push_back(norm > 0 ? Matrix(matrices[i] / norm) : matrices[i]);
  }
  Matrix similarity(count, count);
  for (Index i = 0; i < count; ++i)
    for (Index j = 0; j < count; ++j)
      similarity(i, j) =
          directions[static_cast<std::size_t>(i)].cwiseProduct(directions[static_cast<std::size_t>(j)]).sum();
  return similarity;
}

}  // namespace headwise
