// Dot-product and additive scores.
#include "headwise/pooling.h"

#include <cmath>

#include "headwise/error.h"

namespace headwise {

Matrix dotProductScores(const Eigen::Ref<const Matrix>& queries, const Eigen::Ref<const Matrix>& keys) {
  if (queries.cols() != keys.cols())
    throw Error(ErrorCode::shapeMismatch, "queries is " + toString(shapeOf(queries)) + " and keys is " +
                                              toString(shapeOf(keys)) +
                                              "; dot products need the same number of columns.");
  return queries * keys.transpose();
}

Matrix additiveScores(const Eigen::Ref<const Matrix>& queries,
                      const Eigen::Ref<const Matrix>& keys,
                      const AdditiveScore& score) {
  const Index hiddenSize = score.scoreVector.size();
  checkShape("scoreQuery", shapeOf(score.scoreQuery), {queries.cols(), hiddenSize}, "query width × scoreHiddenSize");
  checkShape("scoreKey", shapeOf(score.scoreKey), {keys.cols(), hiddenSize}, "key width × scoreHiddenSize");
  const Matrix hiddenQueries = queries * score.scoreQuery;
  const Matrix hiddenKeys = keys * score.scoreKey;
  // tanh would make 1 of an infinity.
  checkOverflow("queries · scoreQuery", hiddenQueries);
  checkOverflow("keys · scoreKey", hiddenKeys);
  Matrix scores(queries.rows(), keys.rows());
  for (Index query = 0; query < queries.rows(); ++query)
    for (Index key = 0; key < keys.rows(); ++key)
      scores(query, key) =
          (hiddenQueries.row(query) + hiddenKeys.row(key)).array().tanh().matrix().dot(score.scoreVector);
  return scores;
}

Scalar scaleFactor(const Dimensions& dimensions, Pooling pooling, const Scale& scale) {
  if (scale.rule == Scale::Rule::factor && !std::isfinite(scale.factor))
    throw Error(ErrorCode::notFinite, "scale must be a finite number.", "scale");
  if (pooling == Pooling::additive) return 1;
  switch (scale.rule) {
    case Scale::Rule::perHeadWidth:
      return 1 / std::sqrt(static_cast<Scalar>(dimensions.querySize));
    case Scale::Rule::totalWidth:
      return 1 / std::sqrt(static_cast<Scalar>(dimensions.headCount * dimensions.querySize));
    case Scale::Rule::modelWidth:
      return 1 / std::sqrt(static_cast<Scalar>(dimensions.queryInputSize));
    case Scale::Rule::factor:
      return scale.factor;
    case Scale::Rule::none:
      break;
  }
  return 1;
}

}  // namespace headwise
