// What `attend` refuses, with projections and without. The refusals of weights and masks have their own files.
#include "checks.h"
#include "headwise/attention.h"
#include "headwise/forward.h"
#include "samples.h"

#include <limits>

namespace headwise::test {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

Inputs goodInputs() { return {normalMatrix(2, 4, 1), normalMatrix(3, 5, 2), normalMatrix(3, 6, 3)}; }

Weights goodWeights() {
  return randomWeights({.queryInputSize = 4,
                        .keyInputSize = 5,
                        .valueInputSize = 6,
                        .headCount = 2,
                        .keyValueHeadCount = 2,
                        .querySize = 3,
                        .keySize = 3,
                        .valueSize = 2,
                        .outputSize = 7},
                       1);
}

// For queries of width 4 and keys of width 5.
AdditiveScore goodScore() { return {normalMatrix(4, 7, 1), normalMatrix(5, 7, 2), RowVector(normalMatrix(1, 7, 3))}; }

// However the layer is computed, it is refused alike.
void checkRefused(const Layer& layer, ErrorCode code, std::initializer_list<std::string_view> parts) {
  CHECK(refuses([&] { attend(layer); }, code, parts));
  CHECK(refuses([&] { forward(layer, {.wideProjections = true}); }, code, parts));
}
void checkRefused(const Inputs& inputs, ErrorCode code, std::initializer_list<std::string_view> parts) {
  checkRefused(Layer{inputs, goodWeights()}, code, parts);
}

// One input of width 1 through one head; each argument is the only entry of its matrix.
Layer oneCell(Scalar input, Scalar query, Scalar key, Scalar value, Scalar output, Scalar bias = 0) {
  const auto projection = [](Scalar weight) { return Projection{matrixOf({{weight}}), {}}; };
  return {.inputs = Inputs::self(matrixOf({{input}})),
          .weights = {.dimensions = Dimensions::selfAttention(1, 1),
                      .heads = {{projection(query), {}}},
                      .keyValueHeads = {{projection(key), projection(value)}},
                      .output = projection(output)},
          .options = {.mask = Mask::additive(matrixOf({{bias}}))}};
}

void checkOverflows(const Layer& layer, std::initializer_list<std::string_view> parts) {
  checkRefused(layer, ErrorCode::notFinite, parts);
}

}  // namespace

TEST_CASE("attend refuses inputs that are not finite, with their place") {
  CHECK_NOTHROW(attend({goodInputs(), goodWeights()}));
  Inputs inputs = goodInputs();
  inputs.query(1, 2) = kInfinity;
  checkRefused(inputs, ErrorCode::notFinite, {"inputs.query", "+∞", "row 1", "column 2"});
  inputs = goodInputs();
  inputs.key(0, 0) = std::numeric_limits<Scalar>::quiet_NaN();
  checkRefused(inputs, ErrorCode::notFinite, {"inputs.key", "NaN", "row 0", "column 0"});
  inputs = goodInputs();
  inputs.value(2, 5) = -kInfinity;
  checkRefused(inputs, ErrorCode::notFinite, {"inputs.value", "−∞", "row 2", "column 5"});
}

TEST_CASE("attend refuses empty inputs") {
  Inputs inputs = goodInputs();
  inputs.query = Matrix(0, 4);
  checkRefused(inputs, ErrorCode::invalidDimension, {"inputs.query is empty", "0 × 4"});
  inputs = goodInputs();
  inputs.key = Matrix(0, 5);
  checkRefused(inputs, ErrorCode::invalidDimension, {"inputs.key is empty", "0 × 5"});
  inputs = goodInputs();
  inputs.value = Matrix();
  checkRefused(inputs, ErrorCode::invalidDimension, {"inputs.value is empty", "0 × 0"});
}

TEST_CASE("attend refuses as many keys as there are not values") {
  Inputs inputs = goodInputs();
  inputs.value = normalMatrix(4, 6, 3);
  checkRefused(inputs, ErrorCode::shapeMismatch, {"inputs.key has 3 rows", "inputs.value has 4"});
  inputs.key = normalMatrix(3, 4, 2);
  CHECK(refuses([&] { attend(unprojectedLayer(inputs)); }, ErrorCode::shapeMismatch,
                {"inputs.key has 3 rows", "inputs.value has 4"}));
}

TEST_CASE("attend refuses inputs whose width is not that of the weights") {
  Inputs inputs = goodInputs();
  inputs.query = normalMatrix(2, 5, 1);
  checkRefused(inputs, ErrorCode::shapeMismatch, {"inputs.query", "2 × 4", "queryInputSize", "2 × 5"});
  inputs = goodInputs();
  inputs.key = normalMatrix(3, 4, 1);
  checkRefused(inputs, ErrorCode::shapeMismatch, {"inputs.key", "3 × 5", "keyInputSize", "3 × 4"});
  inputs = goodInputs();
  inputs.value = normalMatrix(3, 7, 1);
  checkRefused(inputs, ErrorCode::shapeMismatch, {"inputs.value", "3 × 6", "valueInputSize", "3 × 7"});
}

TEST_CASE("attend refuses a bad mask and bad weights as their own files say") {
  CHECK(refuses(
      [] {
        attend({goodInputs(), goodWeights(), {.mask = Mask::padding({4})}});
      },
      ErrorCode::invalidOption, {"mask.validLengths[0]", "4", "3"}));
  CHECK(refuses(
      [] {
        attend({goodInputs(), goodWeights(), {.pooling = Pooling::additive}});
      },
      ErrorCode::invalidDimension, {"scoreHiddenSize"}));
  Weights weights = goodWeights();
  weights.output.weight = Matrix::Zero(4, 6);
  CHECK(refuses([&] { attend({goodInputs(), weights}); }, ErrorCode::shapeMismatch, {"weights.W_o", "4 × 7", "4 × 6"}));
}

TEST_CASE("attend says where finite numbers overflowed") {
  CHECK_NOTHROW(attend(oneCell(1, 1e154, 1e154, 1, 1)));
  checkOverflows(oneCell(1, 1e155, 1e155, 1, 1), {"heads[0].rawScores", "overflowed"});
  checkOverflows(oneCell(1e200, 1e200, 0, 1, 1), {"heads[0].queries", "overflowed"});
  checkOverflows(oneCell(1e200, 0, 1e200, 1, 1), {"keyValueHeads[0].keys", "overflowed"});
  checkOverflows(oneCell(1e200, 0, 0, 1e200, 0), {"keyValueHeads[0].values", "overflowed"});
  checkOverflows(oneCell(1e200, 0, 0, 1, 1e200), {"output", "overflowed"});
  checkOverflows(oneCell(1, 1e154, 1e154, 1, 1, 1.797e308), {"mask.bias"});  // score and bias together
  checkOverflows(oneCell(1, -1e154, 1e154, 1, 1, -1.797e308), {"mask.bias"});  // towards −∞, which would hide the cell
  const Matrix large = matrixOf({{1e200}});
  CHECK(refuses([&] { attend(unprojectedLayer(Inputs::self(large))); }, ErrorCode::notFinite,
                {"heads[0].rawScores", "overflowed"}));
}

TEST_CASE("attend says where finite numbers overflowed in additive pooling, whose tanh would swallow an infinity") {
  Dimensions dimensions = Dimensions::selfAttention(1, 1);
  dimensions.scoreHiddenSize = 1;
  Weights weights = randomWeights(dimensions, 1, {Distribution::uniform, false});
  const Inputs inputs = Inputs::self(matrixOf({{1e200}}));
  CHECK_NOTHROW(attend({inputs, weights, {.pooling = Pooling::additive}}));
  Weights large = weights;
  large.heads[0].query.weight(0, 0) = 1e200;
  CHECK(refuses(
      [&] {
        attend({inputs, large, {.pooling = Pooling::additive}});
      },
      ErrorCode::notFinite, {"overflowed"}));
  large = weights;
  large.keyValueHeads[0].key.weight(0, 0) = 1e200;
  CHECK(refuses(
      [&] {
        attend({inputs, large, {.pooling = Pooling::additive}});
      },
      ErrorCode::notFinite, {"overflowed"}));
}

TEST_CASE("attend refuses a trace above the limit before it allocates one") {
  // 100,000² scores, four matrices of them: 320 GB.
  const Inputs inputs = Inputs::self(Matrix::Zero(100000, 1));
  const Weights weights = randomWeights(Dimensions::selfAttention(1, 1), 1);
  const std::initializer_list<std::string_view> parts = {"100000 queries", "100000 keys", "256 MiB"};
  checkRefused(Layer{inputs, weights}, ErrorCode::tooLarge, parts);
  CHECK(refuses([&] { attend(unprojectedLayer(inputs)); }, ErrorCode::tooLarge, parts));
}

TEST_CASE("attend refuses what does not fit in a layer without projections") {
  const Inputs inputs{normalMatrix(2, 4, 1), normalMatrix(3, 5, 2), normalMatrix(3, 6, 3)};
  CHECK(refuses([&] { attend(unprojectedLayer(inputs)); }, ErrorCode::invalidDimension,
                {"querySize is 4", "keySize is 5"}));
  CHECK(refuses([&] { attend(unprojectedLayer(inputs, {.pooling = Pooling::additive})); }, ErrorCode::invalidDimension,
                {"scoreHiddenSize", "at least 1", "0"}));
  CHECK(refuses(
      [&] {
        attend(unprojectedLayer({Matrix(0, 4), inputs.key, inputs.value}, {.pooling = Pooling::additive}, goodScore()));
      },
      ErrorCode::invalidDimension, {"inputs.query is empty"}));
}

TEST_CASE("attend refuses additive matrices that do not fit or are not finite in a layer without projections") {
  const Inputs inputs{normalMatrix(2, 4, 1), normalMatrix(3, 5, 2), normalMatrix(3, 6, 3)};
  const auto layerWith = [&](const std::function<void(AdditiveScore&)>& change) {
    AdditiveScore score = goodScore();
    change(score);
    return unprojectedLayer(inputs, {.pooling = Pooling::additive}, score);
  };
  const auto refusesChange = [&](const std::function<void(AdditiveScore&)>& change, ErrorCode code,
                                 std::initializer_list<std::string_view> parts) {
    return refuses([&] { attend(layerWith(change)); }, code, parts);
  };
  CHECK_NOTHROW(attend(layerWith([](AdditiveScore&) {})));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreQuery = normalMatrix(5, 7, 1); }, ErrorCode::shapeMismatch,
                      {"weights.A_q[0]", "4 × 7", "5 × 7"}));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreKey = normalMatrix(5, 6, 1); }, ErrorCode::shapeMismatch,
                      {"weights.A_k[0]", "5 × 7", "5 × 6"}));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreVector = RowVector(); }, ErrorCode::invalidDimension,
                      {"scoreHiddenSize", "at least 1", "0"}));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreQuery(3, 6) = kInfinity; }, ErrorCode::notFinite,
                      {"weights.A_q[0]", "row 3", "column 6"}));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreKey(4, 0) = kInfinity; }, ErrorCode::notFinite,
                      {"weights.A_k[0]", "row 4", "column 0"}));
  CHECK(refusesChange([](AdditiveScore& score) { score.scoreVector(6) = kInfinity; }, ErrorCode::notFinite,
                      {"weights.a_v[0]", "column 6"}));
}

}  // namespace headwise::test
