#include "headwise/layout.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/reshape.h"
#include "samples.h"

namespace headwise::test {

namespace {

// d = 2 input features, h = 2 heads of width 3. A number says where it belongs: hundreds the role (q 1, k 2, v 3),
// tens the head, ones the component; feature 1 is negative, biases end in .5.
constexpr Index kHeads = 2, kWidth = 3;

Projection numbered(Role role, Index head) {
  Projection projection{Matrix(2, kWidth), RowVector(kWidth)};
  for (Index column = 0; column < kWidth; ++column) {
    const auto number = static_cast<Scalar>(100 * (static_cast<int>(role) + 1) + 10 * head + column);
    projection.weight(0, column) = number;
    projection.weight(1, column) = -number;
    (*projection.bias)(column) = number + 0.5;
  }
  return projection;
}

Dimensions sizes() {
  return {.queryInputSize = 2,
          .keyInputSize = 2,
          .valueInputSize = 2,
          .headCount = kHeads,
          .keyValueHeadCount = kHeads,
          .querySize = kWidth,
          .keySize = kWidth,
          .valueSize = kWidth,
          .outputSize = 4};
}

Weights numberedWeights() {
  Weights weights{.dimensions = sizes(), .output = {normalMatrix(6, 4, 1), RowVector(normalMatrix(1, 4, 2))}};
  for (Index head = 0; head < kHeads; ++head) {
    weights.heads.push_back({numbered(Role::query, head), {}});
    weights.keyValueHeads.push_back({numbered(Role::key, head), numbered(Role::value, head)});
  }
  return weights;
}

// All queries, all keys, all values, head after head.
const RowVector& roleByRole() {
  static const RowVector order =
      rowOf({100, 101, 102, 110, 111, 112, 200, 201, 202, 210, 211, 212, 300, 301, 302, 310, 311, 312});
  return order;
}

// Head 0's query, key, value, then head 1's.
const RowVector& headByHead() {
  static const RowVector order =
      rowOf({100, 101, 102, 200, 201, 202, 300, 301, 302, 110, 111, 112, 210, 211, 212, 310, 311, 312});
  return order;
}

Matrix withBothFeatures(const RowVector& order) {
  Matrix rows(2, order.size());
  rows.row(0) = order;
  rows.row(1) = -order;
  return rows;
}

// W^o as the layout keeps it: GPT-2 multiplies from the right, the others by the transpose.
Projection stored(const Projection& output, Layout layout) {
  return layout == Layout::gpt2 ? output : Projection{output.weight.transpose(), output.bias};
}

void checkSameWeights(const Weights& actual, const Weights& expected) {
  CHECK(actual.dimensions == expected.dimensions);
  REQUIRE(actual.heads.size() == expected.heads.size());
  REQUIRE(actual.keyValueHeads.size() == expected.keyValueHeads.size());
  const auto checkSame = [](const Projection& a, const Projection& b) {
    CHECK(same(a.weight, b.weight));
    REQUIRE(a.bias.has_value() == b.bias.has_value());
    if (a.bias) CHECK(same(*a.bias, *b.bias));
  };
  for (std::size_t j = 0; j < actual.heads.size(); ++j) {
    CAPTURE(j);
    checkSame(actual.heads[j].query, expected.heads[j].query);
    checkSame(actual.keyValueHeads[j].key, expected.keyValueHeads[j].key);
    checkSame(actual.keyValueHeads[j].value, expected.keyValueHeads[j].value);
  }
  checkSame(actual.output, expected.output);
}

}  // namespace

TEST_CASE("layout: GPT-2 keeps d × 3hp, columns role by role") {
  const Projection fused = fuse(numberedWeights(), Layout::gpt2);
  CHECK(same(fused.weight, withBothFeatures(roleByRole())));
  CHECK(same(*fused.bias, Matrix(roleByRole().array() + 0.5)));
}

TEST_CASE("layout: PyTorch keeps the transpose, 3hp × d, rows role by role") {
  const Projection fused = fuse(numberedWeights(), Layout::torch);
  CHECK(same(fused.weight, Matrix(withBothFeatures(roleByRole()).transpose())));
  CHECK(same(*fused.bias, Matrix(roleByRole().array() + 0.5)));
}

TEST_CASE("layout: interleaved keeps 3hp × d, rows head by head") {
  const Projection fused = fuse(numberedWeights(), Layout::interleaved);
  CHECK(same(fused.weight, Matrix(withBothFeatures(headByHead()).transpose())));
  CHECK(same(*fused.bias, Matrix(headByHead().array() + 0.5)));
}

TEST_CASE("layout: positions by hand") {
  const WeightCell cell{Role::key, 1, 0, 2};  // key component 2 of head 1 for input feature 0: 212 above
  CHECK(positionIn(Layout::gpt2, sizes(), cell) == CellPosition{0, 11});
  CHECK(positionIn(Layout::torch, sizes(), cell) == CellPosition{11, 0});
  CHECK(positionIn(Layout::interleaved, sizes(), cell) == CellPosition{14, 0});
  const WeightCell value{Role::value, 0, 1, 0};  // −300
  CHECK(positionIn(Layout::gpt2, sizes(), value) == CellPosition{1, 12});
  CHECK(positionIn(Layout::torch, sizes(), value) == CellPosition{12, 1});
  CHECK(positionIn(Layout::interleaved, sizes(), value) == CellPosition{6, 1});
}

TEST_CASE("layout: positionIn and cellAt undo each other, and say where fuse puts each cell") {
  const Weights weights = numberedWeights();
  for (const auto& named : kLayouts) {
    const Layout layout = named.first;
    INFO(std::string(named.second));
    const Matrix fused = fuse(weights, layout).weight;
    for (Index row = 0; row < fused.rows(); ++row)
      for (Index column = 0; column < fused.cols(); ++column) {
        const WeightCell cell = cellAt(layout, sizes(), {row, column});
        CHECK(positionIn(layout, sizes(), cell) == CellPosition{row, column});
        CHECK(fused(row, column) == numbered(cell.role, cell.head).weight(cell.row, cell.column));
      }
  }
}

TEST_CASE("layout: unfuse is the inverse of fuse, with biases and without") {
  for (const bool biases : {true, false}) {
    const Weights weights = randomWeights(Dimensions::selfAttention(12, 3), 6, {Distribution::normal, biases});
    for (const auto& named : kLayouts) {
      const Layout layout = named.first;
      INFO(std::string(named.second));
      checkSameWeights(unfuse(fuse(weights, layout), stored(weights.output, layout), weights.dimensions, layout),
                       weights);
    }
  }
  checkSameWeights(unfuse(fuse(numberedWeights(), Layout::gpt2), numberedWeights().output, sizes(), Layout::gpt2),
                   numberedWeights());
}

TEST_CASE("layout: weights read in the wrong layout are another layer") {
  const Weights weights = randomWeights(Dimensions::selfAttention(12, 2), 6);
  const Inputs inputs = Inputs::self(normalMatrix(5, 12, 1));
  const Weights misread = unfuse(fuse(weights, Layout::interleaved), stored(weights.output, Layout::torch),
                                 weights.dimensions, Layout::torch);
  CHECK(apart(attend({inputs, misread}).output, attend({inputs, weights}).output, 0.01));
}

TEST_CASE("layout: a wide projection has the heads of one role side by side, cut again by splitHeads") {
  const Projection keys = wideProjection(numberedWeights(), Role::key);
  CHECK(same(middleRows(keys.weight, 0, 1), matrixOf({{200, 201, 202, 210, 211, 212}})));
  CHECK(same(*keys.bias, matrixOf({{200.5, 201.5, 202.5, 210.5, 211.5, 212.5}})));
  CHECK(same(middleRows(wideProjection(numberedWeights(), Role::query).weight, 0, 1),
             matrixOf({{100, 101, 102, 110, 111, 112}})));
  CHECK(same(middleRows(wideProjection(numberedWeights(), Role::value).weight, 0, 1),
             matrixOf({{300, 301, 302, 310, 311, 312}})));
  const std::vector<Matrix> blocks = splitHeads(keys.weight, 2);
  REQUIRE(blocks.size() == 2);
  CHECK(same(blocks[0], numbered(Role::key, 0).weight));
  CHECK(same(blocks[1], numbered(Role::key, 1).weight));
}

TEST_CASE("layout: a wide projection is made of heads that are there and fit, for any pooling") {
  Weights weights = numberedWeights();
  weights.keyValueHeads[1].value.weight = Matrix::Zero(2, 4);
  CHECK(refuses([&] { wideProjection(weights, Role::value); }, ErrorCode::shapeMismatch,
                {"weights.W_v[1]", "2 × 3", "2 × 4"}));
  weights.heads.clear();
  CHECK(refuses([&] { wideProjection(weights, Role::query); }, ErrorCode::shapeMismatch, {"weights.heads", "2", "0"}));
  CHECK(refuses([] { wideProjection(Weights{}, Role::key); }, ErrorCode::invalidDimension, {"at least 1", "0"}));
  CHECK(refuses([] { wideProjection(unprojectedWeights(2, 2, 2), Role::key); }, ErrorCode::invalidOption,
                {"projections"}));
  const Sample additive = sample(3, {.pooling = Pooling::additive});
  CHECK(hasShape(
      wideProjection(additive.weights, Role::key).weight,
      {additive.dimensions().keyInputSize, additive.dimensions().keyValueHeadCount * additive.dimensions().keySize}));
}

TEST_CASE("layout: grouped heads have fewer wide key columns") {
  const Weights weights = randomWeights(Dimensions::selfAttention(8, 4, 2), 1);
  CHECK(hasShape(wideProjection(weights, Role::query).weight, {8, 8}));
  CHECK(hasShape(wideProjection(weights, Role::key).weight, {8, 4}));
  CHECK(!wideProjection(weights, Role::key).bias);
}

TEST_CASE("layout: dimensions that no fused matrix can hold are refused with their numbers") {
  Dimensions dimensions = sizes();
  dimensions.keyInputSize = 5;
  CHECK(refuses([&] { positionIn(Layout::gpt2, dimensions, {}); }, ErrorCode::invalidDimension,
                {"queryInputSize is 2", "keyInputSize 5"}));
  dimensions = sizes();
  dimensions.valueSize = 7;
  CHECK(refuses([&] { cellAt(Layout::torch, dimensions, {}); }, ErrorCode::invalidDimension,
                {"querySize is 3", "valueSize 7"}));
  dimensions = Dimensions::selfAttention(8, 4, 2);
  CHECK(refuses([&] { fuse(randomWeights(dimensions, 1), Layout::interleaved); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount is 2", "headCount is 4"}));
  CHECK(refuses([&] { unfuse({}, {}, dimensions, Layout::interleaved); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount is 2", "headCount is 4"}));
}

TEST_CASE("layout: cells and positions outside are refused with the range") {
  const auto mismatch = ErrorCode::shapeMismatch;
  CHECK(refuses(
      [] {
        positionIn(Layout::gpt2, sizes(), {Role::query, 2, 0, 0});
      },
      mismatch, {"cell.head", "0 to 1", "2"}));
  CHECK(refuses(
      [] {
        positionIn(Layout::gpt2, sizes(), {Role::query, 0, -1, 0});
      },
      mismatch, {"cell.row", "0 to 1", "-1"}));
  CHECK(refuses(
      [] {
        positionIn(Layout::gpt2, sizes(), {Role::query, 0, 0, 3});
      },
      mismatch, {"cell.column", "0 to 2", "3"}));
  CHECK(refuses([] { cellAt(Layout::gpt2, sizes(), {2, 0}); }, mismatch, {"position.row", "0 to 1", "2"}));
  CHECK(refuses([] { cellAt(Layout::gpt2, sizes(), {0, 18}); }, mismatch, {"position.column", "0 to 17", "18"}));
  CHECK(refuses([] { cellAt(Layout::torch, sizes(), {18, 0}); }, mismatch, {"position.row", "0 to 17", "18"}));
  CHECK(refuses([] { cellAt(Layout::interleaved, sizes(), {0, 2}); }, mismatch, {"position.column", "0 to 1", "2"}));
}

TEST_CASE("layout: fused matrices and biases of another shape are refused with both") {
  const Projection output = numberedWeights().output;
  const Projection fused = fuse(numberedWeights(), Layout::gpt2);
  CHECK(refuses([&] { unfuse(fused, output, sizes(), Layout::torch); }, ErrorCode::shapeMismatch,
                {"fused.weight", "18 × 2", "2 × 18"}));
  CHECK(refuses(
      [&] {
        unfuse({fused.weight, rowOf({1, 2})}, output, sizes(), Layout::gpt2);
      },
      ErrorCode::shapeMismatch, {"fused.bias", "1 × 18", "1 × 2"}));
  CHECK(refuses(
      [&] {
        unfuse(fused, {matrixOf({{1}}), {}}, sizes(), Layout::gpt2);
      },
      ErrorCode::shapeMismatch, {"weights.W_o", "6 × 4", "1 × 1"}));
}

TEST_CASE("layout: biases for some projections only cannot be fused") {
  Weights weights = numberedWeights();
  weights.keyValueHeads[1].key.bias.reset();
  CHECK(refuses([&] { fuse(weights, Layout::torch); }, ErrorCode::invalidOption, {"bias", "all or none"}));
  CHECK(refuses([&] { wideProjection(weights, Role::key); }, ErrorCode::invalidOption,
                {"Head 1 has no bias", "head 0 has one"}));
  weights.heads[0].query.weight = matrixOf({{1}});
  CHECK(refuses([&] { fuse(weights, Layout::torch); }, ErrorCode::shapeMismatch, {"weights.W_q[0]", "2 × 3", "1 × 1"}));
}

}  // namespace headwise::test
