// The stages of forward.cpp and gradients.cpp on stacks of sequences: wide where sequences do not meet, sequence by sequence where they do.
#include "headwise/batched_attention.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "batch_parts.h"
#include "headwise/computation.h"
#include "headwise/error.h"
#include "headwise/softmax.h"
#include "pooling_gradient.h"

namespace headwise {

namespace {

// Rows of sequence number `sequence` in a stack of sequences of equal length.
template <class Stack>
auto rowsOf(Stack& stack, Index sequence, Index sequenceCount) {
  const Index length = stack.rows() / sequenceCount;
  return stack.middleRows(sequence * length, length);
}

// The mask of one sequence, repeated for each.
struct StackedMask {
  BoolMatrix visible;  // [count·n_q × n_kv]
  Matrix bias;         // the same, or empty
  StackedMask(const Mask& mask, Index queryCount, Index keyCount, Index head, Index sequenceCount)
      : visible(mayAttend(mask, queryCount, keyCount, head).replicate(sequenceCount, 1)) {
    if (const Matrix* of = biasOf(mask, head)) bias = of->replicate(sequenceCount, 1);
  }
};

// Projections of another width than the reference's, and so of other rounding: one product for all sequences.
void projectStacks(const Inputs& inputs, const Weights& weights, ForwardTrace& trace) {
  for (const KeyValueHeadWeights& head : weights.keyValueHeads)
    trace.keyValueHeads.push_back({project(inputs.key, head.key), project(inputs.value, head.value)});
  for (const HeadWeights& head : weights.heads)
    trace.heads.emplace_back().queries = project(inputs.query, head.query);
  // What is no finite number would be lost in a tanh or behind a weight of zero.
  for (const HeadTrace& head : trace.heads)
    checkOverflow("queries", head.queries);
  for (const KeyValueHeadTrace& head : trace.keyValueHeads) {
    checkOverflow("keys", head.keys);
    checkOverflow("values", head.values);
  }
}

void poolStack(HeadTrace& head,
               const KeyValueHeadTrace& keyValue,
               const AdditiveScore* additive,
               Scalar factor,
               const StackedMask& mask,
               Index sequenceCount) {
  head.rawScores.resize(head.queries.rows(), keyValue.keys.rows() / sequenceCount);
  for (Index sequence = 0; sequence < sequenceCount; ++sequence) {
    const auto queries = rowsOf(head.queries, sequence, sequenceCount);
    const auto keys = rowsOf(keyValue.keys, sequence, sequenceCount);
    auto scores = rowsOf(head.rawScores, sequence, sequenceCount);
    if (additive)
      scores = additiveScores(queries, keys, *additive);
    else
      scores.noalias() = queries * keys.transpose();
  }
  head.scaledScores = head.rawScores * factor;
  head.maskedScores = maskScores(head.scaledScores, mask.bias.size() == 0 ? nullptr : &mask.bias, mask.visible);
  head.attentionWeights = softmaxRows(head.maskedScores);
  head.output.resize(head.queries.rows(), keyValue.values.cols());
  for (Index sequence = 0; sequence < sequenceCount; ++sequence)
    rowsOf(head.output, sequence, sequenceCount).noalias() =
        rowsOf(head.attentionWeights, sequence, sequenceCount) * rowsOf(keyValue.values, sequence, sequenceCount);
}

const AdditiveScore* additiveOf(const Weights& weights, const Options& options, std::size_t head) {
  return options.pooling == Pooling::additive ? &*weights.heads[head].additive : nullptr;
}

}  // namespace

void checkBatch(const Batch& batch, const Dimensions& dimensions) {
  if (batch.sequenceCount < 1)
    throw Error(ErrorCode::invalidDimension,
                "sequenceCount must be at least 1, but is " + std::to_string(batch.sequenceCount) + ".",
                "sequenceCount");
  const auto check = [&](const char* name, const Matrix& stack, Index width, const char* meaning) {
    checkFinite(name, stack);
    checkShape(name, shapeOf(stack), {stack.rows(), width}, std::string("sequences · tokens × ") + meaning);
    if (stack.rows() % batch.sequenceCount != 0)
      throw Error(ErrorCode::shapeMismatch,
                  std::string(name) + " has " + std::to_string(stack.rows()) + " rows, which are not " +
                      std::to_string(batch.sequenceCount) + " sequences of one length.",
                  name);
  };
  check("batch.inputs.query", batch.inputs.query, dimensions.queryInputSize, "queryInputSize");
  check("batch.inputs.key", batch.inputs.key, dimensions.keyInputSize, "keyInputSize");
  check("batch.inputs.value", batch.inputs.value, dimensions.valueInputSize, "valueInputSize");
  check("batch.target", batch.target, dimensions.outputSize, "outputSize");
  if (batch.inputs.key.rows() != batch.inputs.value.rows() || batch.target.rows() != batch.inputs.query.rows())
    throw Error(ErrorCode::shapeMismatch, "A batch needs a value for each key and a target for each query, but has " +
                                              std::to_string(batch.inputs.key.rows()) + " keys, " +
                                              std::to_string(batch.inputs.value.rows()) + " values, " +
                                              std::to_string(batch.inputs.query.rows()) + " queries and " +
                                              std::to_string(batch.target.rows()) + " targets.");
}

ForwardTrace attendBatch(const Inputs& inputs, const Weights& weights, const Options& options, Index sequenceCount) {
  const Dimensions& dimensions = weights.dimensions;
  const Index queryCount = inputs.query.rows() / sequenceCount, keyCount = inputs.key.rows() / sequenceCount;
  checkMask(options.mask, queryCount, keyCount, dimensions.headCount);
  ForwardTrace trace;
  trace.scaleFactor = scaleFactor(dimensions, options.pooling, options.scale);
  projectStacks(inputs, weights, trace);
  const StackedMask common(options.mask, queryCount, keyCount, 0, sequenceCount);
  BoolMatrix seen = BoolMatrix::Constant(inputs.query.rows(), 1, false);
  trace.concatenated.resize(inputs.query.rows(), dimensions.concatenatedSize());
  for (Index j = 0; j < dimensions.headCount; ++j) {
    const auto at = static_cast<std::size_t>(j);
    std::optional<StackedMask> own;
    if (options.mask.biases.size() > 1) own.emplace(options.mask, queryCount, keyCount, j, sequenceCount);
    const StackedMask& mask = own ? *own : common;
    poolStack(trace.heads[at], trace.keyValueHeads[static_cast<std::size_t>(dimensions.keyValueHeadOf(j))],
              additiveOf(weights, options, at), trace.scaleFactor, mask, sequenceCount);
    seen = seen.array() || mask.visible.rowwise().any().array();
    trace.concatenated.middleCols(j * dimensions.valueSize, dimensions.valueSize) = trace.heads[at].output;
  }
  trace.emptyRows = emptyRows(seen);
  trace.output = project(trace.concatenated, weights.output);
  checkOverflow("output", trace.output);
  return trace;
}

Weights batchGradients(const Inputs& inputs,
                       const Weights& weights,
                       const Options& options,
                       const ForwardTrace& trace,
                       const Matrix& outputGradient,
                       Index sequenceCount) {
  const auto byProjection = [](const Matrix& input, const Matrix& resultGradient, Projection& gradient) {
    gradient.weight.noalias() = input.transpose() * resultGradient;
    if (gradient.bias) gradient.bias = resultGradient.colwise().sum();
  };
  checkProjected(weights, "Training");
  const Dimensions& dimensions = weights.dimensions;
  const Index valueSize = dimensions.valueSize;
  Weights gradients = zerosLike(weights);
  if (gradients.output.bias) gradients.output.bias = outputGradient.colwise().sum();
  std::vector<KeyValueHeadTrace> keyValue;
  for (const KeyValueHeadTrace& head : trace.keyValueHeads)
    keyValue.push_back(
        {Matrix::Zero(head.keys.rows(), head.keys.cols()), Matrix::Zero(head.values.rows(), head.values.cols())});

  for (Index j = 0; j < dimensions.headCount; ++j) {
    const auto at = static_cast<std::size_t>(j), g = static_cast<std::size_t>(dimensions.keyValueHeadOf(j));
    const HeadTrace& head = trace.heads[at];
    const AdditiveScore* additive = additiveOf(weights, options, at);

    // output = Σ_j O_j W_j^o + b^o, head by head as in `backward`
    gradients.output.weight.middleRows(j * valueSize, valueSize).noalias() = head.output.transpose() * outputGradient;
    const Matrix headGradient = outputGradient * weights.output.weight.middleRows(j * valueSize, valueSize).transpose();

    Matrix queries(head.queries.rows(), head.queries.cols());
    KeyValueHeadTrace byUse = keyValue[g];
    for (Index sequence = 0; sequence < sequenceCount; ++sequence)
      poolBackward({.queries = rowsOf(head.queries, sequence, sequenceCount),
                    .keys = rowsOf(trace.keyValueHeads[g].keys, sequence, sequenceCount),
                    .values = rowsOf(trace.keyValueHeads[g].values, sequence, sequenceCount),
                    .attentionWeights = rowsOf(head.attentionWeights, sequence, sequenceCount),
                    .additive = additive,
                    .scaleFactor = trace.scaleFactor},
                   rowsOf(headGradient, sequence, sequenceCount), rowsOf(queries, sequence, sequenceCount),
                   rowsOf(byUse.keys, sequence, sequenceCount), rowsOf(byUse.values, sequence, sequenceCount),
                   additive ? &*gradients.heads[at].additive : nullptr);
    keyValue[g].keys += byUse.keys;
    keyValue[g].values += byUse.values;
    byProjection(inputs.query, queries, gradients.heads[at].query);
  }
  for (std::size_t g = 0; g < keyValue.size(); ++g) {
    byProjection(inputs.key, keyValue[g].keys, gradients.keyValueHeads[g].key);
    byProjection(inputs.value, keyValue[g].values, gradients.keyValueHeads[g].value);
  }
  return gradients;
}

Scalar batchLoss(const Weights& weights, const Options& options, const Batch& batch) {
  checkWeights(weights, options.pooling);
  checkBatch(batch, weights.dimensions);
  Scalar squares = 0;
  forEachPart(batch, [&](const Batch& part) {
    squares += (attendBatch(part.inputs, weights, options, part.sequenceCount).output - part.target).squaredNorm();
  });
  if (!std::isfinite(squares))
    throw Error(ErrorCode::notFinite, "The loss overflowed: the layer's output is too far from the target.");
  return squares / static_cast<Scalar>(batch.target.size());
}

}  // namespace headwise
