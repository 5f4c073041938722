// Steps that the per-head and the fused form of the layer have in common.
#pragma once

#include <string>
#include <string_view>

#include "headwise/attention.h"

namespace headwise {

/// Everything `attend` refuses in its arguments, but for the mask.
void checkArguments(const Inputs& inputs, const Weights& weights, const Options& options);

/// From one head's queries, keys and values to its output. `additive` is null for dot products; `name` goes into errors.
HeadTrace poolHead(std::string_view name,
                   Matrix queries,
                   const KeyValueHeadTrace& keyValue,
                   const AdditiveScore* additive,
                   Scalar factor,
                   const Mask& mask,
                   const BoolMatrix& visible);

/// Throws notFinite if finite numbers multiplied to something that is not.
void checkOverflow(const std::string& name, const Matrix& matrix);

}  // namespace headwise
