// The softmax over each row of scores.
#pragma once

#include "headwise/types.h"

namespace headwise {

/// weights(i, j) = exp(s_ij − max_k s_ik) / Σ_k exp(s_ik − max_k s_ik), of the same shape as scores [n_q × n_kv].
/// Subtracting the row's maximum changes nothing in exact arithmetic and keeps exp from overflowing. −∞ gives exactly 0.
/// Each row sums to 1, but a row of −∞ only (a query that sees nothing) gives zeros.
/// Throws notFinite for NaN or +∞.
Matrix softmaxRows(const Matrix& scores);

/// −Σ_j w_j ln w_j of each row, in nats: 0 for one-hot, ln n for uniform. [n_q]
/// Throws invalidOption for a negative weight, notFinite for NaN, infinity and an entropy that overflows.
RowVector entropyOfRows(const Matrix& weights);

}  // namespace headwise
