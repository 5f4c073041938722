// Golden kinds that hold several layers: compare, shared_weights and fused_layouts.
#include "checks.h"
#include "golden_check.h"
#include "golden_gradients.h"
#include "headwise/comparison.h"
#include "headwise/gradients.h"
#include "headwise/layout.h"
#include "headwise/rank.h"
#include "headwise/sharing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace headwise::test {

namespace {

std::vector<Matrix> ofEachHead(const ForwardTrace& trace, Matrix HeadTrace::*field) {
  std::vector<Matrix> matrices;
  for (const HeadTrace& head : trace.heads)
    matrices.push_back(head.*field);
  return matrices;
}

Matrix sideBySide(const std::vector<Matrix>& blocks) {
  Matrix wide(blocks[0].rows(), static_cast<Index>(blocks.size()) * blocks[0].cols());
  for (std::size_t j = 0; j < blocks.size(); ++j)
    wide.middleCols(static_cast<Index>(j) * blocks[0].cols(), blocks[0].cols()) = blocks[j];
  return wide;
}

// Each identity is a sentence in the file; these are the ones that can be computed.
void checkIdentity(GoldenReport& report,
                   const std::string& text,
                   const ForwardTrace& single,
                   const ForwardTrace& multi) {
  const std::string field = "identity \"" + text + "\"";
  const Scalar root = std::sqrt(static_cast<Scalar>(multi.heads.size()));
  if (text == "Q, K, V of the single head are the heads' Q, K, V side by side") {
    std::vector<Matrix> keys, values;
    for (const KeyValueHeadTrace& head : multi.keyValueHeads) {
      keys.push_back(head.keys);
      values.push_back(head.values);
    }
    report.compare(
        field,
        std::vector<Matrix>{sideBySide(ofEachHead(multi, &HeadTrace::queries)), sideBySide(keys), sideBySide(values)},
        {single.heads[0].queries, single.keyValueHeads[0].keys, single.keyValueHeads[0].values});
  } else if (text == "scores_single = sum_j scores_j / sqrt(h)") {
    Matrix sum = Matrix::Zero(single.heads[0].scaledScores.rows(), single.heads[0].scaledScores.cols());
    for (const HeadTrace& head : multi.heads)
      sum += head.scaledScores / root;
    report.compare(field, sum, single.heads[0].scaledScores);
  } else if (text == "attention_single is prod_j attention_j^(1/sqrt(h)), renormalised over keys") {
    Matrix result = Matrix::Ones(single.heads[0].attentionWeights.rows(), single.heads[0].attentionWeights.cols());
    for (const HeadTrace& head : multi.heads)
      result.array() *= head.attentionWeights.array().pow(1 / root);
    for (Index row = 0; row < result.rows(); ++row)
      result.row(row) /= result.row(row).sum();
    report.compare(field, result, single.heads[0].attentionWeights);
  } else {
    ++report.pending["identities"];
  }
}

void compareDifference(
    GoldenReport& report, const std::string& field, const Matrix& single, const Matrix& multi, const Json& listed) {
  const Comparison comparison = compareMatrices(single, multi);
  report.require(comparison.sameShape, field + ": the shapes differ");
  report.compare(field, comparison.largestDifference, numberFrom(listed));
}

// The largest difference of any two heads' matrices, by name.
std::map<std::string, Scalar> largestHeadDifferences(const NamedGradients& gradients) {
  std::map<std::string, Scalar> largest;
  for (const char* name : {"W_q", "W_k", "W_v"})
    for (const Matrix& a : gradients.at(name))
      for (const Matrix& b : gradients.at(name))
        largest[name] = std::max(largest[name], compareMatrices(a, b).largestDifference);
  return largest;
}

void checkSharedLayer(GoldenReport& report, const std::string& name, const Layer& layer, const Json& file) {
  const std::string where = "expected." + name;
  const Json& expected = at(at(file, "expected"), name);
  compareLayer(report, where, layer, file, expected,
               {"W_o_block_sum", "output_of_one_head_with_block_sum", "gradients_untied", "gradients_tied",
                "max_abs_difference_between_head_gradients"});
  const Weights oneHead = equivalentSingleHead(layer.weights);
  if (has(expected, "W_o_block_sum"))
    report.compare(where + ".W_o_block_sum", oneHead.output.weight, matrixFrom(at(expected, "W_o_block_sum")));
  if (has(expected, "output_of_one_head_with_block_sum"))
    report.compare(where + ".output_of_one_head_with_block_sum", attend({layer.inputs, oneHead, layer.options}).output,
                   matrixFrom(at(expected, "output_of_one_head_with_block_sum")));

  const Matrix outputGradient = matrixFrom(at(at(file, "inputs"), "G"));
  const NamedGradients untied = gradientsOf(layer, outputGradient);
  if (has(expected, "gradients_untied"))
    compareGradients(report, where + ".gradients_untied", untied, at(expected, "gradients_untied"));
  if (has(expected, "gradients_tied")) {
    const Weights summed = sumOverUsers(backward(layer, attend(layer), outputGradient).weights,
                                        sharingPlan(Sharing::all, layer.weights.dimensions.headCount));
    // Every head's place holds the one sum.
    NamedGradients tied = namedProjections(summed);
    tied["X"] = untied.at("X");
    compareGradients(report, where + ".gradients_tied", tied, at(expected, "gradients_tied"));
  }
  if (!has(expected, "max_abs_difference_between_head_gradients")) return;
  const Json& listed = at(expected, "max_abs_difference_between_head_gradients");
  for (const auto& [matrix, difference] : largestHeadDifferences(untied))
    if (has(listed, matrix))
      report.compare(where + ".max_abs_difference_between_head_gradients." + matrix, difference,
                     numberFrom(at(listed, matrix)));
}

// Rank by the library, and its singular values against the listed ones that count.
void checkRank(GoldenReport& report, const std::string& where, const Matrix& concatenated, const Json& expected) {
  const NumericalRank found = numericalRank(concatenated);
  report.compare(where + ".numerical_rank", std::vector<Index>{found.rank},
                 indicesFrom(at(expected, "numerical_rank")));
  const RowVector listed = rowFrom(at(expected, "singular_values_above_1e-12"));
  report.compare(where + ".singular_values_above_1e-12", Matrix(found.singularValues.leftCols(found.rank)), listed);
}

// The four spellings of the projections; `weight` and `bias` as the framework names them.
struct Spelling {
  const char* name;
  Layout layout;
  const char *weight, *bias, *outputWeight, *outputBias;
  bool outputIsTransposed;
};
constexpr Spelling kSpellings[] = {
    {"gpt2", Layout::gpt2, "c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias", false},
    {"torch", Layout::torch, "in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias", true},
    {"neox", Layout::interleaved, "query_key_value.weight", "query_key_value.bias", "dense.weight", "dense.bias", true},
};

}  // namespace

void checkComparison(GoldenReport& report, const Json& file) {
  const Json& expected = at(file, "expected");
  const auto layerOf = [&](const char* name) {
    return layerFrom(report, "mha", file, at(at(file, "weights"), name), at(at(file, "dims"), name));
  };
  const Layer singleLayer = layerOf("single"), multiLayer = layerOf("multi");
  const ForwardTrace single = attend(singleLayer), multi = attend(multiLayer);
  for (const std::string& name : keysOf(expected)) {
    if (!has(expected, name)) continue;
    const Json& listed = at(expected, name);
    if (name == "single" || name == "multi") {
      compareLayer(report, "expected." + name, name == "single" ? singleLayer : multiLayer, file, listed);
    } else if (name == "equal") {
      report.require(compareMatrices(single.output, multi.output).equal == truthFrom(listed),
                     "expected.equal is not so");
    } else if (name == "shapes_equal") {
      const bool equal = shapeOf(single.concatenated) == shapeOf(multi.concatenated) &&
                         shapeOf(single.output) == shapeOf(multi.output);
      report.require(equal == truthFrom(listed), "expected.shapes_equal is not so");
    } else if (name == "max_abs_diff") {
      if (has(listed, "concat"))
        compareDifference(report, "max_abs_diff.concat", single.concatenated, multi.concatenated, at(listed, "concat"));
      if (has(listed, "output"))
        compareDifference(report, "max_abs_diff.output", single.output, multi.output, at(listed, "output"));
    } else if (name == "identities") {
      for (const Json* text : entriesOf(listed))
        checkIdentity(report, textFrom(*text), single, multi);
    } else if (!countPending(report, name)) {
      report.problems.push_back("expected." + name + " is unknown");
    }
  }
}

void checkSharedWeights(GoldenReport& report, const Json& file) {
  const Json& listed = at(file, "weights");
  const Json& expected = at(file, "expected");
  const Inputs inputs = inputsFrom(at(file, "inputs"));
  const Options options{.mask = maskFrom(report, file, inputs.query.rows(), inputs.key.rows())};
  const Weights distinct = sharedWeightsFrom(listed);
  Weights unique = distinct;
  if (has(listed, "unique")) {
    const std::vector<Matrix> queries = matricesFrom(at(at(listed, "unique"), "W_q")),
                              keys = matricesFrom(at(at(listed, "unique"), "W_k")),
                              values = matricesFrom(at(at(listed, "unique"), "W_v"));
    for (std::size_t j = 0; j < unique.heads.size(); ++j) {
      unique.heads[j].query.weight = queries.at(j);
      unique.keyValueHeads[j].key.weight = keys.at(j);
      unique.keyValueHeads[j].value.weight = values.at(j);
    }
  }
  const auto layerOf = [&](const Weights& weights) { return Layer{inputs, weights, options}; };
  const auto similarityOf = [&](const Weights& weights) {
    return cosineSimilarity(ofEachHead(attend(layerOf(weights)), &HeadTrace::output));
  };
  for (const std::string& name : keysOf(expected)) {
    if (!has(expected, name)) continue;
    const Json& part = at(expected, name);
    if (name == "distinct_w_o") {
      checkSharedLayer(report, name, layerOf(distinct), file);
    } else if (name == "equal_w_o") {
      Weights equal = distinct;
      equal.output.weight = matrixFrom(at(listed, "W_o_equal_blocks"));
      checkSharedLayer(report, name, layerOf(equal), file);
    } else if (name == "unique") {
      compareLayer(report, "expected.unique", layerOf(unique), file, part);
    } else if (name == "rank_shared" || name == "rank_unique") {
      checkRank(report, "expected." + name, attend(layerOf(name == "rank_shared" ? distinct : unique)).concatenated,
                part);
    } else if (name == "cosine_similarity_of_heads_shared") {
      report.compare("expected." + name, similarityOf(distinct), matrixFrom(part));
    } else if (name == "cosine_similarity_of_heads_unique") {
      report.compare("expected." + name, similarityOf(unique), matrixFrom(part));
    } else if (!countPending(report, name)) {
      report.problems.push_back("expected." + name + " is unknown");
    }
  }
}

void checkFusedLayouts(GoldenReport& report, const Json& file) {
  const Json& weights = at(file, "weights");
  const Json& expected = at(file, "expected");
  Layer layer = layerFrom(report, "mha", file, at(weights, "canonical"), at(file, "dims"));
  compareLayer(report, "expected", layer, file, expected, {"gradients_by_layout"});
  const Weights canonical = layer.weights;
  const Weights gradients = backward(layer, attend(layer), matrixFrom(at(at(file, "inputs"), "G"))).weights;
  std::size_t found = 0;
  for (const Spelling& spelling : kSpellings) {
    if (!has(weights, spelling.name)) continue;
    ++found;
    const std::string where = std::string("weights.") + spelling.name;
    const Json& part = at(weights, spelling.name);
    const Projection fused = projectionFrom(part, spelling.weight, spelling.bias);
    const Projection output = projectionFrom(part, spelling.outputWeight, spelling.outputBias);
    report.compare(where, fuse(canonical, spelling.layout).weight, fused.weight);
    layer.weights = unfuse(fused, output, canonical.dimensions, spelling.layout);
    GoldenReport unfused;
    compareTrace(unfused, where + " gives expected", attend(layer), expected, {"gradients", "gradients_by_layout"});
    unfused.pending.clear();  // counted once, above
    report.add(unfused);

    if (!has(expected, "gradients_by_layout")) continue;
    // The gradient by a wide matrix is the heads' gradients in the wide matrix's layout.
    const std::string gradientsWhere = std::string("expected.gradients_by_layout.") + spelling.name;
    const Json& listed = at(at(expected, "gradients_by_layout"), spelling.name);
    const Projection fusedGradient = fuse(gradients, spelling.layout);
    Matrix outputGradient = gradients.output.weight;
    if (spelling.outputIsTransposed) outputGradient.transposeInPlace();
    NamedGradients named{{spelling.weight, {fusedGradient.weight}}, {spelling.outputWeight, {outputGradient}}};
    if (fusedGradient.bias) named[spelling.bias] = {*fusedGradient.bias};
    if (gradients.output.bias) named[spelling.outputBias] = {*gradients.output.bias};
    compareGradients(report, gradientsWhere, named, listed);
  }
  report.require(keysOf(weights).size() == found + 1, "weights has a layout that is unknown");
}

}  // namespace headwise::test
