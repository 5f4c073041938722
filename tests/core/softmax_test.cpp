#include "headwise/softmax.h"

#include "checks.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace headwise::test {

namespace {
constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
}

TEST_CASE("softmax: scores ln 1, ln 2, ln 5 get the weights 1/8, 2/8, 5/8") {
  // exp gives 1, 2, 5; their sum is 8.
  CHECK(near(softmaxRows(matrixOf({{std::log(1.0), std::log(2.0), std::log(5.0)}})), matrixOf({{0.125, 0.25, 0.625}})));
}

TEST_CASE("softmax: each row is normalised for itself, not each column") {
  // exp: 1, 3 | 9, 1 | 1, 1. By columns the first cell would be 1/11.
  const Matrix scores = matrixOf({{0, std::log(3.0)}, {std::log(9.0), 0}, {0, 0}});
  CHECK(near(softmaxRows(scores), matrixOf({{0.25, 0.75}, {0.9, 0.1}, {0.5, 0.5}})));
}

TEST_CASE("softmax: rows sum to 1 for any shape") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index rows = 1 + static_cast<Index>(seed % 7), columns = 1 + static_cast<Index>(seed % 11);
    const Matrix weights = softmaxRows(10 * normalMatrix(rows, columns, seed));
    for (Index row = 0; row < rows; ++row)
      CHECK(near(weights.row(row).sum(), 1));
    CHECK(weights.minCoeff() >= 0);
  }
}

TEST_CASE("softmax: adding one number to all scores of a row changes nothing") {
  const Matrix scores = normalMatrix(3, 5, 1);
  Matrix shifted = scores;
  shifted.row(0).array() += 100;
  shifted.row(1).array() -= 3.5;
  CHECK(near(softmaxRows(shifted), softmaxRows(scores)));
}

TEST_CASE("softmax: scores of ±700 and ±1e308 neither overflow nor vanish") {
  // exp(700) is 1e304, two of them are near the end of the range; exp(710) is infinite, exp(−745) is 0.
  CHECK(near(softmaxRows(matrixOf({{700, 700, -700}})), matrixOf({{0.5, 0.5, 0}})));
  CHECK(near(softmaxRows(matrixOf({{-700, -700, -700, -700}})), matrixOf({{0.25, 0.25, 0.25, 0.25}})));
  CHECK(near(softmaxRows(matrixOf({{-10000, -10000 + std::log(3.0)}})), matrixOf({{0.25, 0.75}})));
  CHECK(same(softmaxRows(matrixOf({{1e308, 1e308, -1e308}})), matrixOf({{0.5, 0.5, 0}})));
  CHECK(same(softmaxRows(matrixOf({{-1e308, -1e308}})), matrixOf({{0.5, 0.5}})));
}

TEST_CASE("softmax: −∞ gives exactly 0 and the others share the row, whatever the number of columns") {
  for (Index columns = 2; columns <= 17; ++columns)
    for (Index hidden = 0; hidden < columns; ++hidden) {
      Matrix scores = normalMatrix(1, columns, 7);
      scores(0, hidden) = -kInfinity;
      const Matrix weights = softmaxRows(scores);
      CHECK(weights(0, hidden) == 0);
      CHECK(near(weights.sum(), 1));
    }
}

TEST_CASE("softmax: a row of −∞ only gives zeros and leaves its neighbours alone") {
  CHECK(same(softmaxRows(matrixOf({{1, 1}, {-kInfinity, -kInfinity}, {2, 2}})),
             matrixOf({{0.5, 0.5}, {0, 0}, {0.5, 0.5}})));
}

TEST_CASE("softmax: NaN and +∞ are refused with their place") {
  const Scalar notANumber = std::numeric_limits<Scalar>::quiet_NaN();
  CHECK(refuses(
      [&] {
        softmaxRows(matrixOf({{0, 1}, {0, notANumber}}));
      },
      ErrorCode::notFinite, {"scores", "NaN", "row 1", "column 1"}));
  CHECK(refuses(
      [&] {
        softmaxRows(matrixOf({{kInfinity, 0}}));
      },
      ErrorCode::notFinite, {"scores", "+∞", "row 0", "column 0"}));
}

TEST_CASE("softmax: a matrix without entries is refused") {
  CHECK(refuses([] { softmaxRows(Matrix(2, 0)); }, ErrorCode::invalidDimension, {"scores is empty", "2 × 0"}));
}

TEST_CASE("entropy: 0 for one-hot weights, ln n for uniform ones, and by hand in between") {
  // −¼ ln ¼ − ¾ ln ¾ = ¼·1.386294361 + ¾·0.287682072 = 0.562335145
  const Matrix weights = matrixOf({{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.25, 0.75, 0, 0}, {0, 0, 0, 0}});
  CHECK(near(entropyOfRows(weights), matrixOf({{0, std::log(4.0), 0.5623351446188083, 0}})));
}

TEST_CASE("entropy: negative weights, NaN and sums that overflow are refused") {
  CHECK(refuses([] { entropyOfRows(matrixOf({{-1, 0.5}})); }, ErrorCode::invalidOption, {"weights", "negative", "-1"}));
  CHECK(refuses([] { entropyOfRows(matrixOf({{std::nan("")}})); }, ErrorCode::notFinite, {"weights holds NaN"}));
  CHECK(refuses([] { entropyOfRows(matrixOf({{1e308}})); }, ErrorCode::notFinite, {"entropy", "overflowed"}));
}

}  // namespace headwise::test
