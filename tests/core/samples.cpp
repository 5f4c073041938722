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

BoolMatrix drawnPattern(Draw& draw, Index queryCount, Index keyCount) {
  BoolMatrix keep(queryCount, keyCount);
  for (Index i = 0; i < queryCount; ++i)
    for (Index k = 0; k < keyCount; ++k)
      keep(i, k) = draw.chance(2);
  return keep;
}

Matrix drawnBias(Draw& draw, Index queryCount, Index keyCount) {
  Matrix bias(queryCount, keyCount);
  for (Index i = 0; i < queryCount; ++i)
    for (Index k = 0; k < keyCount; ++k)
      bias(i, k) = draw.chance(5) ? -std::numeric_limits<Scalar>::infinity() : draw.normal();
  return bias;
}

// One condition, now and then a second, and a bias for all heads or for each.
Mask drawnMask(Draw& draw, Index queryCount, Index keyCount, Index headCount) {
  const auto alignment = [&] { return draw.chance(2) ? Alignment::topLeft : Alignment::bottomRight; };
  Mask mask;
  switch (draw.between(0, 6)) {
    case 0:
      mask = Mask::causalFrom(Alignment::topLeft);
      break;
    case 1:
      mask = Mask::causalFrom(Alignment::bottomRight);
      break;
    case 2:
      mask = Mask::sliding(draw.between(1, keyCount), alignment());
      break;
    case 3:
      mask = Mask::padding({draw.between(0, keyCount)});
      break;
    case 4: {
      std::vector<Index> lengths;
      for (Index query = 0; query < queryCount; ++query)
        lengths.push_back(draw.between(0, keyCount));
      mask = Mask::padding(lengths);
      break;
    }
    case 5:
      mask = Mask::keeping(drawnPattern(draw, queryCount, keyCount));
      break;
    default:
      break;
  }
  if (draw.chance(4)) mask.causal = alignment();
  if (draw.chance(4)) mask.validLengths = {draw.between(0, keyCount)};
  if (draw.chance(3))
    for (Index bias = draw.chance(2) ? headCount : 1; bias > 0; --bias)
      mask.biases.push_back(drawnBias(draw, queryCount, keyCount));
  return mask;
}

std::string textOf(const Mask& mask) {
  std::string text;
  if (mask.causal) text += std::string(", ") + std::string(nameIn(kAlignments, *mask.causal));
  if (mask.window) text += ", window " + std::to_string(*mask.window);
  if (mask.validLengths) text += ", valid lengths";
  if (mask.keep) text += ", keep";
  if (!mask.biases.empty()) text += ", biases " + std::to_string(mask.biases.size());
  return text;
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
  constexpr Scale kScales[] = {{Scale::Rule::perHeadWidth},
                               {Scale::Rule::totalWidth},
                               {Scale::Rule::modelWidth},
                               {Scale::Rule::none},
                               Scale::by(0.3)};
  result.options.scale = kScales[draw.between(0, 4)];
  if (wishes.masked) result.options.mask = drawnMask(draw, queryCount, keyCount, dimensions.headCount);
  result.text = "seed " + std::to_string(seed) + ": " + std::to_string(queryCount) + " queries, " +
                std::to_string(keyCount) + " keys, " + std::to_string(dimensions.headCount) + " heads, " +
                std::to_string(dimensions.keyValueHeadCount) + " key/value heads, widths " +
                std::to_string(dimensions.querySize) + " and " + std::to_string(dimensions.valueSize) +
                textOf(result.options.mask);
  return result;
}

Layer selfAttentionLayer(Index tokens, Index modelSize, Index headCount, std::uint64_t seed, bool biases) {
  return {Inputs::self(normalMatrix(tokens, modelSize, seed)),
          randomWeights(Dimensions::selfAttention(modelSize, headCount), seed, {Distribution::scaledNormal, biases}),
          {}};
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
