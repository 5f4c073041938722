#include "headwise/course/two_look_ups.h"

#include "../checks.h"
#include "headwise/trainer.h"

#include <algorithm>
#include <vector>

namespace headwise::test {

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

namespace {

// A run of lesson 6 after its 300 steps.
Trainer trainedRun(Index heads, Index size, std::uint64_t seed) {
  const TwoLookUps task;
  const SharingPlan plan = sharingPlan(Sharing::none, heads);
  Trainer trainer(initialWeights(task.dimensions(heads, size), seed, Initialisation::independent, plan), {}, plan, {},
                  [=](std::uint64_t number) { return task.batch(64, seed, number); });
  trainer.step(300);
  return trainer;
}

}  // namespace

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

TEST_CASE("the two look-ups refuse no sequences, too many, and batches of another task") {
  const TwoLookUps task;
  CHECK(refuses([&] { task.batch(0, 1, 0); }, ErrorCode::invalidDimension, {"sequenceCount", "at least 1", "0"}));
  CHECK(refuses([&] { task.batch(kLargestSize, 1, 0); }, ErrorCode::tooLarge,
                {"sequenceCount", std::to_string(kLargestSize / 6)}));
  const Batch batch = task.batch(4, 1, 0);
  const Weights weights = randomWeights(task.dimensions(2, 6), 5);
  Batch wrong = batch;
  wrong.target = batch.target.leftCols(5);
  CHECK(refuses([&] { task.losses(weights, {}, wrong); }, ErrorCode::shapeMismatch,
                {"batch.target", "24 × 12", "24 × 5"}));
  CHECK(refuses([&] { task.oneHeadBound(wrong); }, ErrorCode::shapeMismatch, {"batch.target", "24 × 12", "24 × 5"}));
  wrong = batch;
  wrong.inputs.key = batch.inputs.key.topRows(12);
  CHECK(refuses([&] { task.losses(weights, {}, wrong); }, ErrorCode::shapeMismatch, {"12 keys", "24 values"}));
  wrong = batch;
  wrong.sequenceCount = 5;
  CHECK(refuses([&] { task.losses(weights, {}, wrong); }, ErrorCode::shapeMismatch, {"24 rows", "5 sequences"}));
  const Weights other = randomWeights(Dimensions::selfAttention(12, 2), 5);
  CHECK(refuses([&] { task.losses(other, {}, batch); }, ErrorCode::shapeMismatch,
                {"batch.inputs.value", "24 × 12", "24 × 6"}));
}

TEST_CASE("a loss that overflows is refused") {
  const TwoLookUps task;
  Batch batch = task.batch(2, 1, 0);
  batch.target.setConstant(1e200);
  CHECK(refuses([&] { task.losses(randomWeights(task.dimensions(2, 6), 5), {}, batch); }, ErrorCode::notFinite,
                {"loss overflowed"}));
}

}  // namespace headwise::test
