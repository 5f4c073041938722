// One head's score functions: how similar is a query to a key?
#pragma once

#include "headwise/dimensions.h"
#include "headwise/types.h"

namespace headwise {

/// What the dot products are multiplied by before the softmax.
struct Scale {
  enum class Rule {
    perHeadWidth,  ///< 1/√querySize: unit-variance scores for unit-variance queries and keys ("Attention Is All You Need" 3.2.1)
    totalWidth,  ///< 1/√(headCount · querySize): a usual mistake, and right for one head
    modelWidth,  ///< 1/√queryInputSize: the same mistake where all heads together are not as wide as the model
    none,        ///< 1
    factor,      ///< a number: some models divide by another width than their heads'
  };
  Rule rule = Rule::perHeadWidth;
  Scalar factor = 1;  ///< only for Rule::factor

  static constexpr Scale by(Scalar factor) { return {Rule::factor, factor}; }
  friend bool operator==(const Scale&, const Scale&) = default;
};
/// Those that a word says; Rule::factor is said by a number.
inline constexpr Names<Scale::Rule, 4> kScaleRules{{
    {Scale::Rule::perHeadWidth, "perHeadWidth"},
    {Scale::Rule::totalWidth, "totalWidth"},
    {Scale::Rule::modelWidth, "modelWidth"},
    {Scale::Rule::none, "none"},
}};

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
/// Throws notFinite for a factor that is not a finite number.
Scalar scaleFactor(const Dimensions& dimensions, Pooling pooling, const Scale& scale);

}  // namespace headwise
