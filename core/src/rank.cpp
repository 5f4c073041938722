// Singular values by Eigen, counted.
#include "headwise/rank.h"

#include <Eigen/SVD>

#include <algorithm>
#include <limits>

#include "headwise/error.h"

namespace headwise {

NumericalRank numericalRank(const Matrix& matrix) {
  checkFinite("matrix", matrix);
  NumericalRank result;
  // Made square with zeros, which add only singular values of 0 at the end: without it Eigen's solver brings a QR decomposition along.
  const Index most = std::min(matrix.rows(), matrix.cols()), side = std::max(matrix.rows(), matrix.cols());
  Matrix square = Matrix::Zero(side, side);
  square.topLeftCorner(matrix.rows(), matrix.cols()) = matrix;
  const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> decomposition(square);
  result.singularValues = decomposition.singularValues().head(most).transpose();
  const Scalar size = static_cast<Scalar>(std::max(matrix.rows(), matrix.cols()));
  result.threshold = size * std::numeric_limits<Scalar>::epsilon() * result.singularValues(0);
  result.rank = (result.singularValues.array() > result.threshold).count();
  return result;
}

}  // namespace headwise
