// Two layers side by side: lesson 4.
#include "headwise/comparison.h"

#include "headwise/equality.h"
#include "headwise/split.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// { a, b }
val compareMatrices(const val& request) {
  return toJs(headwise::compareMatrices(matrixFrom(request["a"]), matrixFrom(request["b"])));
}

val cosineSimilarity(const val& matrices) { return toJs(headwise::cosineSimilarity(matricesFrom(matrices))); }

// { layer, headCount } → weights
val splitSingleHead(const val& request) {
  return toJs(headwise::splitSingleHead(layerFrom(request["layer"]).weights, integerFrom(request["headCount"])));
}

// { single, multi }
val decomposeScores(const val& request) {
  const ScoreDecomposition decomposition =
      headwise::decomposeScores(traceOf(layerFrom(request["single"])), traceOf(layerFrom(request["multi"])));
  val result = val::object();
  result.set("terms", toJs(decomposition.terms));
  result.set("sum", toJs(decomposition.sum));
  result.set("largestDifference", decomposition.largestDifference);
  return result;
}

// { construction, layer, headCount } → { inputs, single, multi, scale, mask }
val constructEqualPair(const val& request) {
  const Layer layer = layerFrom(request["layer"]);
  const LayerPair pair = headwise::constructEqualPair(namedIn(kConstructions, request["construction"]), layer.inputs,
                                                      layer.weights, layer.options, integerFrom(request["headCount"]));
  val result = val::object();
  result.set("inputs", toJs(pair.inputs));
  result.set("single", toJs(pair.single));
  result.set("multi", toJs(pair.multi));
  result.set("scale", toJs(nameIn(kScales, pair.options.scale)));
  result.set("mask", toJs(pair.options.mask));
  return result;
}

// { construction, single, multi }
val distanceFrom(const val& request) {
  return toJs(headwise::distanceFrom(namedIn(kConstructions, request["construction"]), layerPairFrom(request)));
}

// { single, multi }
val judgeOwnConstruction(const val& request) {
  const OwnConstruction judgement = headwise::judgeOwnConstruction(layerPairFrom(request));
  val result = val::object();
  result.set("largestDifference", judgement.largestDifference);
  result.set("equal", judgement.equal);
  result.set("used", judgement.used ? toJs(nameIn(kConstructions, *judgement.used)) : val::null());
  result.set("outputIsZero", judgement.outputIsZero);
  result.set("outputSameForAllTokens", judgement.outputSameForAllTokens);
  result.set("accepted", judgement.accepted);
  return result;
}

EMSCRIPTEN_BINDINGS(comparison) {
  using emscripten::function;
  function("compareMatrices", &bound<compareMatrices>);
  function("cosineSimilarity", &bound<cosineSimilarity>);
  function("splitSingleHead", &bound<splitSingleHead>);
  function("decomposeScores", &bound<decomposeScores>);
  function("constructEqualPair", &bound<constructEqualPair>);
  function("distanceFrom", &bound<distanceFrom>);
  function("judgeOwnConstruction", &bound<judgeOwnConstruction>);
}

}  // namespace

}  // namespace headwise::bindings
