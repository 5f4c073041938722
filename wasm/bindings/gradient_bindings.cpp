// Gradients, and what sharing of matrices does to a layer.
#include "headwise/gradients.h"

#include "headwise/pooling.h"
#include "headwise/rank.h"
#include "headwise/sharing.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

#include <algorithm>
#include <string>

namespace headwise::bindings {

namespace {

// { sharing, groupSize } for a layer of that many heads
SharingPlan planFrom(const val& request, Index headCount) {
  return sharingPlan(namedIn(kSharings, request["sharing"]), headCount, integerFrom(request["groupSize"]));
}

val inputGradients(const Inputs& inputs, bool isSelf) {
  val result = val::object();
  if (isSelf) {
    result.set("X", toJs(Matrix(inputs.query + inputs.key + inputs.value)));
    return result;
  }
  return toJs(inputs);
}

// { layer, outputGradient, isSelf, sharing, groupSize } → { weights, inputs }, or { additive, inputs } without projections
val backward(const val& request) {
  const Layer layer = layerFrom(request["layer"]);
  const Matrix outputGradient = matrixFrom(request["outputGradient"]);
  const bool isSelf = request["isSelf"].isTrue();
  const ForwardTrace trace = traceOf(layer);
  val result = val::object();
  if (!layer.projected) {
    const auto& additive = layer.weights.heads[0].additive;
    const UnprojectedGradients gradients =
        backwardUnprojected(layer.inputs, layer.options, trace, outputGradient, additive ? &*additive : nullptr);
    result.set("additive", gradients.additive ? toJs(*gradients.additive) : val::null());
    result.set("inputs", inputGradients(gradients.inputs, isSelf));
    return result;
  }
  const Gradients gradients = headwise::backward(layer.inputs, layer.weights, layer.options, trace, outputGradient);
  const bool isShared = namedIn(kSharings, request["sharing"]) != Sharing::none;
  result.set("weights",
             toJs(isShared ? sumOverUsers(gradients.weights, planFrom(request, layer.weights.dimensions.headCount))
                           : gradients.weights));
  result.set("inputs", inputGradients(gradients.inputs, isSelf));
  return result;
}

// { layer, sharing, groupSize } → weights
val shareWeights(const val& request) {
  const Weights weights = layerFrom(request["layer"]).weights;
  return toJs(headwise::shareWeights(weights, planFrom(request, weights.dimensions.headCount)));
}

val equivalentSingleHead(const val& request) {
  const Layer layer = layerFrom(request);
  return toJs(headwise::equivalentSingleHead(layer.weights, layer.options));
}

// { dimensions, sharing, groupSize, biases, queryCount, keyCount }
val sharingCost(const val& request) {
  const Dimensions dimensions = dimensionsFrom(request["dimensions"]);
  checkWeightsSize(dimensions);  // before the plan, which has an entry for each head
  const SharingCost cost =
      headwise::sharingCost(dimensions, planFrom(request, dimensions.headCount), request["biases"].isTrue(),
                            integerFrom(request["queryCount"]), integerFrom(request["keyCount"]));
  val result = val::object();
  result.set("parametersUnshared", cost.parametersUnshared);
  result.set("parameters", cost.parameters);
  result.set("parametersThatMatter", cost.parametersThatMatter);
  result.set("multiplyAdds", cost.multiplyAdds);
  result.set("multiplyAddsNeeded", cost.multiplyAddsNeeded);
  return result;
}

val numericalRank(const val& request) {
  const NumericalRank found = headwise::numericalRank(matrixFrom(request));
  val result = val::object();
  result.set("rank", toJs(found.rank));
  result.set("singularValues", toJs(found.singularValues));
  result.set("threshold", found.threshold);
  return result;
}

EMSCRIPTEN_BINDINGS(gradients) {
  using emscripten::function;
  function("backward", &bound<backward>);
  function("shareWeights", &bound<shareWeights>);
  function("equivalentSingleHead", &bound<equivalentSingleHead>);
  function("sharingCost", &bound<sharingCost>);
  function("numericalRank", &bound<numericalRank>);
}

}  // namespace

}  // namespace headwise::bindings
