// Patterns of visible keys, and scores with the rest hidden.
#include "headwise/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();

void checkLengths(const std::vector<Index>& lengths, Index queryCount, Index keyCount) {
  const auto count = static_cast<Index>(lengths.size());
  if (count != 1 && count != queryCount)
    throw Error(ErrorCode::invalidOption, "mask.validLengths has " + std::to_string(count) +
                                              " entries; it needs one for all queries or one for each of the " +
                                              std::to_string(queryCount) + ".");
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (lengths[i] < 0 || lengths[i] > keyCount)
      throw Error(ErrorCode::invalidOption,
                  "mask.validLengths[" + std::to_string(i) + "] is " + std::to_string(lengths[i]) +
                      "; it must be from 0 to the number of keys, " + std::to_string(keyCount) + ".");
}

void checkBias(const Matrix& bias) {
  for (Index row = 0; row < bias.rows(); ++row)
    for (Index column = 0; column < bias.cols(); ++column)
      if (std::isnan(bias(row, column)) || bias(row, column) == -kMinusInfinity)
        throw Error(ErrorCode::notFinite, "mask.bias holds " +
                                              std::string(std::isnan(bias(row, column)) ? "NaN" : "+∞") + " at row " +
                                              std::to_string(row) + ", column " + std::to_string(column) +
                                              "; an entry must be a finite number, or −∞ to hide the cell.");
}

// Query i sees this many keys from the left.
Index visibleKeys(const Mask& mask, Index query, Index queryCount, Index keyCount) {
  switch (mask.kind) {
    case Mask::Kind::causalTopLeft:
      return std::min(query + 1, keyCount);
    case Mask::Kind::causalBottomRight:
      return std::clamp<Index>(query + 1 + keyCount - queryCount, 0, keyCount);
    case Mask::Kind::validLengths:
      return mask.validLengths[mask.validLengths.size() == 1 ? 0 : static_cast<std::size_t>(query)];
    case Mask::Kind::none:
    case Mask::Kind::keep:
      break;
  }
  return keyCount;
}

}  // namespace

BoolMatrix mayAttend(const Mask& mask, Index queryCount, Index keyCount) {
  const Shape wanted{queryCount, keyCount};
  if (mask.kind == Mask::Kind::keep) checkShape("mask.keep", shapeOf(mask.keep), wanted, "queries × keys");
  if (mask.kind == Mask::Kind::validLengths) checkLengths(mask.validLengths, queryCount, keyCount);
  if (mask.bias.size() != 0) {
    checkShape("mask.bias", shapeOf(mask.bias), wanted, "queries × keys");
    checkBias(mask.bias);
  }

  BoolMatrix result(queryCount, keyCount);
  for (Index query = 0; query < queryCount; ++query) {
    const Index visible = visibleKeys(mask, query, queryCount, keyCount);
    for (Index key = 0; key < keyCount; ++key)
      result(query, key) = key < visible && (mask.kind != Mask::Kind::keep || mask.keep(query, key)) &&
                           (mask.bias.size() == 0 || mask.bias(query, key) != kMinusInfinity);
  }
  return result;
}

Matrix maskScores(const Matrix& scaledScores, const Mask& mask, const BoolMatrix& mayAttend) {
  checkShape("mayAttend", shapeOf(mayAttend), shapeOf(scaledScores), "as scaledScores");
  Matrix result = scaledScores;
  if (mask.bias.size() != 0) result += mask.bias;
  return fillHidden(result, mayAttend, kMinusInfinity);
}

Matrix fillHidden(const Matrix& scaledScores, const BoolMatrix& mayAttend, Scalar value) {
  checkShape("mayAttend", shapeOf(mayAttend), shapeOf(scaledScores), "as scaledScores");
  return mayAttend.select(scaledScores, value);
}

std::vector<Index> emptyRows(const BoolMatrix& mayAttend) {
  std::vector<Index> rows;
  for (Index row = 0; row < mayAttend.rows(); ++row)
    if (!mayAttend.row(row).any()) rows.push_back(row);
  return rows;
}

}  // namespace headwise
