// Forward, loss, backward, step.
#include "headwise/trainer.h"

#include <cmath>
#include <string>
#include <utility>

#include "batch_parts.h"
#include "headwise/error.h"
#include "headwise/loss.h"
#include "pooled_head.h"

namespace headwise {

Weights initialWeights(const Dimensions& dimensions,
                       std::uint64_t seed,
                       Initialisation initialisation,
                       const SharingPlan& plan) {
  Weights weights = randomWeights(dimensions, seed);
  if (initialisation != Initialisation::independent)
    weights = shareWeights(weights, sharingPlan(Sharing::all, dimensions.headCount));
  if (initialisation == Initialisation::equalHeadsAndOutput)
    weights.output.weight =
        Matrix(weights.output.weight.topRows(dimensions.valueSize).replicate(dimensions.headCount, 1));
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

bool isFinite(Weights& weights) {
  bool finite = true;
  forEachParameter([&finite](auto& parameter) { finite = finite && parameter.allFinite(); }, weights);
  return finite;
}

}  // namespace

Scalar batchLoss(const Weights& weights, const Options& options, const Batch& batch) {
  Scalar squares = 0;
  forEachPart(batch, [&](const Batch& part) {
    squares += (attendStacked(part.inputs, weights, options, part.sequenceCount).output - part.target).squaredNorm();
  });
  return squares / static_cast<Scalar>(batch.target.size());
}

Trainer::Trainer(
    Weights initial, Options options, SharingPlan plan, const OptimizerOptions& optimizer, BatchSource batches)
    : initial_(shareWeights(initial, plan)),
      weights_(initial_),
      options_(std::move(options)),
      plan_(std::move(plan)),
      optimizerOptions_(optimizer),
      optimizer_(optimizer),
      batches_(std::move(batches)) {
  checkWeights(weights_, options_.pooling);
}

StepReport Trainer::step(Index count) {
  if (count < 1)
    throw Error(ErrorCode::invalidOption, "count must be at least 1, but is " + std::to_string(count) + ".");
  StepReport report;
  for (Index i = 0; i < count; ++i) {
    const Batch batch = batches_(static_cast<std::uint64_t>(stepsDone_));
    const ForwardTrace trace = attendStacked(batch.inputs, weights_, options_, batch.sequenceCount);
    const Loss loss = meanSquaredError(trace.output, batch.target);
    const Weights summed = sumOverUsers(
        weightGradients(batch.inputs, weights_, options_, trace, loss.gradient, batch.sequenceCount).weights, plan_);
    const Scalar norm = normOnce(summed, plan_);
    Weights next = weights_;
    if (std::isfinite(norm)) optimizer_.step(next, summed);
    if (!std::isfinite(loss.value) || !std::isfinite(norm) || !isFinite(next))
      throw Error(ErrorCode::notFinite, "Step " + std::to_string(stepsDone_ + 1) +
                                            " overflowed: training diverged. Choose a smaller learningRate.");
    weights_ = std::move(next);
    report = {++stepsDone_, loss.value, norm};
  }
  return report;
}

void Trainer::reset() {
  weights_ = initial_;
  optimizer_ = Optimizer(optimizerOptions_);
  stepsDone_ = 0;
}

}  // namespace headwise
