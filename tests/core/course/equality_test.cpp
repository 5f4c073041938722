#include "headwise/course/equality.h"

#include "../checks.h"
#include "../samples.h"
#include "headwise/attention.h"
#include "headwise/split.h"

#include <cmath>
#include <limits>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

struct Size {
  Index tokens, modelSize, headCount;
};
constexpr Size kSizes[] = {{3, 6, 2}, {5, 6, 3}, {4, 8, 4}, {6, 12, 3}, {7, 10, 10}};

LayerPair constructed(Construction construction, const Size& size, const Options& options = {}, bool biases = true) {
  Layer layer = selfAttentionLayer(size.tokens, size.modelSize, 1, static_cast<std::uint64_t>(size.tokens), biases);
  layer.options = options;
  return constructEqualPair(construction, layer, size.headCount);
}

// A layer and its cut, on one input: nothing equal about it.
LayerPair randomPair() {
  const Layer layer = selfAttentionLayer(5, 6, 1, 1);
  return {layer, {layer.inputs, splitSingleHead(layer.weights, 2), {}}};
}

}  // namespace

TEST_CASE(
    "equality: each construction makes concatenated and output equal, for several sizes, with and without a mask") {
  for (const auto& named : kConstructions)
    for (const Size& size : kSizes)
      for (const Mask& mask : {Mask{}, Mask::causalFrom()}) {
        const Construction construction = named.first;
        INFO(std::string(named.second) << ", " << size.tokens << " tokens, " << size.headCount << " heads");
        const LayerPair pair = constructed(construction, size, {.mask = mask});
        const ForwardTrace single = attend(pair.single), multi = attend(pair.multi);
        CHECK(single.heads.size() == 1);
        CHECK(multi.heads.size() ==
              static_cast<std::size_t>(construction == Construction::oneHead ? 1 : size.headCount));
        CHECK(largestMagnitude(single.concatenated) > 0.1);
        CHECK(near(multi.concatenated, single.concatenated, 1e-12));
        CHECK(near(multi.output, single.output, 1e-12));
      }
}

TEST_CASE("equality: without the construction the two layers differ") {
  for (const Size& size : kSizes) {
    const Layer layer = selfAttentionLayer(size.tokens, size.modelSize, 1, static_cast<std::uint64_t>(size.tokens));
    CHECK(apart(attend({layer.inputs, splitSingleHead(layer.weights, size.headCount)}).concatenated,
                attend(layer).concatenated, 0.05));
  }
}

TEST_CASE("equality: a to f keep the matrices they do not speak of") {
  const Layer layer = selfAttentionLayer(5, 6, 1, 5);
  for (const auto& named : kConstructions) {
    const Construction construction = named.first;
    if (construction == Construction::equalBlocks) continue;
    INFO(std::string(named.second));
    const LayerPair pair = constructEqualPair(construction, layer, 3);
    const bool zeroQuery = construction == Construction::zeroQuery, zeroKey = construction == Construction::zeroKey;
    CHECK(same(pair.single.weights.heads[0].query.weight,
               zeroQuery ? Matrix::Zero(6, 6) : layer.weights.heads[0].query.weight));
    CHECK(same(pair.single.weights.keyValueHeads[0].key.weight,
               zeroKey ? Matrix::Zero(6, 6) : layer.weights.keyValueHeads[0].key.weight));
    CHECK(same(pair.single.weights.keyValueHeads[0].value.weight, layer.weights.keyValueHeads[0].value.weight));
    CHECK(same(pair.single.weights.output.weight, layer.weights.output.weight));
    CHECK(same(pair.multi.weights.output.weight, layer.weights.output.weight));
    CHECK(same(pair.single.inputs.query.row(0), layer.inputs.query.row(0)));
  }
}

TEST_CASE("equality: the inputs of one key and of constant input are what they say") {
  const LayerPair oneKey = constructed(Construction::oneKey, kSizes[1]);
  CHECK(oneKey.single.inputs.query.rows() == 5);
  CHECK(oneKey.single.inputs.key.rows() == 1);
  CHECK(oneKey.single.inputs.value.rows() == 1);
  const LayerPair constant = constructed(Construction::constantInput, kSizes[1]);
  for (const Matrix& input : {constant.single.inputs.query, constant.single.inputs.key, constant.single.inputs.value})
    for (Index row = 1; row < 5; ++row)
      CHECK(same(input.row(row), input.row(0)));
}

TEST_CASE("equality: full scores give every head all of W_q and W_k and a block of W_v") {
  const LayerPair pair = constructed(Construction::fullScores, {5, 6, 3});
  const ForwardTrace single = attend(pair.single), multi = attend(pair.multi);
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(same(pair.multi.weights.heads[j].query.weight, pair.single.weights.heads[0].query.weight));
    CHECK(same(pair.multi.weights.keyValueHeads[j].key.weight, pair.single.weights.keyValueHeads[0].key.weight));
    CHECK(same(pair.multi.weights.keyValueHeads[j].value.weight,
               middleColumns(pair.single.weights.keyValueHeads[0].value.weight, 2 * static_cast<Index>(j), 2)));
    CHECK(near(multi.heads[j].attentionWeights, single.heads[0].attentionWeights));
  }
}

TEST_CASE("equality: equal blocks are [A … A] and [B … B] against √h·A and B") {
  const LayerPair pair = constructed(Construction::equalBlocks, {5, 6, 3});
  const Matrix a = middleColumns(pair.single.weights.heads[0].query.weight, 0, 2),
               b = middleColumns(pair.single.weights.keyValueHeads[0].key.weight, 0, 2);
  for (Index j = 0; j < 3; ++j) {
    CHECK(same(middleColumns(pair.single.weights.heads[0].query.weight, 2 * j, 2), a));
    CHECK(same(middleColumns(pair.single.weights.keyValueHeads[0].key.weight, 2 * j, 2), b));
    CHECK(near(pair.multi.weights.heads[static_cast<std::size_t>(j)].query.weight, std::sqrt(3.0) * a));
    CHECK(near(pair.multi.weights.keyValueHeads[static_cast<std::size_t>(j)].key.weight, b));
  }
}

TEST_CASE("equality: rescaled heads are c·W_q and W_k / c with c = 1, −2, 3, −4") {
  const LayerPair pair = constructed(Construction::rescaledHeads, {4, 8, 4});
  const Scalar factors[] = {1, -2, 3, -4};
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(near(pair.multi.weights.heads[j].query.weight, factors[j] * pair.single.weights.heads[0].query.weight));
    CHECK(near(pair.multi.weights.keyValueHeads[j].key.weight,
               pair.single.weights.keyValueHeads[0].key.weight / factors[j]));
  }
}

TEST_CASE("equality: a pair meets its own construction's condition") {
  for (const auto& named : kConstructions)
    for (const Size& size : kSizes)
      for (const bool biases : {true, false}) {
        const Construction construction = named.first;
        INFO(std::string(named.second));
        CHECK(distanceFrom(construction, constructed(construction, size, {}, biases)) < 1e-14);
      }
}

TEST_CASE("equality: a random pair meets no condition") {
  const LayerPair pair = randomPair();
  for (const auto& named : kConstructions) {
    const Construction construction = named.first;
    INFO(std::string(named.second));
    CHECK(distanceFrom(construction, pair) > 0.1);
  }
  // One by one where sizes do not forbid it: heads of the full width, but other matrices.
  LayerPair wide = constructed(Construction::fullScores, {5, 6, 2});
  for (HeadWeights& head : wide.multi.weights.heads)
    head.query.weight = normalMatrix(6, 6, 9);
  for (const Construction construction : {Construction::fullScores, Construction::rescaledHeads}) {
    CHECK(distanceFrom(construction, wide) > 0.1);
    CHECK(distanceFrom(construction, wide) < kInfinity);
  }
}

TEST_CASE("equality: sizes that forbid a construction are infinitely far") {
  const LayerPair narrow = randomPair(), wide = constructed(Construction::fullScores, {5, 6, 2});
  for (const Construction construction :
       {Construction::oneHead, Construction::oneKey, Construction::fullScores, Construction::rescaledHeads})
    CHECK(distanceFrom(construction, narrow) == kInfinity);
  CHECK(distanceFrom(Construction::equalBlocks, wide) == kInfinity);
}

TEST_CASE("equality: the distance is how far a cell was moved") {
  LayerPair pair = constructed(Construction::fullScores, {5, 6, 2});
  pair.multi.weights.heads[1].query.weight(3, 2) += 0.25;
  CHECK(near(distanceFrom(Construction::fullScores, pair), 0.25));
  pair = constructed(Construction::fullScores, {5, 6, 2});
  pair.multi.weights.keyValueHeads[1].value.weight(0, 0) -= 0.5;
  CHECK(near(distanceFrom(Construction::fullScores, pair), 0.5));
  pair = constructed(Construction::equalBlocks, {5, 6, 2});
  (*pair.multi.weights.keyValueHeads[0].key.bias)(1) += 0.125;
  CHECK(near(distanceFrom(Construction::equalBlocks, pair), 0.125));
  pair = constructed(Construction::zeroKey, {5, 6, 2});
  pair.single.weights.keyValueHeads[0].key.weight(1, 1) = -0.75;
  CHECK(near(distanceFrom(Construction::zeroKey, pair), 0.75));
  pair = constructed(Construction::zeroQuery, {5, 6, 2});
  (*pair.multi.weights.heads[1].query.bias)(0) = 2;
  CHECK(near(distanceFrom(Construction::zeroQuery, pair), 2));
  pair = constructed(Construction::constantInput, {5, 6, 2});
  pair.single.inputs.value(4, 5) += 3;
  pair.multi.inputs = pair.single.inputs;
  CHECK(near(distanceFrom(Construction::constantInput, pair), 3));
  pair = constructed(Construction::rescaledHeads, {5, 6, 2});
  pair.multi.weights.keyValueHeads[1].key.weight(0, 0) += 0.25;
  CHECK(near(distanceFrom(Construction::rescaledHeads, pair), 0.25));
}

TEST_CASE("equality: a headCount that cannot cut the widths is refused") {
  const Layer layer = selfAttentionLayer(3, 6, 1, 1);
  const auto construct = [&](Construction construction, Index headCount) {
    return [&, construction, headCount] { constructEqualPair(construction, layer, headCount); };
  };
  CHECK_NOTHROW(construct(Construction::oneHead, 4)());
  for (const auto& named : kConstructions) {
    const Construction construction = named.first;
    if (construction == Construction::oneHead) continue;
    INFO(std::string(named.second));
    CHECK(refuses(construct(construction, 4), ErrorCode::invalidDimension, {"headCount 4", "6"}));
    CHECK(refuses(construct(construction, 0), ErrorCode::invalidDimension, {"headCount 0", "6"}));
  }
}

TEST_CASE("equality: rescaled numbers that overflow are refused") {
  Layer layer = selfAttentionLayer(2, 4, 1, 1, false);
  layer.weights.heads[0].query.weight.setConstant(1.7e308);
  CHECK(refuses([&] { constructEqualPair(Construction::rescaledHeads, layer, 4); }, ErrorCode::notFinite,
                {"rescaled matrix", "overflowed"}));
  CHECK(refuses([&] { constructEqualPair(Construction::equalBlocks, layer, 4); }, ErrorCode::notFinite,
                {"rescaled matrix", "overflowed"}));
}

TEST_CASE("equality: a pair is two layers that were constructed as one") {
  LayerPair pair = randomPair();
  pair.multi.inputs.value(0, 0) += 1;
  for (const auto& named : kConstructions) {
    const Construction construction = named.first;
    CHECK(refuses([&] { distanceFrom(construction, pair); }, ErrorCode::invalidOption, {"value input", "differ"}));
  }
  CHECK(refuses([&] { judgeOwnConstruction(pair); }, ErrorCode::invalidOption, {"value input", "differ"}));
}

TEST_CASE("equality: the single layer must have one head and dot products") {
  const Layer layer = selfAttentionLayer(3, 6, 2, 1);
  CHECK(refuses([&] { constructEqualPair(Construction::zeroKey, layer, 2); }, ErrorCode::invalidDimension,
                {"single", "one head", "2"}));
  LayerPair pair = randomPair();
  pair.single.options.pooling = Pooling::additive;
  CHECK(refuses([&] { distanceFrom(Construction::zeroKey, pair); }, ErrorCode::invalidOption,
                {"pooling", "scaledDotProduct"}));
  CHECK(refuses([&] { constructEqualPair(Construction::zeroKey, pair.single, 2); }, ErrorCode::invalidOption,
                {"pooling"}));
}

}  // namespace headwise::test
