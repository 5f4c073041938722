// Heads that use one matrix on purpose, or by mistake: which head uses whose (lesson 5).
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "headwise/attention.h"

namespace headwise {

/// One axis, from every head its own to all heads one.
enum class Sharing {
  none,                   ///< every head has its own matrices
  keysAndValuesPerGroup,  ///< consecutive heads share W_k and W_v in groups (grouped-query attention)
  keysAndValues,          ///< all heads share W_k and W_v (multi-query attention)
  all,                    ///< all heads share W_q, W_k and W_v: the pitfall, every head is the same function
};
inline constexpr std::array<std::pair<Sharing, std::string_view>, 4> kSharings{{
    {Sharing::none, "none"},
    {Sharing::keysAndValuesPerGroup, "keysAndValuesPerGroup"},
    {Sharing::keysAndValues, "keysAndValues"},
    {Sharing::all, "all"},
}};

/// For each head the first head whose matrices it uses; itself if it has its own.
struct SharingPlan {
  std::vector<Index> query;
  std::vector<Index> keyValue;
};

/// groupSize counts only for keysAndValuesPerGroup and must divide headCount (invalidDimension).
SharingPlan sharingPlan(Sharing sharing, Index headCount, Index groupSize = 1);

/// The weights with every matrix replaced by the one that the plan says is used in its place. W^o is never shared.
/// The layer must have as many key/value heads as query heads (invalidDimension): sharing is said by the plan, not by a smaller count.
Weights shareWeights(const Weights& weights, const SharingPlan& plan);

/// The gradient by a shared matrix is the sum over its users; each user's place gets that sum.
Weights sumOverUsers(const Weights& gradients, const SharingPlan& plan);

/// All heads the same function (Sharing::all): the layer is one head with W^o′ = Σ_j W_j^o. Head 0's matrices are taken.
/// [d × p] projections, W^o′ [p_v × p_o]. Under Scale::totalWidth the total width is now one head's: W_q and b_q make up for it.
Weights equivalentSingleHead(const Weights& weights, const Options& options = {});

/// What a plan stores and what of it matters. Counts, not measurements.
struct SharingCost {
  double parametersUnshared = 0;  ///< without any sharing, W^o and biases included
  double parameters = 0;          ///< with the plan: each shared matrix once
  /// once heads that are one function are merged and their blocks of W^o added up
  double parametersThatMatter = 0;
  double multiplyAdds = 0;        ///< of a forward pass as run, every head computed
  double multiplyAddsNeeded = 0;  ///< after that merge, with shared queries, keys and values projected once
};
SharingCost sharingCost(
    const Dimensions& dimensions, const SharingPlan& plan, bool biases, Index queryCount, Index keyCount);

}  // namespace headwise
