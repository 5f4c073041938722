#include "headwise/weights.h"

#include "checks.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace headwise::test {

namespace {

// All sizes different, grouped heads, with what additive pooling needs.
Dimensions uneven() {
  return {.queryInputSize = 4,
          .keyInputSize = 6,
          .valueInputSize = 3,
          .headCount = 4,
          .keyValueHeadCount = 2,
          .querySize = 5,
          .keySize = 2,
          .valueSize = 7,
          .outputSize = 9,
          .scoreHiddenSize = 8};
}

Weights unevenWeights() { return randomWeights(uneven(), 3, {Distribution::scaledNormal, true}); }

// All heads' matrices of one role side by side, written out here.
Matrix sideBySide(const std::vector<Matrix>& blocks) {
  Matrix wide(blocks[0].rows(), static_cast<Index>(blocks.size()) * blocks[0].cols());
  for (std::size_t j = 0; j < blocks.size(); ++j)
    wide.middleCols(static_cast<Index>(j) * blocks[0].cols(), blocks[0].cols()) = blocks[j];
  return wide;
}

std::vector<Matrix> queryBlocks(const Weights& weights) {
  std::vector<Matrix> blocks;
  for (const HeadWeights& head : weights.heads)
    blocks.push_back(head.query.weight);
  return blocks;
}

std::vector<Matrix> keyBlocks(const Weights& weights) {
  std::vector<Matrix> blocks;
  for (const KeyValueHeadWeights& head : weights.keyValueHeads)
    blocks.push_back(head.key.weight);
  return blocks;
}

// The change makes checkWeights refuse with these parts of a sentence.
Verdict refusesChange(const std::function<void(Weights&)>& change,
                      ErrorCode code,
                      std::initializer_list<std::string_view> parts,
                      Pooling pooling = Pooling::additive) {
  Weights weights = unevenWeights();
  change(weights);
  return refuses([&] { checkWeights(weights, pooling); }, code, parts);
}

}  // namespace

TEST_CASE("random weights: every matrix has the shape the dimensions ask for") {
  const Weights weights = unevenWeights();
  CHECK_NOTHROW(checkWeights(weights, Pooling::additive));
  REQUIRE(weights.heads.size() == 4);
  REQUIRE(weights.keyValueHeads.size() == 2);
  CHECK(hasShape(weights.heads[3].query.weight, {4, 5}));
  CHECK(weights.heads[3].query.bias->size() == 5);
  CHECK(hasShape(weights.heads[3].additive->scoreQuery, {5, 8}));
  CHECK(hasShape(weights.heads[3].additive->scoreKey, {2, 8}));
  CHECK(weights.heads[3].additive->scoreVector.size() == 8);
  CHECK(hasShape(weights.keyValueHeads[1].key.weight, {6, 2}));
  CHECK(hasShape(weights.keyValueHeads[1].value.weight, {3, 7}));
  CHECK(hasShape(weights.output.weight, {28, 9}));
  CHECK(weights.output.bias->size() == 9);
}

TEST_CASE("random weights: biases and additive matrices are there only when asked for") {
  const Weights weights = randomWeights(Dimensions::selfAttention(6, 2), 1);
  CHECK(!weights.heads[0].query.bias);
  CHECK(!weights.keyValueHeads[0].key.bias);
  CHECK(!weights.keyValueHeads[0].value.bias);
  CHECK(!weights.output.bias);
  CHECK(!weights.heads[0].additive);
}

TEST_CASE("random weights: another headCount cuts the same numbers differently") {
  const Weights two = randomWeights(Dimensions::selfAttention(12, 2), 8, {Distribution::scaledNormal, true});
  const Weights three = randomWeights(Dimensions::selfAttention(12, 3), 8, {Distribution::scaledNormal, true});
  CHECK(same(sideBySide(queryBlocks(two)), sideBySide(queryBlocks(three))));
  CHECK(same(sideBySide(keyBlocks(two)), sideBySide(keyBlocks(three))));
  CHECK(same(two.output.weight, three.output.weight));
}

TEST_CASE("random weights: roles, heads and seeds differ from each other") {
  const Weights weights = randomWeights(Dimensions::selfAttention(6, 2), 1);
  CHECK(apart(weights.heads[0].query.weight, weights.keyValueHeads[0].key.weight, 0.01));
  CHECK(apart(weights.keyValueHeads[0].key.weight, weights.keyValueHeads[0].value.weight, 0.01));
  CHECK(apart(weights.heads[0].query.weight, weights.heads[1].query.weight, 0.01));
  CHECK(apart(weights.heads[0].query.weight, randomWeights(Dimensions::selfAttention(6, 2), 2).heads[0].query.weight,
              0.01));
  CHECK(same(weights.heads[0].query.weight, randomWeights(Dimensions::selfAttention(6, 2), 1).heads[0].query.weight));
}

TEST_CASE("random weights: the query matrix comes from the stream named query") {
  const Weights weights = randomWeights(Dimensions::selfAttention(6, 2), 1, {Distribution::normal, false});
  CHECK(near(weights.heads[0].query.weight(0, 0), 0.49043182054031503));
  CHECK(near(weights.heads[0].query.weight(0, 1), -0.3209502721040259));
}

TEST_CASE("random weights: the distribution reaches every matrix") {
  const Weights uniform = randomWeights(uneven(), 1, {Distribution::uniform, true});
  const Weights zeros = randomWeights(uneven(), 1, {Distribution::zeros, true});
  const auto matricesOf = [](const Weights& weights) {
    return std::vector<Matrix>{weights.heads[0].query.weight,
                               *weights.heads[0].query.bias,
                               weights.heads[0].additive->scoreQuery,
                               weights.heads[0].additive->scoreKey,
                               weights.heads[0].additive->scoreVector,
                               weights.keyValueHeads[1].key.weight,
                               *weights.keyValueHeads[1].key.bias,
                               weights.keyValueHeads[1].value.weight,
                               *weights.keyValueHeads[1].value.bias,
                               weights.output.weight,
                               *weights.output.bias};
  };
  for (const Matrix& matrix : matricesOf(uniform)) {
    CHECK(matrix.minCoeff() > 0);
    CHECK(matrix.maxCoeff() < 1);
  }
  for (const Matrix& matrix : matricesOf(zeros))
    CHECK(largestMagnitude(matrix) == 0);
}

TEST_CASE("random weights: scaledNormal means variance 1/rows, for a bias 1/rows of its matrix") {
  // Width in 16, width out 400: 6,400 cells of variance 1/16 have a sum of squares of 400 (within √2/80 of it), 400 bias cells one of 25.
  const Dimensions dimensions{.queryInputSize = 16,
                              .keyInputSize = 16,
                              .valueInputSize = 16,
                              .headCount = 1,
                              .keyValueHeadCount = 1,
                              .querySize = 400,
                              .keySize = 400,
                              .valueSize = 16,
                              .outputSize = 400};
  const Weights weights = randomWeights(dimensions, 4, {Distribution::scaledNormal, true});
  CHECK(std::abs(weights.heads[0].query.weight.squaredNorm() / 400 - 1) < 0.1);
  CHECK(std::abs(weights.keyValueHeads[0].key.weight.squaredNorm() / 400 - 1) < 0.1);
  CHECK(std::abs(weights.output.weight.squaredNorm() / 400 - 1) < 0.1);
  CHECK(std::abs(weights.heads[0].query.bias->squaredNorm() / 25 - 1) < 0.3);
  CHECK(std::abs(weights.output.bias->squaredNorm() / 25 - 1) < 0.3);
}

TEST_CASE("random weights: dimensions that do not fit are refused") {
  CHECK(refuses([] { randomWeights(Dimensions{}, 1); }, ErrorCode::invalidDimension,
                {"queryInputSize", "at least 1", "0"}));
}

TEST_CASE("weights: the number of heads must be that of the dimensions") {
  CHECK(refusesChange([](Weights& weights) { weights.heads.pop_back(); }, ErrorCode::shapeMismatch,
                      {"weights.heads", "4", "3"}));
  CHECK(refusesChange([](Weights& weights) { weights.keyValueHeads.resize(4); }, ErrorCode::shapeMismatch,
                      {"weights.keyValueHeads", "2", "4"}));
  CHECK(refusesChange([](Weights& weights) { weights.dimensions.headCount = 3; }, ErrorCode::invalidDimension,
                      {"2", "3"}));
}

TEST_CASE("weights: each matrix of another shape is refused by name with both shapes") {
  const Matrix wrong = Matrix::Zero(2, 11);
  const auto mismatch = ErrorCode::shapeMismatch;
  CHECK(refusesChange([&](Weights& w) { w.heads[2].query.weight = wrong; }, mismatch,
                      {"weights.W_q[2]", "4 × 5", "2 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[1].key.weight = wrong; }, mismatch,
                      {"weights.W_k[1]", "6 × 2", "2 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[0].value.weight = wrong; }, mismatch,
                      {"weights.W_v[0]", "3 × 7", "2 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.output.weight = wrong; }, mismatch, {"weights.W_o", "28 × 9", "2 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[1].additive->scoreQuery = wrong; }, mismatch,
                      {"weights.A_q[1]", "5 × 8", "2 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[1].additive->scoreKey = wrong; }, mismatch,
                      {"weights.A_k[1]", "2 × 8", "2 × 11"}));
}

TEST_CASE("weights: each bias of another length is refused by name with both lengths") {
  const RowVector wrong = RowVector::Zero(11);
  const auto mismatch = ErrorCode::shapeMismatch;
  CHECK(refusesChange([&](Weights& w) { w.heads[0].query.bias = wrong; }, mismatch,
                      {"weights.b_q[0]", "1 × 5", "1 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[1].key.bias = wrong; }, mismatch,
                      {"weights.b_k[1]", "1 × 2", "1 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[1].value.bias = wrong; }, mismatch,
                      {"weights.b_v[1]", "1 × 7", "1 × 11"}));
  CHECK(refusesChange([&](Weights& w) { w.output.bias = wrong; }, mismatch, {"weights.b_o", "1 × 9", "1 × 11"}));
  CHECK(refusesChange([](Weights& w) { w.heads[0].query.bias = RowVector(); }, mismatch,
                      {"weights.b_q[0]", "1 × 5", "1 × 0"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[3].additive->scoreVector = wrong; }, mismatch,
                      {"weights.a_v[3]", "1 × 8", "1 × 11"}));
}

TEST_CASE("weights: additive pooling misses its matrices, dot products do not") {
  CHECK(refusesChange([](Weights& weights) { weights.heads[2].additive.reset(); }, ErrorCode::shapeMismatch,
                      {"weights.A_q[2] is missing", "scoreQuery, scoreKey and scoreVector"}));
  Weights weights = randomWeights(Dimensions::selfAttention(6, 2), 1);
  CHECK_NOTHROW(checkWeights(weights, Pooling::scaledDotProduct));
}

TEST_CASE("weights: NaN and infinity are refused wherever they stand") {
  const Scalar bad = std::numeric_limits<Scalar>::infinity();
  const auto notFinite = ErrorCode::notFinite;
  CHECK(refusesChange([&](Weights& w) { w.heads[2].query.weight(1, 0) = bad; }, notFinite,
                      {"weights.W_q[2]", "row 1", "column 0"}));
  CHECK(
      refusesChange([&](Weights& w) { (*w.heads[2].query.bias)(3) = bad; }, notFinite, {"weights.b_q[2]", "column 3"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[0].key.weight(5, 1) = bad; }, notFinite,
                      {"weights.W_k[0]", "row 5"}));
  CHECK(refusesChange([&](Weights& w) { (*w.keyValueHeads[0].key.bias)(1) = bad; }, notFinite, {"weights.b_k[0]"}));
  CHECK(refusesChange([&](Weights& w) { w.keyValueHeads[1].value.weight(0, 0) = bad; }, notFinite, {"weights.W_v[1]"}));
  CHECK(refusesChange([&](Weights& w) { (*w.keyValueHeads[1].value.bias)(0) = bad; }, notFinite, {"weights.b_v[1]"}));
  CHECK(refusesChange([&](Weights& w) { w.output.weight(27, 8) = bad; }, notFinite,
                      {"weights.W_o", "row 27", "column 8"}));
  CHECK(refusesChange([&](Weights& w) { (*w.output.bias)(8) = bad; }, notFinite, {"weights.b_o", "column 8"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[0].additive->scoreQuery(0, 0) = bad; }, notFinite, {"weights.A_q[0]"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[0].additive->scoreKey(0, 0) = bad; }, notFinite, {"weights.A_k[0]"}));
  CHECK(refusesChange([&](Weights& w) { w.heads[0].additive->scoreVector(7) = bad; }, notFinite,
                      {"weights.a_v[0]", "column 7"}));
}

}  // namespace headwise::test
