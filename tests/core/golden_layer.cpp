#include "golden_layer.h"

#include "checks.h"
#include "headwise/names.h"

#include <stdexcept>

namespace headwise::test {

namespace {

// W [h][d][p] with b [h][p], null or missing.
std::vector<Projection> headProjections(const Json& weights, const std::string& weight, const std::string& bias) {
  std::vector<Projection> projections;
  for (const Matrix& matrix : matricesFrom(at(weights, weight)))
    projections.push_back({matrix, {}});
  if (!has(weights, bias)) return projections;
  const std::vector<const Json*> biases = entriesOf(at(weights, bias));
  if (biases.size() != projections.size())
    throw std::runtime_error(bias + " has another number of heads than " + weight);
  for (std::size_t j = 0; j < projections.size(); ++j)
    projections[j].bias = rowFrom(*biases[j]);
  return projections;
}

// Without an alignment the listed pattern says which one is meant.
Mask causalMaskFrom(const Json& mask, Index queryCount, Index keyCount) {
  if (has(mask, "alignment")) return Mask::causalFrom(namedIn(kAlignments, textFrom(at(mask, "alignment"))));
  const Mask fromEnd = Mask::causalFrom(Alignment::bottomRight);
  const bool isFromEnd =
      has(mask, "keep") && samePattern(mayAttend(fromEnd, queryCount, keyCount), patternFrom(at(mask, "keep"))).holds;
  return isFromEnd ? fromEnd : Mask::causalFrom();
}

// Additive pooling without projections.
AdditiveScore scoreFrom(const Json& weights) {
  return {matrixFrom(at(weights, "W_q")), matrixFrom(at(weights, "W_k")), rowFrom(at(weights, "w_v"))};
}

}  // namespace

Weights weightsFrom(const Json& weights, Pooling pooling) {
  Weights result;
  for (const Projection& query : headProjections(weights, "W_q", "b_q"))
    result.heads.push_back({query, {}});
  const std::vector<Projection> keys = headProjections(weights, "W_k", "b_k"),
                                values = headProjections(weights, "W_v", "b_v");
  if (keys.size() != values.size()) throw std::runtime_error("W_k and W_v have different numbers of heads");
  for (std::size_t g = 0; g < keys.size(); ++g)
    result.keyValueHeads.push_back({keys[g], values[g]});
  result.output = projectionFrom(weights, "W_o", "b_o");
  result.dimensions = {.queryInputSize = result.heads[0].query.weight.rows(),
                       .keyInputSize = keys[0].weight.rows(),
                       .valueInputSize = values[0].weight.rows(),
                       .headCount = static_cast<Index>(result.heads.size()),
                       .keyValueHeadCount = static_cast<Index>(keys.size()),
                       .querySize = result.heads[0].query.weight.cols(),
                       .keySize = keys[0].weight.cols(),
                       .valueSize = values[0].weight.cols(),
                       .outputSize = result.output.weight.cols()};
  if (pooling == Pooling::scaledDotProduct) return result;
  const std::vector<Matrix> scoreQueries = matricesFrom(at(weights, "A_q")),
                            scoreKeys = matricesFrom(at(weights, "A_k"));
  const Matrix scoreVectors = matrixFrom(at(weights, "a_v"));
  result.dimensions.scoreHiddenSize = scoreVectors.cols();
  for (std::size_t j = 0; j < result.heads.size(); ++j)
    result.heads[j].additive =
        AdditiveScore{scoreQueries.at(j), scoreKeys.at(j), scoreVectors.row(static_cast<Index>(j))};
  return result;
}

Weights sharedWeights(const Projection& query, const KeyValueHeadWeights& keyValue, const Matrix& output) {
  const Index headCount = output.rows() / keyValue.value.weight.cols();
  const auto count = static_cast<std::size_t>(headCount);
  Weights weights;
  weights.dimensions = {.queryInputSize = query.weight.rows(),
                        .keyInputSize = keyValue.key.weight.rows(),
                        .valueInputSize = keyValue.value.weight.rows(),
                        .headCount = headCount,
                        .keyValueHeadCount = headCount,
                        .querySize = query.weight.cols(),
                        .keySize = keyValue.key.weight.cols(),
                        .valueSize = keyValue.value.weight.cols(),
                        .outputSize = output.cols()};
  weights.heads = std::vector<HeadWeights>(count, {query, {}});
  weights.keyValueHeads = std::vector<KeyValueHeadWeights>(count, keyValue);
  weights.output = {output, {}};
  return weights;
}

Weights sharedWeightsFrom(const Json& weights) {
  return sharedWeights(projectionFrom(weights, "W_q", "b_q"),
                       {projectionFrom(weights, "W_k", "b_k"), projectionFrom(weights, "W_v", "b_v")},
                       matrixFrom(at(weights, "W_o")));
}

Projection projectionFrom(const Json& weights, const std::string& weight, const std::string& bias) {
  Projection projection{matrixFrom(at(weights, weight)), {}};
  if (has(weights, bias)) projection.bias = rowFrom(at(weights, bias));
  return projection;
}

Inputs inputsFrom(const Json& inputs) {
  if (has(inputs, "X")) return Inputs::self(matrixFrom(at(inputs, "X")));
  const bool projected = has(inputs, "Q");
  return {matrixFrom(at(inputs, projected ? "Q" : "query")), matrixFrom(at(inputs, projected ? "K" : "key")),
          matrixFrom(at(inputs, projected ? "V" : "value"))};
}

Mask maskFrom(GoldenReport& report, const Json& file, Index queryCount, Index keyCount) {
  if (!has(file, "mask")) return {};
  const Json& listed = at(file, "mask");
  const std::string type = textFrom(at(listed, "type"));
  Mask mask;
  if (type == "causal")
    mask = causalMaskFrom(listed, queryCount, keyCount);
  else if (type == "valid_lens")
    mask = Mask::padding(indicesFrom(at(listed, "valid_lens")));
  else if (type == "keep")
    mask = Mask::keeping(patternFrom(at(listed, "keep")));
  else if (type != "additive")
    throw std::runtime_error("mask.type \"" + type + "\" is unknown");
  if (type == "additive" || has(listed, "values")) mask.biases = {matrixFrom(at(listed, "values"))};
  if (has(listed, "keep")) {
    const Verdict verdict = samePattern(mayAttend(mask, queryCount, keyCount), patternFrom(at(listed, "keep")));
    report.require(verdict.holds, "mask.keep: " + verdict.text);
  }
  return mask;
}

void checkListedSizes(GoldenReport& report, const Json& dims, const Layer& layer) {
  const Dimensions& dimensions = layer.dimensions();
  const auto requireSize = [&](const std::string& name, Index size) {
    report.require(!has(dims, name) || indicesFrom(at(dims, name)) == std::vector<Index>{size},
                   "dims." + name + " is not " + std::to_string(size) + ", the size of the matrices");
  };
  requireSize("n_q", layer.queryCount());
  requireSize("n_kv", layer.keyCount());
  requireSize("d_q", layer.inputs.query.cols());
  requireSize("d_k", layer.inputs.key.cols());
  requireSize("d_v", layer.inputs.value.cols());
  if (layer.weights.isProjected) {
    requireSize("num_heads", dimensions.headCount);
    requireSize("num_kv_heads", dimensions.keyValueHeadCount);
    requireSize("p_q", dimensions.querySize);
    requireSize("p_k", dimensions.keySize);
    requireSize("p_v", dimensions.valueSize);
    requireSize("p_o", dimensions.outputSize);
  }
  if (layer.options.pooling == Pooling::additive) requireSize("a", dimensions.scoreHiddenSize);
}

Layer layerFrom(
    GoldenReport& report, const std::string& kind, const Json& file, const Json& weights, const Json& dims) {
  const Inputs inputs = inputsFrom(at(file, "inputs"));
  Options options;
  if (kind == "additive" || kind == "additive_mha") options.pooling = Pooling::additive;
  if (has(file, "options") && has(at(file, "options"), "scale"))
    options.scale = {namedIn(kScaleRules, textFrom(at(at(file, "options"), "scale")))};
  options.mask = maskFrom(report, file, inputs.query.rows(), inputs.key.rows());
  Layer layer = kind == "sdpa"       ? unprojectedLayer(inputs, options)
                : kind == "additive" ? unprojectedLayer(inputs, options, scoreFrom(weights))
                                     : Layer{inputs, weightsFrom(weights, options.pooling), options};
  checkListedSizes(report, dims, layer);
  return layer;
}

}  // namespace headwise::test
