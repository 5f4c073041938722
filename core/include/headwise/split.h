// Cutting one head's matrices by columns into several heads, and adding the heads' scores up again.
#pragma once

#include <vector>

#include "headwise/layer.h"
#include "headwise/trace.h"

namespace headwise {

/// single has one head, W_q, W_k [d × p], W_v [d × p_v]; the result has headCount heads of p / headCount and p_v / headCount columns,
/// head j the j-th block of each, biases cut the same way, W^o as it was. No number changes.
/// Throws invalidDimension, with the divisors that would do, if headCount does not divide both widths, invalidOption for additive
/// pooling, whose score matrices belong to one width of head, and for a layer without projections.
Weights splitSingleHead(const Weights& single, Index headCount);

/// QKᵀ = Σ_j Q_j K_jᵀ: one head's raw scores are the sum of its blocks' raw scores.
struct ScoreDecomposition {
  std::vector<Matrix> terms;     ///< Q_j K_jᵀ, [n_q × n_kv] each
  Matrix sum;                    ///< Σ terms
  Scalar largestDifference = 0;  ///< of sum and the single head's rawScores: rounding only
};
ScoreDecomposition decomposeScores(const ForwardTrace& single, const ForwardTrace& split);

}  // namespace headwise
