// Trainers: JavaScript holds a number, the wrapper makes it a handle.
#include "headwise/course/look_up_training.h"

#include "headwise/error.h"
#include "outcome.h"
#include "packing.h"

#include <emscripten/bind.h>

#include <map>

namespace headwise::bindings {

namespace {

LookUpData& data() {
  static LookUpData shared;
  return shared;
}

std::map<int, LookUpTraining>& trainings() {
  static std::map<int, LookUpTraining> all;
  return all;
}

LookUpTraining& trainingFrom(Request& request) {
  const auto found = trainings().find(static_cast<int>(request.integer()));
  if (found == trainings().end()) throw Error(ErrorCode::invalidOption, "This trainer has been disposed of.");
  return found->second;
}

// headCount, headSize, sharing, groupSize, initialisation, seed, batchSize, heldOutSize, optimizer, learningRate → number
val createTrainer(Request& request) {
  LookUpTrainingRequest wanted;
  wanted.headCount = request.integer();
  wanted.headSize = request.integer();
  wanted.sharing = request.named(kSharings);
  wanted.groupSize = request.integer();
  wanted.initialisation = request.named(kInitialisations);
  wanted.seed = request.seed();
  wanted.batchSize = request.integer();
  wanted.heldOutSize = request.integer();
  wanted.optimizer.kind = request.named(kOptimizers);
  wanted.optimizer.learningRate = request.number();
  static int lastNumber = 0;
  LookUpTraining training(data(), wanted);
  trainings().emplace(++lastNumber, std::move(training));
  return val(lastNumber);
}

// trainer, count
val trainerStep(Request& request) {
  LookUpTraining& training = trainingFrom(request);
  const StepReport report = training.step(request.integer());
  return object(
      {{"step", toJs(report.step)}, {"loss", toJs(report.loss)}, {"gradientNorm", toJs(report.gradientNorm)}});
}

// trainer
val trainerReset(Request& request) {
  trainingFrom(request).trainer().reset();
  return val::undefined();
}

// trainer, row, column, by
val trainerNudgeOutput(Request& request) {
  Trainer& trainer = trainingFrom(request).trainer();
  const Index row = request.integer(), column = request.integer();
  trainer.nudgeOutput(row, column, request.number());
  return val::undefined();
}

// trainer, withoutHeads
val trainerEvaluate(Request& request) {
  const LookUpTraining& training = trainingFrom(request);
  const LookUpTraining::Evaluation evaluation = training.evaluate(request.integers());
  return object({{"loss", toJs(evaluation.loss)},
                 {"previousLoss", toJs(evaluation.losses.previous)},
                 {"firstLoss", toJs(evaluation.losses.first)},
                 {"oneHeadBound", toJs(evaluation.oneHeadBound)}});
}

// trainer
val trainerProbe(Request& request) {
  const LookUpTraining::Probe probe = trainingFrom(request).probe();
  return object({{"layer", packed(probe.layer, nullptr)}, {"target", toJs(probe.target)}, {"step", toJs(probe.step)}});
}

// trainer
val disposeTrainer(Request& request) {
  trainings().erase(static_cast<int>(request.integer()));
  data().forgetUnused(trainings().empty());
  return val::undefined();
}

EMSCRIPTEN_BINDINGS(training) {
  using emscripten::function;
  function("createTrainer", &bound<createTrainer>);
  function("trainerStep", &bound<trainerStep>);
  function("trainerReset", &bound<trainerReset>);
  function("trainerNudgeOutput", &bound<trainerNudgeOutput>);
  function("trainerEvaluate", &bound<trainerEvaluate>);
  function("trainerProbe", &bound<trainerProbe>);
  function("disposeTrainer", &bound<disposeTrainer>);
}

}  // namespace

}  // namespace headwise::bindings
