#include "headwise/trainer.h"

#include <limits>

#include "checks.h"
#include "headwise/course/two_look_ups.h"
#include "samples.h"

namespace headwise::test {

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

TEST_CASE("a nudge changes one number of the output matrix, and reset forgets it") {
  const TwoLookUps task;
  const SharingPlan plan = sharingPlan(Sharing::none, 2);
  Trainer trainer(initialWeights(task.dimensions(2, 6), 3, Initialisation::equalHeadsAndOutput, plan), {}, plan, {},
                  [&](std::uint64_t number) { return task.batch(8, 3, number); });
  const Matrix before = trainer.weights().output.weight;
  trainer.nudgeOutput(0, 11, 1e-6);
  Matrix wanted = before;
  wanted(0, 11) += 1e-6;
  CHECK(same(trainer.weights().output.weight, wanted));
  const auto headsAreEqual = [&trainer] {
    const Weights& weights = trainer.weights();
    return same(weights.heads[1].query.weight, weights.heads[0].query.weight);
  };
  CHECK(headsAreEqual());
  trainer.step(2);
  CHECK_FALSE(headsAreEqual());

  trainer.reset();
  CHECK(same(trainer.weights().output.weight, before));
  trainer.step(2);
  CHECK(headsAreEqual());

  CHECK(refuses([&] { trainer.nudgeOutput(12, 0, 1); }, ErrorCode::invalidOption, {"row", "11", "12"}));
  CHECK(refuses([&] { trainer.nudgeOutput(0, -1, 1); }, ErrorCode::invalidOption, {"column", "-1"}));
  const Scalar largest = std::numeric_limits<Scalar>::max();
  trainer.nudgeOutput(0, 0, largest);
  CHECK(refuses([&] { trainer.nudgeOutput(0, 0, largest); }, ErrorCode::notFinite, {"W_o"}));
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

TEST_CASE("a trainer refuses weights, plans and batches that do not fit, before it changes anything") {
  const Weights weights = randomWeights(Dimensions::selfAttention(6, 2), 1);
  const SharingPlan plan = sharingPlan(Sharing::none, 2);
  Batch batch{Inputs::self(normalMatrix(8, 6, 1)), normalMatrix(8, 6, 2), 2};
  const auto trainerOf = [&](const Weights& initial, const SharingPlan& by) {
    return Trainer(initial, {}, by, {}, [&](std::uint64_t) { return batch; });
  };
  Weights wrong = weights;
  wrong.output.weight = Matrix::Zero(5, 6);
  CHECK(refuses([&] { trainerOf(wrong, plan); }, ErrorCode::shapeMismatch, {"weights.W_o", "6 × 6", "5 × 6"}));
  CHECK(refuses([&] { trainerOf(weights, sharingPlan(Sharing::none, 3)); }, ErrorCode::shapeMismatch,
                {"plan is for 3 heads", "2"}));
  CHECK(refuses([&] { trainerOf(unprojectedWeights(6, 6, 6), sharingPlan(Sharing::none, 1)); },
                ErrorCode::invalidOption, {"projections"}));

  Trainer trainer = trainerOf(weights, plan);
  batch.inputs.value = normalMatrix(8, 5, 3);
  CHECK(refuses([&] { trainer.step(); }, ErrorCode::shapeMismatch, {"batch.inputs.value", "8 × 6", "8 × 5"}));
  batch = {Inputs::self(normalMatrix(9, 6, 1)), normalMatrix(9, 6, 2), 2};
  CHECK(refuses([&] { trainer.step(); }, ErrorCode::shapeMismatch, {"batch.inputs.query", "9 rows", "2 sequences"}));
  CHECK(trainer.stepsDone() == 0);
  CHECK(same(trainer.weights().output.weight, weights.output.weight));
}

}  // namespace headwise::test
