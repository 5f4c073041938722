// Made-up numbers, all from a seed, and the study of scores made of them.
#include "headwise/random.h"

#include "headwise/scale_study.h"
#include "headwise/trace.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// A seed is a whole number up to 2^53: what JavaScript's numbers hold exactly.
std::uint64_t seedFrom(const val& seed) { return static_cast<std::uint64_t>(seed.as<double>()); }

void checkMatrixSize(double cells, const char* name) {
  if (cells * sizeof(Scalar) > kMaxTraceBytes)
    throw Error(ErrorCode::tooLarge, std::string(name) + " would have more than " +
                                         std::to_string(static_cast<long>(kMaxTraceBytes / sizeof(Scalar))) +
                                         " entries (256 MiB); choose smaller sizes.");
}

// { rows, columns, distribution, seed, stream }
val randomMatrix(const val& request) {
  const Index rows = integerFrom(request["rows"]);
  const Index columns = integerFrom(request["columns"]);
  checkMatrixSize(static_cast<double>(rows) * static_cast<double>(columns), "The matrix");
  return toJs(headwise::randomMatrix(rows, columns, namedIn(kDistributions, request["distribution"]),
                                     seedFrom(request["seed"]), streamOf(request["stream"].as<std::string>())));
}

// { tokens, modelSize, seed }
val tokenEmbeddings(const val& request) {
  const std::vector<std::string> tokens = stringsFrom(request["tokens"]);
  const Index modelSize = integerFrom(request["modelSize"]);
  checkMatrixSize(static_cast<double>(tokens.size()) * static_cast<double>(modelSize), "The embedding");
  return toJs(headwise::tokenEmbeddings(tokens, modelSize, seedFrom(request["seed"])));
}

// { dimensions, seed, distribution, biases } → weights
val randomWeights(const val& request) {
  const Dimensions d = dimensionsFrom(request["dimensions"]);
  const double heads = static_cast<double>(d.headCount);
  checkMatrixSize(
      heads * (static_cast<double>(d.queryInputSize) * d.querySize + static_cast<double>(d.keyInputSize) * d.keySize +
               static_cast<double>(d.valueInputSize) * d.valueSize + static_cast<double>(d.valueSize) * d.outputSize),
      "The weights");
  return toJs(headwise::randomWeights(
      d, seedFrom(request["seed"]),
      {.distribution = namedIn(kDistributions, request["distribution"]), .biases = request["biases"].isTrue()}));
}

// { keySize, queryCount, keyCount, seed }
val studyScale(const val& request) {
  const Index keySize = integerFrom(request["keySize"]);
  const Index queryCount = integerFrom(request["queryCount"]);
  const Index keyCount = integerFrom(request["keyCount"]);
  checkMatrixSize(static_cast<double>(queryCount) * keyCount, "The scores");
  checkMatrixSize((static_cast<double>(queryCount) + keyCount) * keySize, "The queries and keys");
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
