#include "headwise/course/scale_study.h"

#include "../checks.h"
#include "headwise/softmax.h"

#include <cmath>
#include <limits>

namespace headwise::test {

TEST_CASE("scale study: raw scores vary like the width, scaled ones by 1") {
  for (const Index keySize : {4, 16, 64, 256}) {
    CAPTURE(keySize);
    const ScaleStudy study = studyScale(keySize, 60, 60, 5);
    CHECK(hasShape(study.rawScores, {60, 60}));
    CHECK(near(study.scaledScores * std::sqrt(static_cast<Scalar>(keySize)), study.rawScores));
    // 60 queries of random length: their mean square strays by √(2/60/p) of p, the means by less.
    CHECK(std::abs(study.rawVariance / static_cast<Scalar>(keySize) - 1) < 0.25);
    CHECK(near(study.scaledVariance * static_cast<Scalar>(keySize), study.rawVariance));
  }
}

TEST_CASE("scale study: without the scale the entropy falls as the width grows, with it it stays") {
  Scalar previous = std::log(50.0);
  for (const Index keySize : {1, 4, 16, 64, 256, 1024}) {
    CAPTURE(keySize);
    const ScaleStudy study = studyScale(keySize, 50, 50, 3);
    CHECK(near(study.largestEntropy, std::log(50.0)));
    CHECK(study.rawEntropy < previous);
    previous = study.rawEntropy;
    // Normal scores of variance 1 take ½ from ln n, less for finite n.
    if (keySize >= 16) CHECK(std::abs(study.scaledEntropy - (std::log(50.0) - 0.45)) < 0.1);
    if (keySize >= 64) CHECK(study.rawLargestWeight > 0.5);
    CHECK(study.scaledLargestWeight < 0.4);
  }
  CHECK(previous < 0.2);
}

TEST_CASE("scale study: its figures are those of its own scores") {
  const ScaleStudy study = studyScale(9, 3, 4, 1);
  const Matrix raw = softmaxRows(study.rawScores), scaled = softmaxRows(study.scaledScores);
  Scalar largest = 0, scaledLargest = 0, mean = 0, variance = 0;
  for (Index row = 0; row < 3; ++row) {
    largest += raw.row(row).maxCoeff() / 3;
    scaledLargest += scaled.row(row).maxCoeff() / 3;
    for (Index column = 0; column < 4; ++column)
      mean += study.rawScores(row, column) / 12;
  }
  for (Index row = 0; row < 3; ++row)
    for (Index column = 0; column < 4; ++column)
      variance += std::pow(study.rawScores(row, column) - mean, 2) / 12;
  CHECK(near(study.rawLargestWeight, largest));
  CHECK(near(study.scaledLargestWeight, scaledLargest));
  CHECK(near(study.rawVariance, variance));
  CHECK(near(study.rawEntropy, entropyOfRows(raw).sum() / 3));
  CHECK(near(study.scaledEntropy, entropyOfRows(scaled).sum() / 3));
}

TEST_CASE("scale study: the same seed gives the same study, another seed another; a wider one extends the vectors") {
  CHECK(same(studyScale(4, 3, 3, 1).rawScores, studyScale(4, 3, 3, 1).rawScores));
  CHECK(apart(studyScale(4, 3, 3, 1).rawScores, studyScale(4, 3, 3, 2).rawScores, 0.1));
}

TEST_CASE("scale study: sizes of zero are refused") {
  CHECK(refuses([] { studyScale(0, 3, 3, 1); }, ErrorCode::invalidDimension, {"at least 1", "0"}));
  CHECK(refuses([] { studyScale(4, 0, 3, 1); }, ErrorCode::invalidDimension, {"at least 1", "0"}));
  CHECK(refuses([] { studyScale(4, 3, -1, 1); }, ErrorCode::invalidDimension, {"at least 1", "-1"}));
}

TEST_CASE("histogram: equal bins; the outer ones also take what lies outside") {
  // Bins of width 1 from −2 to 2. A number on an edge belongs to the bin above it.
  const Matrix values = matrixOf({{-9, -2, -1.5, -1}, {-0.5, 0, 0.9, 1}, {1.5, 2, 3, 700}});
  CHECK(same(histogram(values, -2, 2, 4), matrixOf({{3, 2, 2, 5}})));
  CHECK(same(histogram(values, -2, 2, 1), matrixOf({{12}})));
  CHECK(same(histogram(matrixOf({{1e308, -1e308}}), 0, 1, 2), matrixOf({{1, 1}})));
}

TEST_CASE("histogram: an empty range, no bins and numbers that are not finite are refused") {
  const Matrix values = matrixOf({{1}});
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  CHECK(refuses([&] { histogram(values, 2, 2, 3); }, ErrorCode::invalidOption, {"from < to", "2 and 2"}));
  CHECK(refuses([&] { histogram(values, 3, 2, 3); }, ErrorCode::invalidOption, {"from < to", "3 and 2"}));
  CHECK(refuses([&] { histogram(values, 0, infinity, 3); }, ErrorCode::invalidOption, {"from < to", "0 and inf"}));
  CHECK(refuses([&] { histogram(values, std::nan(""), 1, 3); }, ErrorCode::invalidOption, {"from < to", "nan and 1"}));
  CHECK(refuses([&] { histogram(values, -1e308, 1e308, 4); }, ErrorCode::invalidOption,
                {"their difference too", "-1e+308 and 1e+308."}));
  CHECK(refuses([&] { histogram(values, 0, 1, 0); }, ErrorCode::invalidDimension, {"binCount", "at least 1", "0"}));
  CHECK(refuses([&] { histogram(matrixOf({{infinity}}), 0, 1, 2); }, ErrorCode::notFinite, {"values", "+∞"}));
  CHECK(refuses([&] { histogram(Matrix(), 0, 1, 2); }, ErrorCode::invalidDimension, {"values is empty"}));
}

}  // namespace headwise::test
