#include "headwise/projection.h"

#include "checks.h"

#include <limits>

namespace headwise::test {

namespace {
constexpr Index kLargest = std::numeric_limits<Index>::max();
}

TEST_CASE("projection: each token's row times the matrix, plus the bias") {
  // (1, 2)·[1 0 4; 0 3 5] = (1, 6, 14); (−1, 1)·… = (−1, 3, 1)
  const Matrix input = matrixOf({{1, 2}, {-1, 1}});
  const Matrix weight = matrixOf({{1, 0, 4}, {0, 3, 5}});
  CHECK(same(project(input, {weight, {}}), matrixOf({{1, 6, 14}, {-1, 3, 1}})));
  CHECK(same(project(input, {weight, rowOf({10, 20, 30})}), matrixOf({{11, 26, 44}, {9, 23, 31}})));
}

TEST_CASE("projection: one changed input feature moves every column whose weight is not zero") {
  Matrix input = matrixOf({{1, 2}});
  const Projection projection{matrixOf({{1, 1}, {3, -2}}), {}};
  const Matrix before = project(input, projection);
  input(0, 1) += 1;
  CHECK(same(project(input, projection) - before, matrixOf({{3, -2}})));
}

TEST_CASE("projection: a block of columns takes its part of the bias") {
  const Projection wide{matrixOf({{1, 2, 3, 4}, {5, 6, 7, 8}}), rowOf({10, 20, 30, 40})};
  const Projection block = columnsOf(wide, 1, 2);
  CHECK(same(block.weight, matrixOf({{2, 3}, {6, 7}})));
  CHECK(same(*block.bias, matrixOf({{20, 30}})));
  CHECK(!columnsOf({wide.weight, {}}, 1, 2).bias);
}

TEST_CASE("projection: without a matrix the input is taken as it is") {
  CHECK(Projection{}.isIdentity());
  CHECK(same(project(matrixOf({{1, 2}}), {}), matrixOf({{1, 2}})));
}

TEST_CASE("projection: columns that are not there are refused with how many there are") {
  const Projection wide{Matrix::Zero(2, 4), {}};
  for (const auto& [first, count] : {std::pair<Index, Index>{-1, 2}, {3, 2}, {0, 5}, {0, 0}, {1, kLargest}})
    CHECK(refuses([&, first = first, count = count] { columnsOf(wide, first, count); }, ErrorCode::shapeMismatch,
                  {"4 columns", std::to_string(count) + " columns from column " + std::to_string(first)}));
}

TEST_CASE("projection: shapes that do not fit are refused with both") {
  const Matrix input = matrixOf({{1, 2}});
  CHECK(refuses(
      [&] {
        project(input, {matrixOf({{1}}), {}});
      },
      ErrorCode::shapeMismatch, {"input", "1 × 2", "weight", "1 × 1"}));
  CHECK(refuses(
      [&] {
        project(input, {matrixOf({{1}, {1}}), rowOf({1, 2})});
      },
      ErrorCode::shapeMismatch, {"bias", "1 × 1", "1 × 2"}));
}

}  // namespace headwise::test
