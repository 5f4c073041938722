// What must hold for any attention layer, over random shapes.
#include "checks.h"
#include "headwise/attention.h"
#include "headwise/softmax.h"
#include "samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
constexpr std::uint64_t kSamples = 30;

// Which keys a head sees: each has its own pattern where biases are one a head.
BoolMatrix visibleTo(const Layer& layer, std::size_t head) {
  const Mask& mask = layer.options.mask;
  return mayAttend(mask, layer.queryCount(), layer.keyCount(), mask.biases.size() > 1 ? static_cast<Index>(head) : 0);
}

// The change to the sample leaves the output where it was.
template <class Change>
void checkOutputKept(const SampleWishes& wishes, Change change) {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    Sample layer = sample(seed, wishes);
    INFO(layer.text);
    const Matrix before = attend(layer).output;
    change(layer, seed);
    CHECK(near(attend(layer).output, before, 1e-11));
  }
}

}  // namespace

TEST_CASE("property: rows of attentionWeights sum to 1, or are 0 and listed as empty") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
      const Sample layer = sample(seed, {.pooling = pooling});
      INFO(layer.text);
      const ForwardTrace trace = attend(layer);
      for (Index row = 0; row < layer.queryCount(); ++row) {
        bool sawAny = false;
        for (std::size_t j = 0; j < trace.heads.size(); ++j) {
          const bool sees = visibleTo(layer, j).row(row).any();
          CHECK(near(trace.heads[j].attentionWeights.row(row).sum(), sees ? 1 : 0));
          sawAny = sawAny || sees;
        }
        CHECK(std::count(trace.emptyRows.begin(), trace.emptyRows.end(), row) == (sawAny ? 0 : 1));
        if (!sawAny) CHECK(largestMagnitude(trace.concatenated.row(row)) == 0);
      }
    }
}

TEST_CASE("property: hidden cells are −∞ before the softmax and exactly 0 after it, all others finite and positive") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    const ForwardTrace trace = attend(layer);
    for (std::size_t j = 0; j < trace.heads.size(); ++j) {
      const BoolMatrix visible = visibleTo(layer, j);
      const HeadTrace& head = trace.heads[j];
      for (Index i = 0; i < visible.rows(); ++i)
        for (Index k = 0; k < visible.cols(); ++k) {
          CHECK((head.maskedScores(i, k) == -kInfinity) == !visible(i, k));
          if (!visible(i, k)) CHECK(head.attentionWeights(i, k) == 0);
        }
    }
  }
}

TEST_CASE("property: with a causal mask nothing before a token hears of it") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    Sample layer = sample(seed, {.self = true, .masked = false});
    INFO(layer.text);
    layer.options.mask = Mask::causalFrom();
    const Matrix before = attend(layer).output;
    const Index last = before.rows() - 1;
    Matrix input = layer.inputs.query;
    input.row(last).array() += 3;
    layer.inputs = Inputs::self(input);
    const Matrix after = attend(layer).output;
    CHECK(near(middleRows(after, 0, last), middleRows(before, 0, last)));
    CHECK(apart(middleRows(after, last, 1), middleRows(before, last, 1), 1e-6));
  }
}

TEST_CASE("property: keys reordered together with their values change nothing") {
  checkOutputKept({.masked = false}, [](Sample& layer, std::uint64_t seed) {
    const std::vector<Index> order = shuffledOrder(layer.inputs.key.rows(), seed);
    layer.inputs.key = reordered(layer.inputs.key, order);
    layer.inputs.value = reordered(layer.inputs.value, order);
  });
}

TEST_CASE("property: keys reordered without their values change the output") {
  const Layer layer = selfAttentionLayer(5, 6, 2, 4);
  Inputs inputs = layer.inputs;
  inputs.key = reordered(inputs.key, shuffledOrder(5, 1));
  CHECK(apart(attend({inputs, layer.weights}).output, attend(layer).output, 0.01));
}

TEST_CASE("property: queries reordered reorder the outputs, and nothing else") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
      Sample layer = sample(seed, {.pooling = pooling, .masked = false});
      INFO(layer.text);
      const std::vector<Index> order = shuffledOrder(layer.inputs.query.rows(), seed);
      const Matrix before = attend(layer).output;
      layer.inputs.query = reordered(layer.inputs.query, order);
      CHECK(near(attend(layer).output, reordered(before, order)));
    }
}

TEST_CASE("property: a key bias adds one number to a row of scores and never changes the output") {
  checkOutputKept({}, [](Sample& layer, std::uint64_t seed) {
    for (KeyValueHeadWeights& head : layer.weights.keyValueHeads)
      head.key.bias = RowVector(normalMatrix(1, layer.weights.dimensions.keySize, seed + 50));
  });
}

TEST_CASE("property: every head sees every feature of the input, not a slice of it") {
  const Layer layer = selfAttentionLayer(3, 6, 3, 1);
  const ForwardTrace before = attend(layer);
  for (Index feature = 0; feature < 6; ++feature) {
    Matrix input = layer.inputs.query;
    input.col(feature).array() += 1;
    const ForwardTrace after = attend({Inputs::self(input), layer.weights});
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(apart(after.heads[j].queries, before.heads[j].queries, 0.01));
      CHECK(apart(after.keyValueHeads[j].values, before.keyValueHeads[j].values, 0.01));
    }
  }
}

TEST_CASE("property: a larger divisor of the scores flattens the attention") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    Sample layer = sample(seed);
    INFO(layer.text);
    layer.options.mask.biases.clear();  // it is not divided, and may point the other way
    std::vector<ForwardTrace> traces;
    for (const Scale::Rule rule : {Scale::Rule::none, Scale::Rule::perHeadWidth, Scale::Rule::totalWidth}) {
      layer.options.scale = {rule};
      traces.push_back(attend(layer));
    }
    for (std::size_t j = 0; j < layer.weights.heads.size(); ++j)
      for (std::size_t i = 1; i < traces.size(); ++i) {
        const RowVector sharper = entropyOfRows(traces[i - 1].heads[j].attentionWeights);
        const RowVector flatter = entropyOfRows(traces[i].heads[j].attentionWeights);
        for (Index row = 0; row < flatter.size(); ++row)
          CHECK(flatter(row) >= sharper(row) - kRounding);
      }
  }
}

TEST_CASE("property: a value bias moves every head that sees something by itself") {
  Layer layer = selfAttentionLayer(4, 6, 2, 3, false);
  const ForwardTrace before = attend(layer);
  layer.weights.keyValueHeads[1].value.bias = rowOf({1, 2, 3});
  const ForwardTrace after = attend(layer);
  CHECK(same(after.heads[0].output, before.heads[0].output));
  Matrix moved = before.heads[1].output;
  moved.rowwise() += rowOf({1, 2, 3});
  CHECK(near(after.heads[1].output, moved));
}

TEST_CASE("property: one number added to all scores of a query leaves its weights") {
  checkOutputKept({.masked = false}, [](Sample& layer, std::uint64_t seed) {
    Matrix bias(layer.queryCount(), layer.keyCount());
    for (Index row = 0; row < bias.rows(); ++row)
      bias.row(row).setConstant(normalMatrix(row + 1, 1, seed)(row, 0));
    layer.options.mask = Mask::additive(bias);
  });
}

TEST_CASE("property: grouped heads are ordinary heads whose key/value matrices stand several times, consecutively") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    const Sample grouped = sample(seed);
    INFO(grouped.text);
    Sample repeated = grouped;
    repeated.weights.keyValueHeads.clear();
    const Index groupSize = grouped.weights.dimensions.headCount / grouped.weights.dimensions.keyValueHeadCount;
    for (const KeyValueHeadWeights& head : grouped.weights.keyValueHeads)
      for (Index copy = 0; copy < groupSize; ++copy)
        repeated.weights.keyValueHeads.push_back(head);
    repeated.weights.dimensions.keyValueHeadCount = grouped.weights.dimensions.headCount;
    CHECK(near(attend(repeated).output, attend(grouped).output));
  }
}

TEST_CASE("property: tiled key/value heads would be another layer") {
  const Dimensions dimensions = Dimensions::selfAttention(8, 4, 2);
  Weights weights = randomWeights(dimensions, 5);
  const Inputs inputs = Inputs::self(normalMatrix(5, 8, 5));
  const Matrix grouped = attend({inputs, weights}).output;
  weights.keyValueHeads = {weights.keyValueHeads[0], weights.keyValueHeads[1], weights.keyValueHeads[0],
                           weights.keyValueHeads[1]};
  weights.dimensions.keyValueHeadCount = 4;
  CHECK(apart(attend({inputs, weights}).output, grouped, 0.01));
}

TEST_CASE("property: a bias of −∞ hides like a keep-matrix") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    Sample layer = sample(seed, {.masked = false});
    INFO(layer.text);
    const Index queryCount = layer.inputs.query.rows(), keyCount = layer.inputs.key.rows();
    BoolMatrix keep(queryCount, keyCount);
    Matrix bias(queryCount, keyCount);
    Random random(seed);
    for (Index i = 0; i < queryCount; ++i)
      for (Index k = 0; k < keyCount; ++k) {
        keep(i, k) = random.uniform() < 0.6;
        bias(i, k) = keep(i, k) ? 0 : -kInfinity;
      }
    layer.options.mask = Mask::keeping(keep);
    const ForwardTrace kept = attend(layer);
    layer.options.mask = Mask::additive(bias);
    const ForwardTrace added = attend(layer);
    CHECK(same(added.output, kept.output));
    CHECK(added.emptyRows == kept.emptyRows);
  }
}

TEST_CASE("property: one head is single-head attention: unprojected pooling of its queries, keys and values") {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    Sample layer = sample(seed, {.grouped = false});
    layer.weights.dimensions.headCount = layer.weights.dimensions.keyValueHeadCount = 1;
    layer.weights = randomWeights(layer.weights.dimensions, seed);
    layer.options.mask.biases.resize(std::min<std::size_t>(1, layer.options.mask.biases.size()));
    INFO(layer.text);
    const ForwardTrace trace = attend(layer);
    const Inputs projected{trace.heads[0].queries, trace.keyValueHeads[0].keys, trace.keyValueHeads[0].values};
    Options pooling = layer.options;
    pooling.scale = Scale::by(trace.scaleFactor);  // whatever width it came from
    const ForwardTrace single = attend(unprojectedLayer(projected, pooling));
    CHECK(same(single.output, trace.concatenated));
    CHECK(near(trace.output, product(single.output, layer.weights.output.weight)));
  }
}

}  // namespace headwise::test
