#include "headwise/course/look_up_training.h"

#include "../checks.h"
#include "headwise/attention.h"

namespace headwise::test {

namespace {

LookUpTrainingRequest smallRequest() {
  return {.headCount = 2, .headSize = 6, .seed = 3, .batchSize = 8, .heldOutSize = 32};
}

}  // namespace

TEST_CASE("look-up training: learners side by side see the same batches and are held against the same set") {
  LookUpData data;
  LookUpTrainingRequest narrow = smallRequest();
  narrow.headCount = 1;
  LookUpTraining one(data, narrow), two(data, smallRequest());
  CHECK(data.heldOut(32).get() == data.heldOut(32).get());
  CHECK(one.evaluate({}).oneHeadBound == two.evaluate({}).oneHeadBound);
  // In turns, as on their own: what they share does not mix their runs up.
  LookUpData other;
  LookUpTraining alone(other, smallRequest());
  for (int i = 0; i < 3; ++i) {
    one.trainer().step();
    CHECK(two.trainer().step().loss == alone.trainer().step().loss);
  }
}

TEST_CASE("look-up training: an evaluation is the losses on the held-out set, with heads switched off where asked") {
  LookUpData data;
  LookUpTraining training(data, smallRequest());
  training.trainer().step(5);
  const auto set = data.heldOut(32);
  const Weights& weights = training.trainer().weights();
  const auto evaluation = training.evaluate({});
  CHECK(near(evaluation.loss, batchLoss(weights, {}, *set)));
  CHECK(near((evaluation.losses.previous + evaluation.losses.first) / 2, evaluation.loss));
  CHECK(near(evaluation.oneHeadBound, data.task().oneHeadBound(*set)));
  CHECK(near(training.evaluate({1}).loss, batchLoss(withoutHead(weights, 1), {}, *set)));
  CHECK(near(training.evaluate({0, 1}).loss, set->target.squaredNorm() / static_cast<Scalar>(set->target.size())));
  CHECK(refuses([&] { training.evaluate({2}); }, ErrorCode::invalidOption, {"head", "0 to 1", "2"}));
}

TEST_CASE("look-up training: the probe is the first held-out sequence through the weights as they are") {
  LookUpData data;
  LookUpTraining training(data, smallRequest());
  training.trainer().step(4);
  const auto probe = training.probe();
  CHECK(probe.step == 4);
  const auto set = data.heldOut(32);
  CHECK(same(probe.layer.inputs.query, middleRows(set->inputs.query, 0, 6)));
  CHECK(same(probe.layer.inputs.value, middleRows(set->inputs.value, 0, 6)));
  CHECK(same(probe.target, middleRows(set->target, 0, 6)));
  CHECK(same(probe.layer.weights.output.weight, training.trainer().weights().output.weight));
  CHECK(hasShape(attend(probe.layer).output, shapeOf(probe.target)));
}

TEST_CASE("look-up training: a held-out set lives as long as somebody uses it") {
  LookUpData data;
  {
    const auto kept = data.heldOut(16);
    data.forgetUnused(true);
    CHECK(data.heldOut(16).get() == kept.get());
  }
  data.forgetUnused(true);
  CHECK(same(data.heldOut(16)->target, LookUpData().heldOut(16)->target));
}

TEST_CASE("look-up training: what would not fit into memory is refused before anything is drawn") {
  LookUpData data;
  const auto refusesChange = [&](const std::function<void(LookUpTrainingRequest&)>& change, ErrorCode code,
                                 std::initializer_list<std::string_view> parts) {
    LookUpTrainingRequest request = smallRequest();
    change(request);
    return refuses([&] { LookUpTraining(data, request); }, code, parts);
  };
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.headSize = 10'000'000; }, ErrorCode::tooLarge,
                      {"All weights", "256 MiB"}));
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.headSize = 2147395600; }, ErrorCode::tooLarge,
                      {"headCount · headSize is 2 · 2147395600"}));
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.batchSize = 1'000'000; }, ErrorCode::tooLarge,
                      {"batchSize of 1000000", "256 MiB"}));
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.heldOutSize = 10'000'000; }, ErrorCode::tooLarge,
                      {"heldOutSize of 10000000", "256 MiB"}));
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.batchSize = 0; }, ErrorCode::invalidDimension,
                      {"batchSize", "at least 1", "0"}));
  CHECK(refusesChange([](LookUpTrainingRequest& request) { request.headCount = 0; }, ErrorCode::invalidDimension,
                      {"headCount", "at least 1", "0"}));
  CHECK(refusesChange(
      [](LookUpTrainingRequest& request) {
        request.sharing = Sharing::keysAndValuesPerGroup;
        request.groupSize = 3;
      },
      ErrorCode::invalidDimension, {"groupSize 3", "2"}));
}

}  // namespace headwise::test
