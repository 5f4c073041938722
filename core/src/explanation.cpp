// Which row met which column. The numbers come from the inputs, weights and trace; only the terms are multiplied again.
#include "headwise/explanation.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "headwise/error.h"

namespace headwise {

namespace {

constexpr std::array<std::pair<Operation, std::string_view>, 6> kOperations{{
    {Operation::product, "product"},
    {Operation::additive, "additive"},
    {Operation::scale, "scale"},
    {Operation::mask, "mask"},
    {Operation::softmax, "softmax"},
    {Operation::copy, "copy"},
}};

template <class Row>
std::vector<Scalar> vectorOf(const Row& row) {
  std::vector<Scalar> numbers;
  for (Index i = 0; i < row.size(); ++i)
    numbers.push_back(row(i));
  return numbers;
}

std::string cell(const std::string& path, Index row, Index column) {
  return path + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
}
std::string rowOf(const std::string& path, Index row) { return path + "[" + std::to_string(row) + ", :]"; }
std::string columnOf(const std::string& path, Index column) { return path + "[:, " + std::to_string(column) + "]"; }

// Σ left · right + addend
Explanation product(std::string leftName,
                    std::vector<Scalar> left,
                    std::string rightName,
                    std::vector<Scalar> right,
                    Scalar addend = 0) {
  Explanation explanation{.operation = Operation::product,
                          .leftName = std::move(leftName),
                          .rightName = std::move(rightName),
                          .left = std::move(left),
                          .right = std::move(right),
                          .terms = {},
                          .addend = addend};
  for (std::size_t i = 0; i < explanation.left.size(); ++i)
    explanation.terms.push_back(explanation.left[i] * explanation.right[i]);
  return explanation;
}

Explanation projected(const std::string& inputName,
                      const Matrix& input,
                      const std::string& weightName,
                      const Projection& projection,
                      Index row,
                      Index column) {
  return product(rowOf(inputName, row), vectorOf(input.row(row)), columnOf(weightName, column),
                 vectorOf(projection.weight.col(column)), projection.bias ? (*projection.bias)(column) : 0);
}

struct Path {
  std::string_view owner;  // "heads", "keyValueHeads" or "" for the layer
  Index index = 0;
  std::string_view field;
};

[[noreturn]] void refusePath(std::string_view path) {
  std::string known;
  for (const auto& field : kHeadFields)
    known += "heads[j]." + std::string(field.name) + ", ";
  for (const auto& field : kKeyValueHeadFields)
    known += "keyValueHeads[g]." + std::string(field.name) + ", ";
  for (const auto& field : kLayerFields)
    known += std::string(field.name) + (field.name == kLayerFields.back().name ? "" : ", ");
  throw Error(ErrorCode::invalidOption,
              "path \"" + std::string(path) + "\" names no matrix of the trace; it can be " + known + ".");
}

Path parsePath(std::string_view path) {
  const std::size_t open = path.find('['), close = path.find("].");
  if (open == std::string_view::npos && close == std::string_view::npos) return {{}, 0, path};
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) refusePath(path);
  Path parsed{path.substr(0, open), 0, path.substr(close + 2)};
  const auto [end, failure] = std::from_chars(path.data() + open + 1, path.data() + close, parsed.index);
  if (failure != std::errc{} || end != path.data() + close) refusePath(path);
  return parsed;
}

// One cell of one query head, and the arguments all cases share.
struct HeadCell {
  const Inputs& inputs;
  const Weights& weights;
  const Options& options;
  const ForwardTrace& trace;
  Index head;
  Index row;
  Index column;

  const HeadTrace& traced() const { return trace.heads[static_cast<std::size_t>(head)]; }
  std::string name(std::string_view field) const { return "heads[" + std::to_string(head) + "]." + std::string(field); }
  Index keyValueHead() const { return weights.dimensions.keyValueHeadOf(head); }
  const KeyValueHeadTrace& keyValue() const { return trace.keyValueHeads[static_cast<std::size_t>(keyValueHead())]; }
  std::string keyValueName(std::string_view field) const {
    return "keyValueHeads[" + std::to_string(keyValueHead()) + "]." + std::string(field);
  }
};

Explanation explainRawScore(const HeadCell& at) {
  const Matrix& queries = at.traced().queries;
  const Matrix& keys = at.keyValue().keys;
  const std::string keyName = rowOf(at.keyValueName("keys"), at.column);
  if (at.options.pooling == Pooling::scaledDotProduct)
    return product(rowOf(at.name("queries"), at.row), vectorOf(queries.row(at.row)), keyName,
                   vectorOf(keys.row(at.column)));
  const AdditiveScore& score = *at.weights.heads[static_cast<std::size_t>(at.head)].additive;
  const RowVector hidden = queries.row(at.row) * score.scoreQuery + keys.row(at.column) * score.scoreKey;
  Explanation explanation = product("weights." + at.name("additive.scoreVector"), vectorOf(score.scoreVector),
                                    "tanh(" + rowOf(at.name("queries"), at.row) + ", " + keyName + ")",
                                    vectorOf(RowVector(hidden.array().tanh())));
  explanation.operation = Operation::additive;
  return explanation;
}

Explanation explainScale(const HeadCell& at) {
  Explanation explanation = product(cell(at.name("rawScores"), at.row, at.column),
                                    {at.traced().rawScores(at.row, at.column)}, "scaleFactor", {at.trace.scaleFactor});
  explanation.operation = Operation::scale;
  return explanation;
}

Explanation explainMask(const HeadCell& at) {
  const Matrix& bias = at.options.mask.bias;
  Explanation explanation{.operation = Operation::mask,
                          .leftName = cell(at.name("scaledScores"), at.row, at.column),
                          .rightName = cell("mask.bias", at.row, at.column),
                          .left = {at.traced().scaledScores(at.row, at.column)},
                          .right = {bias.size() == 0 ? 0 : bias(at.row, at.column)},
                          .terms = {}};
  explanation.terms = {explanation.left[0], explanation.right[0]};
  explanation.hidden = std::isinf(at.traced().maskedScores(at.row, at.column));
  return explanation;
}

Explanation explainSoftmax(const HeadCell& at) {
  const RowVector scores = at.traced().maskedScores.row(at.row);
  const Scalar maximum = scores.maxCoeff();
  Explanation explanation{.operation = Operation::softmax,
                          .leftName = rowOf(at.name("maskedScores"), at.row),
                          .rightName = "exp(score − maximum)",
                          .left = vectorOf(scores),
                          .right = {},
                          .terms = vectorOf(at.traced().attentionWeights.row(at.row)),
                          .addend = std::isinf(maximum) ? 0 : maximum};
  for (const Scalar score : explanation.left)
    explanation.right.push_back(std::isinf(score) ? 0 : std::exp(score - maximum));
  explanation.hidden = std::isinf(scores(at.column));
  return explanation;
}

Explanation explainHeadCell(const HeadCell& at, std::string_view field, std::string_view path) {
  if (field == "queries")
    return projected("inputs.query", at.inputs.query, "weights." + at.name("query.weight"),
                     at.weights.heads[static_cast<std::size_t>(at.head)].query, at.row, at.column);
  if (field == "rawScores") return explainRawScore(at);
  if (field == "scaledScores") return explainScale(at);
  if (field == "maskedScores") return explainMask(at);
  if (field == "attentionWeights") return explainSoftmax(at);
  if (field == "output")
    return product(rowOf(at.name("attentionWeights"), at.row), vectorOf(at.traced().attentionWeights.row(at.row)),
                   columnOf(at.keyValueName("values"), at.column), vectorOf(at.keyValue().values.col(at.column)));
  refusePath(path);
}

Explanation explainKeyValueCell(const Inputs& inputs,
                                const Weights& weights,
                                Index head,
                                std::string_view field,
                                Index row,
                                Index column,
                                std::string_view path) {
  const KeyValueHeadWeights& owner = weights.keyValueHeads[static_cast<std::size_t>(head)];
  const std::string name = "weights.keyValueHeads[" + std::to_string(head) + "].";
  if (field == "keys") return projected("inputs.key", inputs.key, name + "key.weight", owner.key, row, column);
  if (field == "values")
    return projected("inputs.value", inputs.value, name + "value.weight", owner.value, row, column);
  refusePath(path);
}

Explanation explainLayerCell(
    const Weights& weights, const ForwardTrace& trace, std::string_view field, Index row, Index column) {
  if (field == "output")
    return projected("concatenated", trace.concatenated, "weights.output.weight", weights.output, row, column);
  const Index head = column / weights.dimensions.valueSize, within = column % weights.dimensions.valueSize;
  const Scalar value = trace.heads[static_cast<std::size_t>(head)].output(row, within);
  return {.operation = Operation::copy,
          .leftName = cell("heads[" + std::to_string(head) + "].output", row, within),
          .rightName = {},
          .left = {value},
          .right = {},
          .terms = {value}};
}

const Matrix& matrixAt(const ForwardTrace& trace, std::string_view path) {
  const Matrix* found = nullptr;
  forEachMatrix(trace, [&](const std::string& name, const Matrix& matrix) {
    if (name == path) found = &matrix;
  });
  if (!found) refusePath(path);
  return *found;
}

}  // namespace

std::string_view nameOf(Operation operation) {
  for (const auto& [known, name] : kOperations)
    if (known == operation) return name;
  return "unknown";
}

Explanation explainCell(const Inputs& inputs,
                        const Weights& weights,
                        const Options& options,
                        const ForwardTrace& trace,
                        std::string_view path,
                        Index row,
                        Index column) {
  const Matrix& matrix = matrixAt(trace, path);
  if (row < 0 || row >= matrix.rows() || column < 0 || column >= matrix.cols())
    throw Error(ErrorCode::shapeMismatch, std::string(path) + " is " + toString(shapeOf(matrix)) +
                                              ", so it has no row " + std::to_string(row) + ", column " +
                                              std::to_string(column) + ".");
  const Path parsed = parsePath(path);
  Explanation explanation =
      parsed.owner == "heads"
          ? explainHeadCell({inputs, weights, options, trace, parsed.index, row, column}, parsed.field, path)
      : parsed.owner == "keyValueHeads"
          ? explainKeyValueCell(inputs, weights, parsed.index, parsed.field, row, column, path)
          : explainLayerCell(weights, trace, parsed.field, row, column);
  explanation.result = matrix(row, column);
  return explanation;
}

}  // namespace headwise
