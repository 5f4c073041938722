// Lesson 6's task: two look-ups at once, which one head cannot do.
#pragma once

#include <cstdint>

#include "headwise/batched_attention.h"

namespace headwise {

/// n tokens of content c_t (m numbers, unit normal) and one-hot position e_t; queries and keys read [c_t, e_t], values
/// read c_t only. The target at t is (c_{t−1}, c_0), t − 1 wrapping from 0 to n − 1.
struct TwoLookUps {
  Index tokenCount = 6;   ///< n
  Index contentSize = 6;  ///< m

  /// d_q = d_k = m + n, d_v = m, p_o = 2m; heads of p = headSize.
  Dimensions dimensions(Index headCount, Index headSize) const;

  /// The same (seed, number) gives the same batch. inputs.query = inputs.key [count·n × (m + n)], inputs.value [count·n × m], target [count·n × 2m].
  Batch batch(Index sequenceCount, std::uint64_t seed, std::uint64_t number) const;

  /// What one head can reach at best, however wide and whatever it attends to, if values read content only: its output has rank m in 2m directions, and the
  /// best that can do is the mean of both wanted contents in both places, Σ |c_{t−1} − c_0|² / 2 over 2m·n·count values; 5/12 in expectation for n = m = 6.
  /// On a finite batch a head fitted to that very batch can get below it by the batch's chance; on thousands of sequences by less than 0.005.
  Scalar oneHeadBound(const Batch& batch) const;

  /// Mean squared error of each look-up alone; their mean is the batch's loss.
  struct Losses {
    Scalar previous = 0;  ///< of columns 0 … m − 1, c_{t−1}
    Scalar first = 0;     ///< of columns m … 2m − 1, c_0
  };
  /// Throws what checkBatch throws, and notFinite for an overflow.
  Losses losses(const Weights& weights, const Options& options, const Batch& batch) const;
};

}  // namespace headwise
