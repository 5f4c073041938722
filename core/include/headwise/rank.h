// How many directions a matrix really has.
#pragma once

#include "headwise/types.h"

namespace headwise {

struct NumericalRank {
  Index rank = 0;            ///< singular values above the threshold
  RowVector singularValues;  ///< descending, [min(rows, columns)]
  Scalar threshold = 0;      ///< max(rows, columns) · 2⁻⁵² · the largest singular value, as in NumPy and MATLAB
};
/// Throws tooLarge above 512 rows or columns, notFinite for NaN and infinity.
NumericalRank numericalRank(const Matrix& matrix);

}  // namespace headwise
