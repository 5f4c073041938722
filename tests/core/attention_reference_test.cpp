// Every intermediate of `attend` against the plain loops of reference.h, over random layers with every kind of mask.
#include "checks.h"
#include "headwise/attention.h"
#include "reference.h"
#include "samples.h"

namespace headwise::test {

namespace {

void checkAgainstReference(const ForwardTrace& trace, const Reference& reference) {
  REQUIRE(trace.heads.size() == reference.heads.size());
  REQUIRE(trace.keyValueHeads.size() == reference.keys.size());
  for (std::size_t g = 0; g < trace.keyValueHeads.size(); ++g) {
    CHECK(near(trace.keyValueHeads[g].keys, matrixOf(reference.keys[g])));
    CHECK(near(trace.keyValueHeads[g].values, matrixOf(reference.values[g])));
  }
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    CAPTURE(j);
    CHECK(near(trace.heads[j].queries, matrixOf(reference.heads[j].queries)));
    CHECK(near(trace.heads[j].rawScores, matrixOf(reference.heads[j].rawScores)));
    CHECK(near(trace.heads[j].scaledScores, matrixOf(reference.heads[j].scaledScores)));
    CHECK(near(trace.heads[j].maskedScores, matrixOf(reference.heads[j].maskedScores)));
    CHECK(near(trace.heads[j].attentionWeights, matrixOf(reference.heads[j].attentionWeights)));
    CHECK(near(trace.heads[j].output, matrixOf(reference.heads[j].output)));
  }
  CHECK(near(trace.concatenated, matrixOf(reference.concatenated)));
  CHECK(near(trace.output, matrixOf(reference.output)));
  CHECK(trace.emptyRows == reference.emptyRows);
}

}  // namespace

TEST_CASE("attention agrees with plain loops: dot products, every mask, grouped heads, biases") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    checkAgainstReference(attend(layer), referenceAttend(layer));
  }
}

TEST_CASE("attention agrees with plain loops: additive pooling, every mask, grouped heads, biases") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Sample layer = sample(seed, {.pooling = Pooling::additive});
    INFO(layer.text);
    checkAgainstReference(attend(layer), referenceAttend(layer));
  }
}

TEST_CASE("attention agrees with plain loops at a size where products are blocked") {
  Layer layer = selfAttentionLayer(40, 48, 4, 9);
  layer.options.mask = Mask::causalFrom();
  checkAgainstReference(attend(layer), referenceAttend(layer));
}

TEST_CASE("attention without projections agrees with plain loops over identity projections") {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive}) {
      Sample layer = sample(seed, {.pooling = pooling, .grouped = false});
      INFO(layer.text);
      Dimensions& dimensions = layer.weights.dimensions;
      if (pooling == Pooling::scaledDotProduct) {
        layer.inputs.key = normalMatrix(layer.inputs.key.rows(), dimensions.queryInputSize, seed + 9);
        dimensions.keyInputSize = dimensions.queryInputSize;
      }
      dimensions = {.queryInputSize = dimensions.queryInputSize,
                    .keyInputSize = dimensions.keyInputSize,
                    .valueInputSize = dimensions.valueInputSize,
                    .headCount = 1,
                    .keyValueHeadCount = 1,
                    .querySize = dimensions.queryInputSize,
                    .keySize = dimensions.keyInputSize,
                    .valueSize = dimensions.valueInputSize,
                    .outputSize = dimensions.valueInputSize,
                    .scoreHiddenSize = dimensions.scoreHiddenSize};
      const auto identity = [](Index size) { return Projection{Matrix::Identity(size, size), {}}; };
      layer.weights = randomWeights(dimensions, seed, {Distribution::normal, false});
      layer.weights.heads[0].query = identity(dimensions.queryInputSize);
      layer.weights.keyValueHeads[0] = {identity(dimensions.keyInputSize), identity(dimensions.valueInputSize)};
      layer.weights.output = identity(dimensions.valueInputSize);
      layer.options.mask.biases.resize(std::min<std::size_t>(1, layer.options.mask.biases.size()));
      checkAgainstReference(attend(unprojectedLayer(layer.inputs, layer.options, layer.weights.heads[0].additive)),
                            referenceAttend(layer));
    }
}

}  // namespace headwise::test
