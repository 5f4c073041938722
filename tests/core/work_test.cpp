#include "headwise/work.h"

#include "checks.h"
#include "samples.h"

#include "headwise/batched_attention.h"
#include "headwise/comparison.h"
#include "headwise/computation.h"
#include "headwise/course/equality.h"
#include "headwise/course/look_up_training.h"
#include "headwise/course/scale_study.h"
#include "headwise/gradients.h"
#include "headwise/loss.h"
#include "headwise/mask.h"
#include "headwise/pooling.h"
#include "headwise/reshape.h"

namespace headwise::test {

TEST_CASE("work: a layer by hand") {
  // 2 queries, 3 keys, d = 4, 2 heads of width 2. Projections: Q 2·(2·4·2) = 32, K and V each 2·(3·4·2) = 48, output 2·4·4 = 32. Each head:
  // scores 2·3·2 = 12, weighted sum 12, 6 exponentials.
  CHECK(attendWork(Dimensions::selfAttention(4, 2), Pooling::scaledDotProduct, 2, 3) ==
        32 + 2 * 48 + 32 + 2 * (12 + 12 + 6 * kTranscendentalWork));
  CHECK(backwardWork(Dimensions::selfAttention(4, 2), Pooling::scaledDotProduct, 2, 3) ==
        3 * attendWork(Dimensions::selfAttention(4, 2), Pooling::scaledDotProduct, 2, 3));
}

TEST_CASE("work: what would take too long is refused with what was asked, the estimate, the limit and a way out") {
  CHECK(refuses([] { checkWork("Counting sand", 20.5e9, "Count less."); }, ErrorCode::tooLarge,
                {"Counting sand would take about 21 billion multiply-adds; the limit is 20 billion. Count less."}));
  checkWork("Counting sand", kMostWork, "Count less.");
}

TEST_CASE("work: additive pooling fits into memory long before it fits into a minute") {
  Dimensions dimensions = unprojectedWeights(8, 8, 8).dimensions;
  dimensions.scoreHiddenSize = 2000;
  checkTraceSize(dimensions, 400, 500);
  CHECK(refuses([&] { checkAttendWork(dimensions, Pooling::additive, 400, 500); }, ErrorCode::tooLarge,
                {"400 queries, 500 keys and 1 head ", "limit is 20 billion", "scoreHiddenSize"}));
  const Matrix input = Matrix::Zero(450, 1);
  const AdditiveScore score{Matrix::Zero(1, 2000), Matrix::Zero(1, 2000), RowVector::Zero(2000)};
  const Layer layer = unprojectedLayer(Inputs::self(input), {.pooling = Pooling::additive}, score);
  CHECK(refuses([&] { attend(layer); }, ErrorCode::tooLarge, {"multiply-adds"}));
}

TEST_CASE("work: gradients take three times the forward pass") {
  // 300² tanhs of 2000 hidden units: 10.8 billion forward, 32.4 with the gradients.
  const Matrix input = Matrix::Zero(300, 1);
  const AdditiveScore score{Matrix::Zero(1, 2000), Matrix::Zero(1, 2000), RowVector::Zero(2000)};
  const Layer layer = unprojectedLayer(Inputs::self(input), {.pooling = Pooling::additive}, score);
  checkLayer(layer);
  ForwardTrace trace;
  trace.keyValueHeads.push_back({input, input});
  const Matrix scores = Matrix::Zero(300, 300);
  trace.heads.push_back({input, scores, scores, scores, scores, input});
  trace.concatenated = trace.output = input;
  CHECK(refuses([&] { backward(layer, trace, input); }, ErrorCode::tooLarge, {"The gradients", "33 billion"}));
}

TEST_CASE("work: the study of scores, similarities and training are bounded too") {
  CHECK(refuses([] { studyScale(4096, 4000, 4000, 1); }, ErrorCode::tooLarge,
                {"4000 queries and 4000 keys of width 4096", "billion multiply-adds", "keySize"}));
  const std::vector<Matrix> matrices(1000, Matrix::Zero(1, 30000));
  CHECK(refuses([&] { cosineSimilarity(matrices); }, ErrorCode::tooLarge, {"1000 matrices", "30 billion"}));
  LookUpData data;
  CHECK(refuses([&] { LookUpTraining(data, {.headCount = 64, .headSize = 64, .batchSize = 1, .heldOutSize = 100000}); },
                ErrorCode::tooLarge, {"Evaluating", "heldOutSize"}));
  LookUpTraining training(data, {.headCount = 8, .headSize = 16, .batchSize = 2000, .heldOutSize = 8});
  CHECK(refuses([&] { training.step(1000); }, ErrorCode::tooLarge, {"1000 steps", "fewer steps"}));
  CHECK(training.step(1).step == 1);
}

TEST_CASE("results: neither more cells nor more matrices than a page can hold") {
  CHECK(refuses([] { checkResultSize("The heads", 1, 3.4e7, "Fewer."); }, ErrorCode::tooLarge,
                {"The heads would be more than 33554432 entries (256 MiB). Fewer."}));
  CHECK(refuses([] { splitHeads(Matrix::Zero(1, 1 << 21), 1 << 21); }, ErrorCode::tooLarge, {"1048576 matrices"}));
  CHECK(refuses([] { histogram(Matrix::Zero(1, 1), 0, 1, 1 << 26); }, ErrorCode::tooLarge, {"The histogram"}));
  CHECK(refuses(
      [] {
        const Layer single = selfAttentionLayer(1, 600, 1, 1);
        constructEqualPair(Construction::fullScores, single, 600);
      },
      ErrorCode::tooLarge, {"W_q and W_k"}));
  // One token of width 1 through two million heads fits as numbers.
  const Dimensions many{1, 1, 1, 2'000'000, 2'000'000, 1, 1, 1, 1};
  CHECK(traceBytes(many, 1, 1) <= kMaxTraceBytes);
  CHECK(refuses([&] { checkTraceSize(many, 1, 1); }, ErrorCode::tooLarge, {"2000000 heads", "matrices"}));
}

TEST_CASE("overflow: what is no finite number is not lost on the way") {
  // Towards −∞: taken for a hidden cell, whose weight would be 0.
  const Matrix low = matrixOf({{-1.7e308}}), high = -low, one = matrixOf({{1}});
  CHECK(refuses([&] { maskScores(low, &low, BoolMatrix::Constant(1, 1, true)); }, ErrorCode::notFinite,
                {"mask.bias", "overflowed"}));
  CHECK(refuses([&] { maskScores(high, &high, BoolMatrix::Constant(1, 1, true)); }, ErrorCode::notFinite,
                {"overflowed"}));
  // 1e308 + 1e308 − 2e308 is 0 and its tanh 0; by way of ∞ it would be 1.
  const AdditiveScore score{matrixOf({{1}, {1}, {-1.7e308 / 1e308}}), Matrix::Zero(1, 1), rowOf({1})};
  CHECK(refuses(
      [&] {
        additiveScores(matrixOf({{1e308, 1e308, 1e308}}), one, score);
      },
      ErrorCode::notFinite, {"queries · scoreQuery", "overflowed"}));
  const Layer additive =
      unprojectedLayer(Inputs::self(one), {.pooling = Pooling::additive}, AdditiveScore{one, one, rowOf({1})});
  CHECK(attendBatch(additive.inputs, additive.weights, additive.options, 1).output(0, 0) == 1);
}

TEST_CASE("overflow: similarities of the largest and the smallest numbers there are") {
  for (const Scalar size : {1.7e308, 1.0, 5e-324}) {
    const Matrix similarity = cosineSimilarity({Matrix::Constant(2, 8, size), Matrix::Constant(2, 8, -size)});
    CHECK(near(similarity, matrixOf({{1, -1}, {-1, 1}})));
  }
}

TEST_CASE("overflow: losses, norms and contributions") {
  CHECK(refuses([] { meanSquaredError(matrixOf({{1e200}}), matrixOf({{-1e200}})); }, ErrorCode::notFinite, {"loss"}));
  Layer layer = selfAttentionLayer(1, 2, 2, 1, false);
  layer.inputs = Inputs::self(matrixOf({{1, 1}}));
  for (KeyValueHeadWeights& head : layer.weights.keyValueHeads)
    head.value.weight = matrixOf({{1}, {0}});
  // 1e308 and −1e308 of each head: their sum is 0, of either alone nothing overflows.
  layer.weights.output.weight = matrixOf({{1e308, 0}, {-1e308, 0}});
  CHECK(near(attend(layer).output, matrixOf({{0, 0}})));
  CHECK(outputContributions(layer, attend(layer))[0](0, 0) == 1e308);
}

}  // namespace headwise::test
