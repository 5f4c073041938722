// Each step quotes the line of the forward pass that it differentiates.
#include "pooling_gradient.h"

namespace headwise {

namespace {

// scores(i, k) = scoreVector · tanh(q_i scoreQuery + k_k scoreKey)
void additiveBackward(const PooledHead& head,
                      const Matrix& scoresGradient,
                      Eigen::Ref<Matrix> queriesGradient,
                      Eigen::Ref<Matrix> keysGradient,
                      AdditiveScore& gradient) {
  const AdditiveScore& score = *head.additive;
  const Matrix hiddenQueries = head.queries * score.scoreQuery, hiddenKeys = head.keys * score.scoreKey;
  Matrix hiddenQueriesGradient = Matrix::Zero(hiddenQueries.rows(), hiddenQueries.cols());
  Matrix hiddenKeysGradient = Matrix::Zero(hiddenKeys.rows(), hiddenKeys.cols());
  for (Index query = 0; query < hiddenQueries.rows(); ++query)
    for (Index key = 0; key < hiddenKeys.rows(); ++key) {
      const RowVector activated = (hiddenQueries.row(query) + hiddenKeys.row(key)).array().tanh();
      gradient.scoreVector += scoresGradient(query, key) * activated;
      // d tanh(x) = 1 − tanh²(x)
      const RowVector hiddenGradient =
          scoresGradient(query, key) * score.scoreVector.array() * (1 - activated.array().square());
      hiddenQueriesGradient.row(query) += hiddenGradient;
      hiddenKeysGradient.row(key) += hiddenGradient;
    }
  gradient.scoreQuery += head.queries.transpose() * hiddenQueriesGradient;
  gradient.scoreKey += head.keys.transpose() * hiddenKeysGradient;
  queriesGradient = hiddenQueriesGradient * score.scoreQuery.transpose();
  keysGradient = hiddenKeysGradient * score.scoreKey.transpose();
}

}  // namespace

AdditiveScore zeroLike(const AdditiveScore& score) {
  return {Matrix::Zero(score.scoreQuery.rows(), score.scoreQuery.cols()),
          Matrix::Zero(score.scoreKey.rows(), score.scoreKey.cols()), RowVector::Zero(score.scoreVector.size())};
}

void poolBackward(const PooledHead& head,
                  const Eigen::Ref<const Matrix>& outputGradient,
                  Eigen::Ref<Matrix> queries,
                  Eigen::Ref<Matrix> keys,
                  Eigen::Ref<Matrix> values,
                  AdditiveScore* additive) {
  const auto& weights = head.attentionWeights;

  // O = A V
  const Matrix weightsGradient = outputGradient * head.values.transpose();
  values.noalias() = weights.transpose() * outputGradient;

  // A = softmax of each row of S + mask: dS = A ∘ (dA − Σ_k A ∘ dA). Hidden cells have A = 0 and so get 0.
  Matrix scoresGradient = weights.cwiseProduct(weightsGradient);
  for (Index row = 0; row < scoresGradient.rows(); ++row)
    scoresGradient.row(row) -= scoresGradient.row(row).sum() * weights.row(row);

  // S = rawScores · scale
  scoresGradient *= head.scaleFactor;

  // rawScores = Q Kᵀ, or additive scores
  if (head.additive) {
    additiveBackward(head, scoresGradient, queries, keys, *additive);
  } else {
    queries.noalias() = scoresGradient * head.keys;
    keys.noalias() = scoresGradient.transpose() * head.queries;
  }
}

}  // namespace headwise
