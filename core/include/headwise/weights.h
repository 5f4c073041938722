// All learned matrices of a multi-head attention layer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headwise/dimensions.h"
#include "headwise/pooling.h"
#include "headwise/projection.h"
#include "headwise/random.h"
#include "headwise/types.h"

namespace headwise {

struct HeadWeights {
  Projection query;                       ///< W_j^q [d_q × p_q]
  std::optional<AdditiveScore> additive;  ///< only for Pooling::additive
};

struct KeyValueHeadWeights {
  Projection key;    ///< W_g^k [d_k × p_k]
  Projection value;  ///< W_g^v [d_v × p_v]
};

struct Weights {
  Dimensions dimensions;
  std::vector<HeadWeights> heads;                  ///< h
  std::vector<KeyValueHeadWeights> keyValueHeads;  ///< h_kv; query head j uses number dimensions.keyValueHeadOf(j)
  Projection output;                               ///< W^o [h·p_v × p_o]
};

/// Throws if a matrix contradicts weights.dimensions (shapeMismatch) or holds NaN or infinity (notFinite).
void checkWeights(const Weights& weights, Pooling pooling);

struct RandomWeightOptions {
  Distribution distribution = Distribution::scaledNormal;
  bool biases = false;  ///< drawn like the matrix's own columns: scaledNormal biases have variance 1/width in
};

/// Weights for the dimensions; with additive score matrices if scoreHiddenSize > 0. The heads' matrices are blocks of columns of one
/// wide matrix per role, drawn cell by cell: with h·p fixed, another headCount cuts the same numbers differently.
Weights randomWeights(const Dimensions& dimensions, std::uint64_t seed, const RandomWeightOptions& options = {});

}  // namespace headwise
