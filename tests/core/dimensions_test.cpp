#include "headwise/dimensions.h"

#include "checks.h"

namespace headwise::test {

namespace {

// 2 heads of unequal sizes everywhere, legal for both poolings.
Dimensions uneven() {
  return {.queryInputSize = 4,
          .keyInputSize = 6,
          .valueInputSize = 3,
          .headCount = 2,
          .keyValueHeadCount = 2,
          .querySize = 5,
          .keySize = 5,
          .valueSize = 7,
          .outputSize = 9,
          .scoreHiddenSize = 8};
}

}  // namespace

TEST_CASE("dimensions: selfAttention gives every head its share of modelSize") {
  const Dimensions dimensions = Dimensions::selfAttention(12, 3);
  const Dimensions expected{.queryInputSize = 12,
                            .keyInputSize = 12,
                            .valueInputSize = 12,
                            .headCount = 3,
                            .keyValueHeadCount = 3,
                            .querySize = 4,
                            .keySize = 4,
                            .valueSize = 4,
                            .outputSize = 12,
                            .scoreHiddenSize = 0};
  CHECK(dimensions == expected);
  CHECK(dimensions.concatenatedSize() == 12);
  CHECK(Dimensions::selfAttention(12, 6, 2).keyValueHeadCount == 2);
}

TEST_CASE("dimensions: a headCount that does not divide is refused with the ones that would") {
  CHECK(refuses([] { Dimensions::selfAttention(12, 5); }, ErrorCode::invalidDimension,
                {"headCount 5", "modelSize 12", "1, 2, 3, 4, 6 or 12"}));
  CHECK(refuses([] { Dimensions::selfAttention(1, 2); }, ErrorCode::invalidDimension,
                {"headCount 2", "modelSize 1", "can be 1."}));
  CHECK(
      refuses([] { Dimensions::selfAttention(0, 1); }, ErrorCode::invalidDimension, {"modelSize", "at least 1", "0"}));
  CHECK(refuses([] { Dimensions::selfAttention(12, -3); }, ErrorCode::invalidDimension,
                {"headCount", "at least 1", "-3"}));
}

TEST_CASE("dimensions: key/value heads must divide the heads") {
  CHECK(refuses([] { Dimensions::selfAttention(12, 6, 4); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount 4", "headCount 6", "1, 2, 3 or 6"}));
  CHECK(refuses([] { Dimensions::selfAttention(12, 6, 0); }, ErrorCode::invalidDimension,
                {"keyValueHeadCount", "at least 1", "0"}));
}

TEST_CASE("dimensions: grouped heads share consecutive key/value heads (repeat, not tile)") {
  const Dimensions dimensions = Dimensions::selfAttention(12, 6, 2);
  CHECK(dimensions.groupSize() == 3);
  std::vector<Index> used;
  for (Index head = 0; head < 6; ++head)
    used.push_back(dimensions.keyValueHeadOf(head));
  CHECK(used == std::vector<Index>{0, 0, 0, 1, 1, 1});  // tiled: 0, 1, 0, 1, 0, 1
}

TEST_CASE("dimensions: widths need not share modelSize out") {
  CHECK_NOTHROW(checkDimensions(uneven(), Pooling::scaledDotProduct));
  CHECK_NOTHROW(checkDimensions(uneven(), Pooling::additive));
  CHECK(uneven().concatenatedSize() == 14);
}

TEST_CASE("dimensions: every size below 1 is refused by name") {
  const std::pair<const char*, Index Dimensions::*> sizes[] = {{"queryInputSize", &Dimensions::queryInputSize},
                                                               {"keyInputSize", &Dimensions::keyInputSize},
                                                               {"valueInputSize", &Dimensions::valueInputSize},
                                                               {"headCount", &Dimensions::headCount},
                                                               {"keyValueHeadCount", &Dimensions::keyValueHeadCount},
                                                               {"querySize", &Dimensions::querySize},
                                                               {"keySize", &Dimensions::keySize},
                                                               {"valueSize", &Dimensions::valueSize},
                                                               {"outputSize", &Dimensions::outputSize}};
  for (const auto& [name, size] : sizes)
    for (const Index wrong : {Index{0}, Index{-2}}) {
      Dimensions dimensions = uneven();
      dimensions.*size = wrong;
      CHECK(refuses([&] { checkDimensions(dimensions, Pooling::additive); }, ErrorCode::invalidDimension,
                    {name, "at least 1", std::to_string(wrong)}));
    }
}

TEST_CASE("dimensions: dot products need one width for queries and keys, additive pooling does not") {
  Dimensions dimensions = uneven();
  dimensions.keySize = 4;
  CHECK_NOTHROW(checkDimensions(dimensions, Pooling::additive));
  CHECK(refuses([&] { checkDimensions(dimensions, Pooling::scaledDotProduct); }, ErrorCode::invalidDimension,
                {"querySize is 5", "keySize is 4", "additive"}));
}

TEST_CASE("dimensions: additive pooling needs a hidden width; dot products only refuse a negative one") {
  Dimensions dimensions = uneven();
  dimensions.scoreHiddenSize = 0;
  CHECK_NOTHROW(checkDimensions(dimensions, Pooling::scaledDotProduct));
  CHECK(refuses([&] { checkDimensions(dimensions, Pooling::additive); }, ErrorCode::invalidDimension,
                {"scoreHiddenSize", "at least 1", "0"}));
  dimensions.scoreHiddenSize = -1;
  CHECK(refuses([&] { checkDimensions(dimensions, Pooling::scaledDotProduct); }, ErrorCode::invalidDimension,
                {"scoreHiddenSize", "-1"}));
}

TEST_CASE("dimensions: sizes past what 32 bits can count and multiply are refused by name, alone or over all heads") {
  Dimensions dimensions = uneven();
  dimensions.outputSize = kLargestSize;
  CHECK_NOTHROW(checkDimensions(dimensions, Pooling::additive));
  const std::string largest = std::to_string(kLargestSize);
  const std::pair<const char*, Index Dimensions::*> sizes[] = {{"queryInputSize", &Dimensions::queryInputSize},
                                                               {"keyInputSize", &Dimensions::keyInputSize},
                                                               {"valueInputSize", &Dimensions::valueInputSize},
                                                               {"querySize", &Dimensions::querySize},
                                                               {"keySize", &Dimensions::keySize},
                                                               {"valueSize", &Dimensions::valueSize},
                                                               {"outputSize", &Dimensions::outputSize}};
  for (const auto& [name, size] : sizes) {
    dimensions = uneven();
    dimensions.*size = kLargestSize + 1;
    CHECK(refuses([&] { checkDimensions(dimensions, Pooling::additive); }, ErrorCode::tooLarge,
                  {name, std::to_string(kLargestSize + 1), largest}));
  }
  for (const auto& [name, size] : {std::pair{"querySize", &Dimensions::querySize},
                                   {"keySize", &Dimensions::keySize},
                                   {"valueSize", &Dimensions::valueSize},
                                   {"scoreHiddenSize", &Dimensions::scoreHiddenSize}}) {
    dimensions = uneven();
    dimensions.*size = kLargestSize / 2 + 1;
    CHECK(refuses([&] { checkDimensions(dimensions, Pooling::additive); }, ErrorCode::tooLarge,
                  {std::string("headCount · ") + name, largest}));
  }
  CHECK(refuses([] { Dimensions::selfAttention(2147483647, 1); }, ErrorCode::tooLarge, {largest}));
  CHECK(refuses([] { Dimensions::selfAttention(Index{1} << 30, 1); }, ErrorCode::tooLarge, {largest}));
}

TEST_CASE("divisors: in order, for squares, primes and 1") {
  using Numbers = std::vector<Index>;
  CHECK(divisorsOf(12) == Numbers{1, 2, 3, 4, 6, 12});
  CHECK(divisorsOf(36) == Numbers{1, 2, 3, 4, 6, 9, 12, 18, 36});
  CHECK(divisorsOf(7) == Numbers{1, 7});
  CHECK(divisorsOf(1) == Numbers{1});
  // The last squares and the largest number of 32 bits, where the product of two indices would overflow.
  CHECK(divisorsOf(2147483647) == Numbers{1, 2147483647});
  const Numbers many = divisorsOf(2147395600);  // 46340²
  CHECK(many.size() == 135);
  CHECK(many[67] == 46340);
  CHECK(many.back() == 2147395600);
  CHECK(refuses([] { divisorsOf(0); }, ErrorCode::invalidDimension, {"number", "at least 1", "0"}));
}

TEST_CASE("dimensions: of many divisors a message names the first and the last") {
  // 2¹⁰ · 3⁵ · 5² has 11 · 6 · 3 = 198.
  const Index size = 1024 * 243 * 25;
  CHECK(divisorsOf(size).size() == 198);
  CHECK(refuses([&] { Dimensions::selfAttention(size, 7); }, ErrorCode::invalidDimension,
                {"it can be 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, … 6220800."}));
}

}  // namespace headwise::test
