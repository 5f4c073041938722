// Layers drawn at random for the properties: all sizes small and mostly different, every mask, both poolings.
#pragma once

#include "headwise/attention.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headwise::test {

/// A layer with its sizes and its seed in words, for INFO.
struct Sample : Layer {
  std::string text;
};

struct SampleWishes {
  Pooling pooling = Pooling::scaledDotProduct;
  bool self = false;    ///< one sequence in all three places
  bool grouped = true;  ///< fewer key/value heads than heads, where the draw says so
  bool masked = true;   ///< any mask, bias included
};

/// The same for the same seed, everywhere.
Sample sample(std::uint64_t seed, const SampleWishes& wishes = {});

/// A layer whose three widths are modelSize, biases included, and its unit-normal input: the usual case in one line.
Layer selfAttentionLayer(Index tokens, Index modelSize, Index headCount, std::uint64_t seed, bool biases = true);

/// Unit normal.
Matrix normalMatrix(Index rows, Index columns, std::uint64_t seed);

/// 0 … count − 1 in random order, never the order itself for count > 1.
std::vector<Index> shuffledOrder(Index count, std::uint64_t seed);

}  // namespace headwise::test
