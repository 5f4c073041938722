// How far two matrices, or two heads, are apart.
#pragma once

#include <vector>

#include "headwise/types.h"

namespace headwise {

struct Comparison {
  bool sameShape = false;
  Scalar largestDifference = 0;  ///< max |a − b|; 0 if the shapes differ, where it has no meaning
  Index row = 0;                 ///< where it is
  Index column = 0;
  Scalar largestMagnitude = 0;  ///< max of |a| and |b|: what to hold the difference against
};

/// Both finite. Cells equal to the last bit give exactly 0.
Comparison compareMatrices(const Matrix& a, const Matrix& b);

/// Cosine similarity of each pair, every matrix read as one long vector: 1 for the same direction, 0 for orthogonal. [k × k]
/// A zero matrix has similarity 0 with everything, itself included. All must have one shape (shapeMismatch).
Matrix cosineSimilarity(const std::vector<Matrix>& matrices);

}  // namespace headwise
