// Sizes are checked here once; behind this door they are trusted.
#include "headwise/dimensions.h"

#include <string>
#include <utility>

#include "headwise/error.h"

namespace headwise {

namespace {

[[noreturn]] void refuse(std::string_view argument, const std::string& message) {
  throw Error(ErrorCode::invalidDimension, message, argument);
}

void checkPositive(const char* name, Index size) {
  if (size < 1) refuse(name, std::string(name) + " must be at least 1, but is " + std::to_string(size) + ".");
}

// Of all heads together. Compared by division: the product itself may not fit into an index.
void checkCountable(const char* name, Index size, Index headCount = 1) {
  if (size <= kLargestSize / headCount) return;
  const std::string what = headCount == 1 ? std::string(name) + " is " + std::to_string(size)
                                          : "headCount · " + std::string(name) + " is " + std::to_string(headCount) +
                                                " · " + std::to_string(size);
  throw Error(ErrorCode::tooLarge, what + ", and can be at most " + std::to_string(kLargestSize) + ".", name);
}

// {1, 2, 3, 6} → "1, 2, 3 or 6"; of many the first and the last
std::string choiceOf(const std::vector<Index>& numbers) {
  constexpr std::size_t kMostNamed = 16;
  std::string text;
  if (numbers.size() > kMostNamed) {
    for (std::size_t i = 0; i < kMostNamed; ++i)
      text += std::to_string(numbers[i]) + ", ";
    return text + "… " + std::to_string(numbers.back());
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return text;
}

}  // namespace

std::vector<Index> divisorsOf(Index number) {
  checkPositive("number", number);
  std::vector<Index> small, large;
  // Not divisor · divisor, which overflows an index of 32 bits.
  for (Index divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    small.push_back(divisor);
    if (divisor != number / divisor) large.push_back(number / divisor);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

Dimensions Dimensions::selfAttention(Index modelSize, Index headCount, std::optional<Index> keyValueHeadCount) {
  checkPositive("modelSize", modelSize);
  checkPositive("headCount", headCount);
  if (modelSize % headCount != 0)
    refuse("headCount", "headCount " + std::to_string(headCount) + " does not divide modelSize " +
                            std::to_string(modelSize) + "; it can be " + choiceOf(divisorsOf(modelSize)) + ".");
  const Index headSize = modelSize / headCount;
  const Dimensions dimensions{.queryInputSize = modelSize,
                              .keyInputSize = modelSize,
                              .valueInputSize = modelSize,
                              .headCount = headCount,
                              .keyValueHeadCount = keyValueHeadCount.value_or(headCount),
                              .querySize = headSize,
                              .keySize = headSize,
                              .valueSize = headSize,
                              .outputSize = modelSize};
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  return dimensions;
}

void checkDimensions(const Dimensions& dimensions, Pooling pooling) {
  const std::pair<const char*, Index> sizes[] = {{"queryInputSize", dimensions.queryInputSize},
                                                 {"keyInputSize", dimensions.keyInputSize},
                                                 {"valueInputSize", dimensions.valueInputSize},
                                                 {"headCount", dimensions.headCount},
                                                 {"keyValueHeadCount", dimensions.keyValueHeadCount},
                                                 {"querySize", dimensions.querySize},
                                                 {"keySize", dimensions.keySize},
                                                 {"valueSize", dimensions.valueSize},
                                                 {"outputSize", dimensions.outputSize}};
  for (const auto& [name, size] : sizes) {
    checkPositive(name, size);
    checkCountable(name, size);
  }

  if (dimensions.headCount % dimensions.keyValueHeadCount != 0)
    refuse("keyValueHeadCount", "keyValueHeadCount " + std::to_string(dimensions.keyValueHeadCount) +
                                    " does not divide headCount " + std::to_string(dimensions.headCount) +
                                    "; it can be " + choiceOf(divisorsOf(dimensions.headCount)) + ".");
  if (pooling == Pooling::scaledDotProduct && dimensions.querySize != dimensions.keySize)
    refuse("keySize", "Dot products need querySize = keySize, but querySize is " +
                          std::to_string(dimensions.querySize) + " and keySize is " +
                          std::to_string(dimensions.keySize) + "; make them equal or use additive pooling.");
  if (pooling == Pooling::additive && dimensions.scoreHiddenSize < 1)
    refuse("scoreHiddenSize", "Additive pooling needs a scoreHiddenSize of at least 1, but it is " +
                                  std::to_string(dimensions.scoreHiddenSize) + ".");
  if (dimensions.scoreHiddenSize < 0)
    refuse("scoreHiddenSize",
           "scoreHiddenSize must not be negative, but is " + std::to_string(dimensions.scoreHiddenSize) + ".");
  checkCountable("querySize", dimensions.querySize, dimensions.headCount);
  checkCountable("keySize", dimensions.keySize, dimensions.headCount);
  checkCountable("valueSize", dimensions.valueSize, dimensions.headCount);
  checkCountable("scoreHiddenSize", dimensions.scoreHiddenSize, dimensions.headCount);
}

}  // namespace headwise
