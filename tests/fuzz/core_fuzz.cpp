// Any bytes through the core: an Error, or results that are finite and of the right shapes. libFuzzer looks for bytes that break this, or that
// the sanitizers object to.
#include "archive.h"

#include "headwise/batched_attention.h"
#include "headwise/comparison.h"
#include "headwise/cost.h"
#include "headwise/course/equality.h"
#include "headwise/course/look_up_training.h"
#include "headwise/course/scale_study.h"
#include "headwise/error.h"
#include "headwise/explanation.h"
#include "headwise/forward.h"
#include "headwise/gradients.h"
#include "headwise/layout.h"
#include "headwise/loss.h"
#include "headwise/rank.h"
#include "headwise/reshape.h"
#include "headwise/sharing.h"
#include "headwise/softmax.h"
#include "headwise/split.h"
#include "headwise/work.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace headwise;
using namespace headwise::fuzz;

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "core_fuzz: broken: %s\n", what);
  std::abort();
}

void requireFinite(const Matrix& matrix, const Shape& shape, const char* what) {
  require(shapeOf(matrix) == shape, what);
  require(matrix.allFinite(), what);
}

Index sizeFrom(Reader& reader) {
  Index size = 0;
  reader.size(size);
  return size;
}

/// Sizes as they come from outside, the absurd ones included: what 32 bits hold, around which products would wrap.
Index anySize(Reader& reader) {
  constexpr std::array<Index, 12> sizes{
      -1, 0, 46341, 65536, 1 << 20, kLargestSize, kLargestSize + 1, 2147395600, 2147483647, -2147483647, 12, 97};
  const std::uint8_t byte = reader.byte();
  return byte < sizes.size() ? sizes[byte] : byte % 32;
}

Matrix matrixFrom(Reader& reader) {
  Matrix matrix;
  const Index rows = sizeFrom(reader) % 9, columns = sizeFrom(reader) % 9;
  describe(reader, matrix, rows, columns);
  return matrix;
}

std::vector<Matrix> matricesFrom(Reader& reader) {
  std::vector<Matrix> all(static_cast<std::size_t>(sizeFrom(reader) % 5));
  const bool sameShape = reader.byte() % 4 != 0;
  const Index rows = sizeFrom(reader) % 7, columns = sizeFrom(reader) % 7;
  for (Matrix& one : all)
    if (sameShape)
      describe(reader, one, rows, columns);
    else
      one = matrixFrom(reader);
  return all;
}

Layer layerFrom(Reader& reader) {
  Layer layer;
  describe(reader, layer);
  return layer;
}

Decisions decisionsFrom(Reader& reader) {
  Decisions decisions;
  if (reader.byte() % 4 == 0) {
    decisions.scale.emplace();
    reader.named(decisions.scale->rule, kScaleRules);
  }
  for (bool Decisions::*flag :
       {&Decisions::scaleAfterSoftmax, &Decisions::wideProjections, &Decisions::transposeScores,
        &Decisions::shareAttention, &Decisions::transposeWeights, &Decisions::firstBlockOnly, &Decisions::addInput})
    decisions.*flag = reader.byte() % 4 == 0;
  decisions.projectOutput = reader.byte() % 4 != 0;
  reader.named(decisions.split, kHeadOrders);
  reader.named(decisions.merge, kHeadOrders);
  reader.named(decisions.hide, kHide);
  reader.named(decisions.normaliseOver, kNormaliseOver);
  reader.named(decisions.combine, kCombine);
  reader.cell(decisions.fillValue);
  return decisions;
}

// Every matrix finite but hidden scores; with the right decisions the shapes of the table, and weights that sum to 1 or 0.
void checkTraceOf(const Layer& layer, const ForwardTrace& trace, bool isRight) {
  forEachMatrix(trace, [&](const Field& field, Index index, const MatrixView& matrix) {
    if (field.path == "heads[].maskedScores")
      require(!matrix.hasNaN() && (matrix.array() < kInfinity).all(), "masked scores");
    else
      require(matrix.allFinite(), "a trace that is finite");
    if (!isRight) return;
    require(shapeOf(matrix) == shapeOf(field, layer.dimensions(), layer.queryCount(), layer.keyCount()),
            "shapes of the trace");
    if (field.path != "heads[].attentionWeights") return;
    for (Index row = 0; row < matrix.rows(); ++row) {
      const Scalar sum = matrix.row(row).sum();
      require(std::abs(sum - 1) < 1e-9 || sum == 0, "rows of weights sum to 1 or 0");
      require((matrix.row(row).array() >= 0).all(), "weights are not negative");
      const Matrix& masked = trace.heads[static_cast<std::size_t>(index)].maskedScores;
      require(sum != 0 || (masked.row(row).array() == -kInfinity).all(), "a row of zeros sees nothing");
    }
  });
}

void checkWeightsOf(const Weights& weights, const char* what) {
  forEachParameter([what](const auto& parameter) { require(parameter.allFinite(), what); }, weights);
  checkWeights(weights);
}

void explain(Reader& reader, const Layer& layer) {
  const ForwardTrace trace = attend(layer);
  for (int times = 0; times < 8; ++times) {
    const Field& field = kFields[reader.byte() % kFields.size()];
    const Index index = sizeFrom(reader) % 4, row = sizeFrom(reader) - 1, column = sizeFrom(reader) - 1;
    try {
      const Explanation found = explainCell(layer, trace, pathOf(field, index), row, column);
      require(!std::isnan(found.result) && !std::isnan(found.addend), "an explained cell is a number");
      require(found.left.size() == found.right.size() || found.right.empty() || found.left.empty() ||
                  found.right.size() == 1,
              "left and right are parallel");
    } catch (const Error&) {
    }
  }
  explainCell(layer, trace, std::string(reinterpret_cast<const char*>(&layer), 3), 0, 0);
}

void constructions(Reader& reader, Layer single) {
  if (reader.byte() % 4 != 0) single.options.pooling = Pooling::scaledDotProduct;
  Construction construction{};
  reader.named(construction, kConstructions);
  const LayerPair pair = constructEqualPair(construction, single, sizeFrom(reader));
  checkLayer(pair.single);
  checkLayer(pair.multi);
  for (const auto& [other, name] : kConstructions)
    require(distanceFrom(other, pair) >= 0, "a distance is not negative");
  require(distanceFrom(construction, pair) <= 1e-6 * (1 + attend(pair.single).output.cwiseAbs().maxCoeff()) ||
              !std::isfinite(distanceFrom(construction, pair)) || construction != Construction::zeroQuery,
          "a constructed pair meets its condition");
  judgeOwnConstruction(pair);
}

void layouts(Reader& reader, const Layer& layer) {
  checkWeights(layer.weights, layer.options.pooling);
  Layout layout{};
  reader.named(layout, kLayouts);
  const Projection fused = fuse(layer.weights, layout);
  require(fused.weight.allFinite(), "fused weights");
  Projection output = layer.weights.output;
  if (layout != Layout::gpt2) output.weight.transposeInPlace();
  const Weights back = unfuse(fused, output, layer.dimensions(), layout);
  forEachParameter([](const auto& one, const auto& other) { require(one == other, "unfuse undoes fuse"); }, back,
                   layer.weights);
  const CellPosition place{sizeFrom(reader), sizeFrom(reader)};
  require(positionIn(layout, layer.dimensions(), cellAt(layout, layer.dimensions(), place)) == place,
          "positionIn undoes cellAt");
}

void sharing(Reader& reader, const Layer& layer) {
  // What only moves matrices looks at no number.
  checkWeights(layer.weights, layer.options.pooling);
  Sharing kind{};
  reader.named(kind, kSharings);
  const SharingPlan plan = sharingPlan(kind, layer.dimensions().headCount, sizeFrom(reader));
  checkWeightsOf(shareWeights(layer.weights, plan), "shared weights");
  checkWeightsOf(sumOverUsers(layer.weights, plan), "summed gradients");
  checkWeightsOf(withEqualOutputBlocks(layer.weights), "equal blocks");
  checkWeightsOf(equivalentSingleHead(layer.weights, layer.options), "one head");
  checkWeightsOf(withoutHead(layer.weights, sizeFrom(reader)), "a head less");
}

void training(Reader& reader) {
  LookUpData data;
  LookUpTrainingRequest request;
  request.headCount = sizeFrom(reader) % 5;
  request.headSize = sizeFrom(reader) % 9;
  reader.named(request.sharing, kSharings);
  request.groupSize = sizeFrom(reader) % 5;
  reader.named(request.initialisation, kInitialisations);
  request.seed = reader.byte();
  request.batchSize = sizeFrom(reader) % 4;
  request.heldOutSize = sizeFrom(reader) % 4;
  reader.named(request.optimizer.kind, kOptimizers);
  reader.cell(request.optimizer.learningRate);
  LookUpTraining training(data, request);
  for (int times = 0; times < 3; ++times) {
    try {
      const StepReport report = training.step(sizeFrom(reader) % 4);
      require(std::isfinite(report.loss) && std::isfinite(report.gradientNorm), "a step's report");
    } catch (const Error&) {
    }
  }
  checkWeightsOf(training.trainer().weights(), "trained weights");
  require(std::isfinite(training.evaluate({sizeFrom(reader) % 3}).loss), "a loss");
}

void batches(Reader& reader, Layer layer) {
  layer.options.mask = {};
  Batch batch{layer.inputs, attend(layer).output, 1};
  require(batchLoss(layer.weights, layer.options, batch) >= 0, "a loss");
  describe(reader, batch.target, batch.target.rows(), batch.target.cols());
  batch.sequenceCount = sizeFrom(reader) % 3;
  const Scalar loss = batchLoss(layer.weights, layer.options, batch);
  require(std::isfinite(loss), "a loss");
  const ForwardTrace trace = attendBatch(batch.inputs, layer.weights, layer.options, batch.sequenceCount);
  const Loss gradient = meanSquaredError(trace.output, batch.target);
  batchGradients(batch.inputs, layer.weights, layer.options, trace, gradient.gradient, batch.sequenceCount);
}

void sizes(Reader& reader) {
  Dimensions dimensions;
  for (Index Dimensions::*size :
       {&Dimensions::queryInputSize, &Dimensions::keyInputSize, &Dimensions::valueInputSize, &Dimensions::headCount,
        &Dimensions::keyValueHeadCount, &Dimensions::querySize, &Dimensions::keySize, &Dimensions::valueSize,
        &Dimensions::outputSize, &Dimensions::scoreHiddenSize})
    dimensions.*size = anySize(reader);
  Pooling pooling{};
  reader.named(pooling, kPoolings);
  if (reader.byte() % 2 == 0) mend(dimensions, pooling);
  const Index queryCount = anySize(reader), keyCount = anySize(reader);
  if (const Index number = anySize(reader); number > 0) {
    for (const Index divisor : divisorsOf(number))
      require(number % divisor == 0, "a divisor divides");
  }
  checkDimensions(dimensions, pooling);
  require(std::isfinite(traceBytes(dimensions, queryCount, keyCount)), "bytes of a trace");
  require(attendWork(dimensions, pooling, queryCount, keyCount) <=
                  backwardWork(dimensions, pooling, queryCount, keyCount) ||
              queryCount < 0 || keyCount < 0,
          "gradients cost more than a forward pass");
  Layout layout{};
  reader.named(layout, kLayouts);
  const CellPosition place{anySize(reader), anySize(reader)};
  require(positionIn(layout, dimensions, cellAt(layout, dimensions, place)) == place, "positionIn undoes cellAt");
  Sharing kind{};
  reader.named(kind, kSharings);
  const SharingCost cost =
      sharingCost(dimensions, sharingPlan(kind, std::min<Index>(dimensions.headCount, 64), anySize(reader)),
                  reader.byte() % 2 == 0, queryCount, keyCount);
  require(std::isfinite(cost.multiplyAdds) && cost.parametersThatMatter <= cost.parametersUnshared, "a cost");
  const LayerCost counted = layerCost(dimensions, pooling, queryCount, keyCount,
                                      {.sharing = kind,
                                       .groupSize = anySize(reader),
                                       .biases = reader.byte() % 2 == 0,
                                       .isProjected = reader.byte() % 2 == 0,
                                       .bytesPerNumber = reader.byte() % 20});
  double parameters = 0;
  for (const CostTerm& term : counted.terms)
    if (term.count == CostCount::parameters) parameters += term.value;
  require(parameters == counted.parameters && counted.mapBytes >= counted.mapNumbers, "a layer's cost");
}

void numbers(Reader& reader) {
  const Matrix matrix = matrixFrom(reader);
  switch (reader.byte() % 8) {
    case 0: {
      const NumericalRank rank = numericalRank(matrix);
      require(rank.rank <= std::min(matrix.rows(), matrix.cols()) && rank.singularValues.allFinite(), "a rank");
      require(rank.rank > 0 || matrix.isZero(0), "only a matrix of zeros has rank 0");
      break;
    }
    case 1: {
      const Comparison comparison = compareMatrices(matrix, matrixFrom(reader));
      require(std::isfinite(comparison.largestDifference), "a difference");
      require(compareMatrices(matrix, matrix).equal, "a matrix equals itself");
      break;
    }
    case 2: {
      const Matrix weights = softmaxRows(matrix);
      require(weights.allFinite() && (weights.array() >= 0).all(), "softmax");
      break;
    }
    case 3:
      require(entropyOfRows(matrix).allFinite(), "entropy");
      break;
    case 4: {
      Scalar from = 0, to = 1;
      reader.cell(from);
      reader.cell(to);
      require(histogram(matrix, from, to, anySize(reader)).sum() == static_cast<Scalar>(matrix.size()),
              "a histogram counts all");
      break;
    }
    case 5: {
      const Matrix similarity = cosineSimilarity(matricesFrom(reader));
      require(similarity.allFinite() && similarity.cwiseAbs().maxCoeff() <= 1 + 1e-9, "a similarity is from −1 to 1");
      break;
    }
    case 6: {
      const CellPosition place = largestCell(matrix);
      require(std::abs(matrix(place.row, place.column)) == matrix.cwiseAbs().maxCoeff(), "the largest cell");
      break;
    }
    default: {
      const Loss loss = meanSquaredError(matrix, matrixFrom(reader));
      require(std::isfinite(loss.value) && loss.gradient.allFinite(), "a loss");
    }
  }
}

void reshaping(Reader& reader) {
  HeadOrder order{};
  reader.named(order, kHeadOrders);
  const std::vector<Matrix> heads = matricesFrom(reader);
  const Matrix wide = mergeHeads(heads, order);
  const std::vector<Matrix> back = splitHeads(wide, static_cast<Index>(heads.size()), order);
  for (std::size_t j = 0; j < heads.size(); ++j)
    for (Index i = 0; i < heads[j].size(); ++i)
      require(back[j].data()[i] == heads[j].data()[i] || std::isnan(heads[j].data()[i]), "splitting undoes merging");
  splitHeads(wide, anySize(reader), order);
}

void drawing(Reader& reader) {
  Distribution distribution{};
  reader.named(distribution, kDistributions);
  const Index rows = sizeFrom(reader), columns = sizeFrom(reader);
  requireFinite(randomMatrix(rows, columns, distribution, reader.byte(), reader.byte()), {rows, columns},
                "random numbers");
  const ScaleStudy study = studyScale(columns, rows, sizeFrom(reader), reader.byte());
  require(study.rawScores.allFinite() && std::isfinite(study.rawEntropy) && std::isfinite(study.scaledVariance),
          "a study");
  tokenEmbeddings(std::vector<std::string>(static_cast<std::size_t>(rows), "word"), columns, 1);
}

void run(Reader& reader) {
  static_assert(kActions == 16);
  switch (reader.byte() % kActions) {
    case 0: {
      const Layer layer = layerFrom(reader);
      checkTraceOf(layer, attend(layer), true);
      break;
    }
    case 1: {
      const Layer layer = layerFrom(reader);
      checkTraceOf(layer, forward(layer, decisionsFrom(reader)), false);
      break;
    }
    case 2: {
      const Layer layer = layerFrom(reader);
      const ForwardTrace trace = attend(layer);
      Matrix gradient;
      describe(reader, gradient, trace.output.rows(), trace.output.cols());
      const Gradients gradients = backward(layer, trace, gradient);
      checkWeightsOf(gradients.weights, "gradients by the weights");
      requireFinite(gradients.inputs.query, shapeOf(layer.inputs.query), "a gradient by the input");
      requireFinite(gradients.inputs.key, shapeOf(layer.inputs.key), "a gradient by the input");
      requireFinite(gradients.inputs.value, shapeOf(layer.inputs.value), "a gradient by the input");
      gradientByOneInput(gradients.inputs);
      break;
    }
    case 3:
      explain(reader, layerFrom(reader));
      break;
    case 4: {
      const Layer layer = layerFrom(reader);
      for (const Matrix& one : outputContributions(layer, attend(layer)))
        requireFinite(one, {layer.queryCount(), layer.dimensions().outputSize}, "a contribution");
      break;
    }
    case 5: {
      const Layer layer = layerFrom(reader);
      Layer split = layer;
      split.weights = splitSingleHead(layer.weights, sizeFrom(reader));
      require(std::isfinite(decomposeScores(attend(layer), attend(split)).largestDifference), "decomposed scores");
      break;
    }
    case 6:
      constructions(reader, layerFrom(reader));
      break;
    case 7:
      layouts(reader, layerFrom(reader));
      break;
    case 8:
      sharing(reader, layerFrom(reader));
      break;
    case 9:
      batches(reader, layerFrom(reader));
      break;
    case 10: {
      const Layer a = layerFrom(reader);
      Layer b = a;
      b.weights = layerFrom(reader).weights;
      judgeOwnConstruction({a, b});
      break;
    }
    case 11:
      training(reader);
      break;
    case 12:
      sizes(reader);
      break;
    case 13:
      reshaping(reader);
      break;
    case 14:
      drawing(reader);
      break;
    default:
      numbers(reader);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader(data, size);
  try {
    run(reader);
  } catch (const Error& error) {
    require(error.what()[0] != '\0' && std::string(error.what()).size() < 2000, "a sentence of some length");
  }
  return 0;
}
