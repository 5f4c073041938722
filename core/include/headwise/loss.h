// What training makes small, and its gradient.
#pragma once

#include "headwise/types.h"

namespace headwise {

struct Loss {
  Scalar value = 0;
  Matrix gradient;  ///< ∂value/∂output, in the output's shape
};

/// mean over all entries of (output − target)². Throws shapeMismatch for different shapes, invalidDimension for empty ones.
Loss meanSquaredError(const Matrix& output, const Matrix& target);

}  // namespace headwise
