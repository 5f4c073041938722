// From a golden file's spelling of a layer to the library's.
#pragma once

#include "golden_json.h"
#include "golden_report.h"
#include "headwise/attention.h"

#include <string>

namespace headwise::test {

/// Kinds sdpa, mha, additive and additive_mha. `weights` and `dims` are those of one layer; the rest comes from the file.
Layer layerFrom(GoldenReport& report, const std::string& kind, const Json& file, const Json& weights, const Json& dims);

Inputs inputsFrom(const Json& inputs);
/// Holds the listed keep-matrix, if there is one, against mayAttend.
Mask maskFrom(GoldenReport& report, const Json& file, Index queryCount, Index keyCount);
/// The sizes follow from the matrices; listed ones must agree.
void checkListedSizes(GoldenReport& report, const Json& dims, const Layer& layer);

/// The sizes follow from the matrices.
Weights weightsFrom(const Json& weights, Pooling pooling);
/// One set of projections, used by as many heads as W^o has blocks.
Weights sharedWeights(const Projection& query, const KeyValueHeadWeights& keyValue, const Matrix& output);
/// The same from a file: W_q, W_k and W_v are one matrix each.
Weights sharedWeightsFrom(const Json& weights);

/// One weight matrix and its bias, which may be null or missing.
Projection projectionFrom(const Json& weights, const std::string& weight, const std::string& bias);

}  // namespace headwise::test
