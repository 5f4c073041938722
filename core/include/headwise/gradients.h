// Multi-head attention, backward: the steps of attention.h in reverse.
#pragma once

#include "headwise/layer.h"
#include "headwise/trace.h"

namespace headwise {

/// The gradient of a scalar loss, in the shapes of what it is taken by. Entries are ∂loss/∂entry.
struct Gradients {
  Weights weights;  ///< the layer's weights, each replaced by its gradient; a bias that is absent has none here either
  Inputs inputs;    ///< by query, key and value input
};

/// outputGradient = ∂loss/∂output [n_q × p_o]; trace = attend(layer).
/// Cells that the mask hides, and rows that see nothing, send no gradient back. A key/value head sums over the query heads that use it.
/// Throws shapeMismatch if the trace or outputGradient is not of this layer, notFinite for NaN, infinity and gradients that overflow.
Gradients backward(const Layer& layer, const ForwardTrace& trace, const Matrix& outputGradient);

/// The gradient by one input that stands in all three places, as in self-attention: the sum of the three.
/// Throws shapeMismatch if they differ in shape, notFinite if the sum overflows.
Matrix gradientByOneInput(const Inputs& gradients);

}  // namespace headwise
