#include "samples.h"

#include "headwise/random.h"

#include <limits>
#include <utility>

namespace headwise::test {

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  Index between(Index low, Index high) {
    return low + static_cast<Index>(random_.next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(Index outOf) { return between(1, outOf) == 1; }
  Scalar normal() { return random_.normal(); }

 private:
  Random random_;
};

Mask drawnMask(Draw& draw, Index queryCount, Index keyCount) {
  Mask mask;
  switch (draw.between(0, 5)) {
    case 0:
      mask = Mask::causal();
      break;
    case 1:
      mask = Mask::causalAlignedToEnd();
      break;
    case 2:
      mask = Mask::padding({draw.between(0, keyCount)});
      break;
    case 3: {
      std::vector<Index> lengths;
      for (Index query = 0; query < queryCount; ++query)
        lengths.push_back(draw.between(0, keyCount));
      mask = Mask::padding(lengths);
      break;
    }
    case 4: {
      BoolMatrix keep(queryCount, keyCount);
      for (Index i = 0; i < queryCount; ++i)
        for (Index k = 0; k < keyCount; ++k)
          keep(i, k) = draw.chance(2);
      mask = Mask::keeping(keep);
      break;
    }
    default:
      break;
  }
  if (draw.chance(3)) {
    mask.bias = Matrix(queryCount, keyCount);
    for (Index i = 0; i < queryCount; ++i)
      for (Index k = 0; k < keyCount; ++k)
        mask.bias(i, k) = draw.chance(5) ? -std::numeric_limits<Scalar>::infinity() : draw.normal();
  }
  return mask;
}

}  // namespace

Sample sample(std::uint64_t seed, const SampleWishes& wishes) {
  Draw draw(seed * 1000 + 17);
  const Index queryCount = draw.between(1, 6), keyCount = wishes.self ? queryCount : draw.between(1, 6);
  Dimensions dimensions;
  dimensions.keyValueHeadCount = draw.between(1, 3);
  dimensions.headCount = dimensions.keyValueHeadCount * (wishes.grouped ? draw.between(1, 3) : 1);
  dimensions.queryInputSize = draw.between(1, 6);
  dimensions.keyInputSize = wishes.self ? dimensions.queryInputSize : draw.between(1, 6);
  dimensions.valueInputSize = wishes.self ? dimensions.queryInputSize : draw.between(1, 6);
  dimensions.querySize = draw.between(1, 5);
  dimensions.keySize = wishes.pooling == Pooling::additive ? draw.between(1, 5) : dimensions.querySize;
  dimensions.valueSize = draw.between(1, 5);
  dimensions.outputSize = draw.between(1, 6);
  dimensions.scoreHiddenSize = wishes.pooling == Pooling::additive ? draw.between(1, 5) : 0;

  Sample result;
  result.weights = randomWeights(dimensions, seed, {Distribution::normal, draw.chance(2)});
  result.inputs.query = normalMatrix(queryCount, dimensions.queryInputSize, seed + 1);
  result.inputs.key = wishes.self ? result.inputs.query : normalMatrix(keyCount, dimensions.keyInputSize, seed + 2);
  result.inputs.value = wishes.self ? result.inputs.query : normalMatrix(keyCount, dimensions.valueInputSize, seed + 3);
  result.options.pooling = wishes.pooling;
  result.options.scale = draw.chance(3) ? Scale::totalWidth : draw.chance(3) ? Scale::none : Scale::perHeadWidth;
  if (wishes.masked) result.options.mask = drawnMask(draw, queryCount, keyCount);
  result.text = "seed " + std::to_string(seed) + ": " + std::to_string(queryCount) + " queries, " +
                std::to_string(keyCount) + " keys, " + std::to_string(dimensions.headCount) + " heads, " +
                std::to_string(dimensions.keyValueHeadCount) + " key/value heads, widths " +
                std::to_string(dimensions.querySize) + " and " + std::to_string(dimensions.valueSize) + ", mask kind " +
                std::to_string(static_cast<int>(result.options.mask.kind));
  return result;
}

Sample selfAttentionSample(Index tokens, Index modelSize, Index headCount, std::uint64_t seed, bool biases) {
  Sample result;
  result.inputs = Inputs::self(normalMatrix(tokens, modelSize, seed));
  result.weights =
      randomWeights(Dimensions::selfAttention(modelSize, headCount), seed, {Distribution::scaledNormal, biases});
  result.text = "seed " + std::to_string(seed);
  return result;
}

Matrix normalMatrix(Index rows, Index columns, std::uint64_t seed) {
  return randomMatrix(rows, columns, Distribution::normal, seed, streamOf("tests"));
}

std::vector<Index> shuffledOrder(Index count, std::uint64_t seed) {
  // A rotation, then random swaps that leave the first place alone: the first entry is never where it was.
  std::vector<Index> order;
  for (Index i = 0; i < count; ++i)
    order.push_back((i + 1) % count);
  Draw draw(seed);
  for (Index i = 1; i < count; ++i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(draw.between(1, i))]);
  return order;
}

}  // namespace headwise::test
