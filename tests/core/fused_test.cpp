#include "headwise/fused.h"

#include "checks.h"
#include "headwise/reshape.h"
#include "samples.h"

namespace headwise::test {

namespace {

void checkSameTrace(const ForwardTrace& actual, const ForwardTrace& expected) {
  std::vector<Matrix> matrices;
  forEachMatrix(expected, [&](const std::string&, const Matrix& matrix) { matrices.push_back(matrix); });
  std::size_t next = 0;
  forEachMatrix(actual, [&](const std::string& path, const Matrix& matrix) {
    INFO(path);
    REQUIRE(next < matrices.size());
    CHECK(near(matrix, matrices[next++]));
  });
  CHECK(next == matrices.size());
  CHECK(actual.scaleFactor == expected.scaleFactor);
  CHECK(actual.emptyRows == expected.emptyRows);
}

}  // namespace

TEST_CASE("fused: one wide product per role gives the trace of the loop over heads") {
  for (const Pooling pooling : {Pooling::scaledDotProduct, Pooling::additive})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Sample layer = sample(seed, {.pooling = pooling, .grouped = false});
      INFO(layer.text);
      checkSameTrace(attendFused(layer.inputs, layer.weights, layer.options),
                     attend(layer.inputs, layer.weights, layer.options));
    }
}

TEST_CASE("fused: each missing transpose keeps every shape and changes the output") {
  const Sample layer = selfAttentionSample(5, 6, 2, 1);
  const Matrix right = attendFused(layer.inputs, layer.weights).output;
  for (const ReshapeOptions& reshape :
       {ReshapeOptions{false, true}, ReshapeOptions{true, false}, ReshapeOptions{false, false}}) {
    const Matrix wrong = attendFused(layer.inputs, layer.weights, {}, reshape).output;
    CHECK(hasShape(wrong, shapeOf(right)));
    CHECK(apart(wrong, right, 0.01));
  }
}

TEST_CASE("fused: a missing transpose on the split cuts queries, keys and values in memory order") {
  const Sample layer = selfAttentionSample(4, 6, 2, 3);
  const ForwardTrace right = attendFused(layer.inputs, layer.weights),
                     wrong = attendFused(layer.inputs, layer.weights, {}, {false, true});
  std::vector<Matrix> queries, keys, values;
  for (std::size_t j = 0; j < 2; ++j) {
    queries.push_back(right.heads[j].queries);
    keys.push_back(right.keyValueHeads[j].keys);
    values.push_back(right.keyValueHeads[j].values);
  }
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(same(wrong.heads[j].queries, splitHeadsWithoutTranspose(mergeHeads(queries), 2)[j]));
    CHECK(same(wrong.keyValueHeads[j].keys, splitHeadsWithoutTranspose(mergeHeads(keys), 2)[j]));
    CHECK(same(wrong.keyValueHeads[j].values, splitHeadsWithoutTranspose(mergeHeads(values), 2)[j]));
  }
}

TEST_CASE("fused: a missing transpose on the merge leaves the heads right and mixes the concatenation") {
  const Sample layer = selfAttentionSample(4, 6, 2, 3);
  const ForwardTrace right = attendFused(layer.inputs, layer.weights),
                     wrong = attendFused(layer.inputs, layer.weights, {}, {true, false});
  for (std::size_t j = 0; j < 2; ++j)
    CHECK(same(wrong.heads[j].output, right.heads[j].output));
  CHECK(same(wrong.concatenated, mergeHeadsWithoutTranspose({right.heads[0].output, right.heads[1].output})));
}

TEST_CASE("fused: what the heads add to the output sums to it, but for the bias") {
  // By hand: heads (1, 2) and (3) of widths 1; W^o rows (10, 20) and (100, 0): contributions (10, 20), (20, 40) | (300, 0), (300, 0).
  ForwardTrace trace;
  trace.heads.resize(2);
  trace.heads[0].output = matrixOf({{1}, {2}});
  trace.heads[1].output = matrixOf({{3}, {3}});
  Weights weights;
  weights.dimensions = {.queryInputSize = 1,
                        .keyInputSize = 1,
                        .valueInputSize = 1,
                        .headCount = 2,
                        .keyValueHeadCount = 2,
                        .querySize = 1,
                        .keySize = 1,
                        .valueSize = 1,
                        .outputSize = 2};
  weights.output.weight = matrixOf({{10, 20}, {100, 0}});
  const std::vector<Matrix> byHand = outputContributions(trace, weights);
  REQUIRE(byHand.size() == 2);
  CHECK(same(byHand[0], matrixOf({{10, 20}, {20, 40}})));
  CHECK(same(byHand[1], matrixOf({{300, 0}, {300, 0}})));

  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    const ForwardTrace real = attend(layer.inputs, layer.weights, layer.options);
    Matrix sum = Matrix::Zero(real.output.rows(), real.output.cols());
    for (const Matrix& contribution : outputContributions(real, layer.weights))
      sum += contribution;
    if (layer.weights.output.bias) sum.rowwise() += *layer.weights.output.bias;
    CHECK(near(sum, real.output));
  }
}

TEST_CASE("fused: grouped heads and biases for some heads only are refused") {
  const Inputs inputs = Inputs::self(normalMatrix(3, 8, 1));
  CHECK(refuses([&] { attendFused(inputs, randomWeights(Dimensions::selfAttention(8, 4, 2), 1)); },
                ErrorCode::invalidDimension, {"keyValueHeadCount is 2", "headCount is 4"}));
  Weights weights = randomWeights(Dimensions::selfAttention(8, 4), 1);
  weights.heads[2].query.bias = rowOf({1, 2});
  CHECK_NOTHROW(attend(inputs, weights));
  CHECK(refuses([&] { attendFused(inputs, weights); }, ErrorCode::invalidOption,
                {"Head 2 has a bias", "head 0 has none"}));
  weights = randomWeights(Dimensions::selfAttention(8, 4), 1, {Distribution::normal, true});
  weights.keyValueHeads[1].value.bias.reset();
  CHECK(refuses([&] { attendFused(inputs, weights); }, ErrorCode::invalidOption,
                {"Head 1 has no bias", "head 0 has one"}));
}

}  // namespace headwise::test
