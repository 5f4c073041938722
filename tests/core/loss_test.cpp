#include "headwise/loss.h"

#include "checks.h"

namespace headwise::test {

TEST_CASE("mean squared error and its gradient, worked by hand") {
  // ((1 − 0)² + (2 − 4)²) / 2 = 2.5; 2/2 · (1, −2)
  const Loss loss = meanSquaredError(matrixOf({{1, 2}}), matrixOf({{0, 4}}));
  CHECK(near(loss.value, 2.5));
  CHECK(near(loss.gradient, matrixOf({{1, -2}})));
  CHECK(refuses([] { meanSquaredError(Matrix::Ones(2, 2), Matrix::Ones(2, 3)); }, ErrorCode::shapeMismatch,
                {"target", "2 × 3"}));
}

TEST_CASE("mean squared error needs an entry to take the mean of") {
  CHECK(refuses([] { meanSquaredError(Matrix(0, 2), Matrix(0, 2)); }, ErrorCode::invalidDimension,
                {"output is empty", "at least one"}));
}

}  // namespace headwise::test
