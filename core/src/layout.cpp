// Every layout is one rule: which block of fused columns (or rows) belongs to a role and head, and whether the matrix is transposed.
#include "headwise/layout.h"

#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

constexpr Index kRoleCount = 3;
constexpr Role kRoles[] = {Role::query, Role::key, Role::value};

bool isTransposed(Layout layout) { return layout != Layout::gpt2; }

void checkFusible(const Dimensions& dimensions) {
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  const auto same = [](Index a, Index b, Index c) { return a == b && b == c; };
  if (!same(dimensions.queryInputSize, dimensions.keyInputSize, dimensions.valueInputSize))
    throw Error(ErrorCode::invalidDimension, "A fused matrix needs one input width, but queryInputSize is " +
                                                 std::to_string(dimensions.queryInputSize) + ", keyInputSize " +
                                                 std::to_string(dimensions.keyInputSize) + " and valueInputSize " +
                                                 std::to_string(dimensions.valueInputSize) + ".");
  if (!same(dimensions.querySize, dimensions.keySize, dimensions.valueSize))
    throw Error(ErrorCode::invalidDimension, "A fused matrix needs one head width, but querySize is " +
                                                 std::to_string(dimensions.querySize) + ", keySize " +
                                                 std::to_string(dimensions.keySize) + " and valueSize " +
                                                 std::to_string(dimensions.valueSize) + ".");
  if (dimensions.headCount != dimensions.keyValueHeadCount)
    throw Error(ErrorCode::invalidDimension,
                "A fused matrix needs as many key/value heads as query heads, but keyValueHeadCount is " +
                    std::to_string(dimensions.keyValueHeadCount) + " and headCount is " +
                    std::to_string(dimensions.headCount) + ".");
}

Shape fusedShape(Layout layout, const Dimensions& dimensions) {
  const Index fused = kRoleCount * dimensions.headCount * dimensions.querySize;
  return isTransposed(layout) ? Shape{fused, dimensions.queryInputSize} : Shape{dimensions.queryInputSize, fused};
}

// The fused axis: where a head's component stands among all of them.
Index fusedIndex(Layout layout, const Dimensions& dimensions, Role role, Index head, Index column) {
  const auto number = static_cast<Index>(role);
  const Index block = layout == Layout::interleaved ? head * kRoleCount + number : number * dimensions.headCount + head;
  return block * dimensions.querySize + column;
}

void checkInside(const std::string& name, Index value, Index end) {
  if (value < 0 || value >= end)
    throw Error(ErrorCode::shapeMismatch,
                name + " must be from 0 to " + std::to_string(end - 1) + ", but is " + std::to_string(value) + ".");
}

const Projection& projectionOf(const Weights& weights, Role role, Index head) {
  const auto j = static_cast<std::size_t>(head);
  if (role == Role::query) return weights.heads[j].query;
  return role == Role::key ? weights.keyValueHeads[j].key : weights.keyValueHeads[j].value;
}

Index headsOf(const Weights& weights, Role role) {
  return role == Role::query ? weights.dimensions.headCount : weights.dimensions.keyValueHeadCount;
}

// One head's matrix out of the fused one.
Projection headFrom(const Projection& fused, const Dimensions& dimensions, Layout layout, Role role, Index head) {
  const Index first = fusedIndex(layout, dimensions, role, head, 0);
  if (!isTransposed(layout)) return columnsOf(fused, first, dimensions.querySize);
  return columnsOf({fused.weight.transpose(), fused.bias}, first, dimensions.querySize);
}

}  // namespace

CellPosition positionIn(Layout layout, const Dimensions& dimensions, const WeightCell& cell) {
  checkFusible(dimensions);
  checkInside("cell.head", cell.head, dimensions.headCount);
  checkInside("cell.row", cell.row, dimensions.queryInputSize);
  checkInside("cell.column", cell.column, dimensions.querySize);
  const Index fused = fusedIndex(layout, dimensions, cell.role, cell.head, cell.column);
  return isTransposed(layout) ? CellPosition{fused, cell.row} : CellPosition{cell.row, fused};
}

WeightCell cellAt(Layout layout, const Dimensions& dimensions, const CellPosition& position) {
  checkFusible(dimensions);
  const Shape shape = fusedShape(layout, dimensions);
  checkInside("position.row", position.row, shape.rows);
  checkInside("position.column", position.column, shape.columns);
  const Index fused = isTransposed(layout) ? position.row : position.column;
  const Index feature = isTransposed(layout) ? position.column : position.row;
  const Index block = fused / dimensions.querySize;
  const bool roleFirst = layout != Layout::interleaved;
  const Index role = roleFirst ? block / dimensions.headCount : block % kRoleCount;
  const Index head = roleFirst ? block % dimensions.headCount : block / kRoleCount;
  return {kRoles[role], head, feature, fused % dimensions.querySize};
}

Projection wideProjection(const Weights& weights, Role role) {
  const Projection& first = projectionOf(weights, role, 0);
  const Index headCount = headsOf(weights, role), columns = first.weight.cols();
  Projection wide{Matrix(first.weight.rows(), headCount * columns), {}};
  if (first.bias) wide.bias = RowVector(headCount * columns);
  for (Index head = 0; head < headCount; ++head) {
    const Projection& part = projectionOf(weights, role, head);
    if (part.bias.has_value() != first.bias.has_value())
      throw Error(ErrorCode::invalidOption,
                  "Head " + std::to_string(head) +
                      (part.bias ? " has a bias and head 0 has none" : " has no bias and head 0 has one") +
                      "; a wide matrix needs a bias for all heads or for none.");
    wide.weight.middleCols(head * columns, columns) = part.weight;
    if (part.bias) wide.bias->segment(head * columns, columns) = *part.bias;
  }
  return wide;
}

std::vector<Matrix> columnBlocks(const Matrix& wide, Index headCount) {
  if (headCount < 1 || wide.size() == 0 || wide.cols() % headCount != 0)
    throw Error(ErrorCode::invalidDimension, "headCount " + std::to_string(headCount) + " does not cut " +
                                                 toString(shapeOf(wide)) +
                                                 " into blocks of equal width; it must divide the number of columns.");
  const Index columns = wide.cols() / headCount;
  std::vector<Matrix> blocks;
  for (Index head = 0; head < headCount; ++head)
    blocks.push_back(wide.middleCols(head * columns, columns));
  return blocks;
}

Projection fuse(const Weights& weights, Layout layout) {
  checkFusible(weights.dimensions);
  checkWeights(weights, Pooling::scaledDotProduct);
  const Dimensions& dimensions = weights.dimensions;
  const bool biased = weights.heads[0].query.bias.has_value();
  const Index fusedSize = kRoleCount * dimensions.headCount * dimensions.querySize;
  Matrix columns(dimensions.queryInputSize, fusedSize);
  RowVector bias(fusedSize);
  for (const Role role : kRoles)
    for (Index head = 0; head < dimensions.headCount; ++head) {
      const Projection& part = projectionOf(weights, role, head);
      if (part.bias.has_value() != biased)
        throw Error(ErrorCode::invalidOption,
                    "Some of the query, key and value projections have a bias and some have none; a fused matrix needs "
                    "all or none.");
      const Index first = fusedIndex(layout, dimensions, role, head, 0);
      columns.middleCols(first, dimensions.querySize) = part.weight;
      if (biased) bias.segment(first, dimensions.querySize) = *part.bias;
    }
  Projection fused{isTransposed(layout) ? Matrix(columns.transpose()) : columns, {}};
  if (biased) fused.bias = bias;
  return fused;
}

Weights unfuse(const Projection& fused, const Projection& output, const Dimensions& dimensions, Layout layout) {
  checkFusible(dimensions);
  const Shape shape = fusedShape(layout, dimensions);
  checkShape("fused.weight", shapeOf(fused.weight), shape,
             isTransposed(layout) ? "3·headCount·headSize × input width" : "input width × 3·headCount·headSize");
  if (fused.bias)
    checkShape("fused.bias", shapeOf(*fused.bias), {1, kRoleCount * dimensions.headCount * dimensions.querySize},
               "1 × 3·headCount·headSize");
  Weights weights{.dimensions = dimensions, .heads = {}, .keyValueHeads = {}, .output = output};
  for (Index head = 0; head < dimensions.headCount; ++head) {
    weights.heads.push_back({headFrom(fused, dimensions, layout, Role::query, head), {}});
    weights.keyValueHeads.push_back(
        {headFrom(fused, dimensions, layout, Role::key, head), headFrom(fused, dimensions, layout, Role::value, head)});
  }
  checkWeights(weights, Pooling::scaledDotProduct);
  return weights;
}

}  // namespace headwise
