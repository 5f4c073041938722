// Stacked sequences against `attend` and `backward` on each.
#include "headwise/batched_attention.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/computation.h"
#include "headwise/course/two_look_ups.h"
#include "headwise/gradients.h"
#include "headwise/loss.h"
#include "samples.h"

namespace headwise::test {

namespace {

// Projections are one product for all sequences here, and Eigen adds up blocks whose size depends on the matrices' sizes: as far apart as
// rounding, which sums of a few numbers of size 1 to 10 take to 1e-13.
constexpr Scalar kOtherOrder = 1e-12;

constexpr Index kCount = 3;

// The layer on sequences of its own, each of the sizes of its inputs.
std::vector<Layer> sequencesOf(const Sample& layer, std::uint64_t seed) {
  std::vector<Layer> sequences;
  for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(kCount); ++number) {
    const auto drawn = [&](const Matrix& like, std::uint64_t which) {
      return normalMatrix(like.rows(), like.cols(), 100 * seed + 10 * number + which);
    };
    sequences.push_back({{drawn(layer.inputs.query, 1), drawn(layer.inputs.key, 2), drawn(layer.inputs.value, 3)},
                         layer.weights,
                         layer.options});
  }
  return sequences;
}

Matrix stacked(const std::vector<Matrix>& matrices) {
  Matrix stack(static_cast<Index>(matrices.size()) * matrices[0].rows(), matrices[0].cols());
  for (std::size_t i = 0; i < matrices.size(); ++i)
    stack.middleRows(static_cast<Index>(i) * matrices[0].rows(), matrices[0].rows()) = matrices[i];
  return stack;
}

Inputs stackedInputs(const std::vector<Layer>& sequences) {
  std::vector<Matrix> queries, keys, values;
  for (const Layer& sequence : sequences) {
    queries.push_back(sequence.inputs.query);
    keys.push_back(sequence.inputs.key);
    values.push_back(sequence.inputs.value);
  }
  return {stacked(queries), stacked(keys), stacked(values)};
}

void checkSameAsEach(const ForwardTrace& batch, const std::vector<Layer>& sequences) {
  std::vector<ForwardTrace> traces;
  std::vector<Index> empty;
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    traces.push_back(attend(sequences[s]));
    for (const Index row : traces[s].emptyRows)
      empty.push_back(static_cast<Index>(s) * sequences[s].queryCount() + row);
  }
  forEachMatrix(batch, [&](const Field& field, Index index, const MatrixView& matrix) {
    if (matrix.size() == 0) return;  // what neither its output nor its gradients need, it may leave out
    INFO(pathOf(field, index));
    std::vector<Matrix> each;
    for (const ForwardTrace& trace : traces)
      each.push_back(field.inTrace(trace, index));
    CHECK(near(matrix, stacked(each), kOtherOrder));
  });
  CHECK(batch.scaleFactor == traces[0].scaleFactor);
  CHECK(batch.emptyRows == empty);
}

void checkGradients(const Layer& layer, const ForwardTrace& batch, const std::vector<Layer>& sequences) {
  std::vector<Matrix> directions;
  Weights sum = zerosLike(layer.weights);
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    directions.push_back(normalMatrix(layer.queryCount(), layer.dimensions().outputSize, s + 7));
    const Weights gradients = backward(sequences[s], attend(sequences[s]), directions[s]).weights;
    forEachParameter([](auto& total, const auto& one) { total += one; }, sum, gradients);
  }
  const Weights found = batchGradients(stackedInputs(sequences), layer.weights, layer.options, batch,
                                       stacked(directions), static_cast<Index>(sequences.size()));
  forEachParameter([](const auto& actual, const auto& expected) { CHECK(near(actual, expected, kOtherOrder)); }, found,
                   sum);
}

Batch goodBatch() { return {Inputs::self(normalMatrix(8, 6, 1)), normalMatrix(8, 6, 2), 2}; }
Weights goodWeights() { return randomWeights(Dimensions::selfAttention(6, 2), 1); }

// Refused by the check itself and by what computes with a batch.
void checkRefused(const Batch& batch, ErrorCode code, std::initializer_list<std::string_view> parts) {
  CHECK(refuses([&] { checkBatch(batch, goodWeights().dimensions); }, code, parts));
  CHECK(refuses([&] { batchLoss(goodWeights(), {}, batch); }, code, parts));
}

}  // namespace

TEST_CASE("batch: stacked sequences have the traces and gradients of each, with any mask, pooling and grouping") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Sample layer = sample(seed, {.pooling = pooling});
      INFO(layer.text);
      const std::vector<Layer> sequences = sequencesOf(layer, seed);
      const ForwardTrace batch = attendBatch(stackedInputs(sequences), layer.weights, layer.options, kCount);
      checkSameAsEach(batch, sequences);
      checkGradients(layer, batch, sequences);
    }
}

TEST_CASE("batch: a stack of one sequence is that sequence, to the bit") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    CHECK(same(attendBatch(layer.inputs, layer.weights, layer.options, 1).output, attend(layer).output));
  }
}

TEST_CASE("batch: a loss is the mean over all sequences, in however many parts it goes through") {
  // 64 sequences go through at once: 130 are three parts, the last a short one.
  const TwoLookUps task;
  const Weights weights = randomWeights(task.dimensions(2, 6), 4);
  const Batch batch = task.batch(130, 3, 0);
  Scalar sum = 0;
  for (Index first = 0; first < batch.target.rows(); first += task.tokenCount) {
    const auto rowsOf = [&](const Matrix& stack) { return middleRows(stack, first, task.tokenCount); };
    const Inputs inputs{rowsOf(batch.inputs.query), rowsOf(batch.inputs.key), rowsOf(batch.inputs.value)};
    sum += meanSquaredError(attend({inputs, weights}).output, rowsOf(batch.target)).value;
  }
  CHECK(near(batchLoss(weights, {}, batch), sum / 130));
}

TEST_CASE("stacked sequences are attended to one by one: no token sees another sequence") {
  const TwoLookUps task;
  const Batch both = task.batch(2, 3, 0);
  const Weights weights = randomWeights(task.dimensions(2, 6), 4);
  Batch second{{both.inputs.query.bottomRows(6), both.inputs.key.bottomRows(6), both.inputs.value.bottomRows(6)},
               both.target.bottomRows(6),
               1};
  Batch first{{both.inputs.query.topRows(6), both.inputs.key.topRows(6), both.inputs.value.topRows(6)},
              both.target.topRows(6),
              1};
  CHECK(near(batchLoss(weights, {}, both), (batchLoss(weights, {}, first) + batchLoss(weights, {}, second)) / 2));
  CHECK(near(batchLoss(weights, {}, first),
             meanSquaredError(attend({first.inputs, weights}).output, first.target).value));
}

TEST_CASE("batch: stacks that do not fit the layer or each other are refused") {
  CHECK_NOTHROW(batchLoss(goodWeights(), {}, goodBatch()));
  Batch batch = goodBatch();
  batch.inputs.query = normalMatrix(8, 5, 1);
  checkRefused(batch, ErrorCode::shapeMismatch, {"batch.inputs.query", "8 × 6", "queryInputSize", "8 × 5"});
  batch = goodBatch();
  batch.inputs.key = normalMatrix(6, 6, 1);
  checkRefused(batch, ErrorCode::shapeMismatch, {"value for each key", "6 keys", "8 values"});
  batch = goodBatch();
  batch.target = normalMatrix(6, 6, 1);
  checkRefused(batch, ErrorCode::shapeMismatch, {"target for each query", "8 queries", "6 targets"});
  batch = goodBatch();
  batch.target = normalMatrix(8, 7, 1);
  checkRefused(batch, ErrorCode::shapeMismatch, {"batch.target", "8 × 6", "outputSize", "8 × 7"});
  batch = goodBatch();
  batch.sequenceCount = 3;
  checkRefused(batch, ErrorCode::shapeMismatch, {"batch.inputs.query", "8 rows", "3 sequences"});
  batch.sequenceCount = 0;
  checkRefused(batch, ErrorCode::invalidDimension, {"sequenceCount", "at least 1", "0"});
  batch = goodBatch();
  batch.inputs.value = Matrix(0, 6);
  checkRefused(batch, ErrorCode::invalidDimension, {"batch.inputs.value is empty"});
  batch = goodBatch();
  batch.target(7, 0) = std::numeric_limits<Scalar>::quiet_NaN();
  checkRefused(batch, ErrorCode::notFinite, {"batch.target", "NaN", "row 7"});
}

TEST_CASE("batch: a mask that is not for one of its sequences is refused") {
  CHECK(refuses([] { batchLoss(goodWeights(), {.mask = Mask::padding({5})}, goodBatch()); }, ErrorCode::invalidOption,
                {"mask.validLengths[0]", "5", "4"}));
  const Mask threeHeads = Mask::additivePerHead(std::vector<Matrix>(3, Matrix::Zero(4, 4)));
  CHECK(refuses([&] { batchLoss(goodWeights(), {.mask = threeHeads}, goodBatch()); }, ErrorCode::shapeMismatch,
                {"3 biases", "2"}));
}

TEST_CASE("batch: outputs and losses that overflow are refused") {
  Batch batch = goodBatch();
  batch.target.setConstant(1e200);
  CHECK(refuses([&] { batchLoss(goodWeights(), {}, batch); }, ErrorCode::notFinite, {"loss overflowed"}));
  batch = goodBatch();
  batch.inputs = Inputs::self(Matrix::Constant(8, 6, 1e10));
  Weights weights = goodWeights();
  weights.output.weight.setConstant(1e308);
  CHECK(refuses([&] { batchLoss(weights, {}, batch); }, ErrorCode::notFinite, {"output overflowed"}));
}

TEST_CASE("batches: a layer without projections has nothing to train") {
  const Layer layer = unprojectedLayer(Inputs::self(matrixOf({{1, 2}, {3, 4}})));
  const ForwardTrace trace = attendBatch(layer.inputs, layer.weights, layer.options, 2);
  CHECK(refuses([&] { batchGradients(layer.inputs, layer.weights, layer.options, trace, trace.output, 2); },
                ErrorCode::invalidOption, {"Training", "projections"}));
}

}  // namespace headwise::test
