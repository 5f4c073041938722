// Which query may see which key, and what is added to the scores of those it sees.
#pragma once

#include <utility>
#include <vector>

#include "headwise/types.h"

namespace headwise {

/// One mask serves all heads. Make one with the functions below.
struct Mask {
  enum class Kind {
    none,           ///< every query sees every key
    causalTopLeft,  ///< query i sees keys 0 … i
    causalBottomRight,  ///< the last query sees the last key: query i sees keys 0 … i + (n_kv − n_q); right for decoding with a cache
    validLengths,  ///< query i sees keys 0 … length − 1, one length for all queries or one each
    keep,          ///< any pattern: keep(i, j) is true where query i may attend to key j
  };
  Kind kind = Kind::none;
  std::vector<Index> validLengths;  ///< one entry, or n_q
  BoolMatrix keep;                  ///< [n_q × n_kv]
  Matrix bias;  ///< [n_q × n_kv] added to the scaled scores; −∞ hides a cell; empty for no bias

  static Mask causal() { return {Kind::causalTopLeft, {}, {}, {}}; }
  static Mask causalAlignedToEnd() { return {Kind::causalBottomRight, {}, {}, {}}; }
  static Mask padding(std::vector<Index> validLengths) { return {Kind::validLengths, std::move(validLengths), {}, {}}; }
  static Mask keeping(BoolMatrix keep) { return {Kind::keep, {}, std::move(keep), {}}; }
  static Mask additive(Matrix bias) { return {Kind::none, {}, {}, std::move(bias)}; }
};

/// [n_q × n_kv], true where the query may attend to the key: the kind's pattern without the cells that the bias sets to −∞.
/// Throws shapeMismatch if a matrix of the mask has another shape, invalidOption for a length outside 0 … n_kv or a wrong
/// number of lengths, notFinite for NaN or +∞ in the bias.
BoolMatrix mayAttend(const Mask& mask, Index queryCount, Index keyCount);

/// scaledScores + bias where the query may attend, −∞ elsewhere. [n_q × n_kv]
Matrix maskScores(const Matrix& scaledScores, const Mask& mask, const BoolMatrix& mayAttend);

/// What some code does instead: hidden cells become `value` (0, −1e4, −1e9 …). 0 always leaks weight to hidden keys; a large negative
/// number differs from −∞ in rows with nothing to see, which become uniform, and where scores are as large. Lesson 2 shows it.
Matrix fillHidden(const Matrix& scaledScores, const BoolMatrix& mayAttend, Scalar value);

/// The queries that see no key at all, in order.
std::vector<Index> emptyRows(const BoolMatrix& mayAttend);

}  // namespace headwise
