// Gradients, and what sharing of matrices does to a layer.
#include "headwise/gradients.h"

#include "headwise/rank.h"
#include "headwise/sharing.h"
#include "outcome.h"
#include "packing.h"
#include "residents.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// sharing, groupSize for a layer of that many heads
SharingPlan planFrom(Request& request, Index headCount) {
  const Sharing sharing = request.named(kSharings);
  return sharingPlan(sharing, headCount, request.integer());
}

// layer, outputGradient, whether it has one input in all three places, whether matrices are shared, sharing, groupSize → gradients, packed
// like the layer; of one input, in the place of the query's
val backward(Request& request) {
  LayerArgument layer(request);
  const Matrix outputGradient = request.matrix();
  const bool isSelf = request.flag(), isShared = request.flag();
  Gradients gradients = headwise::backward(*layer, layer.trace(), outputGradient);
  if (isShared) gradients.weights = sumOverUsers(gradients.weights, planFrom(request, layer->dimensions().headCount));
  if (isSelf) gradients.inputs = Inputs::self(gradientByOneInput(gradients.inputs));
  return packed(Layer{std::move(gradients.inputs), std::move(gradients.weights), {}}, nullptr);
}

// layer, sharing, groupSize → weights
val shareWeights(Request& request) {
  const LayerArgument layer(request);
  const SharingPlan plan = planFrom(request, layer->dimensions().headCount);
  return packed(headwise::shareWeights(layer->weights, plan), *layer);
}

// layer → weights
val equivalentSingleHead(Request& request) {
  const LayerArgument layer(request);
  return packed(headwise::equivalentSingleHead(layer->weights, layer->options), *layer);
}

// layer → weights
val withEqualOutputBlocks(Request& request) {
  const LayerArgument layer(request);
  return packed(headwise::withEqualOutputBlocks(layer->weights), *layer);
}

// matrix
val numericalRank(Request& request) {
  const NumericalRank found = headwise::numericalRank(request.matrix());
  return object({{"rank", toJs(found.rank)},
                 {"singularValues", toJs(found.singularValues)},
                 {"threshold", toJs(found.threshold)}});
}

EMSCRIPTEN_BINDINGS(gradients) {
  using emscripten::function;
  function("backward", &bound<backward>);
  function("shareWeights", &bound<shareWeights>);
  function("equivalentSingleHead", &bound<equivalentSingleHead>);
  function("withEqualOutputBlocks", &bound<withEqualOutputBlocks>);
  function("numericalRank", &bound<numericalRank>);
}

}  // namespace

}  // namespace headwise::bindings
