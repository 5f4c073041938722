// One layer with its input, as it crosses the boundary. The wrapper translates the golden files' spelling to and from this form.
//
//   { projected, dimensions, inputs: { query, key, value }, options: { pooling, scale, mask },
//     weights: { heads: [{ query, additive }], keyValueHeads: [{ key, value }], output },   where projected
//     additive }                                                                            where not projected and additive
//
// with each projection { weight, bias }, additive { scoreQuery, scoreKey, scoreVector }, mask { kind, validLengths, keep, bias };
// what is absent is undefined or null.
#pragma once

#include "conversion.h"
#include "headwise/attention.h"
#include "headwise/equality.h"

namespace headwise::bindings {

struct Layer {
  bool projected = true;
  Inputs inputs;
  Weights weights;  ///< only dimensions, and the first head's additive, where not projected
  Options options;
};

Layer layerFrom(const val& layer);
Dimensions dimensionsFrom(const val& dimensions);
/// Throws tooLarge if all projections together would pass kMaxTraceBytes.
void checkWeightsSize(const Dimensions& dimensions);
Mask maskFrom(const val& mask);
Projection projectionFrom(const val& projection);
LayerPair layerPairFrom(const val& pair);  ///< { single, multi }: both layers, the input and options of single

/// By attend, or attendUnprojected where there are no projections.
ForwardTrace traceOf(const Layer& layer);

val toJs(const Dimensions& dimensions);
val toJs(const Inputs& inputs);
val toJs(const AdditiveScore& additive);
val toJs(const Projection& projection);
val toJs(const Weights& weights);  ///< with its dimensions beside heads, keyValueHeads and output
val toJs(const Mask& mask);
/// head.keys and head.values are the same objects as those of the key/value head it uses.
val toJs(const ForwardTrace& trace);

}  // namespace headwise::bindings
