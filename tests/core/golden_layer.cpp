#include "golden_layer.h"

#include "checks.h"

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

Scale scaleFrom(const std::string& name) {
  if (name == "perHeadWidth") return Scale::perHeadWidth;
  if (name == "totalWidth") return Scale::totalWidth;
  if (name == "none") return Scale::none;
  throw std::runtime_error("options.scale \"" + name + "\" is unknown");
}

// Without an alignment the listed pattern says which one is meant.
Mask causalMaskFrom(const Json& mask, Index queryCount, Index keyCount) {
  if (has(mask, "alignment")) {
    const std::string alignment = textFrom(at(mask, "alignment"));
    if (alignment != "topLeft" && alignment != "bottomRight")
      throw std::runtime_error("mask.alignment \"" + alignment + "\" is unknown");
    return alignment == "topLeft" ? Mask::causal() : Mask::causalAlignedToEnd();
  }
  const bool fromEnd =
      has(mask, "keep") &&
      samePattern(mayAttend(Mask::causalAlignedToEnd(), queryCount, keyCount), patternFrom(at(mask, "keep"))).holds;
  return fromEnd ? Mask::causalAlignedToEnd() : Mask::causal();
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
  return {{.queryInputSize = query.weight.rows(),
           .keyInputSize = keyValue.key.weight.rows(),
           .valueInputSize = keyValue.value.weight.rows(),
           .headCount = headCount,
           .keyValueHeadCount = headCount,
           .querySize = query.weight.cols(),
           .keySize = keyValue.key.weight.cols(),
           .valueSize = keyValue.value.weight.cols(),
           .outputSize = output.cols()},
          std::vector<HeadWeights>(count, {query, {}}),
          std::vector<KeyValueHeadWeights>(count, keyValue),
          {output, {}}};
}

Weights sharedWeightsFrom(const Json& weights) {
  return sharedWeights(projectionFrom(weights, "W_q", "b_q"),
                       {projectionFrom(weights, "W_k", "b_k"), projectionFrom(weights, "W_v", "b_v")},
                       matrixFrom(at(weights, "W_o")));
}

ForwardTrace GoldenLayer::trace() const {
  return isProjected ? attend(inputs, weights, options)
                     : attendUnprojected(inputs, options, additive ? &*additive : nullptr);
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
  if (type == "additive" || has(listed, "values")) mask.bias = matrixFrom(at(listed, "values"));
  if (has(listed, "keep")) {
    const Verdict verdict = samePattern(mayAttend(mask, queryCount, keyCount), patternFrom(at(listed, "keep")));
    report.require(verdict.holds, "mask.keep: " + verdict.text);
  }
  return mask;
}

void checkListedSizes(GoldenReport& report, const Json& dims, const GoldenLayer& layer) {
  const Dimensions& dimensions = layer.weights.dimensions;
  std::vector<std::pair<std::string, Index>> sizes = {{"n_q", layer.inputs.query.rows()},
                                                      {"n_kv", layer.inputs.key.rows()},
                                                      {"d_q", layer.inputs.query.cols()},
                                                      {"d_k", layer.inputs.key.cols()},
                                                      {"d_v", layer.inputs.value.cols()}};
  if (layer.isProjected)
    sizes.insert(sizes.end(), {{"num_heads", dimensions.headCount},
                               {"num_kv_heads", dimensions.keyValueHeadCount},
                               {"p_q", dimensions.querySize},
                               {"p_k", dimensions.keySize},
                               {"p_v", dimensions.valueSize},
                               {"p_o", dimensions.outputSize}});
  if (layer.options.pooling == Pooling::additive)
    sizes.emplace_back("a", layer.isProjected ? dimensions.scoreHiddenSize : layer.additive->scoreVector.size());
  for (const auto& [name, size] : sizes)
    report.require(!has(dims, name) || indicesFrom(at(dims, name)) == std::vector<Index>{size},
                   "dims." + name + " is not " + std::to_string(size) + ", the size of the matrices");
}

GoldenLayer layerFrom(
    GoldenReport& report, const std::string& kind, const Json& file, const Json& weights, const Json& dims) {
  GoldenLayer layer;
  layer.inputs = inputsFrom(at(file, "inputs"));
  layer.isSelfAttention = has(at(file, "inputs"), "X");
  layer.isProjected = kind != "sdpa" && kind != "additive";
  layer.options.pooling = kind == "additive" || kind == "additive_mha" ? Pooling::additive : Pooling::scaledDotProduct;
  if (has(file, "options") && has(at(file, "options"), "scale"))
    layer.options.scale = scaleFrom(textFrom(at(at(file, "options"), "scale")));
  layer.options.mask = maskFrom(report, file, layer.inputs.query.rows(), layer.inputs.key.rows());
  if (layer.isProjected) layer.weights = weightsFrom(weights, layer.options.pooling);
  if (kind == "additive")
    layer.additive =
        AdditiveScore{matrixFrom(at(weights, "W_q")), matrixFrom(at(weights, "W_k")), rowFrom(at(weights, "w_v"))};
  checkListedSizes(report, dims, layer);
  return layer;
}

}  // namespace headwise::test
