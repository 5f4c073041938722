#include "golden_gradients.h"

#include "checks.h"

#include <cmath>

namespace headwise::test {

namespace {

// One projection of every head: weights under "W_<letter>", biases as rows under "b_<letter>".
template <class Heads, class Select>
void addProjections(NamedGradients& named, const std::string& letter, const Heads& heads, Select&& select) {
  const auto headCount = static_cast<Index>(heads.size());
  for (Index j = 0; j < headCount; ++j) {
    const Projection& projection = select(heads[static_cast<std::size_t>(j)]);
    named["W_" + letter].push_back(projection.weight);
    if (!projection.bias) continue;
    std::vector<Matrix>& biases = named["b_" + letter];
    if (biases.empty()) biases.emplace_back(headCount, projection.bias->size());
    biases[0].row(j) = *projection.bias;
  }
}

// One matrix in three places: the chain rule adds up.
bool isSelfAttention(const Inputs& inputs) {
  return same(inputs.query, inputs.key).holds && same(inputs.query, inputs.value).holds;
}

// A vector is one row, a matrix is itself, a stack is one matrix for each head.
std::vector<Matrix> listedMatrices(const Json& listed) {
  return depthOf(listed) == 1 ? std::vector<Matrix>{rowFrom(listed)} : matricesFrom(listed);
}

// Calls visit(name, matrices) for every listed name that the layer has a gradient for.
template <class Visitor>
void forEachListed(GoldenReport& report,
                   const std::string& where,
                   const NamedGradients& gradients,
                   const Json& expected,
                   Visitor&& visit) {
  for (const std::string& name : keysOf(expected)) {
    if (!has(expected, name)) continue;
    const auto found = gradients.find(name);
    if (found == gradients.end())
      report.problems.push_back(where + "." + name + " is unknown");
    else
      visit(name, found->second);
  }
}

}  // namespace

NamedGradients namedProjections(const Weights& weights) {
  NamedGradients named;
  addProjections(
      named, "q", weights.heads, [](const HeadWeights& head) -> auto& { return head.query; });
  addProjections(
      named, "k", weights.keyValueHeads, [](const KeyValueHeadWeights& head) -> auto& { return head.key; });
  addProjections(
      named, "v", weights.keyValueHeads, [](const KeyValueHeadWeights& head) -> auto& { return head.value; });
  named["W_o"] = {weights.output.weight};
  if (weights.output.bias) named["b_o"] = {*weights.output.bias};
  for (std::size_t j = 0; j < weights.heads.size() && weights.heads[j].additive; ++j) {
    const AdditiveScore& score = *weights.heads[j].additive;
    named["A_q"].push_back(score.scoreQuery);
    named["A_k"].push_back(score.scoreKey);
    std::vector<Matrix>& vectors = named["a_v"];
    if (vectors.empty()) vectors.emplace_back(static_cast<Index>(weights.heads.size()), score.scoreVector.size());
    vectors[0].row(static_cast<Index>(j)) = score.scoreVector;
  }
  return named;
}

NamedGradients gradientsOf(const Layer& layer, const Matrix& outputGradient) {
  const auto& [weights, inputs] = backward(layer, attend(layer), outputGradient);
  if (layer.weights.isProjected) {
    NamedGradients named = namedProjections(weights);
    named["query"] = {inputs.query};
    named["key"] = {inputs.key};
    named["value"] = {inputs.value};
    if (isSelfAttention(layer.inputs)) named["X"] = {inputs.query + inputs.key + inputs.value};
    return named;
  }
  const auto& score = weights.heads[0].additive;
  if (!score) return {{"Q", {inputs.query}}, {"K", {inputs.key}}, {"V", {inputs.value}}};
  return {{"query", {inputs.query}},    {"key", {inputs.key}},      {"value", {inputs.value}},
          {"W_q", {score->scoreQuery}}, {"W_k", {score->scoreKey}}, {"w_v", {score->scoreVector}}};
}

void compareGradients(GoldenReport& report,
                      const std::string& where,
                      const NamedGradients& gradients,
                      const Json& expected) {
  forEachListed(report, where, gradients, expected, [&](const std::string& name, const std::vector<Matrix>& matrices) {
    report.compare(where + "." + name, matrices, listedMatrices(at(expected, name)));
  });
}

void compareNorms(GoldenReport& report,
                  const std::string& where,
                  const NamedGradients& gradients,
                  const Json& expected) {
  forEachListed(report, where, gradients, expected, [&](const std::string& name, const std::vector<Matrix>& matrices) {
    Scalar squares = 0;
    for (const Matrix& matrix : matrices)
      squares += matrix.squaredNorm();
    report.compare(where + "." + name, std::sqrt(squares), numberFrom(at(expected, name)));
  });
}

}  // namespace headwise::test
