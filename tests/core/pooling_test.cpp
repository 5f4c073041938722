#include "headwise/pooling.h"

#include "checks.h"
#include "headwise/attention.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace headwise::test {

TEST_CASE("dot-product scores: row i, column j is query i · key j") {
  // (1, 2)·(1, 0) = 1, (1, 2)·(0, 1) = 2, (1, 2)·(3, −1) = 1; (−1, 4)·… = −1, 4, −7
  const Matrix queries = matrixOf({{1, 2}, {-1, 4}}), keys = matrixOf({{1, 0}, {0, 1}, {3, -1}});
  CHECK(same(dotProductScores(queries, keys), matrixOf({{1, 2, 1}, {-1, 4, -7}})));
}

TEST_CASE("dot-product scores: queries and keys of different widths are refused") {
  CHECK(refuses(
      [] {
        dotProductScores(matrixOf({{1, 2}}), matrixOf({{1}}));
      },
      ErrorCode::shapeMismatch, {"queries", "1 × 2", "keys", "1 × 1"}));
}

TEST_CASE("additive scores: the weighted tanh of the summed hidden rows") {
  // tanh(½ ln x) = (x − 1)/(x + 1), so the hidden rows below give round numbers.
  // Query 0 is (½ ln 3, 0) through the identity, query 1 is 0. Key 0 is 0, key 1 is (0, ½ ln 9) through scoreKey = (0, 1).
  //   hidden(0, 0) = (½ ln 3, 0)       tanh ½, 0        score 2·½ + 10·0   = 1
  //   hidden(0, 1) = (½ ln 3, ½ ln 9)  tanh ½, 0.8      score 2·½ + 10·0.8 = 9
  //   hidden(1, 0) = (0, 0)                             score 0
  //   hidden(1, 1) = (0, ½ ln 9)                        score 8
  const Matrix queries = matrixOf({{std::log(3.0) / 2, 0}, {0, 0}}), keys = matrixOf({{0}, {std::log(9.0) / 2}});
  const AdditiveScore score{matrixOf({{1, 0}, {0, 1}}), matrixOf({{0, 1}}), rowOf({2, 10})};
  CHECK(near(additiveScores(queries, keys, score), matrixOf({{1, 9}, {0, 8}})));
}

TEST_CASE("additive scores: the tanh is of the sum, not a sum of two tanh") {
  // tanh(½ ln 3 + ½ ln 3) = tanh(ln 3) = 8/10, where ½ + ½ would be 1.
  const Matrix half = matrixOf({{std::log(3.0) / 2}});
  const AdditiveScore score{matrixOf({{1}}), matrixOf({{1}}), rowOf({1})};
  CHECK(near(additiveScores(half, half, score), matrixOf({{0.8}})));
}

TEST_CASE("additive scores: matrices that do not fit queries, keys or each other are refused") {
  const Matrix queries = matrixOf({{1, 2}}), keys = matrixOf({{1, 2, 3}});
  const Matrix threeByFour = Matrix::Zero(3, 4), twoByFour = Matrix::Zero(2, 4);
  const RowVector four = RowVector::Zero(4);
  CHECK(near(additiveScores(queries, keys, {twoByFour, threeByFour, four}), matrixOf({{0}})));
  CHECK(refuses(
      [&] {
        additiveScores(queries, keys, {threeByFour, threeByFour, four});
      },
      ErrorCode::shapeMismatch, {"scoreQuery", "2 × 4", "3 × 4"}));
  CHECK(refuses(
      [&] {
        additiveScores(queries, keys, {twoByFour, twoByFour, four});
      },
      ErrorCode::shapeMismatch, {"scoreKey", "3 × 4", "2 × 4"}));
  CHECK(refuses(
      [&] {
        additiveScores(queries, keys, {twoByFour, threeByFour, rowOf({1, 2})});
      },
      ErrorCode::shapeMismatch, {"scoreQuery", "2 × 2", "2 × 4"}));
}

TEST_CASE("scale factor: one over the root of a head's width, of all heads' width, or 1") {
  // 4 heads of width 9: 1/√9 = 1/3, 1/√36 = 1/6.
  Dimensions dimensions = Dimensions::selfAttention(36, 4);
  CHECK(near(scaleFactor(dimensions, Pooling::scaledDotProduct, {Scale::Rule::perHeadWidth}), 1.0 / 3));
  CHECK(near(scaleFactor(dimensions, Pooling::scaledDotProduct, {Scale::Rule::totalWidth}), 1.0 / 6));
  CHECK(scaleFactor(dimensions, Pooling::scaledDotProduct, {Scale::Rule::none}) == 1);
  dimensions.scoreHiddenSize = 5;
  for (const Scale scale : {Scale{Scale::Rule::perHeadWidth}, Scale{Scale::Rule::totalWidth}, Scale{Scale::Rule::none}})
    CHECK(scaleFactor(dimensions, Pooling::additive, scale) == 1);
}

TEST_CASE("scale factor: a number as it is, or one over the root of the model's width") {
  const Dimensions dimensions = Dimensions::selfAttention(36, 4);
  CHECK(scaleFactor(dimensions, Pooling::scaledDotProduct, Scale::by(0.25)) == 0.25);
  CHECK(scaleFactor(dimensions, Pooling::scaledDotProduct, Scale::by(-2)) == -2);
  CHECK(scaleFactor(dimensions, Pooling::additive, Scale::by(0.25)) == 1);
  // Some ports divide by √(d/h) though a head is narrower: d 18, h 3, p 4 gives 1/√6.
  Dimensions narrow = Dimensions::selfAttention(18, 3);
  narrow.querySize = narrow.keySize = 4;
  CHECK(near(scaleFactor(narrow, Pooling::scaledDotProduct, {Scale::Rule::modelWidth}), 1 / std::sqrt(18.0)));
  CHECK(near(scaleFactor(narrow, Pooling::scaledDotProduct, {Scale::Rule::totalWidth}), 1 / std::sqrt(12.0)));
  for (const Scalar wrong : {std::nan(""), std::numeric_limits<Scalar>::infinity()})
    for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
      CHECK(refuses([&] { scaleFactor(dimensions, pooling, Scale::by(wrong)); }, ErrorCode::notFinite,
                    {"scale", "finite"}));
}

TEST_CASE("scale: a layer divides its scores by the number that it is given") {
  Layer layer = selfAttentionLayer(4, 18, 3, 1);
  layer.options.scale = Scale::by(1 / std::sqrt(6.0));
  const ForwardTrace named = attend(selfAttentionLayer(4, 18, 3, 1)), given = attend(layer);
  CHECK(near(given.output, named.output));  // a head is 6 wide
  layer.options.scale = Scale::by(0.1);
  CHECK(near(attend(layer).heads[1].scaledScores, given.heads[1].rawScores * 0.1));
}

TEST_CASE("scale factor: the width is that of queries, not of values or inputs") {
  const Dimensions dimensions{.queryInputSize = 2,
                              .keyInputSize = 3,
                              .valueInputSize = 5,
                              .headCount = 2,
                              .keyValueHeadCount = 1,
                              .querySize = 16,
                              .keySize = 16,
                              .valueSize = 7,
                              .outputSize = 11};
  CHECK(near(scaleFactor(dimensions, Pooling::scaledDotProduct, {Scale::Rule::perHeadWidth}), 0.25));
}

}  // namespace headwise::test
