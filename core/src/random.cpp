// SplitMix64 and what is drawn with it.
#include "headwise/random.h"

#include <cmath>
#include <numbers>

#include "headwise/error.h"

namespace headwise {

namespace {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Chained, so that (1, 2) and (2, 1) start apart.
std::uint64_t cellSeed(std::uint64_t seed, std::uint64_t stream, Index row, Index column) {
  std::uint64_t state = mixed(seed + kGoldenGamma);
  state = mixed(state ^ (stream + kGoldenGamma));
  state = mixed(state ^ (static_cast<std::uint64_t>(row) + kGoldenGamma));
  return mixed(state ^ (static_cast<std::uint64_t>(column) + kGoldenGamma));
}

void checkSize(const char* argument, Index size) {
  if (size < 1)
    throw Error(ErrorCode::invalidDimension,
                std::string(argument) + " must be at least 1, but is " + std::to_string(size) + ".");
}

}  // namespace

std::uint64_t Random::next() {
  state_ += kGoldenGamma;
  return mixed(state_);
}

Scalar Random::uniform() { return static_cast<Scalar>(next() >> 11) * 0x1.0p-53; }

Scalar Random::normal() {
  const Scalar radius = std::sqrt(-2 * std::log(1 - uniform()));  // 1 − u is never 0, u can be
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Matrix randomMatrix(Index rows, Index columns, Distribution distribution, std::uint64_t seed, std::uint64_t stream) {
  checkSize("rows", rows);
  checkSize("columns", columns);
  if (distribution == Distribution::zeros) return Matrix::Zero(rows, columns);
  const Scalar deviation = distribution == Distribution::scaledNormal ? 1 / std::sqrt(static_cast<Scalar>(rows)) : 1;
  Matrix result(rows, columns);
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column) {
      Random random(cellSeed(seed, stream, row, column));
      result(row, column) = distribution == Distribution::uniform ? random.uniform() : deviation * random.normal();
    }
  return result;
}

Matrix tokenEmbeddings(const std::vector<std::string>& tokens, Index modelSize, std::uint64_t seed) {
  if (tokens.empty()) throw Error(ErrorCode::invalidDimension, "tokens is empty; attention needs at least one token.");
  checkSize("modelSize", modelSize);
  Matrix result(static_cast<Index>(tokens.size()), modelSize);
  for (std::size_t token = 0; token < tokens.size(); ++token)
    result.row(static_cast<Index>(token)) =
        randomMatrix(1, modelSize, Distribution::normal, seed, streamOf(tokens[token]));
  return result;
}

std::uint64_t streamOf(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char character : name) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x100000001B3;
  }
  return hash;
}

}  // namespace headwise
