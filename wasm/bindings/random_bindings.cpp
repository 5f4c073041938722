// Made-up numbers, all from a seed, and the study of scores made of them.
#include "headwise/random.h"

#include "headwise/scale_study.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// { rows, columns, distribution, seed, stream }
val randomMatrix(const val& request) {
  const Index rows = integerFrom(request["rows"]);
  const Index columns = integerFrom(request["columns"]);
  checkMatrixSize("The matrix", static_cast<double>(rows) * static_cast<double>(columns));
  return toJs(headwise::randomMatrix(rows, columns, namedIn(kDistributions, request["distribution"]),
                                     seedFrom(request["seed"]), streamOf(request["stream"].as<std::string>())));
}

// { tokens, modelSize, seed }
val tokenEmbeddings(const val& request) {
  const std::vector<std::string> tokens = stringsFrom(request["tokens"]);
  const Index modelSize = integerFrom(request["modelSize"]);
  checkMatrixSize("The embedding", static_cast<double>(tokens.size()) * static_cast<double>(modelSize));
  return toJs(headwise::tokenEmbeddings(tokens, modelSize, seedFrom(request["seed"])));
}

// { dimensions, seed, distribution, biases } → weights
val randomWeights(const val& request) {
  const Dimensions dimensions = dimensionsFrom(request["dimensions"]);
  checkWeightsSize(dimensions);
  return toJs(headwise::randomWeights(
      dimensions, seedFrom(request["seed"]),
      {.distribution = namedIn(kDistributions, request["distribution"]), .biases = request["biases"].isTrue()}));
}

// { keySize, queryCount, keyCount, seed }
val studyScale(const val& request) {
  const Index keySize = integerFrom(request["keySize"]);
  const Index queryCount = integerFrom(request["queryCount"]);
  const Index keyCount = integerFrom(request["keyCount"]);
  checkMatrixSize("The scores", static_cast<double>(queryCount) * keyCount);
  checkMatrixSize("The queries and keys", (static_cast<double>(queryCount) + keyCount) * keySize);
  const ScaleStudy study = headwise::studyScale(keySize, queryCount, keyCount, seedFrom(request["seed"]));
  val result = val::object();
  result.set("rawScores", toJs(study.rawScores));
  result.set("scaledScores", toJs(study.scaledScores));
  result.set("rawVariance", study.rawVariance);
  result.set("scaledVariance", study.scaledVariance);
  result.set("rawEntropy", study.rawEntropy);
  result.set("scaledEntropy", study.scaledEntropy);
  result.set("largestEntropy", study.largestEntropy);
  result.set("rawLargestWeight", study.rawLargestWeight);
  result.set("scaledLargestWeight", study.scaledLargestWeight);
  return result;
}

// { values, from, to, binCount }
val histogram(const val& request) {
  return toJs(headwise::histogram(matrixFrom(request["values"]), request["from"].as<double>(),
                                  request["to"].as<double>(), integerFrom(request["binCount"])));
}

EMSCRIPTEN_BINDINGS(random) {
  using emscripten::function;
  function("randomMatrix", &bound<randomMatrix>);
  function("tokenEmbeddings", &bound<tokenEmbeddings>);
  function("randomWeights", &bound<randomWeights>);
  function("studyScale", &bound<studyScale>);
  function("histogram", &bound<histogram>);
}

}  // namespace

}  // namespace headwise::bindings
