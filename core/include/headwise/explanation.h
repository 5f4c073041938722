// The arithmetic behind one cell of a trace, with the numbers substituted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "headwise/attention.h"

namespace headwise {

/// How a cell was made. `left`, `right` and `terms` are parallel.
enum class Operation {
  product,   ///< result = Σ terms + addend, terms = left · right (a projection, a score, a weighted sum)
  additive,  ///< the same with right = tanh(hidden)
  scale,     ///< result = left[0] · right[0]
  mask,      ///< result = left[0] + right[0], or −∞ if hidden
  softmax,  ///< left = the row's maskedScores, right = exp(left − addend), terms = right / Σ right; addend = the row's maximum
  copy,  ///< result = left[0], from a head's output
};

struct Explanation {
  Operation operation = Operation::product;
  std::string
      leftName;  ///< where `left` stands, as path[row, :], path[:, column] or path[row, column]: "heads[0].queries[2, :]"
  std::string rightName;  ///< "keyValueHeads[0].keys[1, :]", "weights.heads[0].query.weight[:, 1]", "scaleFactor" …
  std::vector<Scalar> left;
  std::vector<Scalar> right;
  std::vector<Scalar> terms;
  Scalar addend = 0;    ///< a bias, or the softmax's maximum; 0 if there is none
  Scalar result = 0;    ///< what the trace holds; `sum` of the terms agrees with it to rounding
  bool hidden = false;  ///< the mask hides this cell
};

/// path names a matrix of the trace ("heads[0].attentionWeights", "keyValueHeads[0].keys", "concatenated", "output").
/// Throws invalidOption for an unknown path, shapeMismatch for a row or column outside the matrix.
Explanation explainCell(const Inputs& inputs,
                        const Weights& weights,
                        const Options& options,
                        const ForwardTrace& trace,
                        std::string_view path,
                        Index row,
                        Index column);

std::string_view nameOf(Operation operation);

}  // namespace headwise
