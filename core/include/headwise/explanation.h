// The arithmetic behind one cell of a trace, with the numbers substituted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/computation.h"

namespace headwise {

/// A row, a column or (with both) a cell of the matrix at `path`: "heads[0].queries", "weights.W_q[0]", "mask.values".
struct Place {
  std::string path;
  std::optional<Index> row;
  std::optional<Index> column;
  friend bool operator==(const Place&, const Place&) = default;
};

/// How a cell was made. `left`, `right` and `terms` are parallel.
///
///   product, additive  result = Σ terms + addend, terms = left · right
///   scale              result = left[0] · right[0], right[0] being the trace's scaleFactor
///   mask               result = left[0] + right[0], right[0] being the mask's bias, or −∞ if hidden
///   softmax            left = the row's maskedScores, right = exp(left − addend), terms = right / Σ right; addend = the row's maximum
///   maximum, copy      result = the largest of left
struct Explanation {
  Operation operation = Operation::product;
  /// Where `left` stands, where `right` stands, then what else went in: the bias, and for additive scores the row of keys beside that of queries.
  std::vector<Place> sources;
  std::vector<Scalar> left;
  std::vector<Scalar> right;
  std::vector<Scalar> terms;
  Scalar addend = 0;    ///< a bias, or the softmax's maximum; 0 if there is none
  Scalar result = 0;    ///< what the trace holds; the sum of the terms agrees with it to rounding
  bool hidden = false;  ///< the mask hides this cell
};

/// path names a matrix of the trace ("heads[0].attentionWeights", "keyValueHeads[0].keys", "concatenated", "output"); trace is the layer's own.
/// Throws invalidOption for an unknown path and for what a layer without projections does not compute, shapeMismatch for a row or column
/// outside the matrix or another layer's trace, and what checkShapes throws.
Explanation explainCell(const Layer& layer, const ForwardTrace& trace, std::string_view path, Index row, Index column);

}  // namespace headwise
