// Lesson 4's challenge: which pairs count as a construction of the learner's own.
#include "../checks.h"
#include "../samples.h"
#include "headwise/attention.h"
#include "headwise/course/equality.h"
#include "headwise/split.h"

#include <cmath>

namespace headwise::test {

namespace {

// 2 heads of width 3 cut from one of width 6.
constexpr Index kBlock = 3;

Weights singleHead() { return selfAttentionLayer(5, 6, 1, 3, false).weights; }
Inputs inputs() { return selfAttentionLayer(5, 6, 1, 3).inputs; }

LayerPair cutPair(const Weights& single, const Options& options = {}) {
  return {{inputs(), single, options}, {inputs(), splitSingleHead(single, 2), options}};
}

// Both score blocks the same direction: (√2 − 1)·s + s = √2·s, and √2·s/√6 = s/√3, which is head 1's own score.
// Head 0's score is another, so its values must be zero.
Weights silentFirstHead() {
  Weights single = singleHead();
  Matrix& query = single.heads[0].query.weight;
  Matrix& key = single.keyValueHeads[0].key.weight;
  query.leftCols(kBlock) = (std::sqrt(2.0) - 1) * query.rightCols(kBlock).eval();
  key.leftCols(kBlock) = key.rightCols(kBlock).eval();
  single.keyValueHeads[0].value.weight.leftCols(kBlock).setZero();
  return single;
}

// Head 0 has no queries, head 1 no keys: every score is 0 in both layers though neither W_q nor W_k is.
Weights halfAndHalf() {
  Weights single = singleHead();
  single.heads[0].query.weight.leftCols(kBlock).setZero();
  single.keyValueHeads[0].key.weight.rightCols(kBlock).setZero();
  return single;
}

}  // namespace

TEST_CASE("own construction: a silent head and one whose score is the sum of both blocks is accepted") {
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(silentFirstHead()));
  CHECK(judgement.largestDifference < 1e-12);
  CHECK(judgement.equal);
  CHECK(!judgement.used);
  CHECK(!judgement.outputIsZero);
  CHECK(!judgement.outputSameForAllTokens);
  CHECK(judgement.accepted);
}

TEST_CASE("own construction: zero scores by halves are accepted with a causal mask, where tokens see different keys") {
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(halfAndHalf(), {.mask = Mask::causalFrom()}));
  CHECK(judgement.equal);
  CHECK(!judgement.used);
  CHECK(judgement.accepted);
}

TEST_CASE("own construction: scores that are nearly 0 make nearly equal layers, which do not count") {
  for (const Scalar size : {1e-3, 1e-4, 1e-5, 3e-6}) {
    CAPTURE(size);
    Weights single = singleHead();
    single.heads[0].query.weight *= size / largestMagnitude(single.heads[0].query.weight);
    single.keyValueHeads[0].key.weight *= size / largestMagnitude(single.keyValueHeads[0].key.weight);
    const OwnConstruction judgement = judgeOwnConstruction(cutPair(single, {.mask = Mask::causalFrom()}));
    CHECK(!judgement.used);
    CHECK(!judgement.equalWithLargerScores);
    CHECK(!judgement.accepted);
  }
}

TEST_CASE("own construction: one that is right stays so when its scores are small") {
  Weights single = silentFirstHead();
  single.heads[0].query.weight *= 1e-3;
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(single));
  CHECK(judgement.equalWithLargerScores);
  CHECK(judgement.accepted);
}

TEST_CASE("own construction: the same for all tokens is refused") {
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(halfAndHalf()));
  CHECK(judgement.equal);
  CHECK(!judgement.used);
  CHECK(!judgement.outputIsZero);
  CHECK(judgement.outputSameForAllTokens);
  CHECK(!judgement.accepted);
}

TEST_CASE("own construction: a zero output is refused") {
  Weights single = singleHead();
  single.keyValueHeads[0].value.weight.setZero();
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(single));
  CHECK(judgement.equal);
  CHECK(!judgement.used);
  CHECK(judgement.outputIsZero);
  CHECK(!judgement.accepted);
}

TEST_CASE("own construction: an output of rounding size is zero, though its tokens differ") {
  Weights single = silentFirstHead();
  const Matrix output = attend({inputs(), single}).concatenated;
  single.keyValueHeads[0].value.weight *= 0.95e-6 / largestMagnitude(output);
  const OwnConstruction judgement = judgeOwnConstruction(cutPair(single));
  CHECK(judgement.equal);
  CHECK(judgement.outputIsZero);
  CHECK(!judgement.outputSameForAllTokens);
  CHECK(!judgement.accepted);
}

TEST_CASE("own construction: layers that differ are refused, with the difference of the concatenated heads") {
  const LayerPair pair = cutPair(singleHead());
  const OwnConstruction judgement = judgeOwnConstruction(pair);
  const Matrix difference = attend(pair.single).concatenated - attend(pair.multi).concatenated;
  CHECK(near(judgement.largestDifference, largestMagnitude(difference)));
  CHECK(judgement.largestDifference > 0.05);
  CHECK(!judgement.equal);
  CHECK(!judgement.used);
  CHECK(!judgement.accepted);
}

TEST_CASE("own construction: equal means closer than 1e-9, used means within 1e-6") {
  LayerPair pair = cutPair(silentFirstHead());
  pair.multi.weights.keyValueHeads[1].value.weight(0, 0) += 1e-11;
  CHECK(judgeOwnConstruction(pair).accepted);
  pair.multi.weights.keyValueHeads[1].value.weight(0, 0) += 1e-7;
  CHECK(!judgeOwnConstruction(pair).equal);
  LayerPair button = constructEqualPair(Construction::fullScores, {inputs(), singleHead(), {}}, 2);
  button.multi.weights.heads[0].query.weight(0, 0) += 1e-12;
  CHECK(judgeOwnConstruction(button).used == Construction::fullScores);
  button.multi.weights.heads[0].query.weight(0, 0) += 1e-3;
  CHECK(!judgeOwnConstruction(button).used);
}

TEST_CASE("own construction: every button is recognised and refused, with a mask or without") {
  for (const auto& named : kConstructions)
    for (const Mask& mask : {Mask{}, Mask::causalFrom()}) {
      const Construction construction = named.first;
      INFO(std::string(named.second));
      const OwnConstruction judgement =
          judgeOwnConstruction(constructEqualPair(construction, {inputs(), singleHead(), {.mask = mask}}, 2));
      CHECK(judgement.equal);
      REQUIRE(judgement.used);
      CHECK(*judgement.used == construction);
      CHECK(!judgement.accepted);
    }
}

TEST_CASE("own construction: a button with another W^o is still that button, since the heads are what is compared") {
  for (const Construction construction :
       {Construction::fullScores, Construction::equalBlocks, Construction::rescaledHeads}) {
    LayerPair pair = constructEqualPair(construction, {inputs(), singleHead(), {}}, 2);
    pair.multi.weights.output.weight(0, 0) += 1;
    CHECK(!judgeOwnConstruction(pair).accepted);
  }
}

TEST_CASE("own construction: layers of different widths are not equal") {
  const Weights narrow = selfAttentionLayer(5, 6, 1, 3).weights;
  Dimensions wider = narrow.dimensions;
  wider.headCount = wider.keyValueHeadCount = 2;
  const OwnConstruction judgement = judgeOwnConstruction({{inputs(), narrow}, {inputs(), randomWeights(wider, 1)}});
  CHECK(!judgement.equal);
  CHECK(!judgement.accepted);
}

}  // namespace headwise::test
