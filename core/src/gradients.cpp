// The backward pass: the stages of the forward pass in reverse. Each step quotes the line that it differentiates.
#include "headwise/gradients.h"

#include <string>
#include <utility>

#include "headwise/computation.h"
#include "headwise/error.h"
#include "headwise/work.h"
#include "pooling_gradient.h"

namespace headwise {

namespace {

// result = input · weight + bias, differentiated by weight and bias. The identity has nothing to differentiate by.
Projection byProjection(const Matrix& input, const Projection& projection, const Matrix& resultGradient) {
  if (projection.isIdentity()) return {};
  Projection gradient{input.transpose() * resultGradient, {}};
  if (projection.bias) gradient.bias = resultGradient.colwise().sum();
  return gradient;
}

// The same, by the input.
Matrix byInput(const Projection& projection, const Matrix& resultGradient) {
  return projection.isIdentity() ? resultGradient : Matrix(resultGradient * projection.weight.transpose());
}

// output = Σ_j O_j W_j^o + b^o, by O_j and by W_j^o. Head by head and not as one wide product: heads with equal weights then get gradients
// that are equal to the last bit, where the edges of a wide product round on their own.
Matrix byHeadOutput(
    const Layer& layer, std::size_t head, const Matrix& headOutput, const Matrix& outputGradient, Projection& output) {
  if (!layer.weights.isProjected) return outputGradient;
  const Index valueSize = layer.dimensions().valueSize, first = static_cast<Index>(head) * valueSize;
  output.weight.middleRows(first, valueSize).noalias() = headOutput.transpose() * outputGradient;
  return outputGradient * layer.weights.output.weight.middleRows(first, valueSize).transpose();
}

}  // namespace

Gradients backward(const Layer& layer, const ForwardTrace& trace, const Matrix& outputGradient) {
  checkLayer(layer);
  checkTrace(layer, trace);
  checkWork("The gradients",
            backwardWork(layer.dimensions(), layer.options.pooling, layer.queryCount(), layer.keyCount()),
            "Use fewer tokens, heads or columns.");
  checkFinite("outputGradient", outputGradient);
  checkShape("outputGradient", shapeOf(outputGradient), shapeOf(trace.output), "queries × outputSize");

  const Weights& weights = layer.weights;
  Gradients gradients{zerosLike(weights),
                      {Matrix::Zero(layer.inputs.query.rows(), layer.inputs.query.cols()),
                       Matrix::Zero(layer.inputs.key.rows(), layer.inputs.key.cols()),
                       Matrix::Zero(layer.inputs.value.rows(), layer.inputs.value.cols())}};
  if (weights.output.bias) gradients.weights.output.bias = outputGradient.colwise().sum();
  std::vector<KeyValueHeadTrace> keyValue;
  for (const KeyValueHeadTrace& head : trace.keyValueHeads)
    keyValue.push_back(
        {Matrix::Zero(head.keys.rows(), head.keys.cols()), Matrix::Zero(head.values.rows(), head.values.cols())});

  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    const HeadTrace& head = trace.heads[j];
    const std::size_t g = layer.keyValueHeadOf(j);
    const Matrix headGradient = byHeadOutput(layer, j, head.output, outputGradient, gradients.weights.output);

    // O_j = softmax(S_j + mask) V_g, S_j = Q_j K_gᵀ · scale. A key/value head sums over the heads that use it.
    const AdditiveScore* additive = layer.additiveOf(j);
    Matrix queries(head.queries.rows(), head.queries.cols());
    KeyValueHeadTrace byUse = keyValue[g];
    poolBackward({.queries = head.queries,
                  .keys = trace.keyValueHeads[g].keys,
                  .values = trace.keyValueHeads[g].values,
                  .attentionWeights = head.attentionWeights,
                  .additive = additive,
                  .scaleFactor = trace.scaleFactor},
                 headGradient, queries, byUse.keys, byUse.values,
                 additive ? &*gradients.weights.heads[j].additive : nullptr);
    keyValue[g].keys += byUse.keys;
    keyValue[g].values += byUse.values;

    // Q_j = H_q W_j^q + b_j^q
    gradients.weights.heads[j].query = byProjection(layer.inputs.query, weights.heads[j].query, queries);
    gradients.inputs.query += byInput(weights.heads[j].query, queries);
  }

  for (std::size_t g = 0; g < keyValue.size(); ++g) {
    // K_g = H_k W_g^k + b_g^k, V_g = H_v W_g^v + b_g^v
    const KeyValueHeadWeights& head = weights.keyValueHeads[g];
    gradients.weights.keyValueHeads[g] = {byProjection(layer.inputs.key, head.key, keyValue[g].keys),
                                          byProjection(layer.inputs.value, head.value, keyValue[g].values)};
    gradients.inputs.key += byInput(head.key, keyValue[g].keys);
    gradients.inputs.value += byInput(head.value, keyValue[g].values);
  }

  checkOverflow("A gradient by the weights", gradients.weights);
  for (const Field& field : kFields)
    if (field.part() == Part::input)
      checkOverflow("The gradient by " + std::string(field.path), field.inInputs(gradients.inputs));
  return gradients;
}

Matrix gradientByOneInput(const Inputs& gradients) {
  checkShape("gradients.key", shapeOf(gradients.key), shapeOf(gradients.query), "as by the query input");
  checkShape("gradients.value", shapeOf(gradients.value), shapeOf(gradients.query), "as by the query input");
  Matrix sum = gradients.query + gradients.key + gradients.value;
  checkOverflow("The gradient by the input", sum);
  return sum;
}

}  // namespace headwise
