// One trainer on the shared data, and what it has learnt.
#include "headwise/course/look_up_training.h"

#include <cmath>
#include <string>
#include <utility>

#include "headwise/computation.h"
#include "headwise/error.h"
#include "headwise/work.h"

namespace headwise {

namespace {

// Apart from every training seed, so that no learner's run has seen it.
constexpr std::uint64_t kHeldOutSeed = 0x4845414457495345;

// Counted in floating point: indices have 32 bits in WebAssembly.
void checkBytes(const std::string& what, double bytes) {
  if (bytes <= kMaxTraceBytes) return;
  const auto mebibytes = [](double value) { return std::to_string(std::llround(value / (1024 * 1024))); };
  throw Error(ErrorCode::tooLarge, what + " would take " + mebibytes(bytes) + " MiB; the limit is " +
                                       mebibytes(kMaxTraceBytes) + " MiB. Use fewer sequences, heads or columns.");
}

double bytesOfWeights(const Dimensions& dimensions) {
  double cells = 0;
  for (const Field& field : kFields)
    if (field.part() == Part::weight && !field.isOptional()) {
      const Shape shape = shapeOf(field, dimensions, 1, 1);
      cells += static_cast<double>(countOf(field, dimensions)) * static_cast<double>(shape.rows) *
               static_cast<double>(shape.columns);
    }
  return cells * sizeof(Scalar);
}

double stepWork(const TwoLookUps& task, const Dimensions& dimensions, Index batchSize) {
  return static_cast<double>(batchSize) *
         backwardWork(dimensions, Pooling::scaledDotProduct, task.tokenCount, task.tokenCount);
}

// Checked before anything is drawn: weights, the trace of a step's batch, which goes through the layer at once, and the held-out set, which
// goes in parts and only has to be kept.
Dimensions checkedDimensions(const TwoLookUps& task, const LookUpTrainingRequest& request) {
  // In the request's own words; what follows speaks of a layer's sizes.
  for (const auto& [name, size] : {std::pair{"headCount", request.headCount}, {"headSize", request.headSize}})
    if (size < 1)
      throw Error(ErrorCode::invalidDimension,
                  std::string(name) + " must be at least 1, but is " + std::to_string(size) + ".", name);
  if (request.headCount <= kLargestSize && request.headSize > kLargestSize / request.headCount)
    throw Error(ErrorCode::tooLarge,
                "headCount · headSize is " + std::to_string(request.headCount) + " · " +
                    std::to_string(request.headSize) + ", and can be at most " + std::to_string(kLargestSize) + ".",
                "headSize");
  const Dimensions dimensions = task.dimensions(request.headCount, request.headSize);
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  checkBytes("All weights together", bytesOfWeights(dimensions));
  const auto sequences = [](const char* name, Index count, double bytesOfOne) {
    if (count < 1)
      throw Error(ErrorCode::invalidDimension,
                  std::string(name) + " must be at least 1, but is " + std::to_string(count) + ".", name);
    checkBytes(std::string(name) + " of " + std::to_string(count) + " sequences",
               static_cast<double>(count) * bytesOfOne);
  };
  sequences("batchSize", request.batchSize, traceBytes(dimensions, task.tokenCount, task.tokenCount));
  sequences("heldOutSize", request.heldOutSize,
            static_cast<double>(sizeof(Scalar)) * static_cast<double>(task.tokenCount) *
                static_cast<double>(dimensions.queryInputSize + dimensions.keyInputSize + dimensions.valueInputSize +
                                    dimensions.outputSize));
  const Index tokens = task.tokenCount;
  checkWork(
      "Evaluating",
      static_cast<double>(request.heldOutSize) * attendWork(dimensions, Pooling::scaledDotProduct, tokens, tokens),
      "Use a smaller heldOutSize, fewer heads or a smaller headSize.");
  return dimensions;
}

Trainer trainerFor(LookUpData& data, const LookUpTrainingRequest& request) {
  const Dimensions dimensions = checkedDimensions(data.task(), request);
  const SharingPlan plan = sharingPlan(request.sharing, request.headCount, request.groupSize);
  return {initialWeights(dimensions, request.seed, request.initialisation, plan),
          {},
          plan,
          request.optimizer,
          [&data, size = request.batchSize, seed = request.seed](std::uint64_t number) {
            return data.batch(size, seed, number);
          }};
}

}  // namespace

Batch LookUpData::batch(Index sequenceCount, std::uint64_t seed, std::uint64_t number) {
  const Key key{sequenceCount, seed, number};
  if (!last_ || last_->first != key) last_ = {key, task_.batch(sequenceCount, seed, number)};
  return last_->second;
}

std::shared_ptr<const Batch> LookUpData::heldOut(Index sequenceCount) {
  std::weak_ptr<const Batch>& known = heldOut_[sequenceCount];
  std::shared_ptr<const Batch> set = known.lock();
  if (!set) known = set = std::make_shared<const Batch>(task_.batch(sequenceCount, kHeldOutSeed, 0));
  return set;
}

void LookUpData::forgetUnused(bool alsoLastBatch) {
  std::erase_if(heldOut_, [](const auto& set) { return set.second.expired(); });
  if (alsoLastBatch) last_.reset();
}

LookUpTraining::LookUpTraining(LookUpData& data, const LookUpTrainingRequest& request)
    : task_(data.task()), batchSize_(request.batchSize), trainer_(trainerFor(data, request)) {
  heldOut_ = data.heldOut(request.heldOutSize);
}

StepReport LookUpTraining::step(Index count) {
  checkWork("Training by " + std::to_string(count) + " steps",
            static_cast<double>(count) * stepWork(task_, trainer_.weights().dimensions, batchSize_),
            "Ask for fewer steps at once.");
  return trainer_.step(count);
}

LookUpTraining::Evaluation LookUpTraining::evaluate(const std::vector<Index>& withoutHeads) const {
  Weights weights = trainer_.weights();
  for (const Index head : withoutHeads)
    weights = withoutHead(weights, head);
  const TwoLookUps::Losses losses = task_.losses(weights, {}, *heldOut_);
  return {losses, (losses.previous + losses.first) / 2, task_.oneHeadBound(*heldOut_)};
}

LookUpTraining::Probe LookUpTraining::probe() const {
  const Index length = task_.tokenCount;
  const auto firstOf = [length](const Matrix& stack) -> Matrix { return stack.topRows(length); };
  const Inputs& inputs = heldOut_->inputs;
  return {.layer = {{firstOf(inputs.query), firstOf(inputs.key), firstOf(inputs.value)}, trainer_.weights(), {}},
          .target = firstOf(heldOut_->target),
          .step = trainer_.stepsDone()};
}

}  // namespace headwise
