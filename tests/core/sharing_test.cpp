#include "headwise/sharing.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/gradients.h"
#include "headwise/rank.h"
#include "samples.h"

#include <cmath>

namespace headwise::test {

namespace {

// By every parameter; of a shared matrix the same numbers stand in the place of each user, which adds nothing to a rank.
std::vector<Scalar> listOf(const Weights& gradients) {
  std::vector<Scalar> numbers;
  forEachParameter([&](const auto& part) { numbers.insert(numbers.end(), part.data(), part.data() + part.size()); },
                   gradients);
  return numbers;
}

// A row for each number of the output, over several inputs.
Matrix jacobianOf(const Weights& weights, const SharingPlan& plan, Index rowCount) {
  std::vector<std::vector<Scalar>> rows;
  for (std::uint64_t seed = 1; static_cast<Index>(rows.size()) < rowCount; ++seed) {
    const Layer layer{Inputs::self(normalMatrix(4, weights.dimensions.queryInputSize, seed)), weights};
    const ForwardTrace trace = attend(layer);
    Matrix chosen = Matrix::Zero(trace.output.rows(), trace.output.cols());
    for (Index cell = 0; cell < chosen.size(); ++cell) {
      chosen.setZero();
      chosen.data()[cell] = 1;
      rows.push_back(listOf(sumOverUsers(backward(layer, trace, chosen).weights, plan)));
    }
  }
  Matrix jacobian(rowCount, static_cast<Index>(rows[0].size()));
  for (Index row = 0; row < rowCount; ++row)
    jacobian.row(row) = Eigen::Map<const RowVector>(rows[static_cast<std::size_t>(row)].data(), jacobian.cols());
  return jacobian;
}

}  // namespace

TEST_CASE("heads that share everything are one head with the summed output blocks, and concat has its rank") {
  const Inputs inputs = Inputs::self(normalMatrix(8, 12, 3));
  const Weights own = randomWeights(Dimensions::selfAttention(12, 3), 4);
  const auto shared = [&](Sharing sharing) { return shareWeights(own, sharingPlan(sharing, 3, 3)); };
  const auto rankOf = [&](Sharing sharing) {
    return numericalRank(attend({inputs, shared(sharing)}).concatenated).rank;
  };
  CHECK(rankOf(Sharing::none) == 8);
  CHECK(rankOf(Sharing::keysAndValues) == 8);
  CHECK(rankOf(Sharing::all) == 4);
  const Weights tied = shared(Sharing::all);
  CHECK(near(attend({inputs, equivalentSingleHead(tied)}).output, attend({inputs, tied}).output));
  const Options total{.scale = {Scale::Rule::totalWidth}};
  CHECK(near(attend({inputs, equivalentSingleHead(tied, total), total}).output, attend({inputs, tied, total}).output));
  CHECK(apart(attend({inputs, equivalentSingleHead(own)}).output, attend({inputs, own}).output, 0.1));
}

TEST_CASE("sharing keys and values by a plan is grouped-query attention with fewer key/value heads") {
  Dimensions grouped = Dimensions::selfAttention(12, 6, 2);
  const Weights weights = randomWeights(grouped, 9);
  Weights spread = weights;
  spread.dimensions.keyValueHeadCount = 6;
  spread.keyValueHeads.clear();
  for (Index head = 0; head < 6; ++head)
    spread.keyValueHeads.push_back(weights.keyValueHeads[static_cast<std::size_t>(head / 3)]);
  const Inputs inputs = Inputs::self(normalMatrix(5, 12, 2));
  CHECK(near(attend({inputs, shareWeights(spread, sharingPlan(Sharing::keysAndValuesPerGroup, 6, 3))}).output,
             attend({inputs, weights}).output));
}

TEST_CASE("as many parameters matter as the layer's Jacobian has rank") {
  for (const bool biases : {false, true})
    for (const Sharing sharing : {Sharing::none, Sharing::keysAndValuesPerGroup, Sharing::keysAndValues, Sharing::all})
      for (const Index headCount : {2, 4}) {
        const Dimensions dimensions = Dimensions::selfAttention(4, headCount);
        CAPTURE(biases);
        CAPTURE(headCount);
        CAPTURE(nameIn(kSharings, sharing));
        const SharingPlan plan = sharingPlan(sharing, headCount, 2);
        const Weights weights = shareWeights(randomWeights(dimensions, 5, {.biases = biases}), plan);
        const SharingCost cost = sharingCost(dimensions, plan, biases, 4, 4);
        const Index rank = numericalRank(jacobianOf(weights, plan, 160)).rank;
        CHECK(static_cast<double>(rank) == cost.parametersThatMatter);
        CHECK(cost.parametersThatMatter < cost.parametersMerged);
      }
  // For d inputs and M heads of width p it is M·2(2dp − p²).
  const auto mattering = [](Index modelSize, Index headCount, Sharing sharing) {
    return sharingCost(Dimensions::selfAttention(modelSize, headCount), sharingPlan(sharing, headCount), false, 8, 8)
        .parametersThatMatter;
  };
  CHECK(mattering(12, 4, Sharing::none) == 504);
  CHECK(mattering(12, 4, Sharing::all) == 126);
}

TEST_CASE("parameters of each sharing plan, counted by hand for d 12 and 3 heads") {
  const Dimensions dimensions = Dimensions::selfAttention(12, 3);
  const auto costOf = [&](Sharing sharing) { return sharingCost(dimensions, sharingPlan(sharing, 3, 3), false, 8, 8); };
  // W_q, W_k and W_v of a head are 12·4 = 48 each, W_o is 144: 9·48 + 144.
  CHECK(costOf(Sharing::none).parameters == 576);
  CHECK(costOf(Sharing::keysAndValues).parameters == 3 * 48 + 2 * 48 + 144);
  CHECK(costOf(Sharing::all).parameters == 3 * 48 + 144);
  CHECK(costOf(Sharing::all).parametersMerged == 3 * 48 + 48);
  // Two pairs of equal heads are two heads: 2·3·(16·4), and two blocks of 4 × 16.
  const SharingPlan pairs{{0, 0, 2, 2}, {0, 0, 2, 2}};
  CHECK(sharingCost(Dimensions::selfAttention(16, 4), pairs, false, 8, 8).parametersMerged == 2 * 3 * 64 + 2 * 64);
  CHECK(refuses(
      [&] {
        sharingCost(dimensions, {{0, 1, 3}, {0, 1, 2}}, false, 8, 8);
      },
      ErrorCode::invalidOption, {"head 3", "0 to 2"}));
  CHECK(costOf(Sharing::all).multiplyAdds == 3 * costOf(Sharing::all).multiplyAddsMerged);
  CHECK(refuses([] { sharingPlan(Sharing::keysAndValuesPerGroup, 3, 2); }, ErrorCode::invalidDimension,
                {"groupSize 2", "3"}));
  // Grouped heads have 2 matrices each for keys and values: 6·24 + 2·2·24 + 144.
  const SharingCost groupedCost =
      sharingCost(Dimensions::selfAttention(12, 6, 2), sharingPlan(Sharing::none, 6), false, 8, 8);
  CHECK(groupedCost.parameters == 6 * 24 + 2 * 2 * 24 + 144);
  CHECK(groupedCost.parametersUnshared == 6 * 3 * 24 + 144);
  const Weights grouped = randomWeights(Dimensions::selfAttention(12, 6, 2), 1);
  CHECK(refuses([&] { shareWeights(grouped, sharingPlan(Sharing::all, 6)); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount is 2", "6"}));
}

TEST_CASE("heads that share everything are one head, whatever the scores are divided by") {
  const Inputs inputs = Inputs::self(normalMatrix(5, 12, 3));
  const Weights tied = shareWeights(randomWeights(Dimensions::selfAttention(12, 3), 4, {Distribution::normal, true}),
                                    sharingPlan(Sharing::all, 3));
  for (const Scale scale : {Scale{}, Scale{Scale::Rule::totalWidth}, Scale{Scale::Rule::modelWidth},
                            Scale{Scale::Rule::none}, Scale::by(0.7), Scale::by(0)}) {
    const Options options{.scale = scale};
    CHECK(near(attend({inputs, equivalentSingleHead(tied, options), options}).output,
               attend({inputs, tied, options}).output));
  }
}

TEST_CASE("a head is switched off by zeros in its block of W^o, for additive pooling too") {
  Sample layer = sample(3, {.pooling = Pooling::additive, .masked = false});
  REQUIRE(layer.dimensions().headCount > 1);
  const ForwardTrace trace = attend(layer);
  const Matrix contribution = outputContributions(layer, trace)[1];
  layer.weights = withoutHead(layer.weights, 1);
  CHECK(near(attend(layer).output, trace.output - contribution));
}

TEST_CASE("equal blocks of W^o are all as the first") {
  const Weights weights = withEqualOutputBlocks(randomWeights(Dimensions::selfAttention(6, 3), 1));
  for (const Index first : {2, 4})
    CHECK(same(middleRows(weights.output.weight, first, 2), middleRows(weights.output.weight, 0, 2)));
}

TEST_CASE("weights that contradict themselves are refused before a head is switched off, merged or made equal") {
  Weights weights = randomWeights(Dimensions::selfAttention(6, 3), 1);
  weights.output.weight = Matrix::Zero(4, 6);
  const std::initializer_list<std::string_view> parts = {"weights.W_o", "6 × 6", "4 × 6"};
  CHECK(refuses([&] { withoutHead(weights, 2); }, ErrorCode::shapeMismatch, parts));
  CHECK(refuses([&] { withEqualOutputBlocks(weights); }, ErrorCode::shapeMismatch, parts));
  CHECK(refuses([&] { equivalentSingleHead(weights); }, ErrorCode::shapeMismatch, parts));
}

TEST_CASE("sums over heads that overflow are refused") {
  Weights weights = randomWeights(Dimensions::selfAttention(6, 3), 1, {Distribution::zeros, false});
  const SharingPlan all = sharingPlan(Sharing::all, 3);
  for (HeadWeights& head : weights.heads)
    head.query.weight.setConstant(1e308);
  CHECK(refuses([&] { sumOverUsers(weights, all); }, ErrorCode::notFinite, {"gradient", "overflowed"}));
  CHECK_NOTHROW(sumOverUsers(weights, sharingPlan(Sharing::keysAndValues, 3)));
  weights.output.weight.setConstant(1e308);
  CHECK(refuses([&] { equivalentSingleHead(weights); }, ErrorCode::notFinite, {"one head", "overflowed"}));
}

TEST_CASE("a plan is for as many heads as the layer has, and says which") {
  const Weights weights = randomWeights(Dimensions::selfAttention(6, 3), 1);
  CHECK(refuses([&] { shareWeights(weights, sharingPlan(Sharing::all, 2)); }, ErrorCode::shapeMismatch,
                {"plan is for 2 heads", "3"}));
  CHECK(refuses(
      [&] {
        sumOverUsers(weights, {{0, 1, -1}, {0, 1, 2}});
      },
      ErrorCode::invalidOption, {"head -1", "0 to 2"}));
  CHECK(refuses([] { sharingPlan(Sharing::none, 0); }, ErrorCode::invalidDimension, {"headCount", "at least 1", "0"}));
  CHECK(refuses([] { sharingPlan(Sharing::none, 1 << 21); }, ErrorCode::tooLarge, {"headCount is 2097152"}));
}

}  // namespace headwise::test
