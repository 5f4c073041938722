// Multi-head attention, forward. Start here: everything else in this folder is a step of `attend` or looks at its trace.
//
//   Q_j = H_q W_j^q + b_j^q    K_g = H_k W_g^k + b_g^k    V_g = H_v W_g^v + b_g^v     projections, per head
//   S_j = Q_j K_gᵀ · scale     (or additive scores)                                   g = ⌊j / groupSize⌋
//   A_j = softmax of each row of S_j + mask
//   O_j = A_j V_g
//   output = [O_0 … O_{h−1}] W^o + b^o
//
// Each line is a stage over all heads; forward.cpp has one function for each, in this order.
// Sources: Vaswani et al. 2017, "Attention Is All You Need", 3.2; Dive into Deep Learning 11.3 and 11.5.
#pragma once

#include <vector>

#include "headwise/layer.h"
#include "headwise/trace.h"

namespace headwise {

/// The whole layer with every intermediate. Throws what checkLayer throws, and notFinite for an overflow on the way.
ForwardTrace attend(const Layer& layer);

/// concatenated W^o = Σ_j O_j W_j^o with W_j^o the rows j·p_v … (j+1)·p_v − 1: what each head adds to the output. h matrices [n_q × p_o].
/// `trace` is the layer's own (shapeMismatch). Throws notFinite if a contribution overflows, though their sum may not.
std::vector<Matrix> outputContributions(const Layer& layer, const ForwardTrace& trace);

}  // namespace headwise
