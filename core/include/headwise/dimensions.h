// The sizes of a multi-head attention layer, by the names of the notation table (docs/notation.md).
#pragma once

#include <optional>
#include <vector>

#include "headwise/names.h"
#include "headwise/types.h"

namespace headwise {

/// The function f that turns one head's queries, keys and values into its output (Dive into Deep Learning 11.3).
enum class Pooling {
  scaledDotProduct,  ///< softmax(Q Kᵀ · scale) V
  additive,          ///< softmax(scoreVectorᵀ tanh(scoreQueryᵀ q + scoreKeyᵀ k)) V
};
inline constexpr Names<Pooling, 2> kPoolings{{
    {Pooling::scaledDotProduct, "scaledDotProduct"},
    {Pooling::additive, "additive"},
}};

/// Any combination of positive sizes is legal in which keyValueHeadCount divides headCount and, for dot products,
/// querySize = keySize. headCount · keySize = d is a budget that selfAttention() keeps, not a law.
struct Dimensions {
  Index queryInputSize = 0;     ///< d_q: width of a row of the query input
  Index keyInputSize = 0;       ///< d_k
  Index valueInputSize = 0;     ///< d_v
  Index headCount = 0;          ///< h
  Index keyValueHeadCount = 0;  ///< h_kv: h for ordinary attention, 1 for multi-query, between for grouped
  Index querySize = 0;          ///< p_q: width of one head's queries
  Index keySize = 0;            ///< p_k
  Index valueSize = 0;          ///< p_v
  Index outputSize = 0;         ///< p_o: width of a row of the layer's output
  Index scoreHiddenSize = 0;    ///< a: hidden width of additive pooling; 0 where pooling is a dot product

  /// The usual case: every width is modelSize and every head gets modelSize / headCount of it.
  /// Throws invalidDimension, with the divisors that would do, if headCount does not divide modelSize.
  static Dimensions selfAttention(Index modelSize, Index headCount, std::optional<Index> keyValueHeadCount = {});

  /// Query heads that share one key/value head.
  Index groupSize() const { return headCount / keyValueHeadCount; }
  /// The key/value head of query head j: consecutive query heads share one (repeat, not tile).
  Index keyValueHeadOf(Index head) const { return head / groupSize(); }
  /// h · p_v: width of the concatenated heads.
  Index concatenatedSize() const { return headCount * valueSize; }

  friend bool operator==(const Dimensions&, const Dimensions&) = default;
};

/// Sizes, and the width of all heads together, up to here: indices have 32 bits in WebAssembly, and are multiplied.
inline constexpr Index kLargestSize = 2147483647 / 3;

/// Throws invalidDimension with a sentence that names the numbers at fault, tooLarge past kLargestSize.
void checkDimensions(const Dimensions& dimensions, Pooling pooling);

/// 12 → {1, 2, 3, 4, 6, 12}
std::vector<Index> divisorsOf(Index number);

}  // namespace headwise
