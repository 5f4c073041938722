// A row-major matrix is its memory in reading order, which is all that these four need.
#include "headwise/reshape.h"

#include <algorithm>
#include <string>

#include "headwise/error.h"
#include "headwise/layout.h"

namespace headwise {

namespace {

void checkHeads(const std::vector<Matrix>& heads) {
  if (heads.empty()) throw Error(ErrorCode::invalidDimension, "heads is empty; merging needs at least one head.");
  for (std::size_t j = 1; j < heads.size(); ++j)
    checkShape("heads[" + std::to_string(j) + "]", shapeOf(heads[j]), shapeOf(heads[0]), "as heads[0]");
}

}  // namespace

std::vector<Matrix> splitHeads(const Matrix& wide, Index headCount) { return columnBlocks(wide, headCount); }

std::vector<Matrix> splitHeadsWithoutTranspose(const Matrix& wide, Index headCount) {
  std::vector<Matrix> heads = columnBlocks(wide, headCount);  // for the shapes and the checks
  const Scalar* next = wide.data();
  for (Matrix& head : heads) {
    head = Eigen::Map<const Matrix>(next, head.rows(), head.cols());
    next += head.size();
  }
  return heads;
}

Matrix mergeHeads(const std::vector<Matrix>& heads) {
  checkHeads(heads);
  const Index headSize = heads[0].cols();
  Matrix wide(heads[0].rows(), static_cast<Index>(heads.size()) * headSize);
  for (std::size_t j = 0; j < heads.size(); ++j)
    wide.middleCols(static_cast<Index>(j) * headSize, headSize) = heads[j];
  return wide;
}

Matrix mergeHeadsWithoutTranspose(const std::vector<Matrix>& heads) {
  checkHeads(heads);
  Matrix wide(heads[0].rows(), static_cast<Index>(heads.size()) * heads[0].cols());
  Scalar* next = wide.data();
  for (const Matrix& head : heads)
    next = std::copy(head.data(), head.data() + head.size(), next);
  return wide;
}

}  // namespace headwise
