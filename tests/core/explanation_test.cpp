#include "headwise/explanation.h"

#include "checks.h"
#include "headwise/attention.h"
#include "samples.h"

#include <cmath>
#include <limits>
#include <set>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

// The matrix that stands at a numbered path, for head `head` in the case of a mask.
Matrix matrixAt(const Layer& layer, const ForwardTrace& trace, const std::string& path, Index head) {
  if (path == "mask.values") return *biasOf(layer.options.mask, head);
  for (const Field& field : kFields)
    for (Index index = 0; index < countOf(field, layer.dimensions()); ++index) {
      if (pathOf(field, index) != path) continue;
      if (field.part() == Part::input) return field.inInputs(layer.inputs);
      return field.part() == Part::weight ? field.inWeights(layer.weights, index) : field.inTrace(trace, index);
    }
  FAIL("no matrix is called " << path);
  return {};
}

Matrix asRow(const std::vector<Scalar>& numbers) {
  return Matrix::Map(numbers.data(), 1, static_cast<Index>(numbers.size()));
}

Scalar sumOf(const std::vector<Scalar>& numbers) {
  Scalar sum = 0;
  for (const Scalar number : numbers)
    sum += number;
  return sum;
}

// One cell of a layer's trace with its explanation, and what its sources hold.
class Cell {
 public:
  Cell(const Layer& layer, const ForwardTrace& trace, const Field& field, Index head, Index row, Index column)
      : explanation(explainCell(layer, trace, pathOf(field, head), row, column)),
        layer_(layer),
        trace_(trace),
        head_(head),
        row_(row),
        column_(column) {
    CHECK(explanation.result == field.inTrace(trace, head)(row, column));
  }

  // The arithmetic that the explanation shows starts at its sources and leads to the trace's cell.
  void check() const {
    switch (explanation.operation) {
      case Operation::product:
        checkSources(2, 3);
        CHECK(same(asRow(explanation.left), source(0)));
        CHECK(same(asRow(explanation.right), source(1)));
        CHECK(explanation.addend == (explanation.sources.size() > 2 ? source(2)(0, 0) : 0));
        return checkProducts();
      case Operation::additive:
        checkSources(3, 3);
        CHECK(same(asRow(explanation.left), source(0)));
        CHECK(near(asRow(explanation.right), hidden()));
        return checkProducts();
      case Operation::scale:
        checkSources(1, 1);
        CHECK(same(asRow(explanation.left), source(0)));
        CHECK(same(asRow(explanation.right), matrixOf({{trace_.scaleFactor}})));
        return checkProducts();
      case Operation::mask:
        return checkMasked();
      case Operation::softmax:
        return checkSoftmax();
      case Operation::copy:
        checkSources(1, 1);
        CHECK(same(asRow(explanation.left), source(0)));
        CHECK(explanation.left[0] == explanation.result);
        return;
      case Operation::maximum:
        checkSources(1, 1);
        CHECK(same(asRow(explanation.left), source(0)));
        CHECK(explanation.result == source(0).maxCoeff());
        return;
      case Operation::given:
        FAIL("nothing in a trace is put in");
    }
  }

  Explanation explanation;

 private:
  Matrix source(std::size_t number) const {
    const Place& place = explanation.sources.at(number);
    const Matrix matrix = matrixAt(layer_, trace_, place.path, head_);
    const Matrix rows = place.row ? middleRows(matrix, *place.row, 1) : matrix;
    if (!place.column) return rows;
    return middleColumns(rows, *place.column, 1).transpose();
  }

  void checkSources(std::size_t least, std::size_t most) const {
    CHECK(explanation.sources.size() >= least);
    CHECK(explanation.sources.size() <= most);
  }

  void checkProducts() const {
    REQUIRE(explanation.right.size() == explanation.left.size());
    REQUIRE(explanation.terms.size() == explanation.left.size());
    for (std::size_t i = 0; i < explanation.terms.size(); ++i)
      CHECK(near(explanation.terms[i], explanation.left[i] * explanation.right[i]));
    CHECK(near(sumOf(explanation.terms) + explanation.addend, explanation.result));
  }

  // tanh(q scoreQuery + k scoreKey), from the rows of queries and keys.
  Matrix hidden() const {
    const AdditiveScore& score = *layer_.weights.heads[static_cast<std::size_t>(head_)].additive;
    Matrix result = product(source(1), score.scoreQuery) + product(source(2), score.scoreKey);
    for (Scalar& cell : result.reshaped())
      cell = std::tanh(cell);
    return result;
  }

  bool isHidden() const {
    const Index head = layer_.options.mask.biases.size() > 1 ? head_ : 0;
    return !mayAttend(layer_.options.mask, layer_.queryCount(), layer_.keyCount(), head)(row_, column_);
  }

  void checkMasked() const {
    const bool hasBias = !layer_.options.mask.biases.empty();
    checkSources(hasBias ? 2 : 1, hasBias ? 2 : 1);
    CHECK(same(asRow(explanation.left), source(0)));
    CHECK(same(asRow(explanation.right), hasBias ? source(1) : matrixOf({{0}})));
    CHECK(explanation.hidden == isHidden());
    CHECK(near(explanation.result, isHidden() ? -kInfinity : explanation.left[0] + explanation.right[0]));
  }

  void checkSoftmax() const {
    checkSources(1, 1);
    CHECK(same(asRow(explanation.left), source(0)));
    CHECK(explanation.hidden == isHidden());
    const Scalar sum = sumOf(explanation.right);
    for (std::size_t i = 0; i < explanation.terms.size(); ++i) {
      CHECK(near(explanation.right[i], std::exp(explanation.left[i] - explanation.addend)));
      CHECK(near(explanation.terms[i], sum > 0 ? explanation.right[i] / sum : 0));
    }
    CHECK(near(explanation.terms[static_cast<std::size_t>(column_)], explanation.result));
  }

  const Layer& layer_;
  const ForwardTrace& trace_;
  Index head_;
  Index row_;
  Index column_;
};

std::set<Operation> checkEveryCell(const Layer& layer) {
  const ForwardTrace trace = attend(layer);
  std::set<Operation> seen;
  forEachMatrix(trace, [&](const Field& field, Index index, const MatrixView& matrix) {
    INFO(pathOf(field, index));
    for (Index row = 0; row < matrix.rows(); ++row)
      for (Index column = 0; column < matrix.cols(); ++column) {
        const Cell cell(layer, trace, field, index, row, column);
        cell.check();
        seen.insert(cell.explanation.operation);
      }
  });
  return seen;
}

std::set<Operation> checkEveryCellOf(std::uint64_t samples, const SampleWishes& wishes) {
  std::set<Operation> seen;
  for (std::uint64_t seed = 0; seed < samples; ++seed) {
    const Sample layer = sample(seed, wishes);
    INFO(layer.text);
    seen.merge(checkEveryCell(layer));
  }
  return seen;
}

Explanation explained(const Layer& layer, std::string_view path, Index row, Index column) {
  return explainCell(layer, attend(layer), path, row, column);
}

}  // namespace

TEST_CASE(
    "explanation: every cell of every matrix follows from the numbers at its sources, with masks, biases and grouped "
    "heads") {
  std::set<Operation> operations;
  for (const Field& field : kFields)
    if (field.part() == Part::trace) operations.insert(field.operation);
  CHECK(operations.size() >= 5);
  CHECK(checkEveryCellOf(20, {}) == operations);
}

TEST_CASE("explanation: additive scores follow from the numbers at their sources") {
  CHECK(checkEveryCellOf(10, {.pooling = Pooling::additive}).count(Operation::additive) == 1);
}

TEST_CASE("explanation: the places say where the numbers stand") {
  const Layer layer{Inputs::self(normalMatrix(5, 8, 1)), randomWeights(Dimensions::selfAttention(8, 4, 2), 1), {}};
  using Places = std::vector<Place>;
  const auto places = [&](std::string_view path, Index row, Index column) {
    return explained(layer, path, row, column).sources;
  };
  const std::optional<Index> all;
  CHECK(places("heads[3].queries", 2, 1) == Places{{"inputs.query", 2, all}, {"weights.W_q[3]", all, 1}});
  CHECK(places("keyValueHeads[1].keys", 2, 1) == Places{{"inputs.key", 2, all}, {"weights.W_k[1]", all, 1}});
  CHECK(places("keyValueHeads[0].values", 4, 0) == Places{{"inputs.value", 4, all}, {"weights.W_v[0]", all, 0}});
  CHECK(places("heads[1].rawScores", 2, 4) == Places{{"heads[1].queries", 2, all}, {"keyValueHeads[0].keys", 4, all}});
  CHECK(places("heads[2].rawScores", 2, 4) == Places{{"heads[2].queries", 2, all}, {"keyValueHeads[1].keys", 4, all}});
  CHECK(places("heads[0].scaledScores", 2, 4) == Places{{"heads[0].rawScores", 2, 4}});
  CHECK(places("heads[0].maskedScores", 2, 4) == Places{{"heads[0].scaledScores", 2, 4}});
  CHECK(places("heads[0].attentionWeights", 2, 4) == Places{{"heads[0].maskedScores", 2, all}});
  CHECK(places("heads[2].output", 2, 1) ==
        Places{{"heads[2].attentionWeights", 2, all}, {"keyValueHeads[1].values", all, 1}});
  CHECK(places("concatenated", 2, 5) == Places{{"heads[2].output", 2, 1}});
  CHECK(places("output", 2, 5) == Places{{"concatenated", 2, all}, {"weights.W_o", all, 5}});
  Layer biased = selfAttentionLayer(5, 8, 2, 1);
  biased.options.mask = Mask::additive(Matrix::Zero(5, 5));
  CHECK(explained(biased, "heads[1].queries", 2, 3).sources ==
        Places{{"inputs.query", 2, all}, {"weights.W_q[1]", all, 3}, {"weights.b_q[1]", 0, 3}});
  CHECK(explained(biased, "heads[0].maskedScores", 2, 4).sources ==
        Places{{"heads[0].scaledScores", 2, 4}, {"mask.values", 2, 4}});
}

TEST_CASE("explanation: a projection's bias is its addend, the softmax's is the row's maximum") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 1);
  const ForwardTrace trace = attend(layer);
  CHECK(explained(layer, "heads[1].queries", 0, 2).addend == (*layer.weights.heads[1].query.bias)(2));
  CHECK(explained(layer, "output", 3, 4).addend == (*layer.weights.output.bias)(4));
  CHECK(explained(layer, "heads[0].attentionWeights", 1, 0).addend == trace.heads[0].maskedScores.row(1).maxCoeff());
}

TEST_CASE("explanation: a row that sees nothing is all zeros, without NaN") {
  Layer layer = selfAttentionLayer(3, 6, 2, 1);
  layer.options.mask = Mask::padding({0, 3, 3});
  const Explanation explanation = explained(layer, "heads[0].attentionWeights", 0, 1);
  CHECK(explanation.hidden);
  CHECK(explanation.addend == 0);
  CHECK(same(asRow(explanation.right), matrixOf({{0, 0, 0}})));
  CHECK(same(asRow(explanation.terms), matrixOf({{0, 0, 0}})));
}

TEST_CASE("explanation: a layer without projections is explained from its scores to its one head") {
  const Layer layer = unprojectedLayer({normalMatrix(3, 4, 1), normalMatrix(5, 4, 2), normalMatrix(5, 2, 3)});
  const ForwardTrace trace = attend(layer);
  for (const char* path : {"heads[].rawScores", "heads[].scaledScores", "heads[].maskedScores",
                           "heads[].attentionWeights", "heads[].output", "concatenated"}) {
    INFO(path);
    Cell(layer, trace, *fieldOf(path), 0, 2, 1).check();
  }
  for (const char* path : {"heads[0].queries", "keyValueHeads[0].keys", "keyValueHeads[0].values", "output"})
    CHECK(refuses([&] { explainCell(layer, trace, path, 0, 0); }, ErrorCode::invalidOption,
                  {path, "without projections"}));
}

TEST_CASE("explanation: operations have names") {
  std::vector<std::string_view> names;
  for (const auto& named : kOperations)
    names.push_back(named.second);
  CHECK(names ==
        std::vector<std::string_view>{"given", "product", "additive", "scale", "mask", "softmax", "maximum", "copy"});
}

TEST_CASE("explanation: a trace of another layer is refused, and a layer whose parts do not fit each other") {
  const Layer layer = selfAttentionLayer(3, 6, 2, 1);
  const ForwardTrace trace = attend(layer);
  for (const Layer& other :
       {selfAttentionLayer(3, 6, 3, 1), selfAttentionLayer(2, 6, 2, 1), selfAttentionLayer(9, 6, 1, 1)})
    for (const char* path : {"heads[0].queries", "output"})
      CHECK(refuses([&] { explainCell(layer, attend(other), path, 0, 0); }, ErrorCode::shapeMismatch, {"trace"}));
  const auto refusesChange = [&](const std::function<void(Layer&)>& change, const char* path,
                                 std::initializer_list<std::string_view> parts) {
    Layer changed = layer;
    change(changed);
    return refuses([&] { explainCell(changed, trace, path, 2, 2); }, ErrorCode::shapeMismatch, parts);
  };
  CHECK(refusesChange([](Layer& changed) { changed.inputs.query = normalMatrix(3, 5, 1); }, "heads[1].queries",
                      {"inputs.query", "3 × 6", "3 × 5"}));
  CHECK(refusesChange([](Layer& changed) { changed.weights.heads.pop_back(); }, "heads[1].queries",
                      {"weights.heads", "2", "1"}));
  CHECK(refusesChange([](Layer& changed) { changed.weights.heads[1].query.bias = rowOf({1}); }, "heads[1].queries",
                      {"weights.b_q[1]", "1 × 3", "1 × 1"}));
  CHECK(refusesChange([](Layer& changed) { changed.weights.output.weight = Matrix::Zero(6, 2); }, "output",
                      {"weights.W_o", "6 × 6", "6 × 2"}));
  CHECK(refusesChange([](Layer& changed) { changed.options.mask = Mask::additive(matrixOf({{0}})); },
                      "heads[0].maskedScores", {"mask.bias", "3 × 3", "1 × 1"}));
}

TEST_CASE("explanation: unknown paths are refused with the known ones, cells outside with the shape") {
  const Layer layer = selfAttentionLayer(3, 6, 2, 1);
  for (const char* path : {"heads[2].queries", "heads[0].keys", "heads[0]", "heads[x].queries", "heads[].queries",
                           "keyValueHeads[0].queries", "weights.W_q[0]", "attention", "", "output[0]"}) {
    CAPTURE(path);
    CHECK(refuses([&] { explained(layer, path, 0, 0); }, ErrorCode::invalidOption,
                  {path, "heads[].attentionWeights", "concatenated"}));
  }
  CHECK(refuses([&] { explained(layer, "heads[0].queries", 3, 0); }, ErrorCode::shapeMismatch,
                {"heads[0].queries", "3 × 3", "row 3"}));
  CHECK(refuses([&] { explained(layer, "output", 0, 6); }, ErrorCode::shapeMismatch, {"output", "3 × 6", "column 6"}));
  CHECK(refuses([&] { explained(layer, "output", -1, 0); }, ErrorCode::shapeMismatch, {"output", "3 × 6", "row -1"}));
}

}  // namespace headwise::test
