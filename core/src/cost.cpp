// Counts by formula; each product of a [r × c] and a [c × k] matrix is r·c·k multiply-adds.
#include "headwise/cost.h"

namespace headwise {

PoolingCost poolingCost(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount) {
  checkDimensions(dimensions, pooling);
  const auto queries = static_cast<double>(queryCount), keys = static_cast<double>(keyCount);
  const auto querySize = static_cast<double>(dimensions.querySize), keySize = static_cast<double>(dimensions.keySize);
  const auto hiddenSize = static_cast<double>(dimensions.scoreHiddenSize);
  const double weightedSum = queries * keys * static_cast<double>(dimensions.valueSize);
  PoolingCost cost;
  cost.softmaxTerms = queries * keys;
  if (pooling == Pooling::scaledDotProduct) {
    cost.multiplyAdds = queries * keys * querySize + weightedSum;
    return cost;
  }
  // Each query and each key is mapped once; each pair then costs one pass over the hidden width.
  cost.multiplyAdds =
      queries * querySize * hiddenSize + keys * keySize * hiddenSize + queries * keys * hiddenSize + weightedSum;
  cost.tanhTerms = queries * keys * hiddenSize;
  cost.parameters = (querySize + keySize + 1) * hiddenSize;
  return cost;
}

}  // namespace headwise
