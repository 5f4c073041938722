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

/// Calls visit(a, b, …) for each matrix and bias of several sets of weights of one layer, side by side.
template <class Visitor, class First, class... Sets>
void forEachParameter(Visitor&& visit, First& first, Sets&... rest) {
  const auto projections = [&](auto&& select) {
    visit(select(first).weight, select(rest).weight...);
    if (select(first).bias) visit(*select(first).bias, *select(rest).bias...);
  };
  for (std::size_t j = 0; j < first.heads.size(); ++j) {
    projections([j](auto& weights) -> auto& { return weights.heads[j].query; });
    if (first.heads[j].additive) {
      visit(first.heads[j].additive->scoreQuery, rest.heads[j].additive->scoreQuery...);
      visit(first.heads[j].additive->scoreKey, rest.heads[j].additive->scoreKey...);
      visit(first.heads[j].additive->scoreVector, rest.heads[j].additive->scoreVector...);
    }
  }
  for (std::size_t g = 0; g < first.keyValueHeads.size(); ++g) {
    projections([g](auto& weights) -> auto& { return weights.keyValueHeads[g].key; });
    projections([g](auto& weights) -> auto& { return weights.keyValueHeads[g].value; });
  }
  projections([](auto& weights) -> auto& { return weights.output; });
}

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
