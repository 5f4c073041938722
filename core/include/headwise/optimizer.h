// One step down the gradient.
#pragma once

#include <vector>

#include "headwise/weights.h"

namespace headwise {

struct OptimizerOptions {
  enum class Kind {
    sgd,   ///< w ← w − rate · g
    adam,  ///< Kingma and Ba 2015 with bias correction, in PyTorch's order of operations
  };
  Kind kind = Kind::adam;
  Scalar learningRate = 0.02;
  Scalar beta1 = 0.9;
  Scalar beta2 = 0.999;
  Scalar epsilon = 1e-8;
};
inline constexpr Names<OptimizerOptions::Kind, 2> kOptimizers{{
    {OptimizerOptions::Kind::sgd, "sgd"},
    {OptimizerOptions::Kind::adam, "adam"},
}};

class Optimizer {
 public:
  /// Throws invalidOption for a rate or an epsilon that is not positive and finite, or betas outside [0, 1).
  explicit Optimizer(const OptimizerOptions& options);
  /// Changes the weights by one step; gradients have their shapes.
  void step(Weights& weights, const Weights& gradients);

 private:
  OptimizerOptions options_;
  Index stepCount_ = 0;
  Weights firstMoment_;   // running mean of g, as weights; empty before the first step
  Weights secondMoment_;  // running mean of g²
};

/// The Euclidean norm of all entries together.
Scalar gradientNorm(const Weights& gradients);

}  // namespace headwise
