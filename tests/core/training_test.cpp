// Losses, optimisers, sharing, rank, and the trainer on lesson 6's task.
#include "headwise/loss.h"
#include "headwise/rank.h"
#include "headwise/trainer.h"

#include "checks.h"
#include "samples.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headwise::test {

TEST_CASE("mean squared error and its gradient, worked by hand") {
  // ((1 − 0)² + (2 − 4)²) / 2 = 2.5; 2/2 · (1, −2)
  const Loss loss = meanSquaredError(matrixOf({{1, 2}}), matrixOf({{0, 4}}));
  CHECK(near(loss.value, 2.5));
  CHECK(near(loss.gradient, matrixOf({{1, -2}})));
  CHECK(refuses([] { meanSquaredError(Matrix::Ones(2, 2), Matrix::Ones(2, 3)); }, ErrorCode::shapeMismatch,
                {"target", "2 × 3"}));
}

TEST_CASE("softmax cross-entropy and its gradient, worked by hand, and far beyond where exp overflows") {
  // Scores ln 1, ln 3: shares 1/4 and 3/4. Target 1: −ln(3/4), gradient (1/4, 3/4 − 1).
  const Loss loss = softmaxCrossEntropy(matrixOf({{0, std::log(3.0)}}), {1});
  CHECK(near(loss.value, -std::log(0.75)));
  CHECK(near(loss.gradient, matrixOf({{0.25, -0.25}})));
  const Loss far = softmaxCrossEntropy(matrixOf({{2000, 0}}), {1});
  CHECK(near(far.value, 2000));
  CHECK(near(far.gradient, matrixOf({{1, -1}})));
  CHECK(refuses([] { softmaxCrossEntropy(Matrix::Ones(2, 2), {0}); }, ErrorCode::shapeMismatch, {"targets", "1", "2"}));
  CHECK(refuses([] { softmaxCrossEntropy(Matrix::Ones(1, 2), {2}); }, ErrorCode::invalidOption, {"targets[0]", "2"}));
}

TEST_CASE("Adam's first steps go by the learning rate, whatever the size of the gradient, and then by its formula") {
  const Dimensions dimensions = Dimensions::selfAttention(1, 1);
  Weights weights = randomWeights(dimensions, 1, {Distribution::zeros, false});
  Weights gradients = weights;
  Optimizer optimizer({.learningRate = 0.1});
  // g = 4, then 2: m = 0.4, v = 0.016 → step 0.1·(0.4/0.1)/(√(0.016/0.001) + ε) = 0.1
  gradients.output.weight(0, 0) = 4;
  optimizer.step(weights, gradients);
  CHECK(near(weights.output.weight(0, 0), -0.1, 1e-8));
  // m = 0.9·0.4 + 0.1·2 = 0.56, v = 0.999·0.016 + 0.001·4 = 0.019984
  gradients.output.weight(0, 0) = 2;
  optimizer.step(weights, gradients);
  const Scalar mean = 0.56 / (1 - 0.81), square = 0.019984 / (1 - 0.999 * 0.999);
  CHECK(near(weights.output.weight(0, 0), -0.1 - 0.1 * mean / (std::sqrt(square) + 1e-8), 1e-8));
  CHECK(weights.heads[0].query.weight(0, 0) == 0);
}

TEST_CASE("SGD goes down the gradient by the rate; a rate that is not positive is refused") {
  Weights weights = randomWeights(Dimensions::selfAttention(2, 1), 1, {Distribution::zeros, true});
  Weights gradients = weights;
  forEachParameter([](auto& gradient) { gradient.setConstant(3); }, gradients);
  Optimizer({.kind = OptimizerOptions::Kind::sgd, .learningRate = 0.5}).step(weights, gradients);
  forEachParameter([](auto& weight) { CHECK((weight.array() == -1.5).all()); }, weights);
  // W_q, W_k, W_v and W_o are 2 × 2, each with a bias of 2.
  CHECK(near(gradientNorm(gradients), std::sqrt(9.0 * 24)));
  CHECK(refuses([] { Optimizer({.learningRate = 0}); }, ErrorCode::invalidOption, {"learningRate"}));
  CHECK(refuses([] { Optimizer({.learningRate = NAN}); }, ErrorCode::invalidOption, {"learningRate"}));
  CHECK(refuses([] { Optimizer({.beta1 = 1}); }, ErrorCode::invalidOption, {"beta1"}));
  CHECK(refuses([] { Optimizer({.epsilon = 0}); }, ErrorCode::invalidOption, {"epsilon"}));
}

TEST_CASE("heads that share everything are one head with the summed output blocks, and concat has its rank") {
  const Inputs inputs = Inputs::self(normalMatrix(8, 12, 3));
  const Weights own = randomWeights(Dimensions::selfAttention(12, 3), 4);
  const auto shared = [&](Sharing sharing) { return shareWeights(own, sharingPlan(sharing, 3, 3)); };
  const auto rankOf = [&](Sharing sharing) { return numericalRank(attend(inputs, shared(sharing)).concatenated).rank; };
  CHECK(rankOf(Sharing::none) == 8);
  CHECK(rankOf(Sharing::keysAndValues) == 8);
  CHECK(rankOf(Sharing::all) == 4);
  const Weights tied = shared(Sharing::all);
  CHECK(near(attend(inputs, equivalentSingleHead(tied)).output, attend(inputs, tied).output));
  const Options total{.scale = Scale::totalWidth};
  CHECK(near(attend(inputs, equivalentSingleHead(tied, total), total).output, attend(inputs, tied, total).output));
  CHECK(apart(attend(inputs, equivalentSingleHead(own)).output, attend(inputs, own).output, 0.1));
}

TEST_CASE("sharing keys and values by a plan is grouped-query attention with fewer key/value heads") {
  Dimensions grouped = Dimensions::selfAttention(12, 6, 2);
  const Weights weights = randomWeights(grouped, 9);
  Weights spread = weights;
  spread.dimensions.keyValueHeadCount = 6;
  spread.keyValueHeads.clear();
  for (Index head = 0; head < 6; ++head)
    spread.keyValueHeads.push_back(weights.keyValueHeads[static_cast<std::size_t>(head / 3)]);
  const Inputs inputs = Inputs::self(normalMatrix(5, 12, 2));
  CHECK(near(attend(inputs, shareWeights(spread, sharingPlan(Sharing::keysAndValuesPerGroup, 6, 3))).output,
             attend(inputs, weights).output));
}

TEST_CASE("parameters of each sharing plan, counted by hand for d 12 and 3 heads") {
  const Dimensions dimensions = Dimensions::selfAttention(12, 3);
  const auto costOf = [&](Sharing sharing) { return sharingCost(dimensions, sharingPlan(sharing, 3, 3), false, 8, 8); };
  // W_q, W_k and W_v of a head are 12·4 = 48 each, W_o is 144: 9·48 + 144.
  CHECK(costOf(Sharing::none).parameters == 576);
  CHECK(costOf(Sharing::keysAndValues).parameters == 3 * 48 + 2 * 48 + 144);
  CHECK(costOf(Sharing::all).parameters == 3 * 48 + 144);
  CHECK(costOf(Sharing::all).parametersThatMatter == 3 * 48 + 48);
  // Two pairs of equal heads are two heads: 2·3·(16·4), and two blocks of 4 × 16.
  const SharingPlan pairs{{0, 0, 2, 2}, {0, 0, 2, 2}};
  CHECK(sharingCost(Dimensions::selfAttention(16, 4), pairs, false, 8, 8).parametersThatMatter == 2 * 3 * 64 + 2 * 64);
  CHECK(refuses(
      [&] {
        sharingCost(dimensions, {{0, 1, 3}, {0, 1, 2}}, false, 8, 8);
      },
      ErrorCode::invalidOption, {"head 3", "0 to 2"}));
  CHECK(costOf(Sharing::all).multiplyAdds == 3 * costOf(Sharing::all).multiplyAddsNeeded);
  CHECK(refuses([] { sharingPlan(Sharing::keysAndValuesPerGroup, 3, 2); }, ErrorCode::invalidDimension,
                {"groupSize 2", "3"}));
  CHECK(refuses([] { sharingCost(Dimensions::selfAttention(12, 6, 2), sharingPlan(Sharing::none, 6), false, 8, 8); },
                ErrorCode::invalidDimension, {"keyValueHeadCount is 2", "6"}));
  const Weights grouped = randomWeights(Dimensions::selfAttention(12, 6, 2), 1);
  CHECK(refuses([&] { shareWeights(grouped, sharingPlan(Sharing::all, 6)); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount is 2", "6"}));
}

TEST_CASE("numerical rank counts directions, not rows") {
  CHECK(numericalRank(matrixOf({{1, 2}, {2, 4}, {3, 6}})).rank == 1);
  CHECK(numericalRank(Matrix::Identity(4, 4)).rank == 4);
  CHECK(numericalRank(Matrix::Zero(3, 2)).rank == 0);
  CHECK(refuses([] { numericalRank(Matrix::Zero(1, 513)); }, ErrorCode::tooLarge, {"512", "1 × 513"}));
}

TEST_CASE("the two look-ups: targets are the previous and the first content, values read no positions") {
  const TwoLookUps task;
  const Batch batch = task.batch(3, 5, 7);
  for (Index sequence = 0; sequence < 3; ++sequence)
    for (Index token = 0; token < 6; ++token) {
      const Index row = sequence * 6 + token, before = sequence * 6 + (token + 5) % 6;
      CHECK(same(batch.target.row(row).leftCols(6), batch.inputs.value.row(before)));
      CHECK(same(batch.target.row(row).rightCols(6), batch.inputs.value.row(sequence * 6)));
      CHECK(same(batch.inputs.query.row(row).leftCols(6), batch.inputs.value.row(row)));
      for (Index place = 0; place < 6; ++place)
        CHECK(batch.inputs.query(row, 6 + place) == (place == token ? 1 : 0));
    }
  CHECK(same(task.batch(3, 5, 7).target, batch.target));
  CHECK(apart(task.batch(3, 5, 8).target, batch.target, 0.5));
  CHECK(apart(task.batch(3, 6, 7).target, batch.target, 0.5));
  // An expectation of 5/12; the spread of 4,096 sequences is about 0.002.
  CHECK(near(task.oneHeadBound(task.batch(4096, 1, 0)), 5.0 / 12, 0.01));
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
  CHECK(
      near(batchLoss(weights, {}, first), meanSquaredError(attend(first.inputs, weights).output, first.target).value));
}

TEST_CASE(
    "two heads learn both look-ups; one head, shared heads and heads with equal output blocks stay at the bound") {
  const TwoLookUps task;
  const Batch heldOut = task.batch(512, 99, 0);
  const Scalar bound = task.oneHeadBound(heldOut);
  struct Run {
    const char* name;
    Index heads, size;
    Sharing sharing;
    Initialisation initialisation;
    bool learns;
  };
  for (const Run& run : {Run{"one head", 1, 12, Sharing::none, Initialisation::independent, false},
                         Run{"two heads", 2, 6, Sharing::none, Initialisation::independent, true},
                         Run{"shared", 2, 6, Sharing::all, Initialisation::independent, false},
                         Run{"equal start", 2, 6, Sharing::none, Initialisation::equalHeads, true},
                         Run{"equal for ever", 2, 6, Sharing::none, Initialisation::equalHeadsAndOutput, false}}) {
    CAPTURE(run.name);
    const SharingPlan plan = sharingPlan(run.sharing, run.heads);
    Trainer trainer(initialWeights(task.dimensions(run.heads, run.size), 1, run.initialisation, plan), {}, plan, {},
                    [&](std::uint64_t number) { return task.batch(64, 1, number); });
    const StepReport report = trainer.step(300);
    CHECK(report.step == 300);
    const Scalar loss = batchLoss(trainer.weights(), {}, heldOut);
    if (run.learns) {
      CHECK(loss < 0.01);
      continue;
    }
    CHECK(loss > bound - 0.005);
    CHECK(loss < bound + 0.01);
    if (run.heads == 1) continue;
    // To the last bit, after 300 steps.
    const Weights& weights = trainer.weights();
    CHECK(same(weights.heads[1].query.weight, weights.heads[0].query.weight));
    CHECK(same(weights.keyValueHeads[1].key.weight, weights.keyValueHeads[0].key.weight));
    CHECK(same(weights.keyValueHeads[1].value.weight, weights.keyValueHeads[0].value.weight));
  }
}

// A run of lesson 6 after its 300 steps.
Trainer trainedRun(Index heads, Index size, std::uint64_t seed) {
  const TwoLookUps task;
  const SharingPlan plan = sharingPlan(Sharing::none, heads);
  Trainer trainer(initialWeights(task.dimensions(heads, size), seed, Initialisation::independent, plan), {}, plan, {},
                  [=](std::uint64_t number) { return task.batch(64, seed, number); });
  trainer.step(300);
  return trainer;
}

TEST_CASE("lesson 6: with seed 1 each head carries one look-up, with seed 7 one of them takes part in both") {
  const TwoLookUps task;
  const Batch heldOut = task.batch(512, 99, 0);
  const auto lossesWithoutEach = [&](std::uint64_t seed) {
    const Trainer trainer = trainedRun(2, 6, seed);
    return std::vector<TwoLookUps::Losses>{task.losses(withoutHead(trainer.weights(), 0), {}, heldOut),
                                           task.losses(withoutHead(trainer.weights(), 1), {}, heldOut)};
  };
  const auto losesBoth = [](const TwoLookUps::Losses& losses) { return losses.previous > 0.3 && losses.first > 0.3; };
  const auto losesOne = [](const TwoLookUps::Losses& losses) {
    return std::max(losses.previous, losses.first) > 0.5 && std::min(losses.previous, losses.first) < 0.01;
  };
  for (const TwoLookUps::Losses& losses : lossesWithoutEach(1))
    CHECK(losesOne(losses));
  const auto seven = lossesWithoutEach(7);
  CHECK(losesOne(seven[0]));
  CHECK(losesBoth(seven[1]));
}

TEST_CASE("lesson 6: twelve heads of width 1 end below one head of width 12, and far above two of width 6") {
  const TwoLookUps task;
  const Batch heldOut = task.batch(512, 99, 0);
  const auto lossOf = [&](Index heads, Index size) {
    return batchLoss(trainedRun(heads, size, 1).weights(), {}, heldOut);
  };
  CHECK(lossOf(12, 1) < lossOf(1, 12) - 0.1);
  CHECK(lossOf(12, 1) > lossOf(2, 6) + 0.1);
}

TEST_CASE("a trainer is deterministic, and reset goes back to its first weights") {
  const TwoLookUps task;
  const auto trainerOf = [&] {
    const SharingPlan plan = sharingPlan(Sharing::none, 2);
    return Trainer(initialWeights(task.dimensions(2, 6), 3, Initialisation::independent, plan), {}, plan, {},
                   [&](std::uint64_t number) { return task.batch(8, 3, number); });
  };
  Trainer trainer = trainerOf(), other = trainerOf();
  const Matrix before = trainer.weights().output.weight;
  const Scalar loss = trainer.step(5).loss;
  for (int i = 0; i < 4; ++i)
    other.step();
  CHECK(other.step().loss == loss);
  CHECK(same(other.weights().output.weight, trainer.weights().output.weight));
  trainer.reset();
  CHECK(same(trainer.weights().output.weight, before));
  CHECK(trainer.step(5).loss == loss);
  CHECK(refuses([&] { trainer.step(0); }, ErrorCode::invalidOption, {"count", "0"}));
}

TEST_CASE("training that diverges stops with a sentence, keeps the weights before the failed step, and can be reset") {
  const TwoLookUps task;
  const SharingPlan plan = sharingPlan(Sharing::none, 2);
  for (const OptimizerOptions& optimizer :
       {OptimizerOptions{.kind = OptimizerOptions::Kind::sgd, .learningRate = 1e6},
        OptimizerOptions{.kind = OptimizerOptions::Kind::sgd, .learningRate = 1e100},
        OptimizerOptions{.learningRate = 1e100}}) {
    Trainer trainer(initialWeights(task.dimensions(2, 6), 3, Initialisation::independent, plan), {}, plan, optimizer,
                    [&](std::uint64_t number) { return task.batch(8, 3, number); });
    const Matrix first = trainer.weights().output.weight;
    CHECK(refuses([&] { trainer.step(50); }, ErrorCode::notFinite, {"diverged after step"}));
    const Index stepsDone = trainer.stepsDone();
    CHECK(stepsDone < 50);
    CHECK(refuses([&] { trainer.step(); }, ErrorCode::notFinite, {"diverged after step " + std::to_string(stepsDone)}));
    CHECK(trainer.weights().output.weight.allFinite());
    trainer.reset();
    CHECK(same(trainer.weights().output.weight, first));
  }
}

TEST_CASE("each look-up has its own loss, and a head switched off takes its share away") {
  const TwoLookUps task;
  const Batch batch = task.batch(16, 2, 0);
  const Weights weights = randomWeights(task.dimensions(2, 6), 5);
  const TwoLookUps::Losses losses = task.losses(weights, {}, batch);
  CHECK(near((losses.previous + losses.first) / 2, batchLoss(weights, {}, batch)));
  const Weights none = withoutHead(withoutHead(weights, 0), 1);
  CHECK(near(batchLoss(none, {}, batch), batch.target.squaredNorm() / static_cast<Scalar>(batch.target.size())));
  CHECK(refuses([&] { withoutHead(weights, 2); }, ErrorCode::invalidOption, {"head", "2", "1"}));
}

}  // namespace headwise::test
