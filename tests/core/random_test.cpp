#include "headwise/random.h"

#include "checks.h"

#include <cmath>

namespace headwise::test {

namespace {

Scalar varianceOf(const Matrix& matrix) {
  const Scalar mean = matrix.mean();
  Scalar sum = 0;
  for (Index row = 0; row < matrix.rows(); ++row)
    for (Index column = 0; column < matrix.cols(); ++column)
      sum += std::pow(matrix(row, column) - mean, 2);
  return sum / static_cast<Scalar>(matrix.size());
}

}  // namespace

// Exact numbers are pinned because seeds are shared in links: another generator would change what everyone sees behind them.
TEST_CASE("random: the integers are those of SplitMix64 everywhere") {
  Random zero(0);
  for (const std::uint64_t expected :
       {0xE220A8397B1DCDAFu, 0x6E789E6AA1B965F4u, 0x06C45D188009454Fu, 0xF88BB8A8724C81ECu, 0x1B39896A51A8749Bu})
    CHECK(zero.next() == expected);
  Random other(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u})
    CHECK(other.next() == expected);
}

TEST_CASE("random: uniforms are the upper 53 bits, exactly") {
  Random random(0);
  CHECK(random.uniform() == 0x1.c4415072f63b9p-1);
  CHECK(random.uniform() == 0x1.b9e279aa86e58p-2);
  CHECK(random.uniform() == 0x1.b117462002500p-6);
}

TEST_CASE("random: normals are √(−2 ln(1 − u)) cos 2πv of two uniforms") {
  Random zero(0);
  for (const Scalar expected : {-1.8839083333524405, 0.22760793546360525, -0.22143788059715477, 0.08341854419566393})
    CHECK(near(zero.normal(), expected));
  Random fortyTwo(42);
  CHECK(near(fortyTwo.normal(), 0.8822489062222688));
  CHECK(near(fortyTwo.normal(), -0.4508498757188601));
}

TEST_CASE("random: mean and variance are those of the distribution") {
  // 40,000 cells: the mean of unit normals strays by 1/200, four times that is 0.02; their variance by √2/200.
  const Matrix normal = randomMatrix(200, 200, Distribution::normal, 3, 1);
  CHECK(std::abs(normal.mean()) < 0.02);
  CHECK(std::abs(varianceOf(normal) - 1) < 0.03);
  const Matrix scaled = randomMatrix(200, 200, Distribution::scaledNormal, 3, 1);
  CHECK(std::abs(varianceOf(scaled) * 200 - 1) < 0.03);
  const Matrix uniform = randomMatrix(200, 200, Distribution::uniform, 3, 1);
  CHECK(std::abs(uniform.mean() - 0.5) < 0.006);
  CHECK(std::abs(varianceOf(uniform) - 1.0 / 12) < 0.003);
  CHECK(uniform.minCoeff() >= 0);
  CHECK(uniform.maxCoeff() < 1);
  CHECK(same(randomMatrix(2, 3, Distribution::zeros, 3, 1), matrixOf({{0, 0, 0}, {0, 0, 0}})));
}

TEST_CASE("random matrix: the cells of seed 7, stream 3 stay what they are") {
  CHECK(same(randomMatrix(2, 2, Distribution::uniform, 7, 3),
             matrixOf({{0x1.5f75f952c5606p-2, 0x1.8ffcc9e3ef831p-1}, {0x1.eac76304a1b00p-1, 0x1.3bf48c1908cbcp-3}})));
  CHECK(near(randomMatrix(2, 2, Distribution::normal, 7, 3),
             matrixOf({{0.8490516411259305, 0.8798663825050839}, {2.5209260842849917, -0.3061414782693737}})));
}

TEST_CASE("random matrix: growing it keeps the cells it had") {
  for (const Distribution distribution : {Distribution::normal, Distribution::uniform}) {
    const Matrix small = randomMatrix(3, 4, distribution, 5, 2), large = randomMatrix(6, 9, distribution, 5, 2);
    CHECK(same(middleRows(middleColumns(large, 0, 4), 0, 3), small));
  }
  // Variance 1/rows: from 3 to 12 rows every cell is halved.
  const Matrix small = randomMatrix(3, 4, Distribution::scaledNormal, 5, 2),
               large = randomMatrix(12, 4, Distribution::scaledNormal, 5, 2);
  CHECK(near(2 * middleRows(large, 0, 3), small));
}

TEST_CASE("random matrix: seed, stream, row and column each make a difference, and do not stand for each other") {
  const Matrix base = randomMatrix(4, 4, Distribution::normal, 1, 2);
  CHECK(apart(base, randomMatrix(4, 4, Distribution::normal, 2, 2), 0.1));
  CHECK(apart(base, randomMatrix(4, 4, Distribution::normal, 1, 3), 0.1));
  CHECK(apart(base, randomMatrix(4, 4, Distribution::normal, 2, 1), 0.1));
  CHECK(apart(base, Matrix(base.transpose()), 0.1));
  for (Index i = 0; i < base.size(); ++i)
    for (Index j = 0; j < i; ++j)
      CHECK(base.data()[i] != base.data()[j]);
}

TEST_CASE("token embeddings: a word has the same row wherever it stands, another word another row") {
  const Matrix rows = tokenEmbeddings({"the", "cat", "saw", "the"}, 6, 5);
  CHECK(hasShape(rows, {4, 6}));
  CHECK(same(middleRows(rows, 0, 1), middleRows(rows, 3, 1)));
  CHECK(apart(middleRows(rows, 0, 1), middleRows(rows, 1, 1), 0.1));
  CHECK(same(tokenEmbeddings({"cat"}, 6, 5), middleRows(rows, 1, 1)));
  CHECK(apart(tokenEmbeddings({"cat"}, 6, 6), middleRows(rows, 1, 1), 0.1));
  CHECK(same(tokenEmbeddings({"cat"}, 3, 5), middleColumns(middleRows(rows, 1, 1), 0, 3)));
}

TEST_CASE("token embeddings: the rows of known words, one of them beyond ASCII, stay what they are") {
  CHECK(near(tokenEmbeddings({"cat", "caf\xC3\xA9"}, 2, 5),
             matrixOf({{-0.7024283283818313, -1.0878646202703697}, {0.3155411367637817, 0.21868059825712519}})));
}

TEST_CASE("streams: names become their 64-bit FNV-1a") {
  CHECK(streamOf("") == 0xCBF29CE484222325u);
  CHECK(streamOf("a") == 0xAF63DC4C8601EC8Cu);
  CHECK(streamOf("foobar") == 0x85944171F73967E8u);
}

TEST_CASE("random: sizes of zero are refused by name") {
  CHECK(refuses([] { randomMatrix(0, 3, Distribution::normal, 1, 1); }, ErrorCode::invalidDimension,
                {"rows", "at least 1", "0"}));
  CHECK(refuses([] { randomMatrix(3, -1, Distribution::zeros, 1, 1); }, ErrorCode::invalidDimension,
                {"columns", "at least 1", "-1"}));
  CHECK(refuses([] { tokenEmbeddings({}, 3, 1); }, ErrorCode::invalidDimension, {"tokens", "at least one"}));
  CHECK(refuses([] { tokenEmbeddings({"a"}, 0, 1); }, ErrorCode::invalidDimension, {"modelSize", "at least 1", "0"}));
}

}  // namespace headwise::test
