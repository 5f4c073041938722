// Layers small enough to work out by hand. attention_reference_test.cpp and the golden data go further.
#include "headwise/attention.h"

#include "checks.h"
#include "samples.h"

#include <cmath>

namespace headwise::test {

namespace {

// Two heads of width 1 whose queries are always 1, so that a head's scores are its keys:
//   keys    head 0: (0, ln 3)   weights ¼, ¾      head 1: (ln 4, 0)   weights ⅘, ⅕
//   values  head 0: (4, 8)      ¼·4 + ¾·8 = 7     head 1: (10, 20)    ⅘·10 + ⅕·20 = 12
Inputs handInputs() {
  return {matrixOf({{1}}), matrixOf({{0, std::log(4.0)}, {std::log(3.0), 0}}), matrixOf({{4, 10}, {8, 20}})};
}

Weights handWeights() {
  const Dimensions dimensions{.queryInputSize = 1,
                              .keyInputSize = 2,
                              .valueInputSize = 2,
                              .headCount = 2,
                              .keyValueHeadCount = 2,
                              .querySize = 1,
                              .keySize = 1,
                              .valueSize = 1,
                              .outputSize = 2};
  const Projection first{matrixOf({{1}, {0}}), {}}, second{matrixOf({{0}, {1}}), {}};
  const HeadWeights one{{matrixOf({{1}}), {}}, {}};
  return {.dimensions = dimensions,
          .heads = {one, one},
          .keyValueHeads = {{first, first}, {second, second}},
          .output = {matrixOf({{1, 2}, {3, 4}}), rowOf({100, 200})}};
}

}  // namespace

TEST_CASE("attention by hand: two heads, concatenated in order, times W^o, plus its bias") {
  const ForwardTrace trace = attend({handInputs(), handWeights()});
  CHECK(near(trace.heads[0].attentionWeights, matrixOf({{0.25, 0.75}})));
  CHECK(near(trace.heads[1].attentionWeights, matrixOf({{0.8, 0.2}})));
  CHECK(near(trace.heads[0].output, matrixOf({{7}})));
  CHECK(near(trace.heads[1].output, matrixOf({{12}})));
  CHECK(near(trace.concatenated, matrixOf({{7, 12}})));
  // 7·1 + 12·3 + 100 = 143, 7·2 + 12·4 + 200 = 262
  CHECK(near(trace.output, matrixOf({{143, 262}})));
  CHECK(trace.scaleFactor == 1);
  CHECK(trace.emptyRows.empty());
}

TEST_CASE("attention by hand: biases of queries, keys and values reach the scores and the sum") {
  Weights weights = handWeights();
  weights.heads[0].query.bias = rowOf({1});           // query 2: scores 0, 2 ln 3, weights 1/10, 9/10
  weights.keyValueHeads[0].value.bias = rowOf({-4});  // values 0, 4
  weights.keyValueHeads[1].key.bias = rowOf({5});     // scores ln 4 + 5, 5: the same weights
  const ForwardTrace trace = attend({handInputs(), weights});
  CHECK(near(trace.heads[0].queries, matrixOf({{2}})));
  CHECK(near(trace.heads[0].rawScores, matrixOf({{0, 2 * std::log(3.0)}})));
  CHECK(near(trace.heads[0].attentionWeights, matrixOf({{0.1, 0.9}})));
  CHECK(near(trace.heads[1].rawScores, matrixOf({{std::log(4.0) + 5, 5}})));
  CHECK(near(trace.concatenated, matrixOf({{3.6, 12}})));  // 0.9·4
}

TEST_CASE("attention by hand: the scale is 1/√width of a head") {
  // Width 4, so the factor is ½: raw score 2 ln 3 becomes ln 3, weights ¼, ¾. Output ¼·4 + ¾·8 = 7.
  const Inputs inputs{matrixOf({{1, 1, 0, 0}}), matrixOf({{0, 0, 0, 0}, {std::log(3.0), std::log(3.0), 0, 0}}),
                      matrixOf({{4}, {8}})};
  const ForwardTrace trace = attend(unprojectedLayer(inputs));
  CHECK(trace.scaleFactor == 0.5);
  CHECK(near(trace.heads[0].rawScores, matrixOf({{0, 2 * std::log(3.0)}})));
  CHECK(near(trace.heads[0].scaledScores, matrixOf({{0, std::log(3.0)}})));
  CHECK(near(trace.heads[0].attentionWeights, matrixOf({{0.25, 0.75}})));
  CHECK(near(trace.output, matrixOf({{7}})));
}

TEST_CASE("attention by hand: scale none and total width") {
  // Four heads of width 4 would scale by ¼ over the total width; here one head of width 4: ½ again. None: weights 1/10, 9/10.
  const Inputs inputs{matrixOf({{1, 1, 0, 0}}), matrixOf({{0, 0, 0, 0}, {std::log(3.0), std::log(3.0), 0, 0}}),
                      matrixOf({{0}, {10}})};
  CHECK(near(attend(unprojectedLayer(inputs, {.scale = {Scale::Rule::none}})).output, matrixOf({{9}})));
  CHECK(near(attend(unprojectedLayer(inputs, {.scale = {Scale::Rule::totalWidth}})).output, matrixOf({{7.5}})));
  // Two heads of width 1: total width 2, raw score ln 3 becomes ln 3/√2, first weight 1/(1 + 3^(1/√2)).
  const ForwardTrace total = attend({handInputs(), handWeights(), {.scale = {Scale::Rule::totalWidth}}});
  CHECK(near(total.heads[0].attentionWeights(0, 0), 1 / (1 + std::pow(3.0, 1 / std::sqrt(2.0)))));
}

TEST_CASE("attention by hand: additive pooling without projections") {
  // Hidden width 1, identity maps: score = 2 tanh(q + k). q = ½ ln 3; k = 0 gives 2·½ = 1, k = −½ ln 3 gives 0.
  // Weights e/(1 + e) and 1/(1 + e); output 1·e/(1 + e).
  const AdditiveScore score{matrixOf({{1}}), matrixOf({{1}}), rowOf({2})};
  const Scalar half = std::log(3.0) / 2;
  const ForwardTrace trace = attend(unprojectedLayer(
      {matrixOf({{half}}), matrixOf({{0}, {-half}}), matrixOf({{1}, {0}})}, {.pooling = Pooling::additive}, score));
  CHECK(near(trace.heads[0].rawScores, matrixOf({{1, 0}})));
  CHECK(same(trace.heads[0].scaledScores, trace.heads[0].rawScores));
  CHECK(trace.scaleFactor == 1);
  CHECK(near(trace.output, matrixOf({{std::exp(1.0) / (1 + std::exp(1.0))}})));
}

TEST_CASE("attention without projections: keys, values and output are the inputs and the one head") {
  const Inputs inputs{normalMatrix(3, 4, 1), normalMatrix(5, 4, 2), normalMatrix(5, 2, 3)};
  const ForwardTrace trace = attend(unprojectedLayer(inputs));
  REQUIRE(trace.heads.size() == 1);
  REQUIRE(trace.keyValueHeads.size() == 1);
  CHECK(same(trace.heads[0].queries, inputs.query));
  CHECK(same(trace.keyValueHeads[0].keys, inputs.key));
  CHECK(same(trace.keyValueHeads[0].values, inputs.value));
  CHECK(same(trace.concatenated, trace.heads[0].output));
  CHECK(same(trace.output, trace.heads[0].output));
}

TEST_CASE("attention by hand: a causal mask leaves the first query its own value") {
  // Scores 0 everywhere: uniform over what is seen. Values 2, 4, 12: 2, (2 + 4)/2 = 3, (2 + 4 + 12)/3 = 6.
  const Inputs inputs{Matrix::Zero(3, 2), Matrix::Zero(3, 2), matrixOf({{2}, {4}, {12}})};
  const ForwardTrace trace = attend(unprojectedLayer(inputs, {.mask = Mask::causalFrom()}));
  CHECK(near(trace.output, matrixOf({{2}, {3}, {6}})));
  CHECK(near(trace.heads[0].attentionWeights, matrixOf({{1, 0, 0}, {0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}})));
}

TEST_CASE("attention by hand: an additive bias shifts the scaled scores, not the raw ones") {
  // Scaled scores 0; bias ln 3 on the second key: weights ¼, ¾. Width 4 would turn it into √3 if it were added before the scale.
  const Inputs inputs{Matrix::Zero(1, 4), Matrix::Zero(2, 4), matrixOf({{0}, {4}})};
  const ForwardTrace trace = attend(unprojectedLayer(inputs, {.mask = Mask::additive(matrixOf({{0, std::log(3.0)}}))}));
  CHECK(near(trace.output, matrixOf({{3}})));
  CHECK(same(trace.heads[0].scaledScores, matrixOf({{0, 0}})));
}

TEST_CASE("attention by hand: a query that sees nothing gets zero weights, a zero head and the bias of W^o") {
  Weights weights = handWeights();
  const ForwardTrace trace = attend({handInputs(), weights, {.mask = Mask::padding({0})}});
  CHECK(trace.emptyRows == std::vector<Index>{0});
  CHECK(same(trace.heads[1].attentionWeights, matrixOf({{0, 0}})));
  CHECK(same(trace.concatenated, matrixOf({{0, 0}})));
  CHECK(same(trace.output, matrixOf({{100, 200}})));
  weights.output.bias.reset();
  CHECK(same(attend({handInputs(), weights, {.mask = Mask::padding({0})}}).output, matrixOf({{0, 0}})));
}

TEST_CASE("attention: what the heads add to the output sums to it, but for the bias") {
  // By hand: heads (1, 2) and (3) of widths 1; W^o rows (10, 20) and (100, 0): contributions (10, 20), (20, 40) | (300, 0), (300, 0).
  Layer hand{{normalMatrix(2, 1, 1), normalMatrix(1, 2, 2), normalMatrix(1, 2, 3)}, handWeights(), {}};
  hand.weights.output.weight = matrixOf({{10, 20}, {100, 0}});
  ForwardTrace trace = attend(hand);
  trace.heads[0].output = matrixOf({{1}, {2}});
  trace.heads[1].output = matrixOf({{3}, {3}});
  const std::vector<Matrix> byHand = outputContributions(hand, trace);
  REQUIRE(byHand.size() == 2);
  CHECK(same(byHand[0], matrixOf({{10, 20}, {20, 40}})));
  CHECK(same(byHand[1], matrixOf({{300, 0}, {300, 0}})));

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    const ForwardTrace real = attend(layer);
    Matrix sum = Matrix::Zero(real.output.rows(), real.output.cols());
    for (const Matrix& contribution : outputContributions(layer, real))
      sum += contribution;
    if (layer.weights.output.bias) sum.rowwise() += *layer.weights.output.bias;
    CHECK(near(sum, real.output));
  }
}

TEST_CASE("attention: what heads add is asked of the layer's own trace only") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 3);
  for (const Layer& other :
       {selfAttentionLayer(4, 6, 3, 3), selfAttentionLayer(5, 6, 2, 3), selfAttentionLayer(4, 6, 1, 3)})
    CHECK(refuses([&] { outputContributions(layer, attend(other)); }, ErrorCode::shapeMismatch, {"trace"}));
  Layer wrong = layer;
  wrong.weights.output.weight = Matrix::Zero(3, 6);
  CHECK(refuses([&] { outputContributions(wrong, attend(layer)); }, ErrorCode::shapeMismatch,
                {"weights.W_o", "6 × 6", "3 × 6"}));
  // One head without projections is the whole output.
  const Layer plain = unprojectedLayer(Inputs::self(normalMatrix(3, 4, 1)));
  CHECK(same(outputContributions(plain, attend(plain))[0], attend(plain).output));
}

}  // namespace headwise::test
