// Lesson 4's trap: with numbers from U(0, 1) the softmax is one-hot, and one head and eight look equal.
#include "../checks.h"
#include "../samples.h"
#include "headwise/attention.h"
#include "headwise/comparison.h"
#include "headwise/split.h"

namespace headwise::test {

namespace {

struct Outcome {
  Scalar largestDifference = 0;
  Scalar largestMagnitude = 0;
  Scalar smallestLargestWeight = 1;  ///< of the single head's rows: 1 if all are one-hot
};

// 10 tokens of width 512 through one head and through its eight blocks.
Outcome splitOutcome(Distribution inputs, Distribution weights, std::uint64_t seed) {
  Dimensions dimensions = Dimensions::selfAttention(512, 1);
  dimensions.outputSize = 1;  // W^o is not looked at
  const Weights single = randomWeights(dimensions, seed, {weights, false});
  const Inputs input = Inputs::self(randomMatrix(10, 512, inputs, seed, streamOf("input")));
  const ForwardTrace whole = attend({input, single}), cut = attend({input, splitSingleHead(single, 8)});
  const Comparison comparison = compareMatrices(whole.concatenated, cut.concatenated);
  return {comparison.largestDifference, comparison.largestMagnitude,
          whole.heads[0].attentionWeights.rowwise().maxCoeff().minCoeff()};
}

}  // namespace

TEST_CASE(
    "saturation: with U(0, 1) inputs and weights the difference is 0 for a good part of the seeds, and gross for "
    "others") {
#ifdef __EMSCRIPTEN__
  constexpr Scalar rounding = 0;  // the page says exactly 0
#else
  constexpr Scalar rounding =
      1e-13;  // products of 512 and of 64 columns may add up in another order, as the cache decides
#endif
  int equal = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Outcome outcome = splitOutcome(Distribution::uniform, Distribution::uniform, seed);
    INFO("seed " << seed << ": " << outcome.largestDifference << " of " << outcome.largestMagnitude);
    CHECK(outcome.smallestLargestWeight > 1 - 1e-6);
    if (outcome.largestDifference <= rounding * outcome.largestMagnitude)
      ++equal;
    else if (outcome.largestDifference > 1e-2 * outcome.largestMagnitude)
      ++different;
    else
      FAIL_CHECK("neither equal nor grossly different");
  }
  CHECK(equal >= 2);
  CHECK(different >= 1);
}

TEST_CASE("saturation: with N(0, 1/d) weights the difference is as large as the outputs") {
  for (const std::uint64_t seed : {1, 2}) {
    const Outcome outcome = splitOutcome(Distribution::normal, Distribution::scaledNormal, seed);
    CHECK(outcome.largestDifference > 0.3 * outcome.largestMagnitude);
    CHECK(outcome.smallestLargestWeight < 0.9);
  }
}

}  // namespace headwise::test
