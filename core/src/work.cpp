// Counts by formula, and the refusals that follow from them.
#include "headwise/work.h"

#include <cmath>
#include <string>

#include "cost_counts.h"
#include "headwise/computation.h"
#include "headwise/error.h"

namespace headwise {

namespace {

double real(Index size) { return static_cast<double>(size); }

// 20000000001 → "21": what is refused must not read as the limit itself.
std::string billions(double work) {
  const double rounded = std::ceil(work / 1e9);
  return rounded < 1e15 ? std::to_string(std::llround(rounded)) : toString(rounded);
}

std::string wordsFor(Index queryCount, Index keyCount, Index headCount) {
  return std::to_string(queryCount) + " queries, " + std::to_string(keyCount) + " keys and " +
         std::to_string(headCount) + (headCount == 1 ? " head" : " heads");
}

}  // namespace

double attendWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount) {
  checkDimensions(dimensions, pooling);
  const LayerCost cost =
      countCost(dimensions, pooling, distinctMatrices(dimensions), real(queryCount), real(keyCount), false);
  return cost.multiplyAdds + kTranscendentalWork * (cost.tanhTerms + cost.softmaxTerms);
}

double backwardWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount) {
  return 3 * attendWork(dimensions, pooling, queryCount, keyCount);
}

void checkWork(std::string_view what, double work, std::string_view remedy) {
  if (work <= kMostWork) return;
  throw Error(ErrorCode::tooLarge, std::string(what) + " would take about " + billions(work) +
                                       " billion multiply-adds; the limit is " + billions(kMostWork) + " billion. " +
                                       std::string(remedy));
}

void checkAttendWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount) {
  const double work = attendWork(dimensions, pooling, queryCount, keyCount);
  if (work <= kMostWork) return;
  checkWork("Attention of " + wordsFor(queryCount, keyCount, dimensions.headCount), work,
            pooling == Pooling::additive ? "Use fewer tokens or heads, or a smaller scoreHiddenSize."
                                         : "Use fewer tokens, heads or columns.");
}

void checkResultSize(std::string_view what, double matrices, double cells, std::string_view remedy) {
  const bool isTooMany = matrices > kMostMatrices;
  if (!isTooMany && cells * sizeof(Scalar) <= kMaxTraceBytes) return;
  throw Error(ErrorCode::tooLarge,
              std::string(what) + " would be " +
                  (isTooMany ? "more than " + std::to_string(std::llround(kMostMatrices)) + " matrices. "
                             : "more than " + std::to_string(std::llround(kMaxTraceBytes / sizeof(Scalar))) +
                                   " entries (256 MiB). ") +
                  std::string(remedy));
}

}  // namespace headwise
