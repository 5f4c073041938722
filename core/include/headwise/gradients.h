// Multi-head attention, backward: the steps of attention.h in reverse.
#pragma once

#include <optional>

#include "headwise/attention.h"

namespace headwise {

/// The gradient of a scalar loss, in the shapes of what it is taken by. Entries are ∂loss/∂entry.
struct Gradients {
  Weights weights;  ///< the layer's weights, each replaced by its gradient; a bias that is absent has none here either
  Inputs inputs;    ///< by query, key and value input. For self-attention the gradient by the one input is their sum.
};

/// outputGradient = ∂loss/∂output [n_q × p_o]; trace = attend(inputs, weights, options).
/// Cells that the mask hides, and rows that see nothing, send no gradient back. A key/value head sums over the query heads that use it.
/// Throws shapeMismatch if the trace or outputGradient is not of this layer, notFinite for NaN, infinity and gradients that overflow.
Gradients backward(const Inputs& inputs,
                   const Weights& weights,
                   const Options& options,
                   const ForwardTrace& trace,
                   const Matrix& outputGradient);

/// The same for attendUnprojected: inputs [n_q × d_q], [n_kv × d_k], [n_kv × d_v], additive as it was given.
struct UnprojectedGradients {
  Inputs inputs;
  std::optional<AdditiveScore> additive;
};
UnprojectedGradients backwardUnprojected(const Inputs& inputs,
                                         const Options& options,
                                         const ForwardTrace& trace,
                                         const Matrix& outputGradient,
                                         const AdditiveScore* additive = nullptr);

}  // namespace headwise
