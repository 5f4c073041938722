#include "packing.h"

#include <algorithm>

namespace headwise::bindings {

namespace {

// Where the cells of a field that is put in go.
struct Slot {
  std::string_view path;
  void (*put)(Layer& layer, std::size_t index, const MatrixView& cells);
};

AdditiveScore& additiveOf(Layer& layer, std::size_t head) {
  auto& additive = layer.weights.heads[head].additive;
  return additive ? *additive : additive.emplace();
}

// clang-format off: one row a line is what makes it a table.
constexpr std::array kSlots{
    Slot{"inputs.query", [](Layer& layer, std::size_t, const MatrixView& cells) { layer.inputs.query = cells; }},
    Slot{"inputs.key", [](Layer& layer, std::size_t, const MatrixView& cells) { layer.inputs.key = cells; }},
    Slot{"inputs.value", [](Layer& layer, std::size_t, const MatrixView& cells) { layer.inputs.value = cells; }},
    Slot{"weights.W_q[]",
         [](Layer& layer, std::size_t j, const MatrixView& cells) { layer.weights.heads[j].query.weight = cells; }},
    Slot{"weights.b_q[]",
         [](Layer& layer, std::size_t j, const MatrixView& cells) { layer.weights.heads[j].query.bias = cells; }},
    Slot{"weights.A_q[]",
         [](Layer& layer, std::size_t j, const MatrixView& cells) { additiveOf(layer, j).scoreQuery = cells; }},
    Slot{"weights.A_k[]",
         [](Layer& layer, std::size_t j, const MatrixView& cells) { additiveOf(layer, j).scoreKey = cells; }},
    Slot{"weights.a_v[]",
         [](Layer& layer, std::size_t j, const MatrixView& cells) { additiveOf(layer, j).scoreVector = cells; }},
    Slot{"weights.W_k[]",
         [](Layer& layer, std::size_t g, const MatrixView& cells) {
           layer.weights.keyValueHeads[g].key.weight = cells;
         }},
    Slot{"weights.b_k[]",
         [](Layer& layer, std::size_t g, const MatrixView& cells) { layer.weights.keyValueHeads[g].key.bias = cells; }},
    Slot{"weights.W_v[]",
         [](Layer& layer, std::size_t g, const MatrixView& cells) {
           layer.weights.keyValueHeads[g].value.weight = cells;
         }},
    Slot{"weights.b_v[]",
         [](Layer& layer, std::size_t g, const MatrixView& cells) {
           layer.weights.keyValueHeads[g].value.bias = cells;
         }},
    Slot{"weights.W_o",
         [](Layer& layer, std::size_t, const MatrixView& cells) { layer.weights.output.weight = cells; }},
    Slot{"weights.b_o", [](Layer& layer, std::size_t, const MatrixView& cells) { layer.weights.output.bias = cells; }},
};
// clang-format on

// The fields that are put in come first in the table, in the order of kSlots.
constexpr bool slotsFitTheTable() {
  for (std::size_t i = 0; i < kFields.size(); ++i)
    if ((kFields[i].part() != Part::trace) != (i < kSlots.size()) ||
        (i < kSlots.size() && kFields[i].path != kSlots[i].path))
      return false;
  return true;
}
static_assert(slotsFitTheTable());

// Numbers on their way out.
class Packer {
 public:
  void put(double number) { numbers_.push_back(number); }
  void put(Index number) { numbers_.push_back(static_cast<double>(number)); }
  void put(Present present) { numbers_.push_back(static_cast<double>(present)); }
  void put(const MatrixView& cells) { numbers_.insert(numbers_.end(), cells.data(), cells.data() + cells.size()); }
  void putFinite(const MatrixView& cells) {
    checkAnswer(cells);
    put(cells);
  }
  void reserve(double size) { numbers_.reserve(static_cast<std::size_t>(size)); }
  val toJs() const { return bindings::toJs(numbers_); }

 private:
  std::vector<double> numbers_;
};

bool areEqual(const MatrixView& a, const MatrixView& b) { return shapeOf(a) == shapeOf(b) && a == b; }

MatrixView cellsOf(const Field& field, const Inputs* inputs, const Weights& weights, Index index) {
  return field.part() == Part::input ? field.inInputs(*inputs) : field.inWeights(weights, index);
}

// `before` is that of the field before it.
Present presenceOf(std::size_t i, Present before, const Inputs* inputs, const Weights& weights, const Layer* sent) {
  const Field& field = kFields[i];
  if (field.part() == Part::weight) return field.inWeights(weights, 0).size() == 0 ? Present::no : Present::here;
  if (!inputs) return Present::asInRequest;
  const MatrixView input = field.inInputs(*inputs);
  if (input.size() == 0) return Present::no;
  if (sent && areEqual(input, field.inInputs(sent->inputs))) return Present::asInRequest;
  // Not as one that is not sent: the wrapper could not tell which it is as.
  const bool isSent = before == Present::here || before == Present::asBefore;
  return isSent && areEqual(input, kFields[i - 1].inInputs(*inputs)) ? Present::asBefore : Present::here;
}

val pack(const Inputs* inputs, const Weights& weights, Index queryCount, Index keyCount, const Layer* sent) {
  Packer packer;
  packer.put(queryCount);
  packer.put(keyCount);
  for (const auto& [name, size] : kSizes)
    packer.put(weights.dimensions.*size);
  std::array<Present, kSlots.size()> present{};
  for (std::size_t i = 0; i < kSlots.size(); ++i)
    packer.put(present[i] = presenceOf(i, i == 0 ? Present::no : present[i - 1], inputs, weights, sent));
  for (std::size_t i = 0; i < kSlots.size(); ++i)
    if (present[i] == Present::here)
      for (Index index = 0; index < countOf(kFields[i], weights.dimensions); ++index)
        packer.putFinite(cellsOf(kFields[i], inputs, weights, index));
  return packer.toJs();
}

}  // namespace

Dimensions dimensionsFrom(Request& request) {
  Dimensions dimensions;
  for (const auto& [name, size] : kSizes)
    dimensions.*size = request.integer();
  return dimensions;
}

Scale scaleFrom(Request& request) {
  const auto rule = request.optional();
  return rule ? Scale{kScaleRules.at(static_cast<std::size_t>(*rule)).first} : Scale::by(request.number());
}

Mask maskFrom(Request& request, Index queryCount, Index keyCount) {
  const Shape shape{queryCount, keyCount};
  Mask mask;
  if (const auto alignment = request.optional())
    mask.causal = kAlignments.at(static_cast<std::size_t>(*alignment)).first;
  if (const auto window = request.optional()) mask.window = static_cast<Index>(*window);
  if (request.flag()) mask.validLengths = request.integers();
  if (request.flag()) mask.keep = BoolMatrix(request.cells(shape).array() != 0);
  const Index biasCount = request.integer();
  for (Index bias = 0; bias < biasCount; ++bias)
    mask.biases.emplace_back(request.cells(shape));
  return mask;
}

Layer layerFrom(Request& request) {
  Layer layer;
  const Index queryCount = request.integer(), keyCount = request.integer();
  const Dimensions dimensions = layer.weights.dimensions = dimensionsFrom(request);
  layer.options.pooling = request.named(kPoolings);
  layer.options.scale = scaleFrom(request);
  std::array<Present, kSlots.size()> present{};
  for (Present& one : present)
    one = static_cast<Present>(request.integer());
  layer.options.mask = maskFrom(request, queryCount, keyCount);

  layer.weights.heads.resize(static_cast<std::size_t>(dimensions.headCount));
  layer.weights.keyValueHeads.resize(static_cast<std::size_t>(dimensions.keyValueHeadCount));
  for (std::size_t i = 0; i < kSlots.size(); ++i) {
    const Field& field = kFields[i];
    if (present[i] == Present::asBefore) {
      const MatrixView before = kFields[i - 1].inInputs(layer.inputs);
      kSlots[i].put(layer, 0, before);
    }
    if (present[i] != Present::here) continue;
    const Shape shape = shapeOf(field, dimensions, queryCount, keyCount);
    for (Index index = 0; index < countOf(field, dimensions); ++index)
      kSlots[i].put(layer, static_cast<std::size_t>(index), request.cells(shape));
  }
  layer.weights.isProjected = layer.weights.output.weight.size() != 0;
  return layer;
}

val packed(const Layer& layer, const Layer* sent) {
  return pack(&layer.inputs, layer.weights, layer.queryCount(), layer.keyCount(), sent);
}

val packed(const Weights& weights, const Layer& sent) {
  return pack(nullptr, weights, sent.queryCount(), sent.keyCount(), nullptr);
}

val packed(const ForwardTrace& trace) {
  Packer packer;
  double size = 64;
  forEachMatrix(trace,
                [&](const Field&, Index, const MatrixView& matrix) { size += static_cast<double>(matrix.size()); });
  packer.reserve(size + static_cast<double>(trace.emptyRows.size()));
  packer.put(trace.scaleFactor);
  packer.put(static_cast<Index>(trace.heads.size()));
  packer.put(static_cast<Index>(trace.keyValueHeads.size()));
  packer.put(static_cast<Index>(trace.emptyRows.size()));
  for (const Index row : trace.emptyRows)
    packer.put(row);
  forEachMatrix(trace, [&](const Field&, Index index, const MatrixView& matrix) {
    if (index == 0) {
      packer.put(matrix.rows());
      packer.put(matrix.cols());
    }
    packer.put(matrix);
  });
  return packer.toJs();
}

}  // namespace headwise::bindings
