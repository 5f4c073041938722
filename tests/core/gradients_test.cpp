// Every gradient against central differences, in every combination of options.
#include "headwise/gradients.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/sharing.h"
#include "samples.h"

#include <limits>
#include <string>
#include <vector>

namespace headwise::test {

namespace {

// (8·[f(x + s) − f(x − s)] − [f(x + 2s) − f(x − 2s)]) / 12s: the error is s⁴·f⁗′/30 plus rounding of about 1e-16·|f|/s. The simpler
// difference of two values has s²·f‴/6 and would need a tolerance in which a real fault could hide.
constexpr Scalar kStep = 2e-4;
constexpr Scalar kDifferenceTolerance = 1e-9;
constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();

struct NamedMask {
  const char* name;
  Mask mask;
};

// For 3 queries and 4 keys, or 4 and 4. Each hides something, and some leave a row with nothing to see.
std::vector<NamedMask> masksFor(Index queries) {
  Matrix bias = normalMatrix(queries, 4, 77);
  bias(0, 1) = kHidden;
  bias.row(1).setConstant(kHidden);
  return {
      {"none", {}},
      {"causal", Mask::causalFrom()},
      {"causal, aligned to the end", Mask::causalFrom(Alignment::bottomRight)},
      {"padding", Mask::padding({2})},
      {"padding by query", Mask::padding(queries == 3 ? std::vector<Index>{1, 0, 4} : std::vector<Index>{1, 0, 4, 2})},
      {"keep",
       Mask::keeping(queries == 3 ? patternOf({"x.x.", "....", ".xxx"}) : patternOf({"x.x.", "....", ".xxx", "x..x"}))},
      {"bias", Mask::additive(bias)}};
}

Scalar lossOf(const Layer& layer, const Matrix& direction) {
  return attend(layer).output.cwiseProduct(direction).sum();
}

// The slope at 0 of a function of one number.
template <class Function>
Scalar slopeOf(Function&& f) {
  return (8 * (f(kStep) - f(-kStep)) - (f(2 * kStep) - f(-2 * kStep))) / (12 * kStep);
}

// Largest gap between the gradient and central differences, in units of 1 + |gradient|. `parameter` is part of `layer`.
template <class Parameter>
Scalar gapOf(Layer& layer, Parameter& parameter, const Parameter& gradient, const Matrix& direction) {
  REQUIRE((shapeOf(parameter) == shapeOf(gradient)));
  Scalar largest = 0;
  for (Index i = 0; i < parameter.size(); ++i) {
    const Scalar original = parameter.data()[i], found = gradient.data()[i];
    const Scalar slope = slopeOf([&](Scalar change) {
      parameter.data()[i] = original + change;
      return lossOf(layer, direction);
    });
    parameter.data()[i] = original;
    largest = std::max(largest, std::abs(slope - found) / (1 + std::abs(found)));
  }
  return largest;
}

// Every weight, bias and input.
Scalar largestGap(Layer& layer, const Matrix& direction) {
  Gradients gradients = backward(layer, attend(layer), direction);
  Scalar largest = 0;
  forEachParameter([&](auto& parameter,
                       auto& gradient) { largest = std::max(largest, gapOf(layer, parameter, gradient, direction)); },
                   layer.weights, gradients.weights);
  largest = std::max(largest, gapOf(layer, layer.inputs.query, gradients.inputs.query, direction));
  largest = std::max(largest, gapOf(layer, layer.inputs.key, gradients.inputs.key, direction));
  return std::max(largest, gapOf(layer, layer.inputs.value, gradients.inputs.value, direction));
}

Dimensions dimensionsFor(Pooling pooling, Index keyValueHeadCount) {
  const bool additive = pooling == Pooling::additive;
  return {.queryInputSize = 3,
          .keyInputSize = 2,
          .valueInputSize = 4,
          .headCount = 4,
          .keyValueHeadCount = keyValueHeadCount,
          .querySize = 2,
          .keySize = additive ? 3 : 2,
          .valueSize = 1,
          .outputSize = 3,
          .scoreHiddenSize = additive ? 2 : 0};
}

}  // namespace

TEST_CASE("every gradient agrees with central differences in every combination of options") {
  int combinations = 0;
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (const Scale::Rule rule : {Scale::Rule::perHeadWidth, Scale::Rule::totalWidth, Scale::Rule::none}) {
      if (pooling == Pooling::additive && rule != Scale::Rule::perHeadWidth) continue;  // additive scores have no scale
      for (const Index queries : {3, 4})
        for (const NamedMask& mask : masksFor(queries))
          for (const bool biases : {false, true})
            for (const Index keyValueHeads : {4, 2, 1}) {
              const auto seed = static_cast<std::uint64_t>(++combinations);
              Layer layer{
                  {normalMatrix(queries, 3, seed), normalMatrix(4, 2, seed + 1000), normalMatrix(4, 4, seed + 2000)},
                  randomWeights(dimensionsFor(pooling, keyValueHeads), seed, {Distribution::normal, biases}),
                  {pooling, {rule}, mask.mask}};
              INFO("pooling ", static_cast<int>(pooling), ", scale ", static_cast<int>(rule), ", ", queries,
                   " queries, mask ", mask.name, ", biases ", biases, ", ", keyValueHeads, " key/value heads");
              CHECK(largestGap(layer, normalMatrix(queries, 3, seed + 3000)) < kDifferenceTolerance);
            }
    }
  CHECK(combinations == 4 * 2 * 7 * 2 * 3);
}

TEST_CASE("the gradient by a matrix that heads share is the sum over its users") {
  for (const auto& entry : kSharings) {
    const Sharing sharing = entry.first;
    CAPTURE(entry.second);
    const SharingPlan plan = sharingPlan(sharing, 4, 2);
    Layer layer{Inputs::self(normalMatrix(4, 3, 5)), {}, {}};
    Dimensions dimensions = dimensionsFor(Pooling::scaledDotProduct, 4);
    dimensions.keyInputSize = dimensions.valueInputSize = 3;
    layer.weights = shareWeights(randomWeights(dimensions, 6, {Distribution::normal, true}), plan);
    const Matrix direction = normalMatrix(4, 3, 7);
    const Gradients free = backward(layer, attend(layer), direction);
    const Weights summed = sumOverUsers(free.weights, plan);
    // The slope along one number of a matrix, which moves in all places that use it.
    const auto slopeAlong = [&](auto&& numberOf) {
      return slopeOf([&](Scalar change) {
        Layer moved = layer;
        numberOf(moved.weights) += change;
        moved.weights = shareWeights(moved.weights, plan);
        return lossOf(moved, direction);
      });
    };
    for (std::size_t j = 0; j < 4; ++j) {
      const auto query = static_cast<std::size_t>(plan.query[j]), keyValue = static_cast<std::size_t>(plan.keyValue[j]);
      CHECK(near(summed.heads[j].query.weight(1, 0),
                 slopeAlong([&](Weights& weights) -> Scalar& { return weights.heads[query].query.weight(1, 0); }),
                 kDifferenceTolerance));
      CHECK(near(summed.keyValueHeads[j].value.weight(2, 0), slopeAlong([&](Weights& weights) -> Scalar& {
                   return weights.keyValueHeads[keyValue].value.weight(2, 0);
                 }),
                 kDifferenceTolerance));
    }
  }
}

TEST_CASE("the gradient by one input in three places is the sum of the three") {
  CHECK(gradientByOneInput({Matrix{{1, 2}}, Matrix{{10, 20}}, Matrix{{100, 200}}}) == Matrix{{111, 222}});
  CHECK(refuses(
      [] {
        gradientByOneInput({Matrix{{1e308}}, Matrix{{1e308}}, Matrix{{1}}});
      },
      ErrorCode::notFinite, {"gradient by the input"}));
  CHECK(refuses(
      [] {
        gradientByOneInput({Matrix{{1}}, Matrix{{1, 2}}, Matrix{{1}}});
      },
      ErrorCode::shapeMismatch, {"gradients.key", "1 × 2"}));
}

TEST_CASE("a row that sees nothing sends no gradient back") {
  Layer layer = selfAttentionLayer(4, 6, 2, 3);
  layer.options.mask = Mask::keeping(patternOf({"xx..", "....", "xxx.", "xxxx"}));
  Matrix direction = Matrix::Zero(4, 6);
  direction.row(1).setOnes();
  const Gradients gradients = backward(layer, attend(layer), direction);
  CHECK(same(gradients.inputs.query, Matrix::Zero(4, 6)));
  CHECK(same(gradients.inputs.value, Matrix::Zero(4, 6)));
  CHECK(same(gradients.weights.heads[0].query.weight, Matrix::Zero(6, 3)));
}

TEST_CASE("a key bias gets no gradient: it shifts a whole row of scores") {
  const Layer layer = selfAttentionLayer(5, 6, 2, 4);
  const Gradients gradients = backward(layer, attend(layer), normalMatrix(5, 6, 8));
  for (const KeyValueHeadWeights& head : gradients.weights.keyValueHeads)
    CHECK(head.key.bias->cwiseAbs().maxCoeff() < kRounding);
}

TEST_CASE("heads with equal weights and equal output blocks get gradients that are equal to the last bit") {
  Weights weights = randomWeights(Dimensions::selfAttention(12, 3), 5);
  weights = shareWeights(weights, sharingPlan(Sharing::all, 3));
  weights.output.weight = Matrix(weights.output.weight.topRows(4).replicate(3, 1));
  const Layer layer{Inputs::self(normalMatrix(7, 12, 6)), weights, {}};
  const Gradients gradients = backward(layer, attend(layer), normalMatrix(7, 12, 7));
  for (std::size_t j = 1; j < 3; ++j) {
    CHECK(same(gradients.weights.heads[j].query.weight, gradients.weights.heads[0].query.weight));
    CHECK(same(gradients.weights.keyValueHeads[j].key.weight, gradients.weights.keyValueHeads[0].key.weight));
    CHECK(same(gradients.weights.keyValueHeads[j].value.weight, gradients.weights.keyValueHeads[0].value.weight));
  }
}

TEST_CASE("gradients that overflow are refused, though all that went in is finite") {
  Layer layer = selfAttentionLayer(4, 6, 2, 3);
  layer.inputs = Inputs::self(Matrix::Constant(4, 6, 1e10));
  const ForwardTrace trace = attend(layer);
  CHECK(refuses([&] { backward(layer, trace, Matrix::Constant(4, 6, 1e305)); }, ErrorCode::notFinite,
                {"gradient", "overflowed"}));
}

TEST_CASE("without projections the gradients are those by the inputs and the score matrices") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (const NamedMask& mask : masksFor(3)) {
      INFO("pooling ", static_cast<int>(pooling), ", mask ", mask.name);
      const bool additive = pooling == Pooling::additive;
      const std::optional<AdditiveScore> score =
          additive ? std::optional(AdditiveScore{normalMatrix(2, 5, 4), normalMatrix(3, 5, 5), normalMatrix(1, 5, 6)})
                   : std::nullopt;
      Layer layer =
          unprojectedLayer({normalMatrix(3, 2, 1), normalMatrix(4, additive ? 3 : 2, 2), normalMatrix(4, 3, 3)},
                           {pooling, {}, mask.mask}, score);
      CHECK(largestGap(layer, normalMatrix(3, 3, 7)) < kDifferenceTolerance);
      CHECK(backward(layer, attend(layer), normalMatrix(3, 3, 7)).weights.output.isIdentity());
    }
}

TEST_CASE("score matrices that dot products do not read have a gradient of 0") {
  const Weights weights = randomWeights(dimensionsFor(Pooling::additive, 4), 3);
  Weights read = weights;  // with keys as wide as queries
  read.dimensions.keySize = 2;
  for (KeyValueHeadWeights& head : read.keyValueHeads)
    head.key.weight = head.key.weight.leftCols(2).eval();
  const Layer layer{{normalMatrix(3, 3, 1), normalMatrix(4, 2, 2), normalMatrix(4, 4, 3)}, read, {}};
  const Gradients gradients = backward(layer, attend(layer), normalMatrix(3, 3, 4));
  for (const HeadWeights& head : gradients.weights.heads) {
    REQUIRE(head.additive);
    CHECK(same(head.additive->scoreQuery, Matrix::Zero(2, 2)));
  }
}

TEST_CASE("backward refuses a trace or an output gradient of another layer") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 3);
  const ForwardTrace trace = attend(layer);
  CHECK(refuses([&] { backward(layer, trace, Matrix::Ones(4, 5)); }, ErrorCode::shapeMismatch,
                {"outputGradient", "4 × 6", "4 × 5"}));
  CHECK(refuses([&] { backward(layer, trace, Matrix::Constant(4, 6, kHidden)); }, ErrorCode::notFinite,
                {"outputGradient"}));
  for (const Layer& another : {selfAttentionLayer(5, 6, 2, 3), selfAttentionLayer(4, 6, 1, 3)})
    CHECK(refuses([&] { backward(layer, attend(another), Matrix::Ones(4, 6)); }, ErrorCode::shapeMismatch, {"trace"}));
  const ForwardTrace other = attend({layer.inputs, randomWeights(Dimensions::selfAttention(6, 3), 1)});
  CHECK(refuses([&] { backward(layer, other, Matrix::Ones(4, 6)); }, ErrorCode::shapeMismatch,
                {"trace has 3 heads", "2"}));
}

}  // namespace headwise::test
