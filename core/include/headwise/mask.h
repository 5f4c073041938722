// Which query may see which key, and what is added to the scores of those it sees.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "headwise/names.h"
#include "headwise/types.h"

namespace headwise {

/// Where the diagonal of a causal mask starts when there are more keys than queries, or fewer.
enum class Alignment {
  topLeft,      ///< query 0 stands at key 0
  bottomRight,  ///< the last query stands at the last key; right for decoding with a cache
};
inline constexpr Names<Alignment, 2> kAlignments{{
    {Alignment::topLeft, "topLeft"},
    {Alignment::bottomRight, "bottomRight"},
}};

/// Conditions that must all hold; one that is not set hides nothing. Make one with the functions below, and combine by setting more.
struct Mask {
  /// Query i sees keys up to its own place, i or i + (n_kv − n_q).
  std::optional<Alignment> causal;
  /// Of those only the last so many, its own place included. Needs `causal`.
  std::optional<Index> window;
  /// Query i sees keys 0 … length − 1. One length for all queries, or n_q.
  std::optional<std::vector<Index>> validLengths;
  /// [n_q × n_kv], true where query i may attend to key j.
  std::optional<BoolMatrix> keep;
  /// [n_q × n_kv] added to the scaled scores; −∞ hides a cell. None, one for all heads, or one a head.
  std::vector<Matrix> biases;

  /// Whether it hides nothing and adds nothing.
  bool isNone() const { return !causal && !window && !validLengths && !keep && biases.empty(); }

  static Mask causalFrom(Alignment alignment = Alignment::topLeft);
  /// Each query sees `window` keys: itself and those right before it.
  static Mask sliding(Index window, Alignment alignment = Alignment::topLeft);
  static Mask padding(std::vector<Index> validLengths);
  static Mask keeping(BoolMatrix keep);
  static Mask additive(Matrix bias);
  /// A bias for each head: linear biases by distance (ALiBi), learned ones (T5).
  static Mask additivePerHead(std::vector<Matrix> biases);
};

/// Throws shapeMismatch if a matrix of the mask has another shape or there are neither one nor headCount biases, invalidOption for a length
/// outside 0 … n_kv, a wrong number of lengths, a window below 1 or without a causal mask, notFinite for NaN or +∞ in a bias.
void checkMask(const Mask& mask, Index queryCount, Index keyCount, Index headCount);

/// [n_q × n_kv], true where the query may attend to the key in that head: all conditions, without the cells that the bias sets to −∞.
/// Throws what checkMask throws, for as many heads as the mask has biases, and tooLarge for a pattern past kMaxTraceBytes.
BoolMatrix mayAttend(const Mask& mask, Index queryCount, Index keyCount, Index head = 0);

/// The head's bias, [n_q × n_kv]; null for none.
const Matrix* biasOf(const Mask& mask, Index head);

/// scaledScores + bias where the query may attend, −∞ elsewhere. bias may be null. [n_q × n_kv]
Matrix maskScores(const Matrix& scaledScores, const Matrix* bias, const BoolMatrix& mayAttend);

/// The queries that see no key at all, in order.
std::vector<Index> emptyRows(const BoolMatrix& mayAttend);

}  // namespace headwise
