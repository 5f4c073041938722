// What one head's pooling costs, counted, not measured.
#pragma once

#include "headwise/dimensions.h"
#include "headwise/types.h"

namespace headwise {

struct PoolingCost {
  double multiplyAdds = 0;  ///< of scores and weighted sum
  double tanhTerms = 0;     ///< n_q · n_kv · a for additive pooling
  double softmaxTerms = 0;  ///< n_q · n_kv
  double parameters = 0;    ///< of the score function: (p_q + p_k + 1) · a for additive pooling, none for dot products
};

/// One head's scores and weighted sum, without the projections.
PoolingCost poolingCost(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount);

}  // namespace headwise
