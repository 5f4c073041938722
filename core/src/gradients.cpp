// The backward pass. Each step quotes the line of `attend` that it differentiates.
#include "headwise/gradients.h"

#include <string>

#include "headwise/error.h"
#include "headwise/optimizer.h"
#include "pooled_head.h"

namespace headwise {

namespace {

// result = input · weight + bias, differentiated by weight and bias.
Projection projectionGradient(const Matrix& input, const Projection& projection, const Matrix& resultGradient) {
  Projection gradient{input.transpose() * resultGradient, {}};
  if (projection.bias) gradient.bias = resultGradient.colwise().sum();
  return gradient;
}

void checkTrace(const ForwardTrace& trace,
                const Dimensions& dimensions,
                Index queryCount,
                Index keyCount,
                const Matrix& outputGradient) {
  checkFinite("outputGradient", outputGradient);
  checkShape("outputGradient", shapeOf(outputGradient), {queryCount, dimensions.outputSize}, "queries × outputSize");
  if (static_cast<Index>(trace.heads.size()) != dimensions.headCount ||
      static_cast<Index>(trace.keyValueHeads.size()) != dimensions.keyValueHeadCount)
    throw Error(ErrorCode::shapeMismatch,
                "trace has " + std::to_string(trace.heads.size()) + " heads and " +
                    std::to_string(trace.keyValueHeads.size()) + " key/value heads, but the layer has " +
                    std::to_string(dimensions.headCount) + " and " + std::to_string(dimensions.keyValueHeadCount) +
                    "; pass the trace that attend gave for this layer.");
  for (const HeadTrace& head : trace.heads) {
    checkShape("trace.heads[].attentionWeights", shapeOf(head.attentionWeights), {queryCount, keyCount},
               "queries × keys");
    checkShape("trace.heads[].queries", shapeOf(head.queries), {queryCount, dimensions.querySize},
               "queries × querySize");
    checkShape("trace.heads[].output", shapeOf(head.output), {queryCount, dimensions.valueSize}, "queries × valueSize");
  }
  for (const KeyValueHeadTrace& head : trace.keyValueHeads) {
    checkShape("trace.keyValueHeads[].keys", shapeOf(head.keys), {keyCount, dimensions.keySize}, "keys × keySize");
    checkShape("trace.keyValueHeads[].values", shapeOf(head.values), {keyCount, dimensions.valueSize},
               "keys × valueSize");
  }
}

void checkInputGradients(const Inputs& gradients) {
  checkOverflow("The gradient by inputs.query", gradients.query);
  checkOverflow("The gradient by inputs.key", gradients.key);
  checkOverflow("The gradient by inputs.value", gradients.value);
}

}  // namespace

StackedGradients weightGradients(const Inputs& inputs,
                                 const Weights& weights,
                                 const Options& options,
                                 const ForwardTrace& trace,
                                 const Matrix& outputGradient,
                                 Index sequenceCount) {
  const Dimensions& dimensions = weights.dimensions;
  const Index valueSize = dimensions.valueSize;
  StackedGradients gradients{.weights = {.dimensions = dimensions, .heads = {}, .keyValueHeads = {}, .output = {}},
                             .queries = {},
                             .keyValueHeads = {}};
  gradients.weights.output.weight.resizeLike(weights.output.weight);
  if (weights.output.bias) gradients.weights.output.bias = outputGradient.colwise().sum();

  for (const KeyValueHeadTrace& head : trace.keyValueHeads)
    gradients.keyValueHeads.push_back(
        {Matrix::Zero(head.keys.rows(), head.keys.cols()), Matrix::Zero(head.values.rows(), head.values.cols())});

  for (Index j = 0; j < dimensions.headCount; ++j) {
    const HeadWeights& headWeights = weights.heads[static_cast<std::size_t>(j)];
    const HeadTrace& head = trace.heads[static_cast<std::size_t>(j)];
    const auto g = static_cast<std::size_t>(dimensions.keyValueHeadOf(j));
    const AdditiveScore* additive = options.pooling == Pooling::additive ? &*headWeights.additive : nullptr;

    // output = Σ_j O_j W_j^o + b^o. Head by head and not as one wide product: heads with equal weights then get gradients that are
    // equal to the last bit, where the edges of a wide product round on their own.
    gradients.weights.output.weight.middleRows(j * valueSize, valueSize).noalias() =
        head.output.transpose() * outputGradient;
    const Matrix headGradient = outputGradient * weights.output.weight.middleRows(j * valueSize, valueSize).transpose();

    // O_j = softmax(scores(Q_j, K_g)) V_g
    PooledHeadGradient pooled =
        poolHeadBackward(head, trace.keyValueHeads[g], additive, trace.scaleFactor, headGradient, sequenceCount);
    // Score matrices that dot products do not read are weights all the same; their gradient is 0.
    if (headWeights.additive && !additive) pooled.additive = zeroLike(*headWeights.additive);
    gradients.keyValueHeads[g].keys += pooled.keyValue.keys;
    gradients.keyValueHeads[g].values += pooled.keyValue.values;

    // Q_j = H_q W_j^q + b_j^q
    gradients.weights.heads.push_back(
        {projectionGradient(inputs.query, headWeights.query, pooled.queries), std::move(pooled.additive)});
    gradients.queries.push_back(std::move(pooled.queries));
  }

  for (std::size_t g = 0; g < weights.keyValueHeads.size(); ++g) {
    const KeyValueHeadWeights& head = weights.keyValueHeads[g];
    // K_g = H_k W_g^k + b_g^k, V_g = H_v W_g^v + b_g^v
    gradients.weights.keyValueHeads.push_back(
        {projectionGradient(inputs.key, head.key, gradients.keyValueHeads[g].keys),
         projectionGradient(inputs.value, head.value, gradients.keyValueHeads[g].values)});
  }
  return gradients;
}

Gradients backward(const Inputs& inputs,
                   const Weights& weights,
                   const Options& options,
                   const ForwardTrace& trace,
                   const Matrix& outputGradient) {
  checkArguments(inputs, weights, options);
  checkTrace(trace, weights.dimensions, inputs.query.rows(), inputs.key.rows(), outputGradient);
  StackedGradients found = weightGradients(inputs, weights, options, trace, outputGradient, 1);

  Gradients gradients{
      std::move(found.weights),
      {Matrix::Zero(inputs.query.rows(), inputs.query.cols()), Matrix::Zero(inputs.key.rows(), inputs.key.cols()),
       Matrix::Zero(inputs.value.rows(), inputs.value.cols())}};
  // The inputs go into every head: Q_j = H_q W_j^q, K_g = H_k W_g^k, V_g = H_v W_g^v.
  for (std::size_t j = 0; j < weights.heads.size(); ++j)
    gradients.inputs.query += found.queries[j] * weights.heads[j].query.weight.transpose();
  for (std::size_t g = 0; g < weights.keyValueHeads.size(); ++g) {
    gradients.inputs.key += found.keyValueHeads[g].keys * weights.keyValueHeads[g].key.weight.transpose();
    gradients.inputs.value += found.keyValueHeads[g].values * weights.keyValueHeads[g].value.weight.transpose();
  }
  forEachParameter([](const auto& gradient) { checkOverflow("A gradient by the weights", gradient); },
                   gradients.weights);
  checkInputGradients(gradients.inputs);
  return gradients;
}

UnprojectedGradients backwardUnprojected(const Inputs& inputs,
                                         const Options& options,
                                         const ForwardTrace& trace,
                                         const Matrix& outputGradient,
                                         const AdditiveScore* additive) {
  const Dimensions dimensions = checkUnprojected(inputs, options, additive);
  checkTrace(trace, dimensions, inputs.query.rows(), inputs.key.rows(), outputGradient);
  PooledHeadGradient pooled =
      poolHeadBackward(trace.heads[0], trace.keyValueHeads[0],
                       options.pooling == Pooling::additive ? additive : nullptr, trace.scaleFactor, outputGradient, 1);
  UnprojectedGradients gradients{
      {std::move(pooled.queries), std::move(pooled.keyValue.keys), std::move(pooled.keyValue.values)},
      std::move(pooled.additive)};
  checkInputGradients(gradients.inputs);
  if (gradients.additive)
    for (const Matrix& gradient :
         {gradients.additive->scoreQuery, gradients.additive->scoreKey, Matrix(gradients.additive->scoreVector)})
      checkOverflow("A gradient by additive", gradient);
  return gradients;
}

}  // namespace headwise
