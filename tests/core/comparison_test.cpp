#include "headwise/comparison.h"

#include "checks.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace headwise::test {

TEST_CASE("comparison: the largest difference, where it is, and what it is to be held against") {
  const Comparison comparison = compareMatrices(matrixOf({{1, 2, 3}, {4, 5, 6}}), matrixOf({{1, 2, 2.5}, {4, 5, -1}}));
  CHECK(comparison.sameShape);
  CHECK(comparison.largestDifference == 7);
  CHECK(comparison.row == 1);
  CHECK(comparison.column == 2);
  CHECK(comparison.largestMagnitude == 6);
}

TEST_CASE("comparison: of several largest differences the first in reading order") {
  const Comparison comparison = compareMatrices(matrixOf({{1, 5, 3}, {9, 0, 0}}), matrixOf({{1, 0, 3}, {4, 5, 0}}));
  CHECK(comparison.largestDifference == 5);
  CHECK(comparison.row == 0);
  CHECK(comparison.column == 1);
}

TEST_CASE("comparison: the largest magnitude counts signs away and looks at both") {
  CHECK(compareMatrices(matrixOf({{1}}), matrixOf({{-9}})).largestMagnitude == 9);
  CHECK(compareMatrices(matrixOf({{-9}}), matrixOf({{1}})).largestMagnitude == 9);
  CHECK(compareMatrices(matrixOf({{1}}), matrixOf({{-9}})).largestDifference == 10);
}

TEST_CASE("comparison: equal to the last bit is exactly 0") {
  const Matrix matrix = normalMatrix(4, 5, 1);
  CHECK(compareMatrices(matrix, matrix).largestDifference == 0);
}

TEST_CASE("comparison: equal means closer than 1e-12, of numbers above 1 relative to the largest") {
  const auto comparedTo = [](Scalar a, Scalar b) { return compareMatrices(matrixOf({{a}}), matrixOf({{b}})); };
  CHECK(comparedTo(0.5, 0.5 + 0.9e-12).equal);
  CHECK(!comparedTo(0.5, 0.5 + 1.1e-12).equal);
  CHECK(comparedTo(0.5, 0.5).tolerance == kEqualTolerance);
  CHECK(comparedTo(1000, 1000 + 0.9e-9).equal);
  CHECK(!comparedTo(1000, 1000 + 1.1e-9).equal);
  CHECK(near(comparedTo(-1000, 3).tolerance * 1e9, 1));
  CHECK(!compareMatrices(matrixOf({{1, 2}}), matrixOf({{1}, {2}})).equal);
}

TEST_CASE("comparison: a difference that overflows is refused") {
  CHECK(refuses([] { compareMatrices(matrixOf({{1e308}}), matrixOf({{-1e308}})); }, ErrorCode::notFinite,
                {"difference of a and b", "overflowed"}));
}

TEST_CASE("comparison: the largest cell is the first of the largest magnitude") {
  CHECK(largestCell(matrixOf({{1, -9, 3}, {9, 0, 0}})) == CellPosition{0, 1});
  CHECK(largestCell(matrixOf({{0}})) == CellPosition{0, 0});
  CHECK(refuses([] { largestCell(Matrix()); }, ErrorCode::invalidDimension, {"matrix is empty"}));
}

TEST_CASE("comparison: other shapes are told, not compared") {
  const Comparison comparison = compareMatrices(matrixOf({{1, 2}}), matrixOf({{1}, {5}}));
  CHECK(!comparison.sameShape);
  CHECK(comparison.largestDifference == 0);
  CHECK(comparison.largestMagnitude == 5);
}

TEST_CASE("comparison: empty and non-finite matrices are refused by name") {
  const Matrix good = matrixOf({{1}}), bad = matrixOf({{std::numeric_limits<Scalar>::infinity()}});
  CHECK(refuses([&] { compareMatrices(bad, good); }, ErrorCode::notFinite, {"a holds +∞", "row 0", "column 0"}));
  CHECK(refuses([&] { compareMatrices(good, bad); }, ErrorCode::notFinite, {"b holds +∞"}));
  CHECK(refuses([&] { compareMatrices(Matrix(), good); }, ErrorCode::invalidDimension, {"a is empty", "0 × 0"}));
}

TEST_CASE("cosine similarity: 1 for one direction, −1 for the opposite, 0 for orthogonal and for zero") {
  // (3, 4)·(1, 0) / 5 = 0.6
  const std::vector<Matrix> matrices = {matrixOf({{3, 4}}), matrixOf({{6, 8}}),  matrixOf({{-3, -4}}),
                                        matrixOf({{1, 0}}), matrixOf({{-4, 3}}), matrixOf({{0, 0}})};
  CHECK(near(cosineSimilarity(matrices), matrixOf({{1, 1, -1, 0.6, 0, 0},
                                                   {1, 1, -1, 0.6, 0, 0},
                                                   {-1, -1, 1, -0.6, 0, 0},
                                                   {0.6, 0.6, -0.6, 1, -0.8, 0},
                                                   {0, 0, 0, -0.8, 1, 0},
                                                   {0, 0, 0, 0, 0, 0}})));
}

TEST_CASE("cosine similarity: a matrix is one long vector, whatever its size of number") {
  CHECK(near(cosineSimilarity({matrixOf({{1, 1}, {1, 1}}), matrixOf({{1, 0}, {0, 0}})})(0, 1), 0.5));
  CHECK(near(cosineSimilarity({matrixOf({{1e200, 1e200}}), matrixOf({{1e-200, 0}})})(0, 1), std::sqrt(0.5)));
}

TEST_CASE("cosine similarity: nothing, other shapes and infinities are refused") {
  CHECK(refuses([] { cosineSimilarity({}); }, ErrorCode::invalidDimension, {"matrices is empty", "at least one"}));
  CHECK(refuses(
      [] {
        cosineSimilarity({matrixOf({{1, 2}}), matrixOf({{1}, {2}})});
      },
      ErrorCode::shapeMismatch, {"matrices[1]", "1 × 2", "2 × 1"}));
  CHECK(refuses(
      [] {
        cosineSimilarity({matrixOf({{1}}), matrixOf({{std::nan("")}})});
      },
      ErrorCode::notFinite, {"matrices[1]", "NaN"}));
}

}  // namespace headwise::test
