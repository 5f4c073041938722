#include "headwise/mask.h"

#include "checks.h"
#include "headwise/softmax.h"
#include "samples.h"

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
  CHECK(samePattern(mayAttend(Mask::causal(), 4, 4), triangle));
  CHECK(samePattern(mayAttend(Mask::causalAlignedToEnd(), 4, 4), triangle));
}

TEST_CASE("mask: with 2 queries and 5 keys, top left counts from the first key and bottom right from the last") {
  CHECK(samePattern(mayAttend(Mask::causal(), 2, 5), patternOf({"x....",  //
                                                                "xx..."})));
  CHECK(samePattern(mayAttend(Mask::causalAlignedToEnd(), 2, 5), patternOf({"xxxx.",  //
                                                                            "xxxxx"})));
}

TEST_CASE("mask: with 5 queries and 2 keys, bottom right leaves the first three queries without a key") {
  CHECK(samePattern(mayAttend(Mask::causal(), 5, 2), patternOf({"x.",  //
                                                                "xx",  //
                                                                "xx",  //
                                                                "xx",  //
                                                                "xx"})));
  const BoolMatrix bottomRight = mayAttend(Mask::causalAlignedToEnd(), 5, 2);
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
  Mask causalWithBias = Mask::causal();
  causalWithBias.bias = bias;
  CHECK(samePattern(mayAttend(causalWithBias, 3, 3), patternOf({"x..", ".x.", "xxx"})));
}

TEST_CASE("masked scores: the bias is added where the query sees, −∞ stands elsewhere") {
  Mask mask = Mask::causal();
  mask.bias = matrixOf({{0.5, 9}, {-kInfinity, -1}});
  const Matrix scores = matrixOf({{1, 2}, {3, 4}});
  // 1 + 0.5 | hidden by the pattern; hidden by the bias | 4 − 1
  CHECK(same(maskScores(scores, mask, mayAttend(mask, 2, 2)), matrixOf({{1.5, -kInfinity}, {-kInfinity, 3}})));
}

TEST_CASE("masked scores: without a bias the visible scores stay to the last bit") {
  const Matrix scores = normalMatrix(3, 3, 5);
  const Matrix masked = maskScores(scores, Mask::causal(), mayAttend(Mask::causal(), 3, 3));
  for (Index row = 0; row < 3; ++row)
    for (Index column = 0; column < 3; ++column)
      CHECK(masked(row, column) == (column <= row ? scores(row, column) : -kInfinity));
}

TEST_CASE("fillHidden: a number takes the place of −∞") {
  const BoolMatrix visible = patternOf({"x.", ".x"});
  CHECK(same(fillHidden(matrixOf({{1, 2}, {3, 4}}), visible, -1e9), matrixOf({{1, -1e9}, {-1e9, 4}})));
  CHECK(same(fillHidden(matrixOf({{1, 2}, {3, 4}}), visible, 0), matrixOf({{1, 0}, {0, 4}})));
}

TEST_CASE(
    "fillHidden: 0 leaks weight to hidden keys; −1e4 does so only in a row that sees nothing, or beside scores as "
    "large") {
  const BoolMatrix visible = patternOf({"x.", ".."});
  const auto weightsWith = [&](const Matrix& scores, Scalar value) {
    return softmaxRows(fillHidden(scores, visible, value));
  };
  const Matrix scores = matrixOf({{0, 7}, {1, 2}}), largeScores = matrixOf({{-1e4, 7}, {1, 2}});
  CHECK(same(weightsWith(scores, -kInfinity), matrixOf({{1, 0}, {0, 0}})));
  CHECK(near(weightsWith(scores, 0), matrixOf({{0.5, 0.5}, {0.5, 0.5}})));
  CHECK(near(weightsWith(scores, -1e4), matrixOf({{1, 0}, {0.5, 0.5}})));
  CHECK(near(weightsWith(largeScores, -1e4), matrixOf({{0.5, 0.5}, {0.5, 0.5}})));
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
  CHECK(
      refuses([&] { maskScores(scores, Mask{}, visible); }, ErrorCode::shapeMismatch, {"mayAttend", "1 × 2", "2 × 1"}));
  CHECK(refuses([&] { fillHidden(scores, visible, 0); }, ErrorCode::shapeMismatch, {"mayAttend", "1 × 2", "2 × 1"}));
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
