// How large a trace gets.
#include "headwise/trace.h"

#include <cmath>

#include "headwise/error.h"

namespace headwise {

double traceBytes(const Dimensions& dimensions, Index queryCount, Index keyCount) {
  const auto queries = static_cast<double>(queryCount), keys = static_cast<double>(keyCount);
  const auto heads = static_cast<double>(dimensions.headCount),
             keyValueHeads = static_cast<double>(dimensions.keyValueHeadCount);
  const auto size = [](Index width) { return static_cast<double>(width); };
  const double perHead =
      queries * size(dimensions.querySize) + 4 * queries * keys + queries * size(dimensions.valueSize);
  const double perKeyValueHead = keys * (size(dimensions.keySize) + size(dimensions.valueSize));
  const double layer = queries * (heads * size(dimensions.valueSize) + size(dimensions.outputSize));
  return static_cast<double>(sizeof(Scalar)) * (heads * perHead + keyValueHeads * perKeyValueHead + layer);
}

void checkTraceSize(const Dimensions& dimensions, Index queryCount, Index keyCount) {
  const double bytes = traceBytes(dimensions, queryCount, keyCount);
  if (bytes <= kMaxTraceBytes) return;
  const auto mebibytes = [](double value) { return std::to_string(std::llround(value / (1024 * 1024))); };
  throw Error(ErrorCode::tooLarge, "The trace of " + std::to_string(queryCount) + " queries, " +
                                       std::to_string(keyCount) + " keys and " + std::to_string(dimensions.headCount) +
                                       " heads would take " + mebibytes(bytes) + " MiB; the limit is " +
                                       mebibytes(kMaxTraceBytes) + " MiB. Use fewer tokens, heads or columns.");
}

}  // namespace headwise
