// Training one layer on a task, step by step, deterministic from its seed.
#pragma once

#include <cstdint>
#include <functional>

#include "headwise/batched_attention.h"
#include "headwise/optimizer.h"
#include "headwise/sharing.h"

namespace headwise {

/// How heads start.
enum class Initialisation {
  independent,          ///< every head drawn on its own
  equalHeads,           ///< all heads start as head 0, W^o blocks drawn on their own
  equalHeadsAndOutput,  ///< all heads start as head 0, and all W^o blocks as block 0
};
inline constexpr Names<Initialisation, 3> kInitialisations{{
    {Initialisation::independent, "independent"},
    {Initialisation::equalHeads, "equalHeads"},
    {Initialisation::equalHeadsAndOutput, "equalHeadsAndOutput"},
}};

/// Weights to start from; the plan is applied on top.
Weights initialWeights(const Dimensions& dimensions,
                       std::uint64_t seed,
                       Initialisation initialisation,
                       const SharingPlan& plan);

struct StepReport {
  Index step = 0;           ///< steps done, this one included
  Scalar loss = 0;          ///< mean squared error on this step's batch, before the step
  Scalar gradientNorm = 0;  ///< of all parameters, a shared matrix counted once, with the sum over its users
};

class Trainer {
 public:
  /// Gives the batch of a step, counted from 0. Must give the same for the same number.
  using BatchSource = std::function<Batch(std::uint64_t)>;

  Trainer(Weights initial, Options options, SharingPlan plan, const OptimizerOptions& optimizer, BatchSource batches);

  /// Does count steps and reports the last. A batch that does not fit the layer throws what checkBatch throws. Throws notFinite if training diverged; the trainer is then as before the failed step.
  StepReport step(Index count = 1);
  /// Back to the initial weights and batch 0.
  void reset();
  /// Adds `by` to one number of W^o [h·p_v × p_o]; training goes on from there, and reset forgets it. Throws invalidOption for a place outside
  /// of W^o, notFinite for a number that is not, or becomes so.
  void nudgeOutput(Index row, Index column, Scalar by);

  const Weights& weights() const { return weights_; }
  Index stepsDone() const { return stepsDone_; }

 private:
  StepReport stepOnce();

  Weights initial_;
  Weights weights_;
  Options options_;
  SharingPlan plan_;
  OptimizerOptions optimizerOptions_;
  Optimizer optimizer_;
  BatchSource batches_;
  Index stepsDone_ = 0;
};

}  // namespace headwise
