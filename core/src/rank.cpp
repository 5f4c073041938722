// Singular values by Eigen, counted.
#include "headwise/rank.h"

#include <Eigen/SVD>

#include <algorithm>
#include <limits>
#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

// Jacobi rotations take time by the cube of the longer side: about 5 s in WebAssembly at 512, as long as kMostWork may.
constexpr Index kLongestSide = 512;

}  // namespace

NumericalRank numericalRank(const Matrix& matrix) {
  if (std::max(matrix.rows(), matrix.cols()) > kLongestSide)
    throw Error(ErrorCode::tooLarge, "matrix must have at most " + std::to_string(kLongestSide) +
                                         " rows and columns, but is " + toString(shapeOf(matrix)) + ".");
  checkFinite("matrix", matrix);
  NumericalRank result;
  // Made square with zeros, which add only singular values of 0 at the end: without it Eigen's solver brings a QR decomposition along.
  const Index most = std::min(matrix.rows(), matrix.cols()), side = std::max(matrix.rows(), matrix.cols());
  Matrix square = Matrix::Zero(side, side);
  square.topLeftCorner(matrix.rows(), matrix.cols()) = matrix;
  const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> decomposition(square);
  result.singularValues = decomposition.singularValues().head(most).transpose();
  checkOverflow("The singular values", result.singularValues);
  result.threshold = static_cast<Scalar>(side) * std::numeric_limits<Scalar>::epsilon() * result.singularValues(0);
  result.rank = (result.singularValues.array() > result.threshold).count();
  return result;
}

}  // namespace headwise
