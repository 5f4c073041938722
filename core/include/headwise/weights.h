// All learned matrices of a multi-head attention layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
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
  /// false: one head whose queries, keys and values are the inputs as they are, and whose output is the layer's. All projections are empty.
  bool isProjected = true;
  std::vector<HeadWeights> heads;                  ///< h
  std::vector<KeyValueHeadWeights> keyValueHeads;  ///< h_kv; query head j uses number dimensions.keyValueHeadOf(j)
  Projection output;                               ///< W^o [h·p_v × p_o]
};

/// Throws if a matrix contradicts weights.dimensions (shapeMismatch) or holds NaN or infinity (notFinite).
void checkWeights(const Weights& weights, Pooling pooling);
/// The same where the pooling does not matter: score matrices are checked if there are any.
void checkWeights(const Weights& weights);
/// The part of it that looks at shapes and not at numbers: what is asked again and again of weights that were checked once.
void checkWeightShapes(const Weights& weights, Pooling pooling);

/// Throws invalidOption for a layer without projections, which has no matrices to cut, share or store. `purpose` begins the message:
/// "Splitting".
void checkProjected(const Weights& weights, std::string_view purpose);

/// One head without projections (Dive into Deep Learning 11.3) on queries [… × querySize], keys [… × keySize] and values [… × valueSize].
/// `additive` is for additive pooling.
Weights unprojectedWeights(Index querySize, Index keySize, Index valueSize, std::optional<AdditiveScore> additive = {});

/// Calls visit(a, b, …) for each matrix and bias of several sets of weights of one layer, side by side. Those of absent projections are empty.
template <class Visitor, class First, class... Sets>
void forEachParameter(Visitor&& visit, First& first, Sets&... rest) {
  const auto projections = [&](auto&& select) {
    visit(select(first).weight, select(rest).weight...);
    if (select(first).bias) visit(*select(first).bias, *select(rest).bias...);
  };
  for (std::size_t j = 0; j < first.heads.size(); ++j) {
    projections([j](auto& weights) -> auto& { return weights.heads[j].query; });
    if (first.heads[j].additive) {
      visit(first.heads[j].additive->scoreQuery, rest.heads[j].additive->scoreQuery...);
      visit(first.heads[j].additive->scoreKey, rest.heads[j].additive->scoreKey...);
      visit(first.heads[j].additive->scoreVector, rest.heads[j].additive->scoreVector...);
    }
  }
  for (std::size_t g = 0; g < first.keyValueHeads.size(); ++g) {
    projections([g](auto& weights) -> auto& { return weights.keyValueHeads[g].key; });
    projections([g](auto& weights) -> auto& { return weights.keyValueHeads[g].value; });
  }
  projections([](auto& weights) -> auto& { return weights.output; });
}

/// Zeros in the places of all parameters.
Weights zerosLike(const Weights& weights);

/// Throws notFinite if a parameter is NaN or infinite; `name` begins the message.
void checkOverflow(std::string_view name, const Weights& weights);

struct RandomWeightOptions {
  Distribution distribution = Distribution::scaledNormal;
  bool biases = false;  ///< drawn like the matrix's own columns: scaledNormal biases have variance 1/width in
};

/// Weights for the dimensions; with additive score matrices if scoreHiddenSize > 0. The heads' matrices are blocks of columns of one
/// wide matrix per role, drawn cell by cell: with h·p fixed, another headCount cuts the same numbers differently.
Weights randomWeights(const Dimensions& dimensions, std::uint64_t seed, const RandomWeightOptions& options = {});

}  // namespace headwise
