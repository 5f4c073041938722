#include "headwise/reshape.h"

#include "checks.h"
#include "samples.h"

namespace headwise::test {

namespace {

// 2 tokens, 3 heads of width 2, numbered in memory order.
Matrix numbered() { return matrixOf({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}); }

void checkEach(const std::vector<Matrix>& actual, const std::vector<Matrix>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t j = 0; j < actual.size(); ++j) {
    CAPTURE(j);
    CHECK(same(actual[j], expected[j]));
  }
}

}  // namespace

TEST_CASE("reshape: a split gives each head its columns of every token") {
  checkEach(splitHeads(numbered(), 3),
            {matrixOf({{0, 1}, {6, 7}}), matrixOf({{2, 3}, {8, 9}}), matrixOf({{4, 5}, {10, 11}})});
}

TEST_CASE("reshape: without the transpose a head gets pieces of one token after the other") {
  checkEach(splitHeads(numbered(), 3, HeadOrder::withoutTranspose),
            {matrixOf({{0, 1}, {2, 3}}), matrixOf({{4, 5}, {6, 7}}), matrixOf({{8, 9}, {10, 11}})});
}

TEST_CASE("reshape: a merge puts heads side by side, the inverse of the split") {
  CHECK(same(mergeHeads(splitHeads(numbered(), 3)), numbered()));
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    const Index headCount = 1 + static_cast<Index>(seed % 4);
    const Matrix wide = normalMatrix(static_cast<Index>(seed), 3 * headCount, seed);
    CHECK(same(mergeHeads(splitHeads(wide, headCount)), wide));
    CHECK(
        same(mergeHeads(splitHeads(wide, headCount, HeadOrder::withoutTranspose), HeadOrder::withoutTranspose), wide));
  }
}

TEST_CASE("reshape: a merge without the transpose writes head 0 first") {
  // Memory of the three heads: 0 1 6 7 | 2 3 8 9 | 4 5 10 11
  CHECK(same(mergeHeads(splitHeads(numbered(), 3), HeadOrder::withoutTranspose),
             matrixOf({{0, 1, 6, 7, 2, 3}, {8, 9, 4, 5, 10, 11}})));
}

TEST_CASE("reshape: heads that do not fit are refused") {
  CHECK(refuses([] { splitHeads(numbered(), 4); }, ErrorCode::invalidDimension, {"headCount 4", "2 × 6"}));
  CHECK(refuses([] { splitHeads(numbered(), 0); }, ErrorCode::invalidDimension, {"headCount 0", "2 × 6"}));
  CHECK(refuses([] { splitHeads(numbered(), 4, HeadOrder::withoutTranspose); }, ErrorCode::invalidDimension,
                {"headCount 4", "2 × 6"}));
  CHECK(refuses([] { splitHeads(Matrix(), 1); }, ErrorCode::invalidDimension, {"headCount 1", "0 × 0"}));
  const std::vector<Matrix> uneven = {Matrix::Zero(2, 2), Matrix::Zero(2, 3)};
  CHECK(refuses([&] { mergeHeads(uneven); }, ErrorCode::shapeMismatch, {"heads[1]", "2 × 2", "2 × 3"}));
  CHECK(refuses([&] { mergeHeads(uneven, HeadOrder::withoutTranspose); }, ErrorCode::shapeMismatch,
                {"heads[1]", "2 × 2", "2 × 3"}));
  CHECK(refuses([] { mergeHeads({}); }, ErrorCode::invalidDimension, {"heads is empty", "at least one"}));
  CHECK(refuses([] { mergeHeads({}, HeadOrder::withoutTranspose); }, ErrorCode::invalidDimension, {"heads is empty"}));
}

}  // namespace headwise::test
