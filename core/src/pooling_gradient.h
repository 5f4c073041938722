// One head's pooling in reverse, for one sequence: what `backward` and the batched pass have in common.
#pragma once

#include "headwise/pooling.h"
#include "headwise/types.h"

namespace headwise {

/// Zeros of the same shapes.
AdditiveScore zeroLike(const AdditiveScore& score);

/// What one head computed on one sequence. `additive` is null for dot products.
struct PooledHead {
  Eigen::Ref<const Matrix> queries;           ///< [n_q × p_q]
  Eigen::Ref<const Matrix> keys;              ///< [n_kv × p_k]
  Eigen::Ref<const Matrix> values;            ///< [n_kv × p_v]
  Eigen::Ref<const Matrix> attentionWeights;  ///< [n_q × n_kv]
  const AdditiveScore* additive = nullptr;
  Scalar scaleFactor = 1;
};

/// Sets the gradients by queries, keys and values, and adds to that by the score matrices (null for dot products).
/// outputGradient is ∂loss/∂(attentionWeights · values) [n_q × p_v].
void poolBackward(const PooledHead& head,
                  const Eigen::Ref<const Matrix>& outputGradient,
                  Eigen::Ref<Matrix> queries,
                  Eigen::Ref<Matrix> keys,
                  Eigen::Ref<Matrix> values,
                  AdditiveScore* additive);

}  // namespace headwise
