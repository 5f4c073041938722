// A batch in parts of as many sequences as a step trains on: what one part computes stays in the processor's cache, which a large set
// would leave.
#pragma once

#include <algorithm>

#include "headwise/batched_attention.h"

namespace headwise {

inline constexpr Index kSequencesInPart = 64;

/// Calls visit(part) for each part in order; together they are the batch.
template <class Visitor>
void forEachPart(const Batch& batch, Visitor&& visit) {
  for (Index first = 0; first < batch.sequenceCount; first += kSequencesInPart) {
    const Index count = std::min(kSequencesInPart, batch.sequenceCount - first);
    const auto rowsOf = [&](const Matrix& stack) -> Matrix {
      const Index length = stack.rows() / batch.sequenceCount;
      return stack.middleRows(first * length, count * length);
    };
    visit(Batch{{rowsOf(batch.inputs.query), rowsOf(batch.inputs.key), rowsOf(batch.inputs.value)},
                rowsOf(batch.target),
                count});
  }
}

}  // namespace headwise
