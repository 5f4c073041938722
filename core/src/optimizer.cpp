// SGD and Adam, parameter by parameter.
#include "headwise/optimizer.h"

#include <cmath>
#include <string>

#include "headwise/error.h"

namespace headwise {

Optimizer::Optimizer(const OptimizerOptions& options) : options_(options) {
  if (!(options.learningRate > 0) || !std::isfinite(options.learningRate))
    throw Error(ErrorCode::invalidOption,
                "learningRate must be a positive number, but is " + toString(options.learningRate) + ".");
  if (!(options.epsilon > 0) || !std::isfinite(options.epsilon))
    throw Error(ErrorCode::invalidOption,
                "epsilon must be a positive number, but is " + toString(options.epsilon) + ".");
  for (const Scalar beta : {options.beta1, options.beta2})
    if (!(beta >= 0 && beta < 1))
      throw Error(ErrorCode::invalidOption,
                  "beta1 and beta2 must be from 0 to below 1, but one is " + toString(beta) + ".");
}

void Optimizer::step(Weights& weights, const Weights& gradients) {
  ++stepCount_;
  if (options_.kind == OptimizerOptions::Kind::sgd) {
    forEachParameter([this](auto& weight, const auto& gradient) { weight -= options_.learningRate * gradient; },
                     weights, gradients);
    return;
  }
  if (stepCount_ == 1) firstMoment_ = secondMoment_ = zerosLike(weights);
  const auto count = static_cast<Scalar>(stepCount_);
  const Scalar stepSize = options_.learningRate / (1 - std::pow(options_.beta1, count));
  const Scalar rootOfCorrection = std::sqrt(1 - std::pow(options_.beta2, count));
  forEachParameter(
      [&](auto& weight, const auto& gradient, auto& first, auto& second) {
        first = options_.beta1 * first + (1 - options_.beta1) * gradient;
        second = options_.beta2 * second + (1 - options_.beta2) * gradient.cwiseAbs2();
        weight.array() -= stepSize * first.array() / (second.array().sqrt() / rootOfCorrection + options_.epsilon);
      },
      weights, gradients, firstMoment_, secondMoment_);
}

Scalar gradientNorm(const Weights& gradients) {
  Scalar sum = 0;
  forEachParameter([&sum](const auto& gradient) { sum += gradient.squaredNorm(); }, gradients);
  if (!std::isfinite(sum)) throw Error(ErrorCode::notFinite, "The gradient's norm overflowed.");
  return std::sqrt(sum);
}

}  // namespace headwise
