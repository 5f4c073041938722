// What a layer costs, counted, not measured: parameters, multiply-adds, softmax terms, attention maps and the key/value cache.
#pragma once

#include <string_view>
#include <vector>

#include "headwise/dimensions.h"
#include "headwise/names.h"
#include "headwise/sharing.h"
#include "headwise/types.h"

namespace headwise {

/// What is counted.
enum class CostCount {
  parameters,
  multiplyAdds,          ///< of one forward pass; a product of [r × c] and [c × k] takes r·c·k
  softmaxTerms,          ///< exponentials of one forward pass
  tanhTerms,             ///< of additive pooling
  mapNumbers,            ///< numbers in all attention maps
  cacheNumbersPerToken,  ///< keys and values that a decoder keeps of each token
};
inline constexpr Names<CostCount, 6> kCostCounts{{
    {CostCount::parameters, "parameters"},
    {CostCount::multiplyAdds, "multiplyAdds"},
    {CostCount::softmaxTerms, "softmaxTerms"},
    {CostCount::tanhTerms, "tanhTerms"},
    {CostCount::mapNumbers, "mapNumbers"},
    {CostCount::cacheNumbersPerToken, "cacheNumbersPerToken"},
}};

/// A size by its letter in docs/notation.md: "h" is 8.
struct CostFactor {
  std::string_view symbol;
  double size = 0;
};

/// One product of sizes in a count. `of` is the matrix or the stage that it belongs to:
///   parameters             W_q, W_k, W_v, A_q, A_k, a_v, W_o, b_q, b_k, b_v, b_o
///   multiplyAdds           queries, keys, values (the projections), hiddenQueries, hiddenKeys (of additive pooling), scores, weightedSum,
///                          output
///   cacheNumbersPerToken   keys, values
///   the others             attentionWeights, and scores for tanh terms
struct CostTerm {
  CostCount count{};
  std::string_view of;
  std::vector<CostFactor> factors;
  double value = 0;  ///< the product of the factors
};

struct LayerCost {
  std::vector<CostTerm> terms;  ///< every count below that is not of bytes is the sum of its terms
  double parameters = 0;
  double multiplyAdds = 0;
  double softmaxTerms = 0;
  double tanhTerms = 0;
  double mapNumbers = 0;
  double mapBytes = 0;
  double cacheNumbersPerToken = 0;
  double cacheBytesPerToken = 0;
};

struct CostOptions {
  Sharing sharing = Sharing::none;
  Index groupSize = 1;  ///< heads in a group, only for keysAndValuesPerGroup
  bool biases = false;  ///< of all four projections
  /// false: one head whose queries, keys and values are the inputs as they are: no projections are counted, nor their biases
  bool isProjected = true;
  Index bytesPerNumber = 4;  ///< of maps and cache: 2 for float16 and bfloat16, 4 for float32, 8 for float64
};

/// A bias costs additions only, and a scale, a mask and the maximum of a softmax row no multiply-adds: none of these is counted.
///
/// A matrix that heads share is stored and applied once; scores and weighted sums are taken for every head, also where heads are equal
/// (Sharing::all), since that is how such a layer runs. Score matrices of additive pooling are shared as queries are. Fewer key/value
/// heads than heads say what keysAndValuesPerGroup says; only one of the two may say it.
///
/// Formulas: Vaswani et al. (2017), section 3.2; Shazeer (2019), on the cache; Dive into Deep Learning 11.3, on additive pooling.
///
/// Sizes may be those of any model, for nothing is computed. Counts are whole numbers, and exact: throws tooLarge for one above 2⁵³.
/// Throws invalidDimension for sizes that do not fit, no query or no key, a groupSize that does not divide the heads, and sharing said
/// twice; invalidOption for bytesPerNumber outside of 1 to 16.
LayerCost layerCost(
    const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount, const CostOptions& options = {});

}  // namespace headwise
