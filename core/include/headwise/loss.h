// What training makes small, and its gradient.
#pragma once

#include <vector>

#include "headwise/types.h"

namespace headwise {

struct Loss {
  Scalar value = 0;
  Matrix gradient;  ///< ∂value/∂output, in the output's shape
};

/// mean over all entries of (output − target)²
Loss meanSquaredError(const Matrix& output, const Matrix& target);

/// mean over rows of −ln softmax(output row)[target]; one class number 0 … columns − 1 for each row.
/// Throws shapeMismatch for a wrong number of targets, invalidOption for a class out of range.
Loss softmaxCrossEntropy(const Matrix& output, const std::vector<Index>& targets);

}  // namespace headwise
