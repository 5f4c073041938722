#include "headwise/forward.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/computation.h"
#include "samples.h"

#include <limits>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

// One head without projections whose raw scores are these: its keys are the unit vectors.
Layer scoredBy(const Matrix& scores, const BoolMatrix& keep) {
  const Index count = scores.cols();
  return unprojectedLayer({scores, Matrix::Identity(count, count), Matrix::Ones(count, 1)},
                          {.scale = {Scale::Rule::none}, .mask = Mask::keeping(keep)});
}

void checkSameTrace(const ForwardTrace& actual, const ForwardTrace& expected) {
  std::vector<Matrix> matrices;
  forEachMatrix(expected, [&](const Field&, Index, const MatrixView& matrix) { matrices.push_back(matrix); });
  std::size_t next = 0;
  forEachMatrix(actual, [&](const Field& field, Index index, const MatrixView& matrix) {
    INFO(pathOf(field, index));
    REQUIRE(next < matrices.size());
    CHECK(near(matrix, matrices[next++]));
  });
  CHECK(next == matrices.size());
  CHECK(actual.scaleFactor == expected.scaleFactor);
  CHECK(actual.emptyRows == expected.emptyRows);
}

}  // namespace

TEST_CASE("forward: one wide product per role gives the trace of the loop over heads") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Sample layer = sample(seed, {.pooling = pooling});
      INFO(layer.text);
      checkSameTrace(forward(layer, {.wideProjections = true}), attend(layer));
    }
}

TEST_CASE("forward: each missing transpose keeps every shape and changes the output") {
  const Layer layer = selfAttentionLayer(5, 6, 2, 1);
  const Matrix right = attend(layer).output;
  constexpr HeadOrder wrongOrder = HeadOrder::withoutTranspose;
  for (const bool wide : {true, false})
    for (const Decisions& decisions : {Decisions{.wideProjections = wide, .split = wrongOrder},
                                       Decisions{.wideProjections = wide, .merge = wrongOrder},
                                       Decisions{.wideProjections = wide, .split = wrongOrder, .merge = wrongOrder}}) {
      const Matrix wrong = forward(layer, decisions).output;
      CHECK(hasShape(wrong, shapeOf(right)));
      CHECK(apart(wrong, right, 0.01));
    }
}

TEST_CASE("forward: a missing transpose on the split cuts queries, keys and values in memory order") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 3);
  const ForwardTrace right = forward(layer, {.wideProjections = true}),
                     wrong = forward(layer, {.wideProjections = true, .split = HeadOrder::withoutTranspose});
  std::vector<Matrix> queries, keys, values;
  for (std::size_t j = 0; j < 2; ++j) {
    queries.push_back(right.heads[j].queries);
    keys.push_back(right.keyValueHeads[j].keys);
    values.push_back(right.keyValueHeads[j].values);
  }
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(same(wrong.heads[j].queries, splitHeads(mergeHeads(queries), 2, HeadOrder::withoutTranspose)[j]));
    CHECK(same(wrong.keyValueHeads[j].keys, splitHeads(mergeHeads(keys), 2, HeadOrder::withoutTranspose)[j]));
    CHECK(same(wrong.keyValueHeads[j].values, splitHeads(mergeHeads(values), 2, HeadOrder::withoutTranspose)[j]));
  }
}

TEST_CASE("forward: a missing transpose on the merge leaves the heads right and mixes the concatenation") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 3);
  const ForwardTrace right = forward(layer, {.wideProjections = true}),
                     wrong = forward(layer, {.wideProjections = true, .merge = HeadOrder::withoutTranspose});
  for (std::size_t j = 0; j < 2; ++j)
    CHECK(same(wrong.heads[j].output, right.heads[j].output));
  CHECK(same(wrong.concatenated,
             mergeHeads({right.heads[0].output, right.heads[1].output}, HeadOrder::withoutTranspose)));
}

TEST_CASE("forward: hidden scores become −∞ or a number") {
  const Layer layer = scoredBy(matrixOf({{1, 2}, {3, 4}}), patternOf({"x.", ".x"}));
  const auto masked = [&](Scalar value) {
    return forward(layer, {.hide = Hide::fill, .fillValue = value}).heads[0].maskedScores;
  };
  CHECK(same(masked(-1e9), matrixOf({{1, -1e9}, {-1e9, 4}})));
  CHECK(same(masked(0), matrixOf({{1, 0}, {0, 4}})));
  CHECK(same(attend(layer).heads[0].maskedScores, matrixOf({{1, -kInfinity}, {-kInfinity, 4}})));
}

TEST_CASE(
    "forward: a fill of 0 leaks weight to hidden keys; −1e4 does so only in a row that sees nothing, or beside scores "
    "as large") {
  const BoolMatrix visible = patternOf({"x.", ".."});
  const auto weightsWith = [&](const Matrix& scores, const Decisions& decisions) {
    return forward(scoredBy(scores, visible), decisions).heads[0].attentionWeights;
  };
  const auto filled = [](Scalar value) { return Decisions{.hide = Hide::fill, .fillValue = value}; };
  const Matrix scores = matrixOf({{0, 7}, {1, 2}}), largeScores = matrixOf({{-1e4, 7}, {1, 2}});
  CHECK(same(weightsWith(scores, {}), matrixOf({{1, 0}, {0, 0}})));
  CHECK(near(weightsWith(scores, filled(0)), matrixOf({{0.5, 0.5}, {0.5, 0.5}})));
  CHECK(near(weightsWith(scores, filled(-1e4)), matrixOf({{1, 0}, {0.5, 0.5}})));
  CHECK(near(weightsWith(largeScores, filled(-1e4)), matrixOf({{0.5, 0.5}, {0.5, 0.5}})));
}

TEST_CASE("forward: with nothing decided it is the layer as it should be, to the bit") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Sample layer = sample(seed, {.pooling = pooling});
      INFO(layer.text);
      const ForwardTrace decided = forward(layer, Decisions{}), right = attend(layer);
      forEachMatrix(right, [&](const Field& field, Index index, const MatrixView& matrix) {
        CHECK(same(field.inTrace(decided, index), matrix));
      });
      CHECK(decided.emptyRows == right.emptyRows);
    }
}

TEST_CASE("forward: a scale decided here stands instead of the layer's own") {
  Layer layer = selfAttentionLayer(4, 6, 2, 1);
  layer.options.scale = {Scale::Rule::none};
  CHECK(forward(layer, {.scale = Scale::by(0.3)}).scaleFactor == 0.3);
  CHECK(forward(layer).scaleFactor == 1);
  // Weights multiplied instead of scores: rows sum to the factor.
  const ForwardTrace late = forward(layer, {.scale = Scale::by(0.3), .scaleAfterSoftmax = true});
  CHECK(same(late.heads[0].scaledScores, late.heads[0].rawScores));
  CHECK(near(late.heads[1].attentionWeights.row(2).sum(), 0.3));
}

TEST_CASE("forward: what the softmax runs over sums to 1") {
  const Layer layer = selfAttentionLayer(4, 6, 3, 1);
  const auto weightsBy = [&](NormaliseOver over) {
    std::vector<Matrix> weights;
    for (const HeadTrace& head : forward(layer, {.normaliseOver = over}).heads)
      weights.push_back(head.attentionWeights);
    return weights;
  };
  for (const Matrix& head : weightsBy(NormaliseOver::queries))
    CHECK(near(head.colwise().sum(), Matrix::Ones(1, 4)));
  const auto byHeads = weightsBy(NormaliseOver::heads);
  CHECK(near(byHeads[0] + byHeads[1] + byHeads[2], Matrix::Ones(4, 4)));
  const auto together = weightsBy(NormaliseOver::headsAndKeys);
  CHECK(near((together[0] + together[1] + together[2]).rowwise().sum(), Matrix::Ones(4, 1)));
}

TEST_CASE("forward: strided heads merged as they were split are another layer, whose heads have other columns") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 1);
  const ForwardTrace strided = forward(layer, {.split = HeadOrder::strided, .merge = HeadOrder::strided});
  const Matrix wide = mergeHeads({attend(layer).heads[0].queries, attend(layer).heads[1].queries});
  for (const Index column : {0, 1, 2})
    CHECK(same(strided.heads[1].queries.col(column), wide.col(2 * column + 1)));
  CHECK(same(strided.concatenated.col(3), strided.heads[1].output.col(1)));
}

TEST_CASE("forward: decisions that the layer's sizes do not allow are refused by name") {
  const Layer cross{{normalMatrix(3, 6, 1), normalMatrix(4, 6, 2), normalMatrix(4, 6, 3)},
                    randomWeights(Dimensions::selfAttention(6, 2), 1),
                    {}};
  const auto refusesDecision = [](const Layer& layer, const Decisions& decisions,
                                  std::initializer_list<std::string_view> parts) {
    return refuses([&] { forward(layer, decisions); }, ErrorCode::invalidOption, parts);
  };
  CHECK(refusesDecision(cross, {.transposeScores = true}, {"transposeScores", "as many queries as keys"}));
  CHECK(refusesDecision(cross, {.transposeWeights = true}, {"transposeWeights", "as many queries as keys"}));
  CHECK(refusesDecision(cross, {.firstBlockOnly = true}, {"firstBlockOnly", "averaged or summed"}));
  CHECK(refusesDecision(unprojectedLayer({normalMatrix(3, 6, 1), normalMatrix(4, 6, 2), normalMatrix(4, 5, 3)}),
                        {.wideProjections = true}, {"wideProjections", "projections"}));
  Layer narrow = selfAttentionLayer(3, 6, 2, 1, false);
  narrow.weights.dimensions.outputSize = 5;
  narrow.weights.output.weight = normalMatrix(6, 5, 1);
  CHECK(refusesDecision(narrow, {.addInput = true}, {"addInput", "as wide as the query input"}));
  CHECK(refuses(
      [] {
        forward(selfAttentionLayer(3, 6, 2, 1),
                {.combine = Combine::sum, .firstBlockOnly = true, .projectOutput = false, .addInput = true});
      },
      ErrorCode::shapeMismatch, {"output", "3 × 6", "3 × 3"}));
}

TEST_CASE("forward: wide products need biases for all heads of a role or for none") {
  const Inputs inputs = Inputs::self(normalMatrix(3, 8, 1));
  Layer layer{inputs, randomWeights(Dimensions::selfAttention(8, 4), 1), {}};
  layer.weights.heads[2].query.bias = rowOf({1, 2});
  CHECK_NOTHROW(attend(layer));
  CHECK(refuses([&] { forward(layer, {.wideProjections = true}); }, ErrorCode::invalidOption,
                {"Head 2 has a bias", "head 0 has none"}));
  layer.weights = randomWeights(Dimensions::selfAttention(8, 4), 1, {Distribution::normal, true});
  layer.weights.keyValueHeads[1].value.bias.reset();
  CHECK(refuses([&] { forward(layer, {.wideProjections = true}); }, ErrorCode::invalidOption,
                {"Head 1 has no bias", "head 0 has one"}));
}

}  // namespace headwise::test
