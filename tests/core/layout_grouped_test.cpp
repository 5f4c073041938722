// Weights as real models keep them: grouped keys and values in one matrix, one library's order read for another's, separate matrices.
#include "checks.h"
#include "headwise/attention.h"
#include "headwise/layout.h"
#include "samples.h"

namespace headwise::test {

namespace {

// d = 2, 4 query heads and 2 key/value heads of width 3.
Dimensions grouped() {
  Dimensions dimensions = Dimensions::selfAttention(12, 4, 2);
  dimensions.queryInputSize = dimensions.keyInputSize = dimensions.valueInputSize = 2;
  return dimensions;
}

// As in layout_test.cpp: hundreds the role, tens the head, ones the component.
Weights numberedWeights() {
  Weights weights = randomWeights(grouped(), 1, {Distribution::normal, true});
  const auto number = [](Projection& projection, Index role, Index head) {
    for (Index column = 0; column < projection.weight.cols(); ++column) {
      const auto cell = static_cast<Scalar>(100 * role + 10 * head + column);
      projection.weight(0, column) = cell;
      projection.weight(1, column) = -cell;
      (*projection.bias)(column) = cell + 0.5;
    }
  };
  for (std::size_t j = 0; j < 4; ++j)
    number(weights.heads[j].query, 1, static_cast<Index>(j));
  for (std::size_t g = 0; g < 2; ++g) {
    number(weights.keyValueHeads[g].key, 2, static_cast<Index>(g));
    number(weights.keyValueHeads[g].value, 3, static_cast<Index>(g));
  }
  return weights;
}

Projection transposed(const Projection& projection) { return {projection.weight.transpose(), projection.bias}; }

Projection stored(const Projection& projection, Layout layout) {
  return layout == Layout::gpt2 ? projection : transposed(projection);
}

// Every parameter, to the bit.
void checkSameWeights(const Weights& actual, const Weights& expected) {
  CHECK(actual.dimensions == expected.dimensions);
  forEachParameter([](const auto& a, const auto& b) { CHECK(same(a, b)); }, actual, expected);
}

// What a real model's matrix holds: three roles of all heads, 3hp × d, with a bias.
Projection drawnRows(const Dimensions& dimensions, std::uint64_t seed) {
  const Index rows = 3 * dimensions.concatenatedSize();
  return {normalMatrix(rows, dimensions.queryInputSize, seed), RowVector(normalMatrix(1, rows, seed + 1))};
}

SeparateProjections separated(const Weights& weights) {
  return {transposed(wideProjection(weights, Role::query)), transposed(wideProjection(weights, Role::key)),
          transposed(wideProjection(weights, Role::value)), transposed(weights.output)};
}

}  // namespace

TEST_CASE("grouped layout: all query heads, then the fewer key heads, then the value heads") {
  const RowVector order = rowOf({100, 101, 102, 110, 111, 112, 120, 121, 122, 130, 131, 132,  //
                                 200, 201, 202, 210, 211, 212, 300, 301, 302, 310, 311, 312});
  const Projection gpt2 = fuse(numberedWeights(), Layout::gpt2), torch = fuse(numberedWeights(), Layout::torch);
  CHECK(same(gpt2.weight.row(0), order));
  CHECK(same(gpt2.weight.row(1), -order));
  CHECK(same(torch.weight, Matrix(gpt2.weight.transpose())));
  CHECK(same(*gpt2.bias, Matrix(order.array() + 0.5)));
  CHECK(same(*torch.bias, *gpt2.bias));
}

TEST_CASE("grouped layout: positions lead to cells and back, and unfuse is the inverse of fuse") {
  const Weights weights = numberedWeights();
  for (const Layout layout : {Layout::gpt2, Layout::torch}) {
    const Projection fused = fuse(weights, layout);
    for (Index row = 0; row < fused.weight.rows(); ++row)
      for (Index column = 0; column < fused.weight.cols(); ++column) {
        const WeightCell cell = cellAt(layout, grouped(), {row, column});
        CHECK(positionIn(layout, grouped(), cell) == CellPosition{row, column});
        CHECK(fused.weight(row, column) == projectionOf(weights, cell.role, cell.head).weight(cell.row, cell.column));
      }
    checkSameWeights(unfuse(fused, stored(weights.output, layout), grouped(), layout), weights);
  }
  CHECK(refuses(
      [] {
        positionIn(Layout::torch, grouped(), {Role::key, 2, 0, 0});
      },
      ErrorCode::shapeMismatch, {"cell.head", "0 to 1", "2"}));
}

TEST_CASE("layout: (3, h, p) rows become (h, 3, p) rows by swapping the first two axes, and not by renaming them") {
  const Dimensions dimensions = Dimensions::selfAttention(24, 4);
  const Projection rows = drawnRows(dimensions, 1), output{normalMatrix(24, 24, 3), {}};
  const Weights weights = unfuse(rows, output, dimensions, Layout::torch);
  const Projection interleaved = fuse(weights, Layout::interleaved);
  for (Index role = 0; role < 3; ++role)
    for (Index head = 0; head < 4; ++head) {
      const Index from = (role * 4 + head) * 6, to = (head * 3 + role) * 6;
      CHECK(same(middleRows(interleaved.weight, to, 6), middleRows(rows.weight, from, 6)));
      CHECK(same(middleColumns(*interleaved.bias, to, 6), middleColumns(*rows.bias, from, 6)));
    }
  const Inputs inputs = Inputs::self(normalMatrix(5, 24, 4));
  const auto outputOf = [&](const Dimensions& sizes, Layout layout) {
    return attend({inputs, unfuse(rows, output, sizes, layout)}).output;
  };
  CHECK(apart(outputOf(dimensions, Layout::interleaved), outputOf(dimensions, Layout::torch), 1));
  // With one head the two orders are one, so a test with one head finds nothing.
  const Dimensions oneHead = Dimensions::selfAttention(24, 1);
  CHECK(same(outputOf(oneHead, Layout::interleaved), outputOf(oneHead, Layout::torch)));
}

TEST_CASE("separate projections: grouped heads, biases, other widths of inputs and heads, as a plain layer") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    const Weights read = weightsFrom(separated(layer.weights), layer.dimensions());
    checkSameWeights(read, layer.weights);
    CHECK(same(attend({layer.inputs, read, layer.options}).output, attend(layer).output));
  }
}

TEST_CASE("separate projections of another shape are refused by name with both shapes") {
  const Dimensions dimensions = Dimensions::selfAttention(8, 4, 2);
  const SeparateProjections good = separated(randomWeights(dimensions, 1, {Distribution::normal, true}));
  CHECK_NOTHROW(weightsFrom(good, dimensions));
  const auto refusesChange = [&](const std::function<void(SeparateProjections&)>& change,
                                 std::initializer_list<std::string_view> parts) {
    SeparateProjections changed = good;
    change(changed);
    return refuses([&] { weightsFrom(changed, dimensions); }, ErrorCode::shapeMismatch, parts);
  };
  const Matrix wrong = Matrix::Zero(3, 8);
  const RowVector wrongBias = RowVector::Zero(3);
  CHECK(refusesChange([&](SeparateProjections& stored) { stored.query.weight = wrong; },
                      {"query.weight", "8 × 8", "3 × 8"}));
  CHECK(
      refusesChange([&](SeparateProjections& stored) { stored.key.weight = wrong; }, {"key.weight", "4 × 8", "3 × 8"}));
  CHECK(refusesChange([&](SeparateProjections& stored) { stored.value.weight = wrong; },
                      {"value.weight", "4 × 8", "3 × 8"}));
  CHECK(refusesChange([&](SeparateProjections& stored) { stored.output.weight = wrong; },
                      {"output.weight", "8 × 8", "3 × 8"}));
  CHECK(
      refusesChange([&](SeparateProjections& stored) { stored.key.bias = wrongBias; }, {"key.bias", "1 × 4", "1 × 3"}));
  SeparateProjections infinite = good;
  infinite.value.weight(0, 0) = std::numeric_limits<Scalar>::infinity();
  CHECK(refuses([&] { weightsFrom(infinite, dimensions); }, ErrorCode::notFinite, {"weights.W_v[0]"}));
}

}  // namespace headwise::test
