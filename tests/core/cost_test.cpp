#include "headwise/cost.h"

#include "checks.h"

namespace headwise::test {

namespace {

Dimensions sizes() {
  return {.queryInputSize = 9,
          .keyInputSize = 9,
          .valueInputSize = 9,
          .headCount = 2,
          .keyValueHeadCount = 1,
          .querySize = 4,
          .keySize = 4,
          .valueSize = 3,
          .outputSize = 8};
}

}  // namespace

TEST_CASE("pooling cost: dot products take n_q·n_kv·(p + p_v) multiply-adds and no parameters") {
  // 5 queries, 6 keys: scores 5·6·4 = 120, weighted sum 5·6·3 = 90.
  const PoolingCost cost = poolingCost(sizes(), Pooling::scaledDotProduct, 5, 6);
  CHECK(cost.multiplyAdds == 210);
  CHECK(cost.softmaxTerms == 30);
  CHECK(cost.tanhTerms == 0);
  CHECK(cost.parameters == 0);
}

TEST_CASE("pooling cost: additive pooling maps queries and keys once, and each pair through the hidden width") {
  // p_q 4, p_k 2, a 7: maps 5·4·7 = 140 and 6·2·7 = 84; pairs 5·6·7 = 210; weighted sum 90. Parameters (4 + 2 + 1)·7 = 49.
  Dimensions dimensions = sizes();
  dimensions.keySize = 2;
  dimensions.scoreHiddenSize = 7;
  const PoolingCost cost = poolingCost(dimensions, Pooling::additive, 5, 6);
  CHECK(cost.multiplyAdds == 524);
  CHECK(cost.softmaxTerms == 30);
  CHECK(cost.tanhTerms == 210);
  CHECK(cost.parameters == 49);
}

TEST_CASE("pooling cost: dimensions that do not fit are refused") {
  CHECK(refuses([] { poolingCost(sizes(), Pooling::additive, 5, 6); }, ErrorCode::invalidDimension,
                {"scoreHiddenSize", "at least 1", "0"}));
}

}  // namespace headwise::test
