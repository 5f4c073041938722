// Multi-head attention, forward. Start here: everything else in this folder is a step of `attend` or looks at its trace.
//
//   Q_j = H_q W_j^q + b_j^q    K_g = H_k W_g^k + b_g^k    V_g = H_v W_g^v + b_g^v     projections, per head
//   S_j = Q_j K_gᵀ · scale     (or additive scores)                                   g = ⌊j / groupSize⌋
//   A_j = softmax of each row of S_j + mask
//   O_j = A_j V_g
//   output = [O_0 … O_{h−1}] W^o + b^o
//
// Sources: Vaswani et al. 2017, "Attention Is All You Need", 3.2; Dive into Deep Learning 11.3 and 11.5.
#pragma once

#include "headwise/dimensions.h"
#include "headwise/mask.h"
#include "headwise/pooling.h"
#include "headwise/trace.h"
#include "headwise/types.h"
#include "headwise/weights.h"

namespace headwise {

/// What queries, keys and values are made from. Rows are tokens.
struct Inputs {
  Matrix query;  ///< [n_q × d_q]
  Matrix key;    ///< [n_kv × d_k]
  Matrix value;  ///< [n_kv × d_v]

  /// Self-attention: one sequence [n × d] in all three places.
  static Inputs self(const Matrix& input) { return {input, input, input}; }
};

struct Options {
  Pooling pooling = Pooling::scaledDotProduct;
  Scale scale = Scale::perHeadWidth;  ///< ignored by additive pooling
  Mask mask;
};

/// The whole layer with every intermediate. Throws Error: shapes that contradict weights.dimensions (shapeMismatch), NaN or infinity in any
/// argument or an overflow on the way (notFinite), sizes of zero or that do not fit together (invalidDimension), a bad mask
/// (invalidOption), a trace above kMaxTraceBytes (tooLarge).
ForwardTrace attend(const Inputs& inputs, const Weights& weights, const Options& options = {});

/// One head without projections: inputs are queries, keys and values as they are (Dive into Deep Learning 11.3).
/// The trace has one head; concatenated and output are that head's output. `additive` is needed for Pooling::additive only.
ForwardTrace attendUnprojected(const Inputs& inputs, const Options& options, const AdditiveScore* additive = nullptr);

}  // namespace headwise
