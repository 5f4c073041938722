// Counts by formula: a list of products of sizes, and their sums.
#include "headwise/cost.h"

#include <string>
#include <utility>

#include "cost_counts.h"
#include "headwise/error.h"

namespace headwise {

namespace {

constexpr double kLargestExact = 9007199254740992;  // 2⁵³: above, doubles leave whole numbers out
constexpr Index kMostBytesPerNumber = 16;

double real(Index size) { return static_cast<double>(size); }

double& totalOf(LayerCost& cost, CostCount count) {
  switch (count) {
    case CostCount::parameters:
      return cost.parameters;
    case CostCount::multiplyAdds:
      return cost.multiplyAdds;
    case CostCount::softmaxTerms:
      return cost.softmaxTerms;
    case CostCount::tanhTerms:
      return cost.tanhTerms;
    case CostCount::mapNumbers:
      return cost.mapNumbers;
    case CostCount::cacheNumbersPerToken:
      break;
  }
  return cost.cacheNumbersPerToken;
}

// Sharing as numbers of matrices: a plan of each head would take memory, which counts of large models should not.
DistinctMatrices distinctMatrices(const Dimensions& dimensions, const CostOptions& options) {
  DistinctMatrices distinct = headwise::distinctMatrices(dimensions);
  if (options.sharing == Sharing::none) return distinct;
  if (dimensions.keyValueHeadCount != dimensions.headCount)
    throw Error(ErrorCode::invalidDimension,
                "Sharing is said twice: by keyValueHeadCount " + std::to_string(dimensions.keyValueHeadCount) +
                    " for headCount " + std::to_string(dimensions.headCount) + ", and by sharing \"" +
                    std::string(nameIn(kSharings, options.sharing)) + "\". Say it once.",
                "keyValueHeadCount");
  if (options.sharing == Sharing::keysAndValuesPerGroup) {
    if (options.groupSize < 1 || dimensions.headCount % options.groupSize != 0)
      throw Error(ErrorCode::invalidDimension,
                  "groupSize " + std::to_string(options.groupSize) + " does not divide headCount " +
                      std::to_string(dimensions.headCount) + ".",
                  "groupSize");
    distinct.keyValues = real(dimensions.headCount / options.groupSize);
    return distinct;
  }
  distinct.keyValues = 1;
  if (options.sharing == Sharing::all) distinct.queries = 1;
  return distinct;
}

void checkExact(std::string_view name, double count) {
  if (count > kLargestExact)
    throw Error(ErrorCode::tooLarge, std::string(name) + " would be about " + toString(count) +
                                         ", but counts are exact only up to 2^53, about 9e15. Use smaller sizes.");
}

}  // namespace

DistinctMatrices distinctMatrices(const Dimensions& dimensions) {
  const double heads = real(dimensions.headCount);
  return {heads, heads, real(dimensions.keyValueHeadCount)};
}

LayerCost countCost(const Dimensions& dimensions,
                    Pooling pooling,
                    const DistinctMatrices& distinct,
                    double queryCount,
                    double keyCount,
                    bool biases,
                    bool isProjected) {
  const CostFactor heads{"h", distinct.heads}, keyValueHeads{"h_kv", distinct.keyValues};
  // Its own letter where heads share them.
  const CostFactor queryHeads{distinct.queries == distinct.heads ? "h" : "1", distinct.queries};
  const CostFactor queries{"n_q", queryCount}, keys{"n_kv", keyCount}, hidden{"a", real(dimensions.scoreHiddenSize)};
  const CostFactor queryInput{"d_q", real(dimensions.queryInputSize)}, keyInput{"d_k", real(dimensions.keyInputSize)},
      valueInput{"d_v", real(dimensions.valueInputSize)};
  const CostFactor query{"p_q", real(dimensions.querySize)}, key{"p_k", real(dimensions.keySize)},
      value{"p_v", real(dimensions.valueSize)}, output{"p_o", real(dimensions.outputSize)};

  LayerCost cost;
  const auto add = [&](CostCount count, std::string_view of, std::vector<CostFactor> factors) {
    double product = 1;
    for (const CostFactor& factor : factors)
      product *= factor.size;
    totalOf(cost, count) += product;
    cost.terms.push_back({count, of, std::move(factors), product});
  };

  if (isProjected) {
    add(CostCount::parameters, "W_q", {queryHeads, queryInput, query});
    add(CostCount::parameters, "W_k", {keyValueHeads, keyInput, key});
    add(CostCount::parameters, "W_v", {keyValueHeads, valueInput, value});
    add(CostCount::parameters, "W_o", {heads, value, output});
    if (biases) {
      add(CostCount::parameters, "b_q", {queryHeads, query});
      add(CostCount::parameters, "b_k", {keyValueHeads, key});
      add(CostCount::parameters, "b_v", {keyValueHeads, value});
      add(CostCount::parameters, "b_o", {output});
    }
    add(CostCount::multiplyAdds, "queries", {queryHeads, queries, queryInput, query});
    add(CostCount::multiplyAdds, "keys", {keyValueHeads, keys, keyInput, key});
    add(CostCount::multiplyAdds, "values", {keyValueHeads, keys, valueInput, value});
  }
  if (pooling == Pooling::additive) {
    add(CostCount::parameters, "A_q", {queryHeads, query, hidden});
    add(CostCount::parameters, "A_k", {queryHeads, key, hidden});
    add(CostCount::parameters, "a_v", {queryHeads, hidden});
    // Each query and each key is mapped once; each pair then costs one pass over the hidden width.
    add(CostCount::multiplyAdds, "hiddenQueries", {heads, queries, query, hidden});
    add(CostCount::multiplyAdds, "hiddenKeys", {heads, keys, key, hidden});
    add(CostCount::multiplyAdds, "scores", {heads, queries, keys, hidden});
    add(CostCount::tanhTerms, "scores", {heads, queries, keys, hidden});
  } else {
    add(CostCount::multiplyAdds, "scores", {heads, queries, keys, query});
  }
  add(CostCount::multiplyAdds, "weightedSum", {heads, queries, keys, value});
  if (isProjected) add(CostCount::multiplyAdds, "output", {heads, queries, value, output});
  add(CostCount::softmaxTerms, "attentionWeights", {heads, queries, keys});
  add(CostCount::mapNumbers, "attentionWeights", {heads, queries, keys});
  add(CostCount::cacheNumbersPerToken, "keys", {keyValueHeads, key});
  add(CostCount::cacheNumbersPerToken, "values", {keyValueHeads, value});
  return cost;
}

LayerCost layerCost(
    const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount, const CostOptions& options) {
  checkDimensions(dimensions, pooling);
  if (queryCount < 1 || keyCount < 1)
    throw Error(ErrorCode::invalidDimension, "A cost needs at least one query and one key, but got " +
                                                 std::to_string(queryCount) + " and " + std::to_string(keyCount) + ".");
  if (options.bytesPerNumber < 1 || options.bytesPerNumber > kMostBytesPerNumber)
    throw Error(ErrorCode::invalidOption,
                "bytesPerNumber must be from 1 to " + std::to_string(kMostBytesPerNumber) + ", but is " +
                    std::to_string(options.bytesPerNumber) + ".",
                "bytesPerNumber");
  LayerCost cost = countCost(dimensions, pooling, distinctMatrices(dimensions, options), real(queryCount),
                             real(keyCount), options.biases, options.isProjected);
  cost.mapBytes = cost.mapNumbers * real(options.bytesPerNumber);
  cost.cacheBytesPerToken = cost.cacheNumbersPerToken * real(options.bytesPerNumber);
  for (const auto& [count, name] : kCostCounts)
    checkExact(name, totalOf(cost, count));
  checkExact("mapBytes", cost.mapBytes);
  checkExact("cacheBytesPerToken", cost.cacheBytesPerToken);
  return cost;
}

}  // namespace headwise
