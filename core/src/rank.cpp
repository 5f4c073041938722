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
  result.singularValues = Eigen::JacobiSVD<Matrix>(matrix).singularValues().transpose();
  const Scalar size = static_cast<Scalar>(std::max(matrix.rows(), matrix.cols()));
  result.threshold = size * std::numeric_limits<Scalar>::epsilon() * result.singularValues(0);
  result.rank = (result.singularValues.array() > result.threshold).count();
  return result;
}

}  // namespace headwise
