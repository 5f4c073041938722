#include "layer.h"

#include "names.h"

#include <algorithm>
#include <limits>

namespace headwise::bindings {

namespace {

bool isAbsent(const val& value) { return value.isUndefined() || value.isNull(); }

constexpr std::array<std::pair<const char*, Index Dimensions::*>, 10> kDimensionFields{{
    {"queryInputSize", &Dimensions::queryInputSize},
    {"keyInputSize", &Dimensions::keyInputSize},
    {"valueInputSize", &Dimensions::valueInputSize},
    {"headCount", &Dimensions::headCount},
    {"keyValueHeadCount", &Dimensions::keyValueHeadCount},
    {"querySize", &Dimensions::querySize},
    {"keySize", &Dimensions::keySize},
    {"valueSize", &Dimensions::valueSize},
    {"outputSize", &Dimensions::outputSize},
    {"scoreHiddenSize", &Dimensions::scoreHiddenSize},
}};
static_assert(sizeof(Dimensions) == kDimensionFields.size() * sizeof(Index));

std::optional<AdditiveScore> additiveFrom(const val& additive) {
  if (isAbsent(additive)) return {};
  return AdditiveScore{matrixFrom(additive["scoreQuery"]), matrixFrom(additive["scoreKey"]),
                       vectorFrom(additive["scoreVector"])};
}

Inputs inputsFrom(const val& inputs) {
  return {matrixFrom(inputs["query"]), matrixFrom(inputs["key"]), matrixFrom(inputs["value"])};
}

Weights weightsFrom(const val& weights, const Dimensions& dimensions) {
  Weights result{dimensions, {}, {}, projectionFrom(weights["output"])};
  const val heads = weights["heads"];
  for (int j = 0; j < integerFrom(heads["length"]); ++j) {
    const val head = heads[j];
    result.heads.push_back({projectionFrom(head["query"]), additiveFrom(head["additive"])});
  }
  const val keyValueHeads = weights["keyValueHeads"];
  for (int g = 0; g < integerFrom(keyValueHeads["length"]); ++g) {
    const val head = keyValueHeads[g];
    result.keyValueHeads.push_back({projectionFrom(head["key"]), projectionFrom(head["value"])});
  }
  return result;
}

Options optionsFrom(const val& options) {
  return {namedIn(kPoolings, options["pooling"]), namedIn(kScales, options["scale"]), maskFrom(options["mask"])};
}

template <class Owner, class Fields>
val fieldsToJs(const Owner& owner, const Fields& fields) {
  val result = val::object();
  for (const auto& field : fields)
    result.set(field.name.data(), bindings::toJs(owner.*field.matrix));
  return result;
}

}  // namespace

Dimensions dimensionsFrom(const val& dimensions) {
  Dimensions result;
  for (const auto& [name, size] : kDimensionFields)
    result.*size = integerFrom(dimensions[name]);
  // Index has 32 bits here, and the core multiplies sizes.
  const double widest =
      static_cast<double>(std::max({result.querySize, result.keySize, result.valueSize, result.scoreHiddenSize}));
  if (static_cast<double>(result.headCount) * widest > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::tooLarge,
                "All heads together would be wider than WebAssembly's 32-bit sizes can count; choose smaller sizes.");
  return result;
}

void checkWeightsSize(const Dimensions& dimensions) {
  const auto cells = [](Index rows, Index columns) { return static_cast<double>(rows) * static_cast<double>(columns); };
  const double perHead =
      cells(dimensions.queryInputSize, dimensions.querySize) + cells(dimensions.keyInputSize, dimensions.keySize) +
      cells(dimensions.valueInputSize, dimensions.valueSize) + cells(dimensions.valueSize, dimensions.outputSize);
  checkMatrixSize("All weights together", static_cast<double>(dimensions.headCount) * perHead);
}

Mask maskFrom(const val& mask) {
  Mask result;
  if (isAbsent(mask)) return result;
  result.kind = namedIn(kMaskKinds, mask["kind"]);
  if (const val lengths = mask["validLengths"]; !isAbsent(lengths)) result.validLengths = integersFrom(lengths);
  if (const val keep = mask["keep"]; !isAbsent(keep)) result.keep = boolMatrixFrom(keep);
  if (const val bias = mask["bias"]; !isAbsent(bias)) result.bias = matrixFrom(bias);
  return result;
}

Projection projectionFrom(const val& projection) {
  Projection result{matrixFrom(projection["weight"]), {}};
  if (const val bias = projection["bias"]; !isAbsent(bias)) result.bias = vectorFrom(bias);
  return result;
}

Layer layerFrom(const val& layer) {
  Layer result{
      .projected = layer["projected"].isTrue(),
      .inputs = inputsFrom(layer["inputs"]),
      .weights = {.dimensions = dimensionsFrom(layer["dimensions"]), .heads = {}, .keyValueHeads = {}, .output = {}},
      .options = optionsFrom(layer["options"])};
  if (result.projected)
    result.weights = weightsFrom(layer["weights"], result.weights.dimensions);
  else
    result.weights.heads.push_back({{}, additiveFrom(layer["additive"])});
  return result;
}

LayerPair layerPairFrom(const val& pair) {
  Layer single = layerFrom(pair["single"]);
  return {std::move(single.inputs), std::move(single.weights), layerFrom(pair["multi"]).weights,
          std::move(single.options)};
}

ForwardTrace traceOf(const Layer& layer) {
  if (layer.projected) return attend(layer.inputs, layer.weights, layer.options);
  const auto& additive = layer.weights.heads[0].additive;
  return attendUnprojected(layer.inputs, layer.options, additive ? &*additive : nullptr);
}

val toJs(const Projection& projection) {
  val result = val::object();
  result.set("weight", toJs(projection.weight));
  result.set("bias", toJs(projection.bias));
  return result;
}

val toJs(const AdditiveScore& additive) {
  val result = val::object();
  result.set("scoreQuery", toJs(additive.scoreQuery));
  result.set("scoreKey", toJs(additive.scoreKey));
  result.set("scoreVector", toJs(additive.scoreVector));
  return result;
}

val toJs(const Dimensions& dimensions) {
  val result = val::object();
  for (const auto& [name, size] : kDimensionFields)
    result.set(name, toJs(dimensions.*size));
  return result;
}

val toJs(const Inputs& inputs) {
  val result = val::object();
  result.set("query", toJs(inputs.query));
  result.set("key", toJs(inputs.key));
  result.set("value", toJs(inputs.value));
  return result;
}

val toJs(const Weights& weights) {
  val heads = val::array();
  for (std::size_t j = 0; j < weights.heads.size(); ++j) {
    val head = val::object();
    head.set("query", toJs(weights.heads[j].query));
    if (weights.heads[j].additive) head.set("additive", toJs(*weights.heads[j].additive));
    heads.set(j, head);
  }
  val keyValueHeads = val::array();
  for (std::size_t g = 0; g < weights.keyValueHeads.size(); ++g) {
    val head = val::object();
    head.set("key", toJs(weights.keyValueHeads[g].key));
    head.set("value", toJs(weights.keyValueHeads[g].value));
    keyValueHeads.set(g, head);
  }
  val result = val::object();
  result.set("dimensions", toJs(weights.dimensions));
  result.set("heads", heads);
  result.set("keyValueHeads", keyValueHeads);
  result.set("output", toJs(weights.output));
  return result;
}

val toJs(const Mask& mask) {
  val result = val::object();
  result.set("kind", toJs(nameIn(kMaskKinds, mask.kind)));
  if (mask.kind == Mask::Kind::validLengths) result.set("validLengths", toJs(mask.validLengths));
  if (mask.kind == Mask::Kind::keep) result.set("keep", toJs(mask.keep));
  if (mask.bias.size() != 0) result.set("bias", toJs(mask.bias));
  return result;
}

val toJs(const ForwardTrace& trace) {
  std::vector<val> keyValueHeads;
  for (const auto& head : trace.keyValueHeads)
    keyValueHeads.push_back(fieldsToJs(head, kKeyValueHeadFields));

  const Dimensions grouping{.headCount = static_cast<Index>(trace.heads.size()),
                            .keyValueHeadCount = static_cast<Index>(trace.keyValueHeads.size())};
  val heads = val::array();
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    val head = fieldsToJs(trace.heads[j], kHeadFields);
    const val& shared = keyValueHeads[static_cast<std::size_t>(grouping.keyValueHeadOf(static_cast<Index>(j)))];
    for (const auto& field : kKeyValueHeadFields)
      head.set(field.name.data(), shared[field.name.data()]);
    heads.set(j, head);
  }

  val result = fieldsToJs(trace, kLayerFields);
  result.set("keyValueHeads", val::array(keyValueHeads));
  result.set("heads", heads);
  result.set("scaleFactor", trace.scaleFactor);
  result.set("emptyRows", toJs(trace.emptyRows));
  return result;
}

}  // namespace headwise::bindings
