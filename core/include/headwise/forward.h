// The forward pass with its decisions laid open: each has the right answer as its default, and the usual mistakes as its others.
// `attend` is `forward` with the defaults.
#pragma once

#include <optional>

#include "headwise/layer.h"
#include "headwise/names.h"
#include "headwise/reshape.h"
#include "headwise/trace.h"

namespace headwise {

/// What is divided by its sum.
enum class NormaliseOver {
  keys,          ///< each row of each head: how one query spreads over the keys
  queries,       ///< each column of each head
  heads,         ///< the same cell of all heads
  headsAndKeys,  ///< the same row of all heads together
  nothing,       ///< no softmax: scores are the weights, 0 where hidden
};
inline constexpr Names<NormaliseOver, 5> kNormaliseOver{{
    {NormaliseOver::keys, "keys"},
    {NormaliseOver::queries, "queries"},
    {NormaliseOver::heads, "heads"},
    {NormaliseOver::headsAndKeys, "headsAndKeys"},
    {NormaliseOver::nothing, "nothing"},
}};

/// What becomes of a hidden cell.
enum class Hide {
  minusInfinity,  ///< its score becomes −∞, and its weight exactly 0
  fill,  ///< its score becomes fillValue. 0 always leaks weight to hidden keys; a large negative number differs from −∞ in
         ///< rows with nothing to see, which become uniform, and where scores are as large
  multiplyWeights,                ///< its weight becomes 0 after the softmax; rows then sum to less than 1
  multiplyWeightsAndRenormalise,  ///< the same, and rows divided by their sums: right again, but for what overflows
};
inline constexpr Names<Hide, 4> kHide{{
    {Hide::minusInfinity, "minusInfinity"},
    {Hide::fill, "fill"},
    {Hide::multiplyWeights, "multiplyWeights"},
    {Hide::multiplyWeightsAndRenormalise, "multiplyWeightsAndRenormalise"},
}};

/// What becomes of the heads' outputs.
enum class Combine {
  concatenate,  ///< side by side, [n_q × h·p_v]
  average,      ///< the mean of all heads, in place of each
  sum,          ///< the sum of all heads, in place of each
};
inline constexpr Names<Combine, 3> kCombine{{
    {Combine::concatenate, "concatenate"},
    {Combine::average, "average"},
    {Combine::sum, "sum"},
}};

struct Decisions {
  std::optional<Scale> scale;      ///< instead of the layer's own
  bool scaleAfterSoftmax = false;  ///< the weights are multiplied by the factor, not the scores
  bool wideProjections =
      false;  ///< one product per role for all heads, as libraries do it: right, and the same to rounding
  HeadOrder split = HeadOrder::blocks;  ///< how a role's columns become heads
  HeadOrder merge = HeadOrder::blocks;  ///< how the heads' columns become one matrix
  bool transposeScores = false;         ///< K_g Q_jᵀ; needs n_q = n_kv
  Hide hide = Hide::minusInfinity;
  Scalar fillValue = 0;  ///< only for Hide::fill
  NormaliseOver normaliseOver = NormaliseOver::keys;
  bool shareAttention = false;    ///< every head uses head 0's weights, with values of its own
  bool transposeWeights = false;  ///< O_j = A_jᵀ V_g; needs n_q = n_kv
  Combine combine = Combine::concatenate;
  bool firstBlockOnly = false;  ///< of an average or sum: taken once, [n_q × p_v], through the first p_v rows of W^o
  bool projectOutput = true;    ///< false: neither W^o nor b^o
  bool addInput = false;        ///< a residual connection, output + H_q; needs p_o = d_q

  friend bool operator==(const Decisions&, const Decisions&) = default;
};

/// The whole layer with every intermediate, computed as decided. With other decisions a field of the trace holds what takes its place, and
/// concatenated and output may have other shapes. Throws what checkLayer throws, invalidOption for decisions that the layer's sizes or
/// grouped heads do not allow, notFinite for an overflow on the way.
ForwardTrace forward(const Layer& layer, const Decisions& decisions = {});

}  // namespace headwise
