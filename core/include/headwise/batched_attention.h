// Many short sequences through one layer at once: what training runs. Sequences of one length are stacked by rows, row s·n + t being token t
// of sequence s; projections are then one product for all, and scores are taken sequence by sequence. The reference is `attend` and
// `backward` on each sequence, which this is held against.
#pragma once

#include <vector>

#include "headwise/layer.h"
#include "headwise/trace.h"

namespace headwise {

/// sequenceCount sequences of one length, stacked by rows, and what the layer should make of them.
struct Batch {
  Inputs inputs;  ///< [count·n × width]
  Matrix target;  ///< [count·n × p_o]
  Index sequenceCount = 1;
};

/// Throws shapeMismatch unless inputs and target are stacks of sequenceCount equal sequences that fit the dimensions, notFinite for NaN and infinity,
/// invalidDimension for no sequence.
void checkBatch(const Batch& batch, const Dimensions& dimensions);

/// `attend` for each sequence; the trace's matrices are stacked like the inputs, its emptyRows too. A field that neither the output nor
/// the gradients need may be empty. Throws what checkMask throws; for the rest there are checkWeights and checkBatch.
ForwardTrace attendBatch(const Inputs& inputs, const Weights& weights, const Options& options, Index sequenceCount);

/// The weights' part of `backward`, summed over the sequences. outputGradient [count·n × p_o]. Throws invalidOption for a layer without
/// projections, which has nothing to train.
Weights batchGradients(const Inputs& inputs,
                       const Weights& weights,
                       const Options& options,
                       const ForwardTrace& trace,
                       const Matrix& outputGradient,
                       Index sequenceCount);

/// Mean squared error of a layer on a batch. It goes through in parts, so that a large held-out set needs little memory.
Scalar batchLoss(const Weights& weights, const Options& options, const Batch& batch);

}  // namespace headwise
