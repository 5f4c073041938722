// Sizes, checks and names that follow from the table.
#include "headwise/computation.h"

#include <cmath>

#include "headwise/error.h"
#include "headwise/work.h"

namespace headwise {

namespace {

// What an axis is called in code; {1, "1"} for `one`.
struct AxisSize {
  Axis axis;
  std::string_view name;
  Index Dimensions::*size;  // null for what is no member of Dimensions
};
constexpr AxisSize kAxisSizes[] = {
    {Axis::n_q, "queries", nullptr},
    {Axis::n_kv, "keys", nullptr},
    {Axis::d_q, "queryInputSize", &Dimensions::queryInputSize},
    {Axis::d_k, "keyInputSize", &Dimensions::keyInputSize},
    {Axis::d_v, "valueInputSize", &Dimensions::valueInputSize},
    {Axis::p_q, "querySize", &Dimensions::querySize},
    {Axis::p_k, "keySize", &Dimensions::keySize},
    {Axis::p_v, "valueSize", &Dimensions::valueSize},
    {Axis::hp_v, "headCount·valueSize", nullptr},
    {Axis::p_o, "outputSize", &Dimensions::outputSize},
    {Axis::a, "scoreHiddenSize", &Dimensions::scoreHiddenSize},
    {Axis::one, "1", nullptr},
};

const AxisSize& infoOf(Axis axis) { return kAxisSizes[static_cast<std::size_t>(axis)]; }

}  // namespace

Index sizeOf(Axis axis, const Dimensions& dimensions, Index queryCount, Index keyCount) {
  if (const auto size = infoOf(axis).size) return dimensions.*size;
  switch (axis) {
    case Axis::n_q:
      return queryCount;
    case Axis::n_kv:
      return keyCount;
    case Axis::hp_v:
      return dimensions.concatenatedSize();
    default:
      return 1;
  }
}

std::string_view sizeNameOf(Axis axis) { return infoOf(axis).name; }

Shape shapeOf(const Field& field, const Dimensions& dimensions, Index queryCount, Index keyCount) {
  return {sizeOf(field.rows, dimensions, queryCount, keyCount),
          sizeOf(field.columns, dimensions, queryCount, keyCount)};
}

Index countOf(const Field& field, const Dimensions& dimensions) {
  return field.owner == Owner::head           ? dimensions.headCount
         : field.owner == Owner::keyValueHead ? dimensions.keyValueHeadCount
                                              : 1;
}

std::string pathOf(const Field& field, Index index) {
  std::string path(field.path);
  if (const auto brackets = path.find("[]"); brackets != std::string::npos)
    path.insert(brackets + 1, std::to_string(index));
  return path;
}

double traceBytes(const Dimensions& dimensions, Index queryCount, Index keyCount) {
  const auto size = [&](Axis axis) {
    return axis == Axis::hp_v ? static_cast<double>(dimensions.headCount) * static_cast<double>(dimensions.valueSize)
                              : static_cast<double>(sizeOf(axis, dimensions, queryCount, keyCount));
  };
  double cells = 0;
  for (const Field& field : kFields)
    if (field.part() == Part::trace)
      cells += static_cast<double>(countOf(field, dimensions)) * size(field.rows) * size(field.columns);
  return static_cast<double>(sizeof(Scalar)) * cells;
}

void checkTraceSize(const Dimensions& dimensions, Index queryCount, Index keyCount) {
  const double bytes = traceBytes(dimensions, queryCount, keyCount);
  // At most: not every field has one for each head. The sentence is put together only for a refusal, since every pass comes by here.
  const double matrices = static_cast<double>(kFields.size()) * static_cast<double>(dimensions.headCount);
  if (matrices > kMostMatrices)
    checkResultSize("The weights and the trace of " + std::to_string(dimensions.headCount) + " heads", matrices, 0,
                    "Use fewer heads.");
  if (bytes <= kMaxTraceBytes) return;
  const auto mebibytes = [](double value) { return std::to_string(std::llround(value / (1024 * 1024))); };
  throw Error(ErrorCode::tooLarge, "The trace of " + std::to_string(queryCount) + " queries, " +
                                       std::to_string(keyCount) + " keys and " + std::to_string(dimensions.headCount) +
                                       " heads would take " + mebibytes(bytes) + " MiB; the limit is " +
                                       mebibytes(kMaxTraceBytes) + " MiB. Use fewer tokens, heads or columns.");
}

void checkTrace(const Layer& layer, const ForwardTrace& trace) {
  const Dimensions& dimensions = layer.dimensions();
  if (static_cast<Index>(trace.heads.size()) != dimensions.headCount ||
      static_cast<Index>(trace.keyValueHeads.size()) != dimensions.keyValueHeadCount)
    throw Error(ErrorCode::shapeMismatch,
                "trace has " + std::to_string(trace.heads.size()) + " heads and " +
                    std::to_string(trace.keyValueHeads.size()) + " key/value heads, but the layer has " +
                    std::to_string(dimensions.headCount) + " and " + std::to_string(dimensions.keyValueHeadCount) +
                    "; pass the trace that attend gave for this layer.");
  forEachMatrix(trace, [&](const Field& field, Index index, const MatrixView& matrix) {
    const Shape wanted = shapeOf(field, dimensions, layer.queryCount(), layer.keyCount());
    if (shapeOf(matrix) == wanted) return;
    checkShape("trace." + pathOf(field, index), shapeOf(matrix), wanted,
               std::string(sizeNameOf(field.rows)) + " × " + std::string(sizeNameOf(field.columns)));
  });
}

}  // namespace headwise
