#include "headwise/optimizer.h"

#include "checks.h"

#include <cmath>

namespace headwise::test {

TEST_CASE("Adam's first steps go by the learning rate, whatever the size of the gradient, and then by its formula") {
  const Dimensions dimensions = Dimensions::selfAttention(1, 1);
  Weights weights = randomWeights(dimensions, 1, {Distribution::zeros, false});
  Weights gradients = weights;
  Optimizer optimizer({.learningRate = 0.1});
  // g = 4, then 2: m = 0.4, v = 0.016 → step 0.1·(0.4/0.1)/(√(0.016/0.001) + ε) = 0.1
  gradients.output.weight(0, 0) = 4;
  optimizer.step(weights, gradients);
  CHECK(near(weights.output.weight(0, 0), -0.1, 1e-8));
  // m = 0.9·0.4 + 0.1·2 = 0.56, v = 0.999·0.016 + 0.001·4 = 0.019984
  gradients.output.weight(0, 0) = 2;
  optimizer.step(weights, gradients);
  const Scalar mean = 0.56 / (1 - 0.81), square = 0.019984 / (1 - 0.999 * 0.999);
  CHECK(near(weights.output.weight(0, 0), -0.1 - 0.1 * mean / (std::sqrt(square) + 1e-8), 1e-8));
  CHECK(weights.heads[0].query.weight(0, 0) == 0);
}

TEST_CASE("SGD goes down the gradient by the rate; a rate that is not positive is refused") {
  Weights weights = randomWeights(Dimensions::selfAttention(2, 1), 1, {Distribution::zeros, true});
  Weights gradients = weights;
  forEachParameter([](auto& gradient) { gradient.setConstant(3); }, gradients);
  Optimizer({.kind = OptimizerOptions::Kind::sgd, .learningRate = 0.5}).step(weights, gradients);
  forEachParameter([](auto& weight) { CHECK((weight.array() == -1.5).all()); }, weights);
  // W_q, W_k, W_v and W_o are 2 × 2, each with a bias of 2.
  CHECK(near(gradientNorm(gradients), std::sqrt(9.0 * 24)));
  CHECK(refuses([] { Optimizer({.learningRate = 0}); }, ErrorCode::invalidOption, {"learningRate"}));
  CHECK(refuses([] { Optimizer({.learningRate = NAN}); }, ErrorCode::invalidOption, {"learningRate"}));
  CHECK(refuses([] { Optimizer({.beta1 = 1}); }, ErrorCode::invalidOption, {"beta1"}));
  CHECK(refuses([] { Optimizer({.epsilon = 0}); }, ErrorCode::invalidOption, {"epsilon"}));
}

}  // namespace headwise::test
