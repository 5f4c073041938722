// Which matrices a layer must have, by the table in computation.h, and made-up ones.
#include "headwise/weights.h"

#include <cmath>
#include <string>
#include <utility>

#include "headwise/computation.h"
#include "headwise/error.h"

namespace headwise {

namespace {

void checkCount(const char* name, std::size_t actual, Index wanted, const char* meaning) {
  if (static_cast<Index>(actual) == wanted) return;
  throw Error(ErrorCode::shapeMismatch,
              std::string(name) + " must have " + std::to_string(wanted) + " entries (" + meaning + "), but has " +
                  std::to_string(actual) + ".",
              name);
}

void checkUnprojected(const Weights& weights) {
  const Dimensions& dimensions = weights.dimensions;
  const bool isWide =
      dimensions.headCount == 1 && dimensions.keyValueHeadCount == 1 &&
      dimensions.querySize == dimensions.queryInputSize && dimensions.keySize == dimensions.keyInputSize &&
      dimensions.valueSize == dimensions.valueInputSize && dimensions.outputSize == dimensions.valueSize;
  if (!isWide)
    throw Error(ErrorCode::invalidDimension,
                "A layer without projections has one head that is as wide as its inputs; use unprojectedWeights.");
}

// Calls visit(field, index, matrix) for every matrix that a layer of these weights reads, once its shape is right.
template <class Visitor>
void forEachRead(const Weights& weights, Pooling pooling, Visitor&& visit) {
  const Dimensions& dimensions = weights.dimensions;
  checkDimensions(dimensions, pooling);
  checkCount("weights.heads", weights.heads.size(), dimensions.headCount, "headCount");
  checkCount("weights.keyValueHeads", weights.keyValueHeads.size(), dimensions.keyValueHeadCount, "keyValueHeadCount");
  if (!weights.isProjected) checkUnprojected(weights);
  for (const Field& field : kFields) {
    if (field.part() != Part::weight) continue;
    const bool isScore = field.rows == Axis::a || field.columns == Axis::a;
    if (isScore && pooling != Pooling::additive) continue;
    const bool isNeeded = isScore || (weights.isProjected && field.rows != Axis::one);
    const Shape wanted = weights.isProjected || isScore ? shapeOf(field, dimensions, 0, 0) : Shape{};
    for (Index index = 0; index < countOf(field, dimensions); ++index) {
      const MatrixView matrix = field.inWeights(weights, index);
      const bool isAbsent = shapeOf(matrix) == Shape{};  // and not a bias that is there, but empty
      if (isAbsent && !isNeeded) continue;
      if (isAbsent && isScore)
        throw Error(ErrorCode::shapeMismatch,
                    pathOf(field, index) +
                        " is missing; additive pooling needs scoreQuery, scoreKey and scoreVector for every head.",
                    pathOf(field, index));
      if (shapeOf(matrix) != wanted)
        checkShape(pathOf(field, index), shapeOf(matrix), wanted,
                   std::string(sizeNameOf(field.rows)) + " × " + std::string(sizeNameOf(field.columns)));
      visit(field, index, matrix);
    }
  }
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
  forEachRead(weights, pooling, [](const Field& field, Index index, const MatrixView& matrix) {
    if (!matrix.allFinite()) checkFinite(pathOf(field, index), matrix);
  });
}

void checkWeightShapes(const Weights& weights, Pooling pooling) {
  forEachRead(weights, pooling, [](const Field&, Index, const MatrixView&) {});
}

void checkWeights(const Weights& weights) {
  const bool isAdditive = !weights.heads.empty() && weights.heads[0].additive;
  checkWeights(weights, isAdditive ? Pooling::additive : Pooling::scaledDotProduct);
}

void checkProjected(const Weights& weights, std::string_view purpose) {
  if (!weights.isProjected)
    throw Error(ErrorCode::invalidOption,
                std::string(purpose) + " needs a layer with projections; this one takes its inputs as they are.");
}

Weights unprojectedWeights(Index querySize, Index keySize, Index valueSize, std::optional<AdditiveScore> additive) {
  Weights weights;
  weights.isProjected = false;
  weights.dimensions = {.queryInputSize = querySize,
                        .keyInputSize = keySize,
                        .valueInputSize = valueSize,
                        .headCount = 1,
                        .keyValueHeadCount = 1,
                        .querySize = querySize,
                        .keySize = keySize,
                        .valueSize = valueSize,
                        .outputSize = valueSize,
                        .scoreHiddenSize = additive ? additive->scoreVector.size() : 0};
  weights.heads.push_back({{}, std::move(additive)});
  weights.keyValueHeads.resize(1);
  return weights;
}

Weights zerosLike(const Weights& weights) {
  Weights zeros = weights;
  forEachParameter([](auto& parameter) { parameter.setZero(); }, zeros);
  return zeros;
}

void checkOverflow(std::string_view name, const Weights& weights) {
  forEachParameter([name](const auto& parameter) { checkOverflow(name, parameter); }, weights);
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

  Weights weights{.dimensions = dimensions, .isProjected = true, .heads = {}, .keyValueHeads = {}, .output = {}};
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
