// A small portable random generator: the standard library's distributions differ from one library to the next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/names.h"
#include "headwise/types.h"

namespace headwise {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
/// The integers are the same everywhere; normal() to rounding only, since log and cos differ between C libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in [0, 1), with 53 random bits.
  Scalar uniform();
  /// Mean 0, variance 1, by the Box–Muller transform. Uses two uniforms a call.
  Scalar normal();

 private:
  std::uint64_t state_;
};

enum class Distribution {
  normal,        ///< mean 0, variance 1
  scaledNormal,  ///< mean 0, variance 1/rows: keeps the variance of input · matrix that of the input
  uniform,       ///< 0 to 1, what `rand` gives
  zeros,
};
inline constexpr Names<Distribution, 4> kDistributions{{
    {Distribution::normal, "normal"},
    {Distribution::scaledNormal, "scaledNormal"},
    {Distribution::uniform, "uniform"},
    {Distribution::zeros, "zeros"},
}};

/// [rows × columns]. Each cell is a function of (seed, stream, row, column) alone, so growing a matrix keeps the cells it had
/// (scaledNormal keeps them up to the common factor), and cutting a wide matrix differently changes no cell.
Matrix randomMatrix(Index rows, Index columns, Distribution distribution, std::uint64_t seed, std::uint64_t stream);

/// One row a token, [tokens × modelSize], unit normal. Made up: a word's row depends on the word, the column and the seed, and means nothing.
/// The same word has the same row wherever it stands.
Matrix tokenEmbeddings(const std::vector<std::string>& tokens, Index modelSize, std::uint64_t seed);

/// A stream number from a name (64-bit FNV-1a).
std::uint64_t streamOf(std::string_view name);

}  // namespace headwise
