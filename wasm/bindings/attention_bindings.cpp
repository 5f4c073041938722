// One layer: its trace, the arithmetic behind a cell, and the steps that lessons show by themselves.
#include "headwise/attention.h"

#include "headwise/cost.h"
#include "headwise/explanation.h"
#include "headwise/fused.h"
#include "headwise/softmax.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

val attend(const val& layer) { return toJs(traceOf(layerFrom(layer))); }

// { layer, transposeOnSplit, transposeOnMerge }
val attendFused(const val& request) {
  const Layer layer = layerFrom(request["layer"]);
  const ReshapeOptions reshape{.transposeOnSplit = request["transposeOnSplit"].isTrue(),
                               .transposeOnMerge = request["transposeOnMerge"].isTrue()};
  return toJs(headwise::attendFused(layer.inputs, layer.weights, layer.options, reshape));
}

val outputContributions(const val& request) {
  const Layer layer = layerFrom(request);
  return toJs(headwise::outputContributions(traceOf(layer), layer.weights));
}

// { layer, path, row, column }
val explainCell(const val& request) {
  const Layer layer = layerFrom(request["layer"]);
  const auto path = request["path"].as<std::string>();
  if (!layer.projected)
    for (const auto* name : {"heads[0].queries", "keyValueHeads[0].keys", "keyValueHeads[0].values", "output"})
      if (path == name)
        throw Error(ErrorCode::invalidOption, path + " is not computed in a layer without projections.");
  const Explanation explanation =
      headwise::explainCell(layer.inputs, layer.weights, layer.options, traceOf(layer), path,
                            integerFrom(request["row"]), integerFrom(request["column"]));
  const auto vector = [](const std::vector<Scalar>& numbers) {
    return toJs(RowVector(RowVector::Map(numbers.data(), static_cast<Index>(numbers.size()))));
  };
  val result = val::object();
  result.set("operation", toJs(nameOf(explanation.operation)));
  result.set("leftName", toJs(explanation.leftName));
  result.set("rightName", toJs(explanation.rightName));
  result.set("left", vector(explanation.left));
  result.set("right", vector(explanation.right));
  result.set("terms", vector(explanation.terms));
  result.set("addend", explanation.addend);
  result.set("result", explanation.result);
  result.set("hidden", explanation.hidden);
  return result;
}

// { mask, queryCount, keyCount }
val mayAttend(const val& request) {
  return toJs(headwise::mayAttend(maskFrom(request["mask"]), integerFrom(request["queryCount"]),
                                  integerFrom(request["keyCount"])));
}

// { scores, mayAttend, value }
val fillHidden(const val& request) {
  return toJs(headwise::fillHidden(matrixFrom(request["scores"]), boolMatrixFrom(request["mayAttend"]),
                                   request["value"].as<double>()));
}

val softmaxRows(const val& scores) { return toJs(headwise::softmaxRows(matrixFrom(scores))); }
val entropyOfRows(const val& weights) { return toJs(headwise::entropyOfRows(matrixFrom(weights))); }

// { dimensions, pooling, queryCount, keyCount }
val poolingCost(const val& request) {
  const Dimensions dimensions = dimensionsFrom(request["dimensions"]);
  const Pooling pooling = namedIn(kPoolings, request["pooling"]);
  checkDimensions(dimensions, pooling);
  const PoolingCost cost =
      headwise::poolingCost(dimensions, pooling, integerFrom(request["queryCount"]), integerFrom(request["keyCount"]));
  val result = val::object();
  result.set("multiplyAdds", cost.multiplyAdds);
  result.set("tanhTerms", cost.tanhTerms);
  result.set("softmaxTerms", cost.softmaxTerms);
  result.set("parameters", cost.parameters);
  return result;
}

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::function;
  function("attend", &bound<attend>);
  function("attendFused", &bound<attendFused>);
  function("outputContributions", &bound<outputContributions>);
  function("explainCell", &bound<explainCell>);
  function("mayAttend", &bound<mayAttend>);
  function("fillHidden", &bound<fillHidden>);
  function("softmaxRows", &bound<softmaxRows>);
  function("entropyOfRows", &bound<entropyOfRows>);
  function("poolingCost", &bound<poolingCost>);
}

}  // namespace

}  // namespace headwise::bindings
