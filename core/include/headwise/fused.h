// The layer as frameworks run it: one wide product per role, viewed as heads. Checked against the per-head form.
#pragma once

#include "headwise/attention.h"

namespace headwise {

/// How the wide products are cut into heads and the heads joined again.
struct ReshapeOptions {
  bool transposeOnSplit = true;  ///< false: the mistake of splitHeadsWithoutTranspose, for queries, keys and values
  bool transposeOnMerge = true;  ///< false: the mistake of mergeHeadsWithoutTranspose
};

/// Q = H W^q with the wide matrix [d × h·p], split into heads, then as `attend`. Equal to attend() to rounding with both transposes.
/// Needs as many key/value heads as query heads (invalidDimension otherwise).
ForwardTrace attendFused(const Inputs& inputs,
                         const Weights& weights,
                         const Options& options = {},
                         const ReshapeOptions& reshape = {});

/// concatenated W^o = Σ_j O_j W_j^o with W_j^o the rows j·p_v … (j+1)·p_v − 1: what each head adds to the output. h matrices [n_q × p_o]
std::vector<Matrix> outputContributions(const ForwardTrace& trace, const Weights& weights);

}  // namespace headwise
