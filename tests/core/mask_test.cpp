#include "headwise/mask.h"

#include "checks.h"
#include "headwise/attention.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace headwise::test {

namespace {
constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
using Rows = std::vector<Index>;
}  // namespace

TEST_CASE("mask: none lets every query see every key") {
  CHECK(samePattern(mayAttend(Mask{}, 2, 3), patternOf({"xxx", "xxx"})));
}

TEST_CASE("mask: both causal alignments agree on a square") {
  const BoolMatrix triangle = patternOf({"x...", "xx..", "xxx.", "xxxx"});
  CHECK(samePattern(mayAttend(Mask::causalFrom(), 4, 4), triangle));
  CHECK(samePattern(mayAttend(Mask::causalFrom(Alignment::bottomRight), 4, 4), triangle));
}

TEST_CASE("mask: with 2 queries and 5 keys, top left counts from the first key and bottom right from the last") {
  CHECK(samePattern(mayAttend(Mask::causalFrom(), 2, 5), patternOf({"x....",  //
                                                                    "xx..."})));
  CHECK(samePattern(mayAttend(Mask::causalFrom(Alignment::bottomRight), 2, 5), patternOf({"xxxx.",  //
                                                                                          "xxxxx"})));
}

TEST_CASE("mask: with 5 queries and 2 keys, bottom right leaves the first three queries without a key") {
  CHECK(samePattern(mayAttend(Mask::causalFrom(), 5, 2), patternOf({"x.",  //
                                                                    "xx",  //
                                                                    "xx",  //
                                                                    "xx",  //
                                                                    "xx"})));
  const BoolMatrix bottomRight = mayAttend(Mask::causalFrom(Alignment::bottomRight), 5, 2);
  CHECK(samePattern(bottomRight, patternOf({"..",  //
                                            "..",  //
                                            "..",  //
                                            "x.",  //
                                            "xx"})));
  CHECK(emptyRows(bottomRight) == Rows{0, 1, 2});
}

TEST_CASE("mask: one valid length serves all queries, or each query has its own") {
  CHECK(samePattern(mayAttend(Mask::padding({2}), 3, 4), patternOf({"xx..", "xx..", "xx.."})));
  const BoolMatrix own = mayAttend(Mask::padding({4, 0, 1}), 3, 4);
  CHECK(samePattern(own, patternOf({"xxxx", "....", "x..."})));
  CHECK(emptyRows(own) == Rows{1});
}

TEST_CASE("mask: a keep-matrix is taken as it is") {
  const BoolMatrix keep = patternOf({".x.x", "x..x", "...."});
  CHECK(samePattern(mayAttend(Mask::keeping(keep), 3, 4), keep));
  CHECK(emptyRows(keep) == Rows{2});
  CHECK(emptyRows(patternOf({"x", "x"})).empty());
}

TEST_CASE("mask: −∞ in the bias hides a cell, alone or on top of a pattern") {
  const Matrix bias = matrixOf({{0.5, -kInfinity, 0}, {-kInfinity, 2, 0}, {0, 0, -1}});
  CHECK(samePattern(mayAttend(Mask::additive(bias), 3, 3), patternOf({"x.x", ".xx", "xxx"})));
  Mask causalWithBias = Mask::causalFrom();
  causalWithBias.biases = {bias};
  CHECK(samePattern(mayAttend(causalWithBias, 3, 3), patternOf({"x..", ".x.", "xxx"})));
}

TEST_CASE("mask: a window of w keeps w keys, the query's own place included") {
  const auto counts = [](const BoolMatrix& pattern) {
    std::vector<Index> visible;
    for (Index row = 0; row < pattern.rows(); ++row)
      visible.push_back(pattern.row(row).count());
    return visible;
  };
  CHECK(counts(mayAttend(Mask::sliding(3), 7, 7)) == Rows{1, 2, 3, 3, 3, 3, 3});
  CHECK(counts(mayAttend(Mask::sliding(4), 7, 7)) == Rows{1, 2, 3, 4, 4, 4, 4});
  CHECK(samePattern(mayAttend(Mask::sliding(2), 4, 4), patternOf({"x...", "xx..", ".xx.", "..xx"})));
  CHECK(samePattern(mayAttend(Mask::sliding(1), 3, 3), patternOf({"x..", ".x.", "..x"})));
  // As long as the sequence: the causal mask.
  CHECK(samePattern(mayAttend(Mask::sliding(7), 7, 7), mayAttend(Mask::causalFrom(), 7, 7)));
}

TEST_CASE("mask: a window goes by the same place as the causal mask, with more keys than queries or fewer") {
  CHECK(samePattern(mayAttend(Mask::sliding(2), 2, 5), patternOf({"x....",  //
                                                                  "xx..."})));
  CHECK(samePattern(mayAttend(Mask::sliding(2, Alignment::bottomRight), 2, 5), patternOf({"..xx.",  //
                                                                                          "...xx"})));
  CHECK(samePattern(mayAttend(Mask::sliding(2), 5, 3), patternOf({"x..",  //
                                                                  "xx.",  //
                                                                  ".xx",  //
                                                                  "..x",  //
                                                                  "..."})));
  const BoolMatrix bottomRight = mayAttend(Mask::sliding(2, Alignment::bottomRight), 5, 3);
  CHECK(samePattern(bottomRight, patternOf({"...",  //
                                            "...",  //
                                            "x..",  //
                                            "xx.",  //
                                            ".xx"})));
  CHECK(emptyRows(bottomRight) == Rows{0, 1});
}

TEST_CASE("mask: conditions hold together") {
  Mask mask = Mask::causalFrom();
  mask.validLengths = {3};
  CHECK(samePattern(mayAttend(mask, 4, 4), patternOf({"x...", "xx..", "xxx.", "xxx."})));
  mask.window = 2;
  CHECK(samePattern(mayAttend(mask, 4, 4), patternOf({"x...", "xx..", ".xx.", "..x."})));
  mask.keep = patternOf({"xxxx", "x.xx", "xxxx", "xx.x"});
  CHECK(samePattern(mayAttend(mask, 4, 4), patternOf({"x...", "x...", ".xx.", "...."})));
  mask.validLengths = Rows{4, 1, 2, 4};
  CHECK(samePattern(mayAttend(mask, 4, 4), patternOf({"x...", "x...", ".x..", "...x"})));
  Mask causalWithPadding = Mask::padding({2});
  causalWithPadding.causal = Alignment::bottomRight;
  CHECK(samePattern(mayAttend(causalWithPadding, 2, 4), patternOf({"xx..", "xx.."})));
}

TEST_CASE("mask: a mask that is none hides nothing and adds nothing, each condition is some") {
  CHECK(Mask{}.isNone());
  for (const Mask& mask : {Mask::causalFrom(), Mask::sliding(2), Mask::padding({1}), Mask::keeping(patternOf({"x"})),
                           Mask::additive(matrixOf({{0}}))})
    CHECK(!mask.isNone());
}

TEST_CASE("mask: each head has its own bias, with −∞ where that head sees nothing") {
  const Mask mask = Mask::additivePerHead({matrixOf({{0, -1}}), matrixOf({{-kInfinity, 2}})});
  CHECK(samePattern(mayAttend(mask, 1, 2, 0), patternOf({"xx"})));
  CHECK(samePattern(mayAttend(mask, 1, 2, 1), patternOf({".x"})));
  CHECK(same(*biasOf(mask, 0), matrixOf({{0, -1}})));
  CHECK(same(*biasOf(mask, 1), matrixOf({{-kInfinity, 2}})));
  const Mask common = Mask::additive(matrixOf({{3, 4}}));
  CHECK(same(*biasOf(common, 5), matrixOf({{3, 4}})));
  CHECK(biasOf(Mask::causalFrom(), 0) == nullptr);

  // Two heads whose scores are 0: weights by the biases alone.
  const Layer layer{{Matrix::Zero(1, 2), Matrix::Zero(2, 2), Matrix::Identity(2, 2)},
                    randomWeights(Dimensions::selfAttention(2, 2), 1),
                    {.mask = Mask::additivePerHead({matrixOf({{0, std::log(3.0)}}), matrixOf({{-kInfinity, 2}})})}};
  const ForwardTrace trace = attend(layer);
  CHECK(near(trace.heads[0].attentionWeights, matrixOf({{0.25, 0.75}})));
  CHECK(same(trace.heads[1].attentionWeights, matrixOf({{0, 1}})));
  CHECK(trace.emptyRows.empty());
}

TEST_CASE("mask: a query is empty if it sees nothing in any head") {
  const auto rowsHidden = [](std::initializer_list<Index> rows) {
    Matrix bias = Matrix::Zero(3, 3);
    for (const Index row : rows)
      bias.row(row).setConstant(-kInfinity);
    return bias;
  };
  Layer layer = selfAttentionLayer(3, 6, 2, 1);
  layer.options.mask = Mask::additivePerHead({rowsHidden({0, 1}), rowsHidden({1, 2})});
  const ForwardTrace trace = attend(layer);
  CHECK(trace.emptyRows == Rows{1});
  CHECK(largestMagnitude(trace.heads[0].attentionWeights.row(0)) == 0);
  CHECK(near(trace.heads[1].attentionWeights.row(0).sum(), 1));
}

TEST_CASE("mask: biases are one for all heads or one for each") {
  Layer layer = selfAttentionLayer(3, 6, 2, 1);
  layer.options.mask = Mask::additivePerHead(std::vector<Matrix>(3, Matrix::Zero(3, 3)));
  CHECK(refuses([&] { attend(layer); }, ErrorCode::shapeMismatch, {"3 biases", "2"}));
  CHECK(refuses([&] { mayAttend(layer.options.mask, 3, 3, 3); }, ErrorCode::invalidOption, {"no bias for head 3"}));
  layer.options.mask = Mask::additivePerHead({Matrix::Zero(3, 3), Matrix::Zero(3, 2)});
  CHECK(refuses([&] { attend(layer); }, ErrorCode::shapeMismatch, {"mask.bias", "3 × 3", "3 × 2"}));
}

TEST_CASE("mask: a window needs a causal mask and a place of its own") {
  Mask mask;
  mask.window = 2;
  CHECK(refuses([&] { mayAttend(mask, 3, 3); }, ErrorCode::invalidOption, {"mask.window", "causal"}));
  CHECK(!mask.isNone());
  CHECK(
      refuses([] { mayAttend(Mask::sliding(0), 3, 3); }, ErrorCode::invalidOption, {"mask.window", "at least 1", "0"}));
}

TEST_CASE("mask: patterns without queries or keys, or too large for any trace, are refused") {
  CHECK(refuses([] { mayAttend(Mask{}, 0, 3); }, ErrorCode::invalidDimension, {"at least one query", "0 × 3"}));
  CHECK(refuses([] { mayAttend(Mask{}, 100000, 100000); }, ErrorCode::tooLarge, {"100000 × 100000"}));
}

TEST_CASE("masked scores: the bias is added where the query sees, −∞ stands elsewhere") {
  Mask mask = Mask::causalFrom();
  mask.biases = {matrixOf({{0.5, 9}, {-kInfinity, -1}})};
  const Matrix scores = matrixOf({{1, 2}, {3, 4}});
  // 1 + 0.5 | hidden by the pattern; hidden by the bias | 4 − 1
  CHECK(
      same(maskScores(scores, biasOf(mask, 0), mayAttend(mask, 2, 2)), matrixOf({{1.5, -kInfinity}, {-kInfinity, 3}})));
}

TEST_CASE("masked scores: without a bias the visible scores stay to the last bit") {
  const Matrix scores = normalMatrix(3, 3, 5);
  const Matrix masked = maskScores(scores, nullptr, mayAttend(Mask::causalFrom(), 3, 3));
  for (Index row = 0; row < 3; ++row)
    for (Index column = 0; column < 3; ++column)
      CHECK(masked(row, column) == (column <= row ? scores(row, column) : -kInfinity));
}

TEST_CASE("mask: matrices of another shape are refused with both shapes") {
  CHECK(refuses([] { mayAttend(Mask::keeping(patternOf({"xx"})), 2, 3); }, ErrorCode::shapeMismatch,
                {"mask.keep", "2 × 3", "1 × 2"}));
  CHECK(refuses([] { mayAttend(Mask::keeping(BoolMatrix()), 2, 3); }, ErrorCode::shapeMismatch,
                {"mask.keep", "2 × 3", "0 × 0"}));
  CHECK(refuses(
      [] {
        mayAttend(Mask::additive(matrixOf({{0, 0}})), 2, 2);
      },
      ErrorCode::shapeMismatch, {"mask.bias", "2 × 2", "1 × 2"}));
  const Matrix scores = matrixOf({{1, 2}});
  const BoolMatrix visible = patternOf({"x", "x"});
  CHECK(refuses([&] { maskScores(scores, nullptr, visible); }, ErrorCode::shapeMismatch,
                {"mayAttend", "1 × 2", "2 × 1"}));
  const Matrix bias = matrixOf({{0}, {0}});
  CHECK(refuses([&] { maskScores(scores, &bias, patternOf({"xx"})); }, ErrorCode::shapeMismatch,
                {"mask.bias", "1 × 2", "2 × 1"}));
}

TEST_CASE("mask: valid lengths must be one or one per query, each from 0 to the number of keys") {
  CHECK(refuses(
      [] {
        mayAttend(Mask::padding({1, 2}), 3, 4);
      },
      ErrorCode::invalidOption, {"mask.validLengths", "2 entries", "3"}));
  CHECK(refuses([] { mayAttend(Mask::padding({}), 3, 4); }, ErrorCode::invalidOption,
                {"mask.validLengths", "0 entries", "3"}));
  CHECK(refuses(
      [] {
        mayAttend(Mask::padding({1, 2, 5}), 3, 4);
      },
      ErrorCode::invalidOption, {"mask.validLengths[2]", "5", "4"}));
  CHECK(refuses([] { mayAttend(Mask::padding({-1}), 3, 4); }, ErrorCode::invalidOption,
                {"mask.validLengths[0]", "-1", "4"}));
}

TEST_CASE("mask: NaN and +∞ in the bias are refused with their place") {
  const Scalar notANumber = std::numeric_limits<Scalar>::quiet_NaN();
  CHECK(refuses(
      [&] {
        mayAttend(Mask::additive(matrixOf({{0, notANumber}})), 1, 2);
      },
      ErrorCode::notFinite, {"mask.bias", "NaN", "row 0", "column 1"}));
  CHECK(refuses(
      [&] {
        mayAttend(Mask::additive(matrixOf({{0}, {kInfinity}})), 2, 1);
      },
      ErrorCode::notFinite, {"mask.bias", "+∞", "row 1", "column 0"}));
}

}  // namespace headwise::test
