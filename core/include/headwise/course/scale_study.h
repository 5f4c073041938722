// Lesson 2: why scores are divided by the root of the head width: what happens to them without, as the width grows.
#pragma once

#include <cstdint>

#include "headwise/types.h"

namespace headwise {

/// Scores of unit-normal queries against unit-normal keys of width keySize.
struct ScaleStudy {
  Matrix rawScores;           ///< [queryCount × keyCount]
  Matrix scaledScores;        ///< rawScores / √keySize
  Scalar rawVariance = 0;     ///< about keySize
  Scalar scaledVariance = 0;  ///< about 1
  Scalar rawEntropy = 0;      ///< mean over queries of the softmax's entropy, in nats; falls towards 0 as keySize grows
  Scalar scaledEntropy = 0;   ///< stays where it is
  Scalar largestEntropy = 0;  ///< ln keyCount, that of uniform weights
  Scalar rawLargestWeight = 0;  ///< mean over queries of the largest attention weight
  Scalar scaledLargestWeight = 0;
};
/// All sizes at least 1 (invalidDimension).
ScaleStudy studyScale(Index keySize, Index queryCount, Index keyCount, std::uint64_t seed);

/// Counts of the entries in equal bins from `from` to `to`; the first and last bin also take what lies outside. [binCount]
RowVector histogram(const Matrix& values, Scalar from, Scalar to, Index binCount);

}  // namespace headwise
