// Every layout is one rule: which block of fused columns (or rows) belongs to a role and head, and whether the matrix is transposed.
#include "headwise/layout.h"

#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

constexpr Role kInOrder[] = {Role::query, Role::key, Role::value};

bool isTransposed(Layout layout) { return layout != Layout::gpt2; }

void checkFusible(const Dimensions& dimensions, Layout layout) {
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
  if (layout == Layout::interleaved && dimensions.headCount != dimensions.keyValueHeadCount)
    throw Error(ErrorCode::invalidDimension,
                "Heads can be interleaved only with as many key/value heads as query heads, but keyValueHeadCount is " +
                    std::to_string(dimensions.keyValueHeadCount) + " and headCount is " +
                    std::to_string(dimensions.headCount) + ".",
                "keyValueHeadCount");
}

Index headCountOf(const Dimensions& dimensions, Role role) {
  return role == Role::query ? dimensions.headCount : dimensions.keyValueHeadCount;
}

// Blocks of one head's columns on the fused axis: h of queries, h_kv of keys and as many of values.
Index blockCount(const Dimensions& dimensions) { return dimensions.headCount + 2 * dimensions.keyValueHeadCount; }

// Which of them is that head's.
Index blockOf(Layout layout, const Dimensions& dimensions, Role role, Index head) {
  const auto number = static_cast<Index>(role);
  if (layout == Layout::interleaved) return head * 3 + number;
  return head + (number > 0 ? dimensions.headCount : 0) + (number > 1 ? dimensions.keyValueHeadCount : 0);
}

Shape fusedShape(Layout layout, const Dimensions& dimensions) {
  const Index fused = blockCount(dimensions) * dimensions.querySize;
  return isTransposed(layout) ? Shape{fused, dimensions.queryInputSize} : Shape{dimensions.queryInputSize, fused};
}

// A matrix as it is stored, to be applied from the right.
Projection fromTheRight(const Projection& stored, bool transposed) {
  return transposed ? Projection{stored.weight.transpose(), stored.bias} : stored;
}

void checkInside(const std::string& name, Index value, Index end) {
  if (value < 0 || value >= end)
    throw Error(ErrorCode::shapeMismatch,
                name + " must be from 0 to " + std::to_string(end - 1) + ", but is " + std::to_string(value) + ".",
                name);
}

void checkBiases(bool some, bool all) {
  if (some && !all)
    throw Error(
        ErrorCode::invalidOption,
        "Some of the query, key and value projections have a bias and some have none; a fused matrix needs all or "
        "none.");
}

}  // namespace

Index headCountOf(const Weights& weights, Role role) { return headCountOf(weights.dimensions, role); }

const Projection& projectionOf(const Weights& weights, Role role, Index head) {
  const auto j = static_cast<std::size_t>(head);
  if (role == Role::query) return weights.heads[j].query;
  return role == Role::key ? weights.keyValueHeads[j].key : weights.keyValueHeads[j].value;
}

CellPosition positionIn(Layout layout, const Dimensions& dimensions, const WeightCell& cell) {
  checkFusible(dimensions, layout);
  checkInside("cell.head", cell.head, headCountOf(dimensions, cell.role));
  checkInside("cell.row", cell.row, dimensions.queryInputSize);
  checkInside("cell.column", cell.column, dimensions.querySize);
  const Index fused = blockOf(layout, dimensions, cell.role, cell.head) * dimensions.querySize + cell.column;
  return isTransposed(layout) ? CellPosition{fused, cell.row} : CellPosition{cell.row, fused};
}

WeightCell cellAt(Layout layout, const Dimensions& dimensions, const CellPosition& position) {
  checkFusible(dimensions, layout);
  const Shape shape = fusedShape(layout, dimensions);
  checkInside("position.row", position.row, shape.rows);
  checkInside("position.column", position.column, shape.columns);
  const Index fused = isTransposed(layout) ? position.row : position.column;
  const Index feature = isTransposed(layout) ? position.column : position.row;
  const Index block = fused / dimensions.querySize, column = fused % dimensions.querySize;
  if (layout == Layout::interleaved) return {kInOrder[block % 3], block / 3, feature, column};
  Index head = block;
  for (const Role role : kInOrder) {
    if (head < headCountOf(dimensions, role)) return {role, head, feature, column};
    head -= headCountOf(dimensions, role);
  }
  return {};  // checkInside has left no other block
}

Projection wideProjection(const Weights& weights, Role role) {
  checkWeights(weights);
  checkProjected(weights, "A wide matrix");
  const Projection& first = projectionOf(weights, role, 0);
  const Index headCount = headCountOf(weights, role), columns = first.weight.cols();
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

Projection fuse(const Weights& weights, Layout layout) {
  checkProjected(weights, "A fused matrix");
  checkFusible(weights.dimensions, layout);
  checkWeights(weights, Pooling::scaledDotProduct);
  const Dimensions& dimensions = weights.dimensions;
  const Index size = dimensions.querySize, fusedSize = blockCount(dimensions) * size;
  Matrix columns(dimensions.queryInputSize, fusedSize);
  RowVector bias = RowVector::Zero(fusedSize);
  bool someBiased = false, allBiased = true;
  for (const Role role : kInOrder)
    for (Index head = 0; head < headCountOf(weights, role); ++head) {
      const Projection& part = projectionOf(weights, role, head);
      const Index first = blockOf(layout, dimensions, role, head) * size;
      columns.middleCols(first, size) = part.weight;
      if (part.bias) bias.segment(first, size) = *part.bias;
      (part.bias ? someBiased : allBiased) = part.bias.has_value();
    }
  checkBiases(someBiased, allBiased);
  Projection fused{isTransposed(layout) ? Matrix(columns.transpose()) : columns, {}};
  if (someBiased) fused.bias = bias;
  return fused;
}

Weights unfuse(const Projection& fused, const Projection& output, const Dimensions& dimensions, Layout layout) {
  checkFusible(dimensions, layout);
  const Index size = dimensions.querySize, fusedSize = blockCount(dimensions) * size;
  checkShape("fused.weight", shapeOf(fused.weight), fusedShape(layout, dimensions),
             isTransposed(layout) ? "(headCount + 2·keyValueHeadCount)·querySize × input width"
                                  : "input width × (headCount + 2·keyValueHeadCount)·querySize");
  if (fused.bias)
    checkShape("fused.bias", shapeOf(*fused.bias), {1, fusedSize}, "1 × (headCount + 2·keyValueHeadCount)·querySize");
  const Projection columns = fromTheRight(fused, isTransposed(layout));
  const auto part = [&](Role role, Index head) {
    return columnsOf(columns, blockOf(layout, dimensions, role, head) * size, size);
  };
  Weights weights;
  weights.dimensions = dimensions;
  for (Index head = 0; head < dimensions.headCount; ++head)
    weights.heads.push_back({part(Role::query, head), {}});
  for (Index head = 0; head < dimensions.keyValueHeadCount; ++head)
    weights.keyValueHeads.push_back({part(Role::key, head), part(Role::value, head)});
  weights.output = fromTheRight(output, isTransposed(layout));
  checkWeights(weights, Pooling::scaledDotProduct);
  return weights;
}

Weights weightsFrom(const SeparateProjections& stored, const Dimensions& dimensions) {
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  const auto read = [](const char* name, const Projection& projection, Index width, Index columns) {
    checkShape(std::string(name) + ".weight", shapeOf(projection.weight), {columns, width}, "width out × width in");
    if (projection.bias)
      checkShape(std::string(name) + ".bias", shapeOf(*projection.bias), {1, columns}, "1 × width out");
    return fromTheRight(projection, true);
  };
  const Dimensions& d = dimensions;
  const Projection query = read("query", stored.query, d.queryInputSize, d.headCount * d.querySize);
  const Projection key = read("key", stored.key, d.keyInputSize, d.keyValueHeadCount * d.keySize);
  const Projection value = read("value", stored.value, d.valueInputSize, d.keyValueHeadCount * d.valueSize);
  Weights weights;
  weights.dimensions = dimensions;
  for (Index j = 0; j < d.headCount; ++j)
    weights.heads.push_back({columnsOf(query, j * d.querySize, d.querySize), {}});
  for (Index g = 0; g < d.keyValueHeadCount; ++g)
    weights.keyValueHeads.push_back(
        {columnsOf(key, g * d.keySize, d.keySize), columnsOf(value, g * d.valueSize, d.valueSize)});
  weights.output = read("output", stored.output, d.concatenatedSize(), d.outputSize);
  checkWeights(weights, Pooling::scaledDotProduct);
  return weights;
}

}  // namespace headwise
