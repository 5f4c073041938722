// Each order says where head j's cell (token, column) stands in the wide matrix's memory; splitting reads there, merging writes there.
#include "headwise/reshape.h"

#include <string>

#include "headwise/error.h"
#include "headwise/work.h"

namespace headwise {

namespace {

// Position in the wide matrix's memory, which is row-major: token · (h·p) + column for the right order.
Index placeOf(HeadOrder order, Index head, Index token, Index column, Index headCount, const Shape& shape) {
  const Index wide = headCount * shape.columns;
  switch (order) {
    case HeadOrder::withoutTranspose:
      return (head * shape.rows + token) * shape.columns + column;
    case HeadOrder::strided:
      return token * wide + column * headCount + head;
    case HeadOrder::blocks:
      break;
  }
  return token * wide + head * shape.columns + column;
}

template <class Visitor>
void forEachCell(HeadOrder order, Index headCount, const Shape& shape, Visitor&& visit) {
  for (Index head = 0; head < headCount; ++head)
    for (Index token = 0; token < shape.rows; ++token)
      for (Index column = 0; column < shape.columns; ++column)
        visit(static_cast<std::size_t>(head), token, column, placeOf(order, head, token, column, headCount, shape));
}

}  // namespace

std::vector<Matrix> splitHeads(const Matrix& wide, Index headCount, HeadOrder order) {
  if (headCount < 1 || wide.size() == 0 || wide.cols() % headCount != 0)
    throw Error(ErrorCode::invalidDimension,
                "headCount " + std::to_string(headCount) + " does not cut " + toString(shapeOf(wide)) +
                    " into blocks of equal width; it must divide the number of columns.",
                "headCount");
  const Shape shape{wide.rows(), wide.cols() / headCount};
  checkResultSize("The heads", static_cast<double>(headCount), static_cast<double>(wide.size()), "Choose fewer heads.");
  std::vector<Matrix> heads(static_cast<std::size_t>(headCount), Matrix(shape.rows, shape.columns));
  forEachCell(order, headCount, shape, [&](std::size_t head, Index token, Index column, Index place) {
    heads[head](token, column) = wide.data()[place];
  });
  return heads;
}

Matrix mergeHeads(const std::vector<Matrix>& heads, HeadOrder order) {
  if (heads.empty()) throw Error(ErrorCode::invalidDimension, "heads is empty; merging needs at least one head.");
  const Shape shape = shapeOf(heads[0]);
  for (std::size_t j = 1; j < heads.size(); ++j)
    checkShape("heads[" + std::to_string(j) + "]", shapeOf(heads[j]), shape, "as heads[0]");
  const auto headCount = static_cast<Index>(heads.size());
  Matrix wide(shape.rows, headCount * shape.columns);
  forEachCell(order, headCount, shape, [&](std::size_t head, Index token, Index column, Index place) {
    wide.data()[place] = heads[head](token, column);
  });
  return wide;
}

}  // namespace headwise
