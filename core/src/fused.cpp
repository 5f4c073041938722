// Wide products first, heads as views of them.
#include "headwise/fused.h"

#include <string>

#include "headwise/error.h"
#include "headwise/layout.h"
#include "headwise/reshape.h"
#include "pooled_head.h"

namespace headwise {

namespace {

// One role's projection of all heads as one product, cut into heads again.
std::vector<Matrix> projectWide(const Matrix& input, const Weights& weights, Role role, bool transpose) {
  Matrix wide = project(input, wideProjection(weights, role));
  return transpose ? splitHeads(wide, weights.dimensions.headCount)
                   : splitHeadsWithoutTranspose(wide, weights.dimensions.headCount);
}

}  // namespace

ForwardTrace attendFused(const Inputs& inputs,
                         const Weights& weights,
                         const Options& options,
                         const ReshapeOptions& reshape) {
  checkArguments(inputs, weights, options);
  const Dimensions& dimensions = weights.dimensions;
  if (dimensions.keyValueHeadCount != dimensions.headCount)
    throw Error(ErrorCode::invalidDimension,
                "The fused form needs as many key/value heads as query heads, but keyValueHeadCount is " +
                    std::to_string(dimensions.keyValueHeadCount) + " and headCount is " +
                    std::to_string(dimensions.headCount) + ".");
  const StackedMask mask = stackMask(options.mask, inputs.query.rows(), inputs.key.rows(), 1);

  ForwardTrace trace;
  trace.scaleFactor = scaleFactor(dimensions, options.pooling, options.scale);
  trace.emptyRows = emptyRows(mask.visible);
  std::vector<Matrix> queries = projectWide(inputs.query, weights, Role::query, reshape.transposeOnSplit);
  std::vector<Matrix> keys = projectWide(inputs.key, weights, Role::key, reshape.transposeOnSplit);
  std::vector<Matrix> values = projectWide(inputs.value, weights, Role::value, reshape.transposeOnSplit);
  std::vector<Matrix> outputs;
  for (std::size_t j = 0; j < queries.size(); ++j) {
    trace.keyValueHeads.push_back({std::move(keys[j]), std::move(values[j])});
    const AdditiveScore* additive = options.pooling == Pooling::additive ? &*weights.heads[j].additive : nullptr;
    trace.heads.push_back(poolHead("heads[" + std::to_string(j) + "]", std::move(queries[j]), trace.keyValueHeads[j],
                                   additive, trace.scaleFactor, mask));
    outputs.push_back(trace.heads[j].output);
  }
  trace.concatenated = reshape.transposeOnMerge ? mergeHeads(outputs) : mergeHeadsWithoutTranspose(outputs);
  trace.output = project(trace.concatenated, weights.output);
  checkOverflow("output", trace.output);
  return trace;
}

std::vector<Matrix> outputContributions(const ForwardTrace& trace, const Weights& weights) {
  const Index valueSize = weights.dimensions.valueSize;
  std::vector<Matrix> contributions;
  for (std::size_t j = 0; j < trace.heads.size(); ++j)
    contributions.push_back(trace.heads[j].output *
                            weights.output.weight.middleRows(static_cast<Index>(j) * valueSize, valueSize));
  return contributions;
}

}  // namespace headwise
