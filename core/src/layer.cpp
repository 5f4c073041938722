// What a layer has to be before anything is computed. Behind this door it is trusted.
#include "headwise/layer.h"

#include <string>

#include "headwise/computation.h"
#include "headwise/error.h"
#include "headwise/work.h"

namespace headwise {

namespace {

void checkInputShapes(const Layer& layer) {
  for (const Field& field : kFields) {
    if (field.part() != Part::input) continue;
    const MatrixView input = field.inInputs(layer.inputs);
    const Shape wanted{input.rows(), sizeOf(field.columns, layer.dimensions(), 0, 0)};
    if (shapeOf(input) != wanted)
      checkShape(field.path, shapeOf(input), wanted, "tokens × " + std::string(sizeNameOf(field.columns)));
  }
  const Inputs& inputs = layer.inputs;
  if (inputs.key.rows() != inputs.value.rows())
    throw Error(ErrorCode::shapeMismatch,
                "inputs.key has " + std::to_string(inputs.key.rows()) + " rows and inputs.value has " +
                    std::to_string(inputs.value.rows()) + "; each key needs its value.",
                "inputs.value");
}

void checkNumbers(const Inputs& inputs) {
  for (const Field& field : kFields)
    if (field.part() == Part::input) checkFinite(field.path, field.inInputs(inputs));
}

}  // namespace

Layer unprojectedLayer(Inputs inputs, Options options, std::optional<AdditiveScore> additive) {
  Weights weights =
      unprojectedWeights(inputs.query.cols(), inputs.key.cols(), inputs.value.cols(), std::move(additive));
  return {std::move(inputs), std::move(weights), std::move(options)};
}

void checkLayer(const Layer& layer) {
  checkWeights(layer.weights, layer.options.pooling);
  checkNumbers(layer.inputs);
  checkInputShapes(layer);
  checkTraceSize(layer.dimensions(), layer.queryCount(), layer.keyCount());
  checkAttendWork(layer.dimensions(), layer.options.pooling, layer.queryCount(), layer.keyCount());
  checkMask(layer.options.mask, layer.queryCount(), layer.keyCount(), layer.dimensions().headCount);
}

void checkShapes(const Layer& layer) {
  checkWeightShapes(layer.weights, layer.options.pooling);
  checkInputShapes(layer);
  checkMask(layer.options.mask, layer.queryCount(), layer.keyCount(), layer.dimensions().headCount);
}

void checkPair(const LayerPair& pair) {
  checkLayer(pair.single);
  checkLayer(pair.multi);
  const auto differ = [](const std::string& what) {
    throw Error(ErrorCode::invalidOption, "single and multi must have one " + what + ", but theirs differ.");
  };
  const auto same = [](const Matrix& a, const Matrix& b) { return shapeOf(a) == shapeOf(b) && a == b; };
  const Inputs &one = pair.single.inputs, &other = pair.multi.inputs;
  if (!same(one.query, other.query)) differ("query input");
  if (!same(one.key, other.key)) differ("key input");
  if (!same(one.value, other.value)) differ("value input");
  const Options &a = pair.single.options, &b = pair.multi.options;
  if (a.pooling != b.pooling) differ("pooling");
  if (a.scale != b.scale) differ("scale");
  // However the masks are spelt: what they hide and add decides.
  const Index heads = std::max(pair.single.dimensions().headCount, pair.multi.dimensions().headCount);
  for (Index head = 0; head < heads; ++head) {
    const auto headIn = [head](const Mask& mask) { return mask.biases.size() > 1 ? head : 0; };
    const auto patternOf = [&](const Layer& layer) {
      return mayAttend(layer.options.mask, layer.queryCount(), layer.keyCount(), headIn(layer.options.mask));
    };
    const Matrix *biasA = biasOf(a.mask, headIn(a.mask)), *biasB = biasOf(b.mask, headIn(b.mask));
    if (patternOf(pair.single) != patternOf(pair.multi) || !biasA != !biasB || (biasA && *biasA != *biasB))
      differ("mask");
  }
}

}  // namespace headwise
