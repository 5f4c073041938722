// One head's pooling, forward and in reverse.
#include "pooled_head.h"

#include "headwise/error.h"
#include "headwise/softmax.h"

namespace headwise {

namespace {

// Rows of sequence number `sequence` in a stack of sequences of equal length.
template <class Stack>
auto sequenceRows(Stack& stack, Index sequence, Index sequenceCount) {
  const Index length = stack.rows() / sequenceCount;
  return stack.middleRows(sequence * length, length);
}

Matrix scoresOf(const Matrix& queries, const Matrix& keys, const AdditiveScore* additive, Index sequenceCount) {
  Matrix scores(queries.rows(), keys.rows() / sequenceCount);
  for (Index sequence = 0; sequence < sequenceCount; ++sequence) {
    const auto q = sequenceRows(queries, sequence, sequenceCount), k = sequenceRows(keys, sequence, sequenceCount);
    auto s = sequenceRows(scores, sequence, sequenceCount);
    if (additive)
      s = additiveScores(q, k, *additive);
    else
      s.noalias() = q * k.transpose();
  }
  return scores;
}

// scores(i, k) = scoreVector · tanh(q_i scoreQuery + k_k scoreKey), in reverse, for one sequence.
void additiveBackward(const Matrix& queries,
                      const Matrix& keys,
                      const AdditiveScore& score,
                      const Matrix& scoresGradient,
                      Matrix& queriesGradient,
                      Matrix& keysGradient,
                      AdditiveScore& gradient) {
  const Matrix hiddenQueries = queries * score.scoreQuery, hiddenKeys = keys * score.scoreKey;
  Matrix hiddenQueriesGradient = Matrix::Zero(hiddenQueries.rows(), hiddenQueries.cols());
  Matrix hiddenKeysGradient = Matrix::Zero(hiddenKeys.rows(), hiddenKeys.cols());
  for (Index query = 0; query < queries.rows(); ++query)
    for (Index key = 0; key < keys.rows(); ++key) {
      const RowVector activated = (hiddenQueries.row(query) + hiddenKeys.row(key)).array().tanh();
      gradient.scoreVector += scoresGradient(query, key) * activated;
      // d tanh(x) = 1 − tanh²(x)
      const RowVector hiddenGradient =
          scoresGradient(query, key) * score.scoreVector.array() * (1 - activated.array().square());
      hiddenQueriesGradient.row(query) += hiddenGradient;
      hiddenKeysGradient.row(key) += hiddenGradient;
    }
  gradient.scoreQuery += queries.transpose() * hiddenQueriesGradient;
  gradient.scoreKey += keys.transpose() * hiddenKeysGradient;
  queriesGradient = hiddenQueriesGradient * score.scoreQuery.transpose();
  keysGradient = hiddenKeysGradient * score.scoreKey.transpose();
}

}  // namespace

AdditiveScore zeroLike(const AdditiveScore& score) {
  return {Matrix::Zero(score.scoreQuery.rows(), score.scoreQuery.cols()),
          Matrix::Zero(score.scoreKey.rows(), score.scoreKey.cols()), RowVector::Zero(score.scoreVector.size())};
}

void checkOverflow(std::string_view name, const Matrix& matrix) {
  if (!matrix.allFinite())
    throw Error(ErrorCode::notFinite,
                std::string(name) +
                    " overflowed: the numbers that went in are finite but too large to multiply. Make them smaller.");
}

StackedMask stackMask(const Mask& mask, Index queryCount, Index keyCount, Index sequenceCount) {
  StackedMask stacked{mask, mayAttend(mask, queryCount, keyCount).replicate(sequenceCount, 1), sequenceCount};
  if (mask.bias.size() != 0) stacked.mask.bias = Matrix(mask.bias.replicate(sequenceCount, 1));
  return stacked;
}

HeadTrace poolHead(std::string_view name,
                   Matrix queries,
                   const KeyValueHeadTrace& keyValue,
                   const AdditiveScore* additive,
                   Scalar factor,
                   const StackedMask& mask) {
  HeadTrace head;
  head.queries = std::move(queries);
  // Not left to the scores: tanh would swallow an infinity, and so would a weight of zero.
  checkOverflow(std::string(name) + ".queries", head.queries);
  checkOverflow("The keys of " + std::string(name), keyValue.keys);
  checkOverflow("The values of " + std::string(name), keyValue.values);
  head.rawScores = scoresOf(head.queries, keyValue.keys, additive, mask.sequenceCount);
  checkOverflow(std::string(name) + ".rawScores", head.rawScores);
  head.scaledScores = head.rawScores * factor;
  head.maskedScores = maskScores(head.scaledScores, mask.mask, mask.visible);
  head.attentionWeights = softmaxRows(head.maskedScores);
  head.output.resize(head.queries.rows(), keyValue.values.cols());
  for (Index sequence = 0; sequence < mask.sequenceCount; ++sequence)
    sequenceRows(head.output, sequence, mask.sequenceCount).noalias() =
        sequenceRows(head.attentionWeights, sequence, mask.sequenceCount) *
        sequenceRows(keyValue.values, sequence, mask.sequenceCount);
  return head;
}

PooledHeadGradient poolHeadBackward(const HeadTrace& head,
                                    const KeyValueHeadTrace& keyValue,
                                    const AdditiveScore* additive,
                                    Scalar factor,
                                    const Matrix& outputGradient,
                                    Index sequenceCount) {
  PooledHeadGradient gradient;
  gradient.queries.resizeLike(head.queries);
  gradient.keyValue.keys.resizeLike(keyValue.keys);
  gradient.keyValue.values.resizeLike(keyValue.values);
  if (additive) gradient.additive = zeroLike(*additive);

  Matrix weightsGradient, scoresGradient;
  for (Index sequence = 0; sequence < sequenceCount; ++sequence) {
    const auto weights = sequenceRows(head.attentionWeights, sequence, sequenceCount);
    const auto queries = sequenceRows(head.queries, sequence, sequenceCount);
    const auto keys = sequenceRows(keyValue.keys, sequence, sequenceCount);
    const auto values = sequenceRows(keyValue.values, sequence, sequenceCount);
    const auto output = sequenceRows(outputGradient, sequence, sequenceCount);

    // output = attentionWeights · values
    weightsGradient.noalias() = output * values.transpose();
    sequenceRows(gradient.keyValue.values, sequence, sequenceCount).noalias() = weights.transpose() * output;

    // attentionWeights = softmaxRows(maskedScores): dS = A ∘ (dA − Σ_k A ∘ dA). Hidden cells have A = 0 and so get 0.
    scoresGradient = weights.cwiseProduct(weightsGradient);
    for (Index row = 0; row < scoresGradient.rows(); ++row)
      scoresGradient.row(row) -= scoresGradient.row(row).sum() * weights.row(row);

    // maskedScores = rawScores · factor + bias
    scoresGradient *= factor;

    // rawScores = queries · keysᵀ, or additive
    auto queriesGradient = sequenceRows(gradient.queries, sequence, sequenceCount);
    auto keysGradient = sequenceRows(gradient.keyValue.keys, sequence, sequenceCount);
    if (additive) {
      Matrix byQueries, byKeys;
      additiveBackward(queries, keys, *additive, scoresGradient, byQueries, byKeys, *gradient.additive);
      queriesGradient = byQueries;
      keysGradient = byKeys;
    } else {
      queriesGradient.noalias() = scoresGradient * keys;
      keysGradient.noalias() = scoresGradient.transpose() * queries;
    }
  }
  return gradient;
}

}  // namespace headwise
