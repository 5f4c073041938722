// Attention by plain loops over std::vector: slow, short, and no line shared with the library. What `attend` is held against.
#pragma once

#include "headwise/attention.h"

#include <vector>

namespace headwise::test {

using Table = std::vector<std::vector<double>>;  ///< rows of cells

struct ReferenceHead {
  Table queries, rawScores, scaledScores, maskedScores, attentionWeights, output;
};

struct Reference {
  std::vector<Table> keys, values;  ///< one for each key/value head
  std::vector<ReferenceHead> heads;
  Table concatenated, output;
  std::vector<Index> emptyRows;
};

Reference referenceAttend(const Layer& layer);

Table tableOf(const Matrix& matrix);
Matrix matrixOf(const Table& table);

}  // namespace headwise::test
