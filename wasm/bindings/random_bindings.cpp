// Made-up numbers, all from a seed, and the study of scores made of them.
#include "headwise/random.h"

#include "headwise/course/scale_study.h"
#include "headwise/work.h"
#include "outcome.h"
#include "packing.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// Before anything is drawn. In floating point: Index has 32 bits here, and sizes multiply.
void checkMatrixSize(std::string_view name, double cells, double matrices = 1) {
  checkResultSize(name, matrices, cells, "Choose smaller sizes.");
}

double product(Index rows, Index columns) { return static_cast<double>(rows) * static_cast<double>(columns); }

// rows, columns, distribution, seed, stream
val randomMatrix(Request& request) {
  const Index rows = request.integer(), columns = request.integer();
  checkMatrixSize("The matrix", product(rows, columns));
  const Distribution distribution = request.named(kDistributions);
  const std::uint64_t seed = request.seed();
  return toJs(headwise::randomMatrix(rows, columns, distribution, seed, streamOf(request.text())));
}

// tokens, modelSize, seed
val tokenEmbeddings(Request& request) {
  const std::vector<std::string> tokens = request.texts();
  const Index modelSize = request.integer();
  checkMatrixSize("The embedding", product(static_cast<Index>(tokens.size()), modelSize));
  return toJs(headwise::tokenEmbeddings(tokens, modelSize, request.seed()));
}

// sizes, seed, distribution, biases → weights
val randomWeights(Request& request) {
  const Dimensions dimensions = dimensionsFrom(request);
  double cells = 0, matrices = 0;
  for (const Field& field : kFields)
    if (field.part() == Part::weight) {
      const Shape shape = shapeOf(field, dimensions, 1, 1);
      matrices += static_cast<double>(countOf(field, dimensions));
      cells += static_cast<double>(countOf(field, dimensions)) * product(shape.rows, shape.columns);
    }
  checkMatrixSize("All weights together", cells, matrices);
  const std::uint64_t seed = request.seed();
  const Distribution distribution = request.named(kDistributions);
  Weights weights = headwise::randomWeights(dimensions, seed, {.distribution = distribution, .biases = request.flag()});
  return packed(Layer{{}, std::move(weights), {}}, nullptr);
}

// keySize, queryCount, keyCount, seed
val studyScale(Request& request) {
  const Index keySize = request.integer(), queryCount = request.integer(), keyCount = request.integer();
  checkMatrixSize("The scores", product(queryCount, keyCount));
  checkMatrixSize("The queries and keys", product(queryCount, keySize) + product(keyCount, keySize));
  const ScaleStudy study = headwise::studyScale(keySize, queryCount, keyCount, request.seed());
  return object({{"rawScores", toJs(study.rawScores)},
                 {"scaledScores", toJs(study.scaledScores)},
                 {"rawVariance", toJs(study.rawVariance)},
                 {"scaledVariance", toJs(study.scaledVariance)},
                 {"rawEntropy", toJs(study.rawEntropy)},
                 {"scaledEntropy", toJs(study.scaledEntropy)},
                 {"largestEntropy", toJs(study.largestEntropy)},
                 {"rawLargestWeight", toJs(study.rawLargestWeight)},
                 {"scaledLargestWeight", toJs(study.scaledLargestWeight)}});
}

// values, from, to, binCount
val histogram(Request& request) {
  const Matrix values = request.matrix();
  const Scalar from = request.number(), to = request.number();
  return toJs(headwise::histogram(values, from, to, request.integer()));
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
