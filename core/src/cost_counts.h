// Counts by formula, without a check: what layerCost, sharingCost and the bounds on work have in common.
#pragma once

#include "headwise/cost.h"

namespace headwise {

/// How many there are of what heads may have in common.
struct DistinctMatrices {
  double heads = 0;      ///< functions that are computed, each with rows of its own in W^o
  double queries = 0;    ///< W_q, and score matrices
  double keyValues = 0;  ///< pairs of W_k and W_v
};

/// As many as the dimensions say.
DistinctMatrices distinctMatrices(const Dimensions& dimensions);

/// Every count of layerCost but those of bytes. Finite for any sizes, exact up to 2⁵³.
LayerCost countCost(const Dimensions& dimensions,
                    Pooling pooling,
                    const DistinctMatrices& distinct,
                    double queryCount,
                    double keyCount,
                    bool biases,
                    bool isProjected = true);

}  // namespace headwise
