// The forward pass: one function a stage, in the order of the comment in attention.h. Each leaves its result in the trace.
#include "headwise/forward.h"

#include <algorithm>
#include <limits>
#include <string>

#include "headwise/error.h"
#include "headwise/layout.h"
#include "headwise/softmax.h"

namespace headwise {

namespace {

void requireThat(bool holds, const char* decision, const std::string& need) {
  if (!holds) throw Error(ErrorCode::invalidOption, std::string(decision) + " needs " + need + ".", decision);
}

void checkDecisions(const Layer& layer, const Decisions& decisions) {
  const Dimensions& dimensions = layer.dimensions();
  const bool squareScores = layer.queryCount() == layer.keyCount();
  requireThat(!decisions.transposeScores || squareScores, "transposeScores", "as many queries as keys");
  requireThat(!decisions.transposeWeights || squareScores, "transposeWeights", "as many queries as keys");
  requireThat(!decisions.wideProjections || layer.weights.isProjected, "wideProjections", "a layer with projections");
  requireThat(!decisions.firstBlockOnly || decisions.combine != Combine::concatenate, "firstBlockOnly",
              "heads that are averaged or summed");
  requireThat(!decisions.addInput || dimensions.queryInputSize == dimensions.outputSize, "addInput",
              "an output as wide as the query input");
}

// What a role's projection gives for each of its heads: one product a head, or one for all that is cut afterwards.
std::vector<Matrix> projected(const Matrix& input, const Weights& weights, Role role, const Decisions& decisions) {
  const Index headCount = headCountOf(weights, role);
  if (decisions.wideProjections)
    return splitHeads(project(input, wideProjection(weights, role)), headCount, decisions.split);
  std::vector<Matrix> heads;
  for (Index head = 0; head < headCount; ++head)
    heads.push_back(project(input, projectionOf(weights, role, head)));
  return decisions.split == HeadOrder::blocks ? heads : splitHeads(mergeHeads(heads), headCount, decisions.split);
}

// Q_j = H_q W_j^q + b_j^q    K_g = H_k W_g^k + b_g^k    V_g = H_v W_g^v + b_g^v
void projectInputs(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  std::vector<Matrix> queries = projected(layer.inputs.query, layer.weights, Role::query, decisions);
  std::vector<Matrix> keys = projected(layer.inputs.key, layer.weights, Role::key, decisions);
  std::vector<Matrix> values = projected(layer.inputs.value, layer.weights, Role::value, decisions);
  for (std::size_t j = 0; j < queries.size(); ++j) {
    // Not left to the scores: tanh would swallow an infinity, and so would a weight of zero.
    checkOverflow("heads[" + std::to_string(j) + "].queries", queries[j]);
    trace.heads.emplace_back().queries = std::move(queries[j]);
  }
  for (std::size_t g = 0; g < keys.size(); ++g) {
    checkOverflow("keyValueHeads[" + std::to_string(g) + "].keys", keys[g]);
    checkOverflow("keyValueHeads[" + std::to_string(g) + "].values", values[g]);
    trace.keyValueHeads.push_back({std::move(keys[g]), std::move(values[g])});
  }
}

// Q_j K_gᵀ, or additive scores
void scoreKeys(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    HeadTrace& head = trace.heads[j];
    const Matrix& keys = trace.keyValueHeads[layer.keyValueHeadOf(j)].keys;
    const AdditiveScore* additive = layer.additiveOf(j);
    head.rawScores = additive ? additiveScores(head.queries, keys, *additive) : dotProductScores(head.queries, keys);
    if (decisions.transposeScores) head.rawScores = head.rawScores.transpose().eval();
    checkOverflow("heads[" + std::to_string(j) + "].rawScores", head.rawScores);
  }
}

// S_j = rawScores · scale
void scaleScores(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  trace.scaleFactor =
      scaleFactor(layer.dimensions(), layer.options.pooling, decisions.scale.value_or(layer.options.scale));
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    HeadTrace& head = trace.heads[j];
    head.scaledScores = head.rawScores * (decisions.scaleAfterSoftmax ? 1 : trace.scaleFactor);
    checkOverflow("heads[" + std::to_string(j) + "].scaledScores", head.scaledScores);
  }
}

// S_j + mask. The pattern of each head is kept for what hides later.
std::vector<BoolMatrix> maskScores(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  const Mask& mask = layer.options.mask;
  std::vector<BoolMatrix> visible;
  BoolMatrix seen = BoolMatrix::Constant(layer.queryCount(), 1, false);
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    HeadTrace& head = trace.heads[j];
    const auto number = static_cast<Index>(j);
    const Matrix* bias = biasOf(mask, number);
    visible.push_back(mask.biases.size() > 1 || j == 0 ? mayAttend(mask, layer.queryCount(), layer.keyCount(), number)
                                                       : visible[0]);
    seen = seen.array() || visible[j].rowwise().any().array();
    if (decisions.hide == Hide::minusInfinity)
      head.maskedScores = headwise::maskScores(head.scaledScores, bias, visible[j]);
    else if (decisions.hide == Hide::fill)
      head.maskedScores =
          visible[j].select(headwise::maskScores(head.scaledScores, bias, visible[j]), decisions.fillValue);
    else
      head.maskedScores =
          visible[j].select(headwise::maskScores(head.scaledScores, bias, visible[j]), head.scaledScores);
  }
  trace.emptyRows = emptyRows(seen);
  return visible;
}

// The softmax of stacked rows: [S_0 … S_{h−1}] side by side is one row of all heads and keys.
void normaliseTogether(NormaliseOver over, std::vector<HeadTrace>& heads) {
  const Shape shape = shapeOf(heads[0].maskedScores);
  const auto count = static_cast<Index>(heads.size());
  if (over == NormaliseOver::headsAndKeys) {
    std::vector<Matrix> scores;
    for (const HeadTrace& head : heads)
      scores.push_back(head.maskedScores);
    std::vector<Matrix> weights = splitHeads(softmaxRows(mergeHeads(scores)), count);
    for (std::size_t j = 0; j < heads.size(); ++j)
      heads[j].attentionWeights = std::move(weights[j]);
    return;
  }
  Matrix cells(shape.rows * shape.columns, count);  // a row for each cell, a column for each head
  for (Index j = 0; j < count; ++j)
    cells.col(j) = heads[static_cast<std::size_t>(j)].maskedScores.reshaped<Eigen::RowMajor>();
  cells = softmaxRows(cells);
  for (Index j = 0; j < count; ++j)
    heads[static_cast<std::size_t>(j)].attentionWeights =
        cells.col(j).reshaped<Eigen::RowMajor>(shape.rows, shape.columns);
}

// A_j = softmax of each row of S_j + mask
void normalise(const Decisions& decisions, const std::vector<BoolMatrix>& visible, ForwardTrace& trace) {
  constexpr auto isHidden = [](Scalar score) { return score == -std::numeric_limits<Scalar>::infinity(); };
  for (HeadTrace& head : trace.heads) {
    switch (decisions.normaliseOver) {
      case NormaliseOver::keys:
        head.attentionWeights = softmaxRows(head.maskedScores);
        break;
      case NormaliseOver::queries:
        head.attentionWeights = softmaxRows(head.maskedScores.transpose()).transpose();
        break;
      case NormaliseOver::nothing:
        head.attentionWeights = head.maskedScores.unaryExpr([=](Scalar score) { return isHidden(score) ? 0 : score; });
        break;
      case NormaliseOver::heads:
      case NormaliseOver::headsAndKeys:
        break;
    }
  }
  if (decisions.normaliseOver == NormaliseOver::heads || decisions.normaliseOver == NormaliseOver::headsAndKeys)
    normaliseTogether(decisions.normaliseOver, trace.heads);

  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    Matrix& weights = trace.heads[j].attentionWeights;
    if (decisions.hide == Hide::multiplyWeights || decisions.hide == Hide::multiplyWeightsAndRenormalise)
      weights = visible[j].select(weights, 0);
    if (decisions.hide == Hide::multiplyWeightsAndRenormalise)
      for (Index row = 0; row < weights.rows(); ++row)
        if (const Scalar sum = weights.row(row).sum(); sum > 0) weights.row(row) /= sum;
    if (decisions.scaleAfterSoftmax) weights *= trace.scaleFactor;
    if (decisions.shareAttention && j > 0) weights = trace.heads[0].attentionWeights;
  }
}

// O_j = A_j V_g
void averageValues(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    HeadTrace& head = trace.heads[j];
    const Matrix& values = trace.keyValueHeads[layer.keyValueHeadOf(j)].values;
    if (decisions.transposeWeights)
      head.output = head.attentionWeights.transpose() * values;
    else
      head.output = head.attentionWeights * values;
    checkOverflow("heads[" + std::to_string(j) + "].output", head.output);
  }
}

// [O_0 … O_{h−1}]
void combineHeads(const Decisions& decisions, ForwardTrace& trace) {
  std::vector<Matrix> outputs;
  for (const HeadTrace& head : trace.heads)
    outputs.push_back(head.output);
  if (decisions.combine != Combine::concatenate) {
    Matrix together = outputs[0];
    for (std::size_t j = 1; j < outputs.size(); ++j)
      together += outputs[j];
    if (decisions.combine == Combine::average) together /= static_cast<Scalar>(outputs.size());
    if (decisions.firstBlockOnly) outputs.resize(1);
    std::fill(outputs.begin(), outputs.end(), together);
  }
  trace.concatenated = mergeHeads(outputs, decisions.merge);
}

// output = concatenated W^o + b^o
void projectOutput(const Layer& layer, const Decisions& decisions, ForwardTrace& trace) {
  Projection output = layer.weights.output;
  if (decisions.firstBlockOnly && !output.isIdentity())
    output.weight = output.weight.topRows(trace.concatenated.cols()).eval();
  trace.output = decisions.projectOutput ? project(trace.concatenated, output) : trace.concatenated;
  if (decisions.addInput) {
    checkShape("output", shapeOf(trace.output), shapeOf(layer.inputs.query), "as the query input, which is added");
    trace.output += layer.inputs.query;
  }
  checkOverflow("output", trace.output);
}

}  // namespace

ForwardTrace forward(const Layer& layer, const Decisions& decisions) {
  checkLayer(layer);
  checkDecisions(layer, decisions);
  ForwardTrace trace;
  projectInputs(layer, decisions, trace);
  scoreKeys(layer, decisions, trace);
  scaleScores(layer, decisions, trace);
  const std::vector<BoolMatrix> visible = maskScores(layer, decisions, trace);
  normalise(decisions, visible, trace);
  averageValues(layer, decisions, trace);
  combineHeads(decisions, trace);
  projectOutput(layer, decisions, trace);
  return trace;
}

}  // namespace headwise
