// Random queries and keys, and what the softmax makes of their products.
#include "headwise/course/scale_study.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "headwise/error.h"
#include "headwise/pooling.h"
#include "headwise/random.h"
#include "headwise/softmax.h"
#include "headwise/work.h"

namespace headwise {

namespace {

Scalar variance(const Matrix& values) { return (values.array() - values.mean()).square().mean(); }
Scalar meanEntropy(const Matrix& weights) { return entropyOfRows(weights).mean(); }
Scalar meanLargest(const Matrix& weights) { return weights.rowwise().maxCoeff().mean(); }

}  // namespace

ScaleStudy studyScale(Index keySize, Index queryCount, Index keyCount, std::uint64_t seed) {
  for (const auto& [name, size] : {std::pair{"keySize", keySize}, {"queryCount", queryCount}, {"keyCount", keyCount}})
    if (size < 1)
      throw Error(ErrorCode::invalidDimension,
                  std::string(name) + " must be at least 1, but is " + std::to_string(size) + ".", name);
  // The scores, once as they are and once scaled, each with its softmax and its entropy; and what has to be drawn, with a logarithm each.
  const auto real = [](Index size) { return static_cast<double>(size); };
  checkWork("The study of " + std::to_string(queryCount) + " queries and " + std::to_string(keyCount) +
                " keys of width " + std::to_string(keySize),
            real(queryCount) * real(keyCount) * (real(keySize) + 4 * kTranscendentalWork) +
                (real(queryCount) + real(keyCount)) * real(keySize) * 2 * kTranscendentalWork,
            "Use a smaller keySize, or fewer queries or keys.");
  const Matrix queries = randomMatrix(queryCount, keySize, Distribution::normal, seed, streamOf("scale study queries"));
  const Matrix keys = randomMatrix(keyCount, keySize, Distribution::normal, seed, streamOf("scale study keys"));
  ScaleStudy study;
  study.rawScores = dotProductScores(queries, keys);
  study.scaledScores = study.rawScores / std::sqrt(static_cast<Scalar>(keySize));
  const Matrix rawWeights = softmaxRows(study.rawScores), scaledWeights = softmaxRows(study.scaledScores);
  study.rawVariance = variance(study.rawScores);
  study.scaledVariance = variance(study.scaledScores);
  study.rawEntropy = meanEntropy(rawWeights);
  study.scaledEntropy = meanEntropy(scaledWeights);
  study.largestEntropy = std::log(static_cast<Scalar>(keyCount));
  study.rawLargestWeight = meanLargest(rawWeights);
  study.scaledLargestWeight = meanLargest(scaledWeights);
  return study;
}

RowVector histogram(const Matrix& values, Scalar from, Scalar to, Index binCount) {
  checkFinite("values", values);
  if (!(from < to) || !std::isfinite(to - from))
    throw Error(ErrorCode::invalidOption,
                "histogram needs from < to, both finite and their difference too, but got " + toString(from) + " and " +
                    toString(to) + ".",
                "from");
  if (binCount < 1)
    throw Error(ErrorCode::invalidDimension, "binCount must be at least 1, but is " + std::to_string(binCount) + ".");
  checkResultSize("The histogram", 1, static_cast<double>(binCount), "Choose fewer bins.");
  RowVector counts = RowVector::Zero(binCount);
  for (const Scalar value : values.reshaped()) {
    const Scalar position = (value - from) / (to - from) * static_cast<Scalar>(binCount);
    counts(static_cast<Index>(std::clamp(std::floor(position), Scalar{0}, static_cast<Scalar>(binCount - 1)))) += 1;
  }
  return counts;
}

}  // namespace headwise
