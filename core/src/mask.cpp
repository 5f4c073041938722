// Patterns of visible keys, and scores with the rest hidden.
#include "headwise/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "headwise/computation.h"
#include "headwise/error.h"

namespace headwise {

namespace {

constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();

void checkLengths(const std::vector<Index>& lengths, Index queryCount, Index keyCount) {
  const auto count = static_cast<Index>(lengths.size());
  if (count != 1 && count != queryCount)
    throw Error(ErrorCode::invalidOption,
                "mask.validLengths has " + std::to_string(count) +
                    " entries; it needs one for all queries or one for each of the " + std::to_string(queryCount) + ".",
                "mask.validLengths");
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (lengths[i] < 0 || lengths[i] > keyCount)
      throw Error(ErrorCode::invalidOption,
                  "mask.validLengths[" + std::to_string(i) + "] is " + std::to_string(lengths[i]) +
                      "; it must be from 0 to the number of keys, " + std::to_string(keyCount) + ".",
                  "mask.validLengths");
}

void checkBias(const Matrix& bias, Shape wanted) {
  checkShape("mask.bias", shapeOf(bias), wanted, "queries × keys");
  for (Index row = 0; row < bias.rows(); ++row)
    for (Index column = 0; column < bias.cols(); ++column)
      if (std::isnan(bias(row, column)) || bias(row, column) == -kMinusInfinity)
        throw Error(ErrorCode::notFinite,
                    "mask.bias holds " + std::string(std::isnan(bias(row, column)) ? "NaN" : "+∞") + " at row " +
                        std::to_string(row) + ", column " + std::to_string(column) +
                        "; an entry must be a finite number, or −∞ to hide the cell.",
                    "mask.bias");
}

// The keys that query i sees by position: first … last − 1.
struct Range {
  Index first;
  Index last;
};
Range visibleKeys(const Mask& mask, Index query, Index queryCount, Index keyCount) {
  Range range{0, keyCount};
  if (mask.causal) {
    const Index place = *mask.causal == Alignment::topLeft ? query : query + keyCount - queryCount;
    range.last = std::clamp<Index>(place + 1, 0, keyCount);
    if (mask.window) range.first = std::max<Index>(0, place + 1 - *mask.window);
  }
  if (const auto& lengths = mask.validLengths)
    range.last = std::min(range.last, (*lengths)[lengths->size() == 1 ? 0 : static_cast<std::size_t>(query)]);
  return range;
}

}  // namespace

Mask Mask::causalFrom(Alignment alignment) {
  Mask mask;
  mask.causal = alignment;
  return mask;
}
Mask Mask::sliding(Index window, Alignment alignment) {
  Mask mask = causalFrom(alignment);
  mask.window = window;
  return mask;
}
Mask Mask::padding(std::vector<Index> validLengths) {
  Mask mask;
  mask.validLengths = std::move(validLengths);
  return mask;
}
Mask Mask::keeping(BoolMatrix keep) {
  Mask mask;
  mask.keep = std::move(keep);
  return mask;
}
Mask Mask::additive(Matrix bias) { return additivePerHead({std::move(bias)}); }
Mask Mask::additivePerHead(std::vector<Matrix> biases) {
  Mask mask;
  mask.biases = std::move(biases);
  return mask;
}

namespace {

// All but the biases, of which there may be one for each head.
void checkPattern(const Mask& mask, Shape wanted) {
  const auto [queryCount, keyCount] = wanted;
  if (mask.keep) checkShape("mask.keep", shapeOf(*mask.keep), wanted, "queries × keys");
  if (mask.validLengths) checkLengths(*mask.validLengths, queryCount, keyCount);
  if (mask.window && !mask.causal)
    throw Error(ErrorCode::invalidOption, "mask.window needs a causal mask, whose last keys it keeps.", "mask.window");
  if (mask.window && *mask.window < 1)
    throw Error(ErrorCode::invalidOption,
                "mask.window must be at least 1, the query's own place, but is " + std::to_string(*mask.window) + ".",
                "mask.window");
}

}  // namespace

void checkMask(const Mask& mask, Index queryCount, Index keyCount, Index headCount) {
  const Shape wanted{queryCount, keyCount};
  checkPattern(mask, wanted);
  const auto count = static_cast<Index>(mask.biases.size());
  if (count > 1 && count != headCount)
    throw Error(ErrorCode::shapeMismatch,
                "mask has " + std::to_string(count) + " biases; it needs one for all heads or one for each of the " +
                    std::to_string(headCount) + ".",
                "mask.bias");
  for (const Matrix& bias : mask.biases)
    checkBias(bias, wanted);
}

const Matrix* biasOf(const Mask& mask, Index head) {
  if (mask.biases.empty()) return nullptr;
  return &mask.biases[mask.biases.size() == 1 ? 0 : static_cast<std::size_t>(head)];
}

BoolMatrix mayAttend(const Mask& mask, Index queryCount, Index keyCount, Index head) {
  if (queryCount < 1 || keyCount < 1)
    throw Error(ErrorCode::invalidDimension,
                "A mask needs at least one query and one key, but got " + toString(Shape{queryCount, keyCount}) + ".");
  if (static_cast<double>(queryCount) * static_cast<double>(keyCount) * sizeof(Scalar) > kMaxTraceBytes)
    throw Error(ErrorCode::tooLarge, "A mask of " + toString(Shape{queryCount, keyCount}) +
                                         " is larger than any trace may be; choose smaller sizes.");
  checkPattern(mask, {queryCount, keyCount});
  if (head < 0 || (mask.biases.size() > 1 && head >= static_cast<Index>(mask.biases.size())))
    throw Error(ErrorCode::invalidOption, "mask has no bias for head " + std::to_string(head) + ".", "mask.bias");

  const Matrix* bias = biasOf(mask, head);
  if (bias) checkBias(*bias, {queryCount, keyCount});
  BoolMatrix result(queryCount, keyCount);
  for (Index query = 0; query < queryCount; ++query) {
    const Range range = visibleKeys(mask, query, queryCount, keyCount);
    for (Index key = 0; key < keyCount; ++key)
      result(query, key) = key >= range.first && key < range.last && (!mask.keep || (*mask.keep)(query, key)) &&
                           (!bias || (*bias)(query, key) != kMinusInfinity);
  }
  return result;
}

Matrix maskScores(const Matrix& scaledScores, const Matrix* bias, const BoolMatrix& mayAttend) {
  checkShape("mayAttend", shapeOf(mayAttend), shapeOf(scaledScores), "as scaledScores");
  if (!bias) return mayAttend.select(scaledScores, kMinusInfinity);
  checkShape("mask.bias", shapeOf(*bias), shapeOf(scaledScores), "as scaledScores");
  const Matrix scores = mayAttend.select(scaledScores + *bias, kMinusInfinity);
  // Towards −∞ it would be taken for a hidden cell.
  if ((mayAttend.array() && !scores.array().isFinite()).any())
    throw Error(ErrorCode::notFinite,
                "scaledScores + mask.bias overflowed: both are finite but too large to add. Make the bias smaller.",
                "mask.bias");
  return scores;
}

std::vector<Index> emptyRows(const BoolMatrix& mayAttend) {
  std::vector<Index> rows;
  for (Index row = 0; row < mayAttend.rows(); ++row)
    if (!mayAttend.row(row).any()) rows.push_back(row);
  return rows;
}

}  // namespace headwise
