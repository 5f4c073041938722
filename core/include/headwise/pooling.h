// One head's score functions: how similar is a query to a key?
#pragma once

#include "headwise/dimensions.h"
#include "headwise/types.h"

namespace headwise {

/// What the dot products are multiplied by before the softmax.
enum class Scale {
  perHeadWidth,  ///< 1/√querySize: unit-variance scores for unit-variance queries and keys ("Attention Is All You Need" 3.2.1)
  totalWidth,  ///< 1/√(headCount · querySize): a common mistake, and right for one head
  none,        ///< 1
};

/// Additive ("Bahdanau") scores of one head, Dive into Deep Learning 11.3.2.2.
struct AdditiveScore {
  Matrix scoreQuery;      ///< [p_q × a]
  Matrix scoreKey;        ///< [p_k × a]
  RowVector scoreVector;  ///< [a]
};

/// queries [n_q × p], keys [n_kv × p] → Q Kᵀ [n_q × n_kv].
Matrix dotProductScores(const Eigen::Ref<const Matrix>& queries, const Eigen::Ref<const Matrix>& keys);

/// score(i, j) = scoreVector · tanh(q_i scoreQuery + k_j scoreKey). queries [n_q × p_q], keys [n_kv × p_k] → [n_q × n_kv].
Matrix additiveScores(const Eigen::Ref<const Matrix>& queries,
                      const Eigen::Ref<const Matrix>& keys,
                      const AdditiveScore& score);

/// The factor of a head's raw scores; 1 for additive pooling, whose tanh bounds them already.
Scalar scaleFactor(const Dimensions& dimensions, Pooling pooling, Scale scale);

}  // namespace headwise
