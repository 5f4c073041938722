#include "headwise/weights.h"

#include <cmath>
#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

void checkProjection(const std::string& name, const Projection& projection, const Shape& wanted, const char* meaning) {
  checkShape(name + ".weight", shapeOf(projection.weight), wanted, meaning);
  checkFinite(name + ".weight", projection.weight);
  if (!projection.bias) return;
  checkShape(name + ".bias", shapeOf(*projection.bias), {1, wanted.columns}, "1 × the weight's columns");
  checkFinite(name + ".bias", Matrix(*projection.bias));
}

void checkCount(const char* name, std::size_t actual, Index wanted, const char* meaning) {
  if (static_cast<Index>(actual) == wanted) return;
  throw Error(ErrorCode::shapeMismatch, std::string(name) + " must have " + std::to_string(wanted) + " entries (" +
                                            meaning + "), but has " + std::to_string(actual) + ".");
}

void checkAdditive(const std::string& name, const HeadWeights& head, const Dimensions& dimensions) {
  if (!head.additive)
    throw Error(
        ErrorCode::shapeMismatch,
        name + ".additive is missing; additive pooling needs scoreQuery, scoreKey and scoreVector for every head.");
  const Index hiddenSize = dimensions.scoreHiddenSize;
  checkShape(name + ".additive.scoreQuery", shapeOf(head.additive->scoreQuery), {dimensions.querySize, hiddenSize},
             "querySize × scoreHiddenSize");
  checkShape(name + ".additive.scoreKey", shapeOf(head.additive->scoreKey), {dimensions.keySize, hiddenSize},
             "keySize × scoreHiddenSize");
  checkShape(name + ".additive.scoreVector", shapeOf(head.additive->scoreVector), {1, hiddenSize},
             "1 × scoreHiddenSize");
  checkFinite(name + ".additive.scoreQuery", head.additive->scoreQuery);
  checkFinite(name + ".additive.scoreKey", head.additive->scoreKey);
  checkFinite(name + ".additive.scoreVector", Matrix(head.additive->scoreVector));
}

// Draws whole roles: [width in × all heads' columns], and a bias if asked for.
class WeightSource {
 public:
  WeightSource(std::uint64_t seed, const RandomWeightOptions& options) : seed_(seed), options_(options) {}

  Matrix matrix(const std::string& role, Index rows, Index columns) const {
    return randomMatrix(rows, columns, options_.distribution, seed_, streamOf(role));
  }

  Projection projection(const std::string& role, Index rows, Index columns) const {
    Projection result{matrix(role, rows, columns), {}};
    if (!options_.biases) return result;
    const bool scaled = options_.distribution == Distribution::scaledNormal;
    result.bias = randomMatrix(1, columns, options_.distribution, seed_, streamOf(role + " bias"));
    if (scaled) *result.bias /= std::sqrt(static_cast<Scalar>(rows));
    return result;
  }

 private:
  std::uint64_t seed_;
  RandomWeightOptions options_;
};

}  // namespace

void checkWeights(const Weights& weights, Pooling pooling) {
  const Dimensions& dimensions = weights.dimensions;
  checkDimensions(dimensions, pooling);
  checkCount("weights.heads", weights.heads.size(), dimensions.headCount, "headCount");
  checkCount("weights.keyValueHeads", weights.keyValueHeads.size(), dimensions.keyValueHeadCount, "keyValueHeadCount");
  for (std::size_t j = 0; j < weights.heads.size(); ++j) {
    const std::string name = "weights.heads[" + std::to_string(j) + "]";
    checkProjection(name + ".query", weights.heads[j].query, {dimensions.queryInputSize, dimensions.querySize},
                    "queryInputSize × querySize");
    if (pooling == Pooling::additive) checkAdditive(name, weights.heads[j], dimensions);
  }
  for (std::size_t g = 0; g < weights.keyValueHeads.size(); ++g) {
    const std::string name = "weights.keyValueHeads[" + std::to_string(g) + "]";
    checkProjection(name + ".key", weights.keyValueHeads[g].key, {dimensions.keyInputSize, dimensions.keySize},
                    "keyInputSize × keySize");
    checkProjection(name + ".value", weights.keyValueHeads[g].value, {dimensions.valueInputSize, dimensions.valueSize},
                    "valueInputSize × valueSize");
  }
  checkProjection("weights.output", weights.output, {dimensions.concatenatedSize(), dimensions.outputSize},
                  "headCount·valueSize × outputSize");
}

Weights randomWeights(const Dimensions& dimensions, std::uint64_t seed, const RandomWeightOptions& options) {
  const Pooling pooling = dimensions.scoreHiddenSize > 0 ? Pooling::additive : Pooling::scaledDotProduct;
  checkDimensions(dimensions, pooling);
  const WeightSource source(seed, options);
  const Index headCount = dimensions.headCount, keyValueHeadCount = dimensions.keyValueHeadCount,
              hiddenSize = dimensions.scoreHiddenSize;
  const Projection query = source.projection("query", dimensions.queryInputSize, headCount * dimensions.querySize);
  const Projection key = source.projection("key", dimensions.keyInputSize, keyValueHeadCount * dimensions.keySize);
  const Projection value =
      source.projection("value", dimensions.valueInputSize, keyValueHeadCount * dimensions.valueSize);

  Weights weights{.dimensions = dimensions, .heads = {}, .keyValueHeads = {}, .output = {}};
  for (Index j = 0; j < headCount; ++j)
    weights.heads.push_back({columnsOf(query, j * dimensions.querySize, dimensions.querySize), {}});
  for (Index g = 0; g < keyValueHeadCount; ++g)
    weights.keyValueHeads.push_back({columnsOf(key, g * dimensions.keySize, dimensions.keySize),
                                     columnsOf(value, g * dimensions.valueSize, dimensions.valueSize)});
  weights.output = source.projection("output", dimensions.concatenatedSize(), dimensions.outputSize);
  if (pooling == Pooling::scaledDotProduct) return weights;

  const Matrix scoreQuery = source.matrix("scoreQuery", dimensions.querySize, headCount * hiddenSize);
  const Matrix scoreKey = source.matrix("scoreKey", dimensions.keySize, headCount * hiddenSize);
  const Matrix scoreVector =
      source.matrix("scoreVector", hiddenSize, headCount);  // a column a head: scaledNormal has variance 1/a
  for (Index j = 0; j < headCount; ++j)
    weights.heads[static_cast<std::size_t>(j)].additive =
        AdditiveScore{scoreQuery.middleCols(j * hiddenSize, hiddenSize),
                      scoreKey.middleCols(j * hiddenSize, hiddenSize), scoreVector.col(j).transpose()};
  return weights;
}

}  // namespace headwise
