// What a layer and a pair have to be. attention_errors_test.cpp has what `attend` refuses.
#include "headwise/layer.h"

#include "checks.h"
#include "headwise/attention.h"
#include "samples.h"

#include <limits>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

// One head and two on one input.
LayerPair goodPair() {
  const Layer single = selfAttentionLayer(4, 6, 1, 1);
  Layer multi = selfAttentionLayer(4, 6, 2, 2);
  multi.inputs = single.inputs;
  return {single, multi};
}

Verdict refusesPair(const std::function<void(LayerPair&)>& change,
                    ErrorCode code,
                    std::initializer_list<std::string_view> parts) {
  LayerPair pair = goodPair();
  change(pair);
  return refuses([&] { checkPair(pair); }, code, parts);
}

}  // namespace

TEST_CASE("layer: where a head finds its keys, its values and its score matrices") {
  Dimensions dimensions = Dimensions::selfAttention(8, 4, 2);
  dimensions.scoreHiddenSize = 3;
  Layer layer{Inputs::self(normalMatrix(5, 8, 1)), randomWeights(dimensions, 1), {}};
  CHECK(layer.queryCount() == 5);
  CHECK(layer.keyCount() == 5);
  CHECK(layer.keyValueHeadOf(1) == 0);
  CHECK(layer.keyValueHeadOf(2) == 1);
  CHECK(layer.additiveOf(3) == nullptr);
  layer.options.pooling = Pooling::additive;
  CHECK(layer.additiveOf(3) == &*layer.weights.heads[3].additive);
}

TEST_CASE("layer: without projections it is one head as wide as its inputs") {
  const Layer layer = unprojectedLayer({normalMatrix(2, 4, 1), normalMatrix(3, 4, 2), normalMatrix(3, 6, 3)});
  CHECK_NOTHROW(checkLayer(layer));
  CHECK(!layer.weights.isProjected);
  const Dimensions expected{.queryInputSize = 4,
                            .keyInputSize = 4,
                            .valueInputSize = 6,
                            .headCount = 1,
                            .keyValueHeadCount = 1,
                            .querySize = 4,
                            .keySize = 4,
                            .valueSize = 6,
                            .outputSize = 6};
  CHECK(layer.dimensions() == expected);

  Layer changed = layer;
  changed.weights.dimensions.outputSize = 5;
  CHECK(refuses([&] { checkLayer(changed); }, ErrorCode::invalidDimension, {"without projections", "one head"}));
  changed = layer;
  changed.weights.output.weight = normalMatrix(6, 6, 1);
  CHECK(refuses([&] { checkLayer(changed); }, ErrorCode::shapeMismatch, {"weights.W_o", "0 × 0", "6 × 6"}));
}

TEST_CASE("pair: one input, one pooling, one scale, one mask") {
  const auto option = ErrorCode::invalidOption;
  CHECK_NOTHROW(checkPair(goodPair()));
  CHECK(refusesPair([](LayerPair& pair) { pair.multi.inputs.query(0, 0) += 1; }, option, {"query input", "differ"}));
  CHECK(refusesPair([](LayerPair& pair) { pair.multi.inputs.key(0, 0) += 1; }, option, {"key input", "differ"}));
  CHECK(refusesPair([](LayerPair& pair) { pair.multi.inputs.value(3, 5) += 1; }, option, {"value input", "differ"}));
  CHECK(refusesPair([](LayerPair& pair) { pair.single.options.scale = {Scale::Rule::none}; }, option,
                    {"scale", "differ"}));
  CHECK(
      refusesPair([](LayerPair& pair) { pair.single.options.mask = Mask::causalFrom(); }, option, {"mask", "differ"}));
  CHECK(refusesPair([](LayerPair& pair) { pair.multi.options.mask = Mask::additive(normalMatrix(4, 4, 1)); }, option,
                    {"mask", "differ"}));
  CHECK(refusesPair([](LayerPair& pair) { pair.multi.weights.output.weight = Matrix::Zero(5, 6); },
                    ErrorCode::shapeMismatch, {"weights.W_o", "6 × 6", "5 × 6"}));
}

TEST_CASE("pair: masks are one if they hide and add the same, however they are spelt") {
  LayerPair pair = goodPair();
  pair.single.options.mask = Mask::causalFrom(Alignment::topLeft);
  pair.multi.options.mask = Mask::keeping(patternOf({"x...", "xx..", "xxx.", "xxxx"}));
  CHECK_NOTHROW(checkPair(pair));
  pair.multi.options.mask = Mask::padding({1, 2, 3, 4});
  CHECK_NOTHROW(checkPair(pair));
  // One bias for all heads is the same bias for each.
  Matrix bias = normalMatrix(4, 4, 5);
  bias(1, 2) = -kInfinity;
  pair.single.options.mask = Mask::additive(bias);
  pair.multi.options.mask = Mask::additivePerHead({bias, bias});
  CHECK_NOTHROW(checkPair(pair));
  bias(0, 0) += 1;
  pair.multi.options.mask.biases[1] = bias;
  CHECK(refuses([&] { checkPair(pair); }, ErrorCode::invalidOption, {"mask", "differ"}));
}

}  // namespace headwise::test
