// Trainers, the only things here that live longer than a call. JavaScript holds a number; the wrapper makes it a handle.
#include "headwise/trainer.h"

#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace headwise::bindings {

namespace {

// The held-out set's seed is apart from every training seed, so that no learner's run has seen it.
constexpr std::uint64_t kHeldOutSeed = 0x4845414457495345;

// Trainers side by side see the same data: what one has drawn is kept for the others, and goes with the last that uses it.

std::map<Index, std::weak_ptr<const Batch>>& heldOutSets() {
  static std::map<Index, std::weak_ptr<const Batch>> bySize;
  return bySize;
}

std::shared_ptr<const Batch> heldOutSet(const TwoLookUps& task, Index sequenceCount) {
  std::weak_ptr<const Batch>& known = heldOutSets()[sequenceCount];
  std::shared_ptr<const Batch> set = known.lock();
  if (!set) known = set = std::make_shared<const Batch>(task.batch(sequenceCount, kHeldOutSeed, 0));
  return set;
}

// Of size, seed and number. Trainers that step in turns ask for the same batch, one after another.
using BatchKey = std::tuple<Index, std::uint64_t, std::uint64_t>;
std::optional<std::pair<BatchKey, Batch>>& lastBatch() {
  static std::optional<std::pair<BatchKey, Batch>> last;
  return last;
}

Batch trainingBatch(const TwoLookUps& task, Index sequenceCount, std::uint64_t seed, std::uint64_t number) {
  const BatchKey key{sequenceCount, seed, number};
  auto& last = lastBatch();
  if (!last || last->first != key) last = {key, task.batch(sequenceCount, seed, number)};
  return last->second;
}

struct TrainerAndTask {
  TwoLookUps task;
  Trainer trainer;
  std::shared_ptr<const Batch> heldOut;
};

std::map<int, std::unique_ptr<TrainerAndTask>>& trainers() {
  static std::map<int, std::unique_ptr<TrainerAndTask>> all;
  return all;
}

TrainerAndTask& trainerFrom(const val& request) {
  const auto found = trainers().find(static_cast<int>(integerFrom(request["trainer"])));
  if (found == trainers().end()) throw Error(ErrorCode::invalidOption, "This trainer has been disposed of.");
  return *found->second;
}

// Counted in floating point: Index has 32 bits here.
void checkSequences(const char* name, Index sequenceCount, double bytesOfOne) {
  const double bytes = static_cast<double>(sequenceCount) * bytesOfOne;
  if (bytes <= kMaxTraceBytes) return;
  const auto mebibytes = [](double value) { return std::to_string(std::llround(value / (1024 * 1024))); };
  throw Error(ErrorCode::tooLarge, std::string(name) + " of " + std::to_string(sequenceCount) +
                                       " sequences would take " + mebibytes(bytes) + " MiB; the limit is " +
                                       mebibytes(kMaxTraceBytes) + " MiB. Use fewer sequences, heads or columns.");
}

// { headCount, headSize, sharing, groupSize, initialisation, seed, batchSize, heldOutSize, optimizer, learningRate } → number
val createTrainer(const val& request) {
  const TwoLookUps task;
  const Index headCount = integerFrom(request["headCount"]);
  const Dimensions dimensions = task.dimensions(headCount, integerFrom(request["headSize"]));
  checkWeightsSize(dimensions);  // before the plan, which has an entry for each head
  const SharingPlan plan =
      sharingPlan(namedIn(kSharings, request["sharing"]), headCount, integerFrom(request["groupSize"]));
  const std::uint64_t seed = seedFrom(request["seed"]);
  const Index batchSize = integerFrom(request["batchSize"]), heldOutSize = integerFrom(request["heldOutSize"]);
  // A step's batch goes through the layer at once; the held-out set goes in parts and only has to be kept.
  checkSequences("batchSize", batchSize, traceBytes(dimensions, task.tokenCount, task.tokenCount));
  checkSequences("heldOutSize", heldOutSize,
                 static_cast<double>(sizeof(Scalar)) * static_cast<double>(task.tokenCount) *
                     static_cast<double>(dimensions.queryInputSize + dimensions.keyInputSize +
                                         dimensions.valueInputSize + dimensions.outputSize));
  OptimizerOptions optimizer;
  optimizer.kind = namedIn(kOptimizers, request["optimizer"]);
  optimizer.learningRate = request["learningRate"].as<double>();
  const Weights initial = initialWeights(dimensions, seed, namedIn(kInitialisations, request["initialisation"]), plan);
  static int lastNumber = 0;
  trainers()[++lastNumber] = std::make_unique<TrainerAndTask>(
      TrainerAndTask{task,
                     Trainer(initial, {}, plan, optimizer,
                             [=](std::uint64_t number) { return trainingBatch(task, batchSize, seed, number); }),
                     heldOutSet(task, heldOutSize)});
  return val(lastNumber);
}

// { trainer, count }
val trainerStep(const val& request) {
  const StepReport report = trainerFrom(request).trainer.step(integerFrom(request["count"]));
  val result = val::object();
  result.set("step", toJs(report.step));
  result.set("loss", report.loss);
  result.set("gradientNorm", report.gradientNorm);
  return result;
}

val trainerReset(const val& request) {
  trainerFrom(request).trainer.reset();
  return val::undefined();
}

// { trainer, withoutHeads } on the held-out set
val trainerEvaluate(const val& request) {
  const TrainerAndTask& found = trainerFrom(request);
  Weights weights = found.trainer.weights();
  for (const Index head : integersFrom(request["withoutHeads"]))
    weights = withoutHead(weights, head);
  const TwoLookUps::Losses losses = found.task.losses(weights, {}, *found.heldOut);
  val result = val::object();
  result.set("loss", (losses.previous + losses.first) / 2);
  result.set("previousLoss", losses.previous);
  result.set("firstLoss", losses.first);
  result.set("oneHeadBound", found.task.oneHeadBound(*found.heldOut));
  return result;
}

// The weights now, and the first held-out sequence as input: a layer to look at.
val trainerProbe(const val& request) {
  const TrainerAndTask& found = trainerFrom(request);
  const Index length = found.task.tokenCount;
  const Inputs& inputs = found.heldOut->inputs;
  val result = val::object();
  result.set("weights", toJs(found.trainer.weights()));
  result.set("inputs",
             toJs(Inputs{inputs.query.topRows(length), inputs.key.topRows(length), inputs.value.topRows(length)}));
  result.set("target", toJs(Matrix(found.heldOut->target.topRows(length))));
  result.set("step", toJs(found.trainer.stepsDone()));
  return result;
}

val disposeTrainer(const val& request) {
  trainers().erase(static_cast<int>(integerFrom(request["trainer"])));
  std::erase_if(heldOutSets(), [](const auto& set) { return set.second.expired(); });
  if (trainers().empty()) lastBatch().reset();
  return val::undefined();
}

EMSCRIPTEN_BINDINGS(training) {
  using emscripten::function;
  function("createTrainer", &bound<createTrainer>);
  function("trainerStep", &bound<trainerStep>);
  function("trainerReset", &bound<trainerReset>);
  function("trainerEvaluate", &bound<trainerEvaluate>);
  function("trainerProbe", &bound<trainerProbe>);
  function("disposeTrainer", &bound<disposeTrainer>);
}

}  // namespace

}  // namespace headwise::bindings
