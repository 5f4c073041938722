#include "headwise/split.h"

#include "checks.h"
#include "headwise/attention.h"
#include "samples.h"

#include <cmath>

namespace headwise::test {

TEST_CASE("split: head j gets the j-th block of columns of W_q, W_k and W_v, biases cut alike, W^o stays") {
  const Projection query{matrixOf({{1, 2, 3, 4}, {5, 6, 7, 8}}), rowOf({10, 20, 30, 40})};
  const Projection key{matrixOf({{-1, -2, -3, -4}, {-5, -6, -7, -8}}), {}};
  const Projection value{matrixOf({{1, 0, 2, 0, 3, 0}, {0, 1, 0, 2, 0, 3}}), rowOf({1, 2, 3, 4, 5, 6})};
  const Projection output{normalMatrix(6, 3, 1), rowOf({7, 8, 9})};
  const Dimensions dimensions{.queryInputSize = 2,
                              .keyInputSize = 2,
                              .valueInputSize = 2,
                              .headCount = 1,
                              .keyValueHeadCount = 1,
                              .querySize = 4,
                              .keySize = 4,
                              .valueSize = 6,
                              .outputSize = 3};
  const Weights split = splitSingleHead(
      {.dimensions = dimensions, .heads = {{query, {}}}, .keyValueHeads = {{key, value}}, .output = output}, 2);
  CHECK_NOTHROW(checkWeights(split, Pooling::scaledDotProduct));
  CHECK(split.dimensions.headCount == 2);
  CHECK(split.dimensions.keyValueHeadCount == 2);
  CHECK(split.dimensions.querySize == 2);
  CHECK(split.dimensions.valueSize == 3);
  CHECK(same(split.heads[0].query.weight, matrixOf({{1, 2}, {5, 6}})));
  CHECK(same(split.heads[1].query.weight, matrixOf({{3, 4}, {7, 8}})));
  CHECK(same(*split.heads[1].query.bias, matrixOf({{30, 40}})));
  CHECK(same(split.keyValueHeads[1].key.weight, matrixOf({{-3, -4}, {-7, -8}})));
  CHECK(!split.keyValueHeads[1].key.bias);
  CHECK(same(split.keyValueHeads[0].value.weight, matrixOf({{1, 0, 2}, {0, 1, 0}})));
  CHECK(same(split.keyValueHeads[1].value.weight, matrixOf({{0, 3, 0}, {2, 0, 3}})));
  CHECK(same(*split.keyValueHeads[0].value.bias, matrixOf({{1, 2, 3}})));
  CHECK(same(split.output.weight, output.weight));
  CHECK(same(*split.output.bias, *output.bias));
}

TEST_CASE("split: QKᵀ = Σ Q_j K_jᵀ, scaled S_single = Σ S_j / √h, and still the outputs differ") {
  for (const Index headCount : {2, 3, 4, 6, 12}) {
    CAPTURE(headCount);
    const Layer layer = selfAttentionLayer(5, 12, 1, static_cast<std::uint64_t>(headCount));
    const ForwardTrace single = attend(layer);
    const ForwardTrace split = attend({layer.inputs, splitSingleHead(layer.weights, headCount)});
    Matrix rawSum = Matrix::Zero(5, 5), scaledSum = Matrix::Zero(5, 5);
    for (const HeadTrace& head : split.heads) {
      rawSum += head.rawScores;
      scaledSum += head.scaledScores;
    }
    CHECK(near(rawSum, single.heads[0].rawScores));
    CHECK(near(scaledSum / std::sqrt(static_cast<Scalar>(headCount)), single.heads[0].scaledScores));
    CHECK(hasShape(split.concatenated, shapeOf(single.concatenated)));
    CHECK(apart(split.concatenated, single.concatenated, 0.05));

    const ScoreDecomposition decomposition = decomposeScores(single, split);
    REQUIRE(decomposition.terms.size() == static_cast<std::size_t>(headCount));
    for (std::size_t j = 0; j < decomposition.terms.size(); ++j)
      CHECK(same(decomposition.terms[j], split.heads[j].rawScores));
    CHECK(near(decomposition.sum, rawSum));
    CHECK(decomposition.largestDifference < 1e-12);
  }
}

TEST_CASE("split: a decomposition of another layer's scores does not add up, and says by how much") {
  const Layer layer = selfAttentionLayer(3, 4, 1, 1, false), other = selfAttentionLayer(3, 4, 1, 2, false);
  const ForwardTrace single = attend(layer), stranger = attend({layer.inputs, splitSingleHead(other.weights, 2)});
  const ScoreDecomposition decomposition = decomposeScores(single, stranger);
  CHECK(near(decomposition.largestDifference, largestMagnitude(decomposition.sum - single.heads[0].rawScores)));
  CHECK(decomposition.largestDifference > 0.1);
}

TEST_CASE("split: into one head changes nothing") {
  const Layer layer = selfAttentionLayer(4, 6, 1, 2);
  CHECK(same(attend({layer.inputs, splitSingleHead(layer.weights, 1)}).output, attend(layer).output));
}

TEST_CASE("split: a headCount that does not divide both widths is refused with the ones that would") {
  const Layer layer = selfAttentionLayer(3, 12, 1, 1);
  CHECK(refuses([&] { splitSingleHead(layer.weights, 5); }, ErrorCode::invalidDimension,
                {"headCount 5", "12", "1, 2, 3, 4, 6, 12"}));
  CHECK(refuses([&] { splitSingleHead(layer.weights, 0); }, ErrorCode::invalidDimension, {"headCount 0", "12"}));
  Dimensions uneven = Dimensions::selfAttention(12, 1);
  uneven.valueSize = 8;
  CHECK(refuses([&] { splitSingleHead(randomWeights(uneven, 1), 3); }, ErrorCode::invalidDimension,
                {"headCount 3", "querySize 12", "valueSize 8", "1, 2, 4"}));
}

TEST_CASE("split: only one head can be cut, and only consistent weights") {
  CHECK(refuses([] { splitSingleHead(randomWeights(Dimensions::selfAttention(12, 2), 1), 2); },
                ErrorCode::invalidDimension, {"one head", "2"}));
  Weights weights = randomWeights(Dimensions::selfAttention(12, 1), 1);
  weights.heads[0].query.weight = Matrix::Zero(12, 5);
  CHECK(
      refuses([&] { splitSingleHead(weights, 2); }, ErrorCode::shapeMismatch, {"weights.W_q[0]", "12 × 12", "12 × 5"}));
}

TEST_CASE("split: a decomposition needs one head and its blocks, of one size") {
  const Layer layer = selfAttentionLayer(3, 4, 1, 1), longer = selfAttentionLayer(4, 4, 1, 1);
  const ForwardTrace single = attend(layer);
  const ForwardTrace split = attend({layer.inputs, splitSingleHead(layer.weights, 2)});
  const ForwardTrace other = attend({longer.inputs, splitSingleHead(longer.weights, 2)});
  CHECK(refuses([&] { decomposeScores(split, split); }, ErrorCode::invalidDimension, {"2 and 2 heads"}));
  CHECK(refuses([&] { decomposeScores(single, ForwardTrace{}); }, ErrorCode::invalidDimension, {"1 and 0 heads"}));
  CHECK(refuses([&] { decomposeScores(single, other); }, ErrorCode::shapeMismatch,
                {"split.heads[0].rawScores", "3 × 3", "4 × 4"}));
}

}  // namespace headwise::test
