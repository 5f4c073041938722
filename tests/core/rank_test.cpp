#include "headwise/rank.h"

#include "checks.h"

#include <cmath>
#include <limits>

namespace headwise::test {

TEST_CASE("numerical rank counts directions, not rows") {
  CHECK(numericalRank(matrixOf({{1, 2}, {2, 4}, {3, 6}})).rank == 1);
  CHECK(numericalRank(Matrix::Identity(4, 4)).rank == 4);
  CHECK(numericalRank(Matrix::Zero(3, 2)).rank == 0);
  CHECK(refuses([] { numericalRank(Matrix::Zero(1, 513)); }, ErrorCode::tooLarge, {"512", "1 × 513"}));
}

TEST_CASE("numerical rank: the singular values, descending, and what is above the threshold counts") {
  // Orthogonal rows of lengths 5 and 2e-15 beside it: 2 · 2⁻⁵² · 5 = 2.2e-15 is the threshold.
  const NumericalRank found = numericalRank(matrixOf({{3, 4}, {-1.6e-15, 1.2e-15}}));
  CHECK(near(found.singularValues, matrixOf({{5, 2e-15}})));
  CHECK(near(found.threshold * 1e15, 5 * std::pow(2.0, -51) * 1e15));
  CHECK(found.rank == 1);
}

TEST_CASE("numerical rank: NaN, infinity and singular values that overflow are refused") {
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  CHECK(refuses([&] { numericalRank(matrixOf({{infinity}})); }, ErrorCode::notFinite, {"matrix holds +∞"}));
  CHECK(refuses([] { numericalRank(matrixOf({{std::nan("")}})); }, ErrorCode::notFinite, {"matrix holds NaN"}));
  CHECK(refuses([] { numericalRank(Matrix::Constant(3, 3, 1e308)); }, ErrorCode::notFinite,
                {"singular values", "overflowed"}));
}

}  // namespace headwise::test
