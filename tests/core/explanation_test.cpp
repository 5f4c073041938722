#include "headwise/explanation.h"

#include "checks.h"
#include "samples.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace headwise::test {

namespace {

// Every named matrix that an explanation may point at.
std::map<std::string, Matrix> namedMatrices(const Sample& layer, const ForwardTrace& trace) {
  std::map<std::string, Matrix> matrices;
  forEachMatrix(trace, [&](const std::string& path, const Matrix& matrix) { matrices[path] = matrix; });
  matrices["inputs.query"] = layer.inputs.query;
  matrices["inputs.key"] = layer.inputs.key;
  matrices["inputs.value"] = layer.inputs.value;
  matrices["mask.bias"] = layer.options.mask.bias.size() > 0
                              ? layer.options.mask.bias
                              : Matrix::Zero(layer.inputs.query.rows(), layer.inputs.key.rows());
  for (std::size_t j = 0; j < layer.weights.heads.size(); ++j)
    matrices["weights.heads[" + std::to_string(j) + "].query.weight"] = layer.weights.heads[j].query.weight;
  for (std::size_t g = 0; g < layer.weights.keyValueHeads.size(); ++g) {
    const std::string name = "weights.keyValueHeads[" + std::to_string(g) + "].";
    matrices[name + "key.weight"] = layer.weights.keyValueHeads[g].key.weight;
    matrices[name + "value.weight"] = layer.weights.keyValueHeads[g].value.weight;
  }
  matrices["weights.output.weight"] = layer.weights.output.weight;
  return matrices;
}

// "heads[0].queries[2, :]" → row 2 of that matrix; also [:, 1] and [2, 1].
Matrix resolved(const std::map<std::string, Matrix>& matrices, const std::string& name) {
  const std::size_t open = name.rfind('['), comma = name.rfind(", ");
  REQUIRE(open != std::string::npos);
  const auto found = matrices.find(name.substr(0, open));
  REQUIRE_MESSAGE(found != matrices.end(), name);
  const std::string row = name.substr(open + 1, comma - open - 1),
                    column = name.substr(comma + 2, name.size() - comma - 3);
  if (row == ":") return found->second.col(std::stol(column)).transpose();
  if (column == ":") return found->second.row(std::stol(row));
  return matrixOf({{found->second(std::stol(row), std::stol(column))}});
}

Matrix asRow(const std::vector<Scalar>& numbers) {
  Matrix row(1, static_cast<Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    row(0, static_cast<Index>(i)) = numbers[i];
  return row;
}

Scalar sumOf(const std::vector<Scalar>& numbers) {
  Scalar sum = 0;
  for (const Scalar number : numbers)
    sum += number;
  return sum;
}

void checkProducts(const Explanation& explanation) {
  REQUIRE(explanation.right.size() == explanation.left.size());
  REQUIRE(explanation.terms.size() == explanation.left.size());
  for (std::size_t i = 0; i < explanation.terms.size(); ++i)
    CHECK(near(explanation.terms[i], explanation.left[i] * explanation.right[i]));
  CHECK(near(sumOf(explanation.terms) + explanation.addend, explanation.result));
}

void checkSoftmax(const Explanation& explanation, Index column) {
  const Scalar sum = sumOf(explanation.right);
  for (std::size_t i = 0; i < explanation.terms.size(); ++i) {
    CHECK(near(explanation.right[i], std::exp(explanation.left[i] - explanation.addend)));
    CHECK(near(explanation.terms[i], sum > 0 ? explanation.right[i] / sum : 0));
  }
  CHECK(near(explanation.terms[static_cast<std::size_t>(column)], explanation.result));
}

// The arithmetic an explanation shows leads to the trace's cell.
void checkArithmetic(const Explanation& explanation, Index column, bool hidden) {
  switch (explanation.operation) {
    case Operation::product:
    case Operation::additive:
    case Operation::scale:
      checkProducts(explanation);
      break;
    case Operation::mask:
      CHECK(explanation.hidden == hidden);
      CHECK(near(explanation.result,
                 hidden ? -std::numeric_limits<Scalar>::infinity() : explanation.left[0] + explanation.right[0]));
      break;
    case Operation::softmax:
      CHECK(explanation.hidden == hidden);
      checkSoftmax(explanation, column);
      break;
    case Operation::copy:
      CHECK(explanation.left[0] == explanation.result);
      break;
  }
}

void checkNames(const Explanation& explanation, const std::map<std::string, Matrix>& matrices) {
  if (explanation.leftName.back() == ']')
    CHECK(same(asRow(explanation.left), resolved(matrices, explanation.leftName)));
  if (!explanation.rightName.empty() && explanation.rightName.back() == ']')
    CHECK(same(asRow(explanation.right), resolved(matrices, explanation.rightName)));
}

std::set<Operation> checkEveryCell(const Sample& layer) {
  INFO(layer.text);
  const ForwardTrace trace = attend(layer.inputs, layer.weights, layer.options);
  const BoolMatrix visible = mayAttend(layer.options.mask, layer.inputs.query.rows(), layer.inputs.key.rows());
  const auto matrices = namedMatrices(layer, trace);
  std::set<Operation> seen;
  forEachMatrix(trace, [&](const std::string& path, const Matrix& matrix) {
    INFO(path);
    for (Index row = 0; row < matrix.rows(); ++row)
      for (Index column = 0; column < matrix.cols(); ++column) {
        const Explanation explanation =
            explainCell(layer.inputs, layer.weights, layer.options, trace, path, row, column);
        seen.insert(explanation.operation);
        CHECK(explanation.result == matrix(row, column));
        const bool masked = explanation.operation == Operation::mask || explanation.operation == Operation::softmax;
        checkArithmetic(explanation, column, masked && !visible(row, column));
        checkNames(explanation, matrices);
      }
  });
  return seen;
}

Explanation explained(const Sample& layer, std::string_view path, Index row, Index column) {
  return explainCell(layer.inputs, layer.weights, layer.options, attend(layer.inputs, layer.weights, layer.options),
                     path, row, column);
}

}  // namespace

TEST_CASE(
    "explanation: every cell of every matrix follows from the numbers shown, with masks, biases and grouped heads") {
  std::set<Operation> seen;
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const Operation operation : checkEveryCell(sample(seed)))
      seen.insert(operation);
  CHECK(seen == std::set<Operation>{Operation::product, Operation::scale, Operation::mask, Operation::softmax,
                                    Operation::copy});
}

TEST_CASE("explanation: additive scores follow from the numbers shown") {
  std::set<Operation> seen;
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Operation operation : checkEveryCell(sample(seed, {.pooling = Pooling::additive})))
      seen.insert(operation);
  CHECK(seen.count(Operation::additive) == 1);
}

TEST_CASE("explanation: the names say where the numbers stand") {
  Sample layer;
  layer.weights = randomWeights(Dimensions::selfAttention(8, 4, 2), 1);
  layer.inputs = Inputs::self(normalMatrix(5, 8, 1));
  const auto names = [&](std::string_view path, Index row, Index column) {
    const Explanation explanation = explained(layer, path, row, column);
    return explanation.leftName + " | " + explanation.rightName;
  };
  CHECK(names("heads[3].queries", 2, 1) == "inputs.query[2, :] | weights.heads[3].query.weight[:, 1]");
  CHECK(names("keyValueHeads[1].keys", 2, 1) == "inputs.key[2, :] | weights.keyValueHeads[1].key.weight[:, 1]");
  CHECK(names("keyValueHeads[0].values", 4, 0) == "inputs.value[4, :] | weights.keyValueHeads[0].value.weight[:, 0]");
  CHECK(names("heads[1].rawScores", 2, 4) == "heads[1].queries[2, :] | keyValueHeads[0].keys[4, :]");
  CHECK(names("heads[2].rawScores", 2, 4) == "heads[2].queries[2, :] | keyValueHeads[1].keys[4, :]");
  CHECK(names("heads[0].scaledScores", 2, 4) == "heads[0].rawScores[2, 4] | scaleFactor");
  CHECK(names("heads[0].maskedScores", 2, 4) == "heads[0].scaledScores[2, 4] | mask.bias[2, 4]");
  CHECK(names("heads[0].attentionWeights", 2, 4).starts_with("heads[0].maskedScores[2, :] | "));
  CHECK(names("heads[2].output", 2, 1) == "heads[2].attentionWeights[2, :] | keyValueHeads[1].values[:, 1]");
  CHECK(names("concatenated", 2, 5) == "heads[2].output[2, 1] | ");
  CHECK(names("output", 2, 5) == "concatenated[2, :] | weights.output.weight[:, 5]");
}

TEST_CASE("explanation: a projection's bias is its addend, the softmax's is the row's maximum") {
  const Sample layer = selfAttentionSample(4, 6, 2, 1);
  const ForwardTrace trace = attend(layer.inputs, layer.weights);
  CHECK(explained(layer, "heads[1].queries", 0, 2).addend == (*layer.weights.heads[1].query.bias)(2));
  CHECK(explained(layer, "output", 3, 4).addend == (*layer.weights.output.bias)(4));
  CHECK(explained(layer, "heads[0].attentionWeights", 1, 0).addend == trace.heads[0].maskedScores.row(1).maxCoeff());
}

TEST_CASE("explanation: a row that sees nothing is all zeros, without NaN") {
  Sample layer = selfAttentionSample(3, 6, 2, 1);
  layer.options.mask = Mask::padding({0, 3, 3});
  const Explanation explanation = explained(layer, "heads[0].attentionWeights", 0, 1);
  CHECK(explanation.hidden);
  CHECK(explanation.addend == 0);
  CHECK(same(asRow(explanation.right), matrixOf({{0, 0, 0}})));
  CHECK(same(asRow(explanation.terms), matrixOf({{0, 0, 0}})));
}

TEST_CASE("explanation: operations have names") {
  std::vector<std::string_view> names;
  for (const Operation operation : {Operation::product, Operation::additive, Operation::scale, Operation::mask,
                                    Operation::softmax, Operation::copy})
    names.push_back(nameOf(operation));
  CHECK(names == std::vector<std::string_view>{"product", "additive", "scale", "mask", "softmax", "copy"});
}

TEST_CASE("explanation: unknown paths are refused with the known ones, cells outside with the shape") {
  const Sample layer = selfAttentionSample(3, 6, 2, 1);
  for (const char* path : {"heads[2].queries", "heads[0].keys", "heads[0]", "heads[x].queries",
                           "keyValueHeads[0].queries", "attention", "", "output[0]"}) {
    CAPTURE(path);
    CHECK(refuses([&] { explained(layer, path, 0, 0); }, ErrorCode::invalidOption,
                  {path, "heads[j].attentionWeights", "concatenated"}));
  }
  CHECK(refuses([&] { explained(layer, "heads[0].queries", 3, 0); }, ErrorCode::shapeMismatch,
                {"heads[0].queries", "3 × 3", "row 3"}));
  CHECK(refuses([&] { explained(layer, "output", 0, 6); }, ErrorCode::shapeMismatch, {"output", "3 × 6", "column 6"}));
  CHECK(refuses([&] { explained(layer, "output", -1, 0); }, ErrorCode::shapeMismatch, {"output", "3 × 6", "row -1"}));
}

}  // namespace headwise::test
