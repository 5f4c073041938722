// Forward, loss, backward, step.
#include "headwise/trainer.h"

#include <cmath>
#include <string>
#include <utility>

#include "headwise/error.h"
#include "headwise/loss.h"

namespace headwise {

Weights initialWeights(const Dimensions& dimensions,
                       std::uint64_t seed,
                       Initialisation initialisation,
                       const SharingPlan& plan) {
  Weights weights = randomWeights(dimensions, seed);
  if (initialisation != Initialisation::independent)
    weights = shareWeights(weights, sharingPlan(Sharing::all, dimensions.headCount));
  if (initialisation == Initialisation::equalHeadsAndOutput) weights = withEqualOutputBlocks(weights);
  return shareWeights(weights, plan);
}

namespace {

// A shared matrix is one parameter, however many heads use it.
Scalar normOnce(const Weights& gradients, const SharingPlan& plan) {
  Weights once = gradients;
  for (std::size_t j = 0; j < plan.query.size(); ++j) {
    const auto head = static_cast<Index>(j);
    if (plan.query[j] != head) {
      once.heads[j].query.weight.setZero();
      if (once.heads[j].query.bias) once.heads[j].query.bias->setZero();
      once.heads[j].additive.reset();
    }
    if (plan.keyValue[j] == head) continue;
    for (Projection* projection : {&once.keyValueHeads[j].key, &once.keyValueHeads[j].value}) {
      projection->weight.setZero();
      if (projection->bias) projection->bias->setZero();
    }
  }
  return gradientNorm(once);
}

Weights startFrom(const Weights& initial, const Options& options, const SharingPlan& plan) {
  checkWeights(initial, options.pooling);
  return shareWeights(initial, plan);
}

bool isFinite(const Weights& weights) {
  bool finite = true;
  forEachParameter([&finite](const auto& parameter) { finite = finite && parameter.allFinite(); }, weights);
  return finite;
}

}  // namespace

Trainer::Trainer(
    Weights initial, Options options, SharingPlan plan, const OptimizerOptions& optimizer, BatchSource batches)
    : initial_(startFrom(initial, options, plan)),
      weights_(initial_),
      options_(std::move(options)),
      plan_(std::move(plan)),
      optimizerOptions_(optimizer),
      optimizer_(optimizer),
      batches_(std::move(batches)) {}

StepReport Trainer::step(Index count) {
  if (count < 1)
    throw Error(ErrorCode::invalidOption, "count must be at least 1, but is " + std::to_string(count) + ".", "count");
  StepReport report;
  try {
    for (Index i = 0; i < count; ++i)
      report = stepOnce();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::notFinite) throw;
    throw Error(ErrorCode::notFinite, "Training diverged after step " + std::to_string(stepsDone_) +
                                          ": its numbers became too large. Choose a smaller learningRate and reset.");
  }
  return report;
}

StepReport Trainer::stepOnce() {
  const Batch batch = batches_(static_cast<std::uint64_t>(stepsDone_));
  checkBatch(batch, weights_.dimensions);
  const ForwardTrace trace = attendBatch(batch.inputs, weights_, options_, batch.sequenceCount);
  const Loss loss = meanSquaredError(trace.output, batch.target);
  const Weights summed =
      sumOverUsers(batchGradients(batch.inputs, weights_, options_, trace, loss.gradient, batch.sequenceCount), plan_);
  const Scalar norm = normOnce(summed, plan_);
  // Aside, so that a step that fails leaves everything as it was.
  Weights weights = weights_;
  Optimizer optimizer = optimizer_;
  optimizer.step(weights, summed);
  if (!std::isfinite(loss.value) || !std::isfinite(norm) || !isFinite(weights))
    throw Error(ErrorCode::notFinite, "A step of training overflowed.");
  weights_ = std::move(weights);
  optimizer_ = std::move(optimizer);
  return {++stepsDone_, loss.value, norm};
}

void Trainer::nudgeOutput(Index row, Index column, Scalar by) {
  Matrix& output = weights_.output.weight;
  const auto checkPlace = [](const char* name, Index place, Index count) {
    if (place < 0 || place >= count)
      throw Error(ErrorCode::invalidOption,
                  std::string(name) + " must be from 0 to " + std::to_string(count - 1) + " in W_o, but is " +
                      std::to_string(place) + ".",
                  name);
  };
  checkPlace("row", row, output.rows());
  checkPlace("column", column, output.cols());
  const Scalar nudged = output(row, column) + by;
  if (!std::isfinite(nudged))
    throw Error(ErrorCode::notFinite, "The number of W_o would not be finite any more; take a smaller by.", "by");
  output(row, column) = nudged;
}

void Trainer::reset() {
  weights_ = initial_;
  optimizer_ = Optimizer(optimizerOptions_);
  stepsDone_ = 0;
}

}  // namespace headwise
