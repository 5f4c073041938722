// How far two matrices, or two heads, are apart.
#pragma once

#include <vector>

#include "headwise/types.h"

namespace headwise {

/// Two results this close count as equal, to rounding: above what float64 leaves of sums of a thousand terms (1e-13), and no further,
/// since weights that are nearly 0 make layers that nearly agree. Relative to the largest magnitude where that is above 1.
inline constexpr Scalar kEqualTolerance = 1e-12;

struct Comparison {
  bool sameShape = false;
  Scalar largestDifference = 0;  ///< max |a − b|; 0 if the shapes differ, where it has no meaning
  Index row = 0;                 ///< where it is, the first in reading order of several
  Index column = 0;
  Scalar largestMagnitude = 0;  ///< max of |a| and |b|: what to hold the difference against
  Scalar tolerance = 0;         ///< kEqualTolerance · max(1, largestMagnitude): cells no further apart count as equal
  bool equal = false;           ///< one shape, and largestDifference below tolerance
};

/// Both finite (notFinite). Cells equal to the last bit give exactly 0. Throws notFinite if a difference overflows.
Comparison compareMatrices(const Matrix& a, const Matrix& b);

struct CellPosition {
  Index row = 0;
  Index column = 0;
  friend bool operator==(const CellPosition&, const CellPosition&) = default;
};

/// Where the largest magnitude stands; the first in reading order of several. The matrix is finite and not empty.
CellPosition largestCell(const Matrix& matrix);

/// Cosine similarity of each pair, every matrix read as one long vector: 1 for the same direction, 0 for orthogonal. [k × k]
/// A zero matrix has similarity 0 with everything, itself included. All must have one shape (shapeMismatch).
Matrix cosineSimilarity(const std::vector<Matrix>& matrices);

}  // namespace headwise
