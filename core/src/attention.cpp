// The forward pass. Each step leaves its result in the trace; the numbers are those of the comment in attention.h.
#include "headwise/attention.h"

#include <string>

#include "headwise/error.h"
#include "pooled_head.h"

namespace headwise {

namespace {

void checkInputs(const Inputs& inputs) {
  checkFinite("inputs.query", inputs.query);
  checkFinite("inputs.key", inputs.key);
  checkFinite("inputs.value", inputs.value);
  if (inputs.key.rows() != inputs.value.rows())
    throw Error(ErrorCode::shapeMismatch, "inputs.key has " + std::to_string(inputs.key.rows()) +
                                              " rows and inputs.value has " + std::to_string(inputs.value.rows()) +
                                              "; each key needs its value.");
}

void checkWidth(const char* name, const Matrix& input, Index wanted, const char* meaning) {
  checkShape(name, shapeOf(input), {input.rows(), wanted}, std::string("tokens × ") + meaning);
}

}  // namespace

void checkArguments(const Inputs& inputs, const Weights& weights, const Options& options) {
  checkWeights(weights, options.pooling);
  checkInputs(inputs);
  const Dimensions& dimensions = weights.dimensions;
  checkWidth("inputs.query", inputs.query, dimensions.queryInputSize, "queryInputSize");
  checkWidth("inputs.key", inputs.key, dimensions.keyInputSize, "keyInputSize");
  checkWidth("inputs.value", inputs.value, dimensions.valueInputSize, "valueInputSize");
  checkTraceSize(dimensions, inputs.query.rows(), inputs.key.rows());
}

ForwardTrace attendStacked(const Inputs& inputs, const Weights& weights, const Options& options, Index sequenceCount) {
  const Dimensions& dimensions = weights.dimensions;
  const StackedMask mask =
      stackMask(options.mask, inputs.query.rows() / sequenceCount, inputs.key.rows() / sequenceCount, sequenceCount);

  ForwardTrace trace;
  trace.scaleFactor = scaleFactor(dimensions, options.pooling, options.scale);
  trace.emptyRows = emptyRows(mask.visible);

  for (const KeyValueHeadWeights& head : weights.keyValueHeads)
    trace.keyValueHeads.push_back({project(inputs.key, head.key), project(inputs.value, head.value)});

  trace.concatenated.resize(inputs.query.rows(), dimensions.concatenatedSize());
  for (Index j = 0; j < dimensions.headCount; ++j) {
    const HeadWeights& head = weights.heads[static_cast<std::size_t>(j)];
    const KeyValueHeadTrace& keyValue = trace.keyValueHeads[static_cast<std::size_t>(dimensions.keyValueHeadOf(j))];
    const AdditiveScore* additive = options.pooling == Pooling::additive ? &*head.additive : nullptr;
    trace.heads.push_back(poolHead("heads[" + std::to_string(j) + "]", project(inputs.query, head.query), keyValue,
                                   additive, trace.scaleFactor, mask));
    trace.concatenated.middleCols(j * dimensions.valueSize, dimensions.valueSize) = trace.heads.back().output;
  }

  trace.output = project(trace.concatenated, weights.output);
  checkOverflow("output", trace.output);
  return trace;
}

ForwardTrace attend(const Inputs& inputs, const Weights& weights, const Options& options) {
  checkArguments(inputs, weights, options);
  return attendStacked(inputs, weights, options, 1);
}

Dimensions checkUnprojected(const Inputs& inputs, const Options& options, const AdditiveScore* additive) {
  checkInputs(inputs);
  const bool isAdditive = options.pooling == Pooling::additive;
  if (isAdditive && !additive)
    throw Error(ErrorCode::shapeMismatch,
                "additive is missing; additive pooling needs scoreQuery, scoreKey and scoreVector.");
  const Dimensions dimensions{.queryInputSize = inputs.query.cols(),
                              .keyInputSize = inputs.key.cols(),
                              .valueInputSize = inputs.value.cols(),
                              .headCount = 1,
                              .keyValueHeadCount = 1,
                              .querySize = inputs.query.cols(),
                              .keySize = inputs.key.cols(),
                              .valueSize = inputs.value.cols(),
                              .outputSize = inputs.value.cols(),
                              .scoreHiddenSize = isAdditive ? additive->scoreVector.size() : 0};
  checkDimensions(dimensions, options.pooling);
  if (isAdditive) {
    checkFinite("additive.scoreQuery", additive->scoreQuery);
    checkFinite("additive.scoreKey", additive->scoreKey);
    checkFinite("additive.scoreVector", Matrix(additive->scoreVector));
  }
  checkTraceSize(dimensions, inputs.query.rows(), inputs.key.rows());
  return dimensions;
}

ForwardTrace attendUnprojected(const Inputs& inputs, const Options& options, const AdditiveScore* additive) {
  const Dimensions dimensions = checkUnprojected(inputs, options, additive);
  const bool isAdditive = options.pooling == Pooling::additive;
  const StackedMask mask = stackMask(options.mask, inputs.query.rows(), inputs.key.rows(), 1);

  ForwardTrace trace;
  trace.scaleFactor = scaleFactor(dimensions, options.pooling, options.scale);
  trace.emptyRows = emptyRows(mask.visible);
  trace.keyValueHeads.push_back({inputs.key, inputs.value});
  trace.heads.push_back(poolHead("heads[0]", inputs.query, trace.keyValueHeads[0], isAdditive ? additive : nullptr,
                                 trace.scaleFactor, mask));
  trace.concatenated = trace.output = trace.heads[0].output;
  checkOverflow("output", trace.output);
  return trace;
}

}  // namespace headwise
