// Heads that use one matrix on purpose, or by mistake: which head uses whose.
#pragma once

#include <vector>

#include "headwise/layer.h"
#include "headwise/names.h"

namespace headwise {

/// One axis, from every head its own to all heads one.
enum class Sharing {
  none,                   ///< every head has its own matrices
  keysAndValuesPerGroup,  ///< consecutive heads share W_k and W_v in groups (grouped-query attention)
  keysAndValues,          ///< all heads share W_k and W_v (multi-query attention)
  all,                    ///< all heads share W_q, W_k and W_v: the pitfall, every head is the same function
};
inline constexpr Names<Sharing, 4> kSharings{{
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

/// The gradient by a shared matrix is the sum over its users; each user's place gets that sum. Throws notFinite if it overflows.
Weights sumOverUsers(const Weights& gradients, const SharingPlan& plan);

/// All heads the same function (Sharing::all): the layer is one head with W^o′ = Σ_j W_j^o. Head 0's matrices are taken.
/// [d × p] projections, W^o′ [p_v × p_o]. Under Scale::totalWidth the total width is now one head's: W_q and b_q make up for it.
/// Throws notFinite if the sum overflows. Of other heads it is the layer that they would be if all were head 0.
Weights equivalentSingleHead(const Weights& weights, const Options& options = {});

/// Every head's block of W^o as head 0's.
Weights withEqualOutputBlocks(const Weights& weights);

/// The layer with one head switched off: its block of W^o set to 0. Throws invalidOption for a head that is not there.
Weights withoutHead(const Weights& weights, Index head);

/// What a plan stores and what of it matters. Counts, not measurements, so sizes may be those of any model. A layer with fewer key/value
/// heads than heads has the plan that says so: keysAndValuesPerGroup.
///
/// Merged: heads that are one function are computed once, and their blocks of W^o added up.
///
/// Fewer parameters matter than are stored, shared or not. Scores depend on W_q and W_k through W_q W_kᵀ alone and outputs on W_v W^o:
/// replace W_q by W_q A and W_k by W_k A⁻ᵀ, for any invertible A [p × p], and nothing changes. A product of [a × p] and [p × b] has
/// r·(a + b − r) free numbers, r = min(p, a, b), so that of the 4dp parameters of a head on d inputs 2(2dp − p²) matter. Key biases
/// shift whole rows of scores, which softmax takes away, and a value bias is a part of the output bias wherever a row sees a key:
/// neither matters.
struct SharingCost {
  double parametersUnshared = 0;    ///< without any sharing, W^o and biases included
  double parameters = 0;            ///< with the plan: each shared matrix once
  double parametersMerged = 0;      ///< of the merged heads
  double parametersThatMatter = 0;  ///< at most: in so many directions the function changes with its parameters
  double multiplyAdds = 0;          ///< of a forward pass as run, every head computed
  double multiplyAddsMerged = 0;    ///< of the merged heads, with shared queries, keys and values projected once
};
SharingCost sharingCost(
    const Dimensions& dimensions, const SharingPlan& plan, bool biases, Index queryCount, Index keyCount);

}  // namespace headwise
