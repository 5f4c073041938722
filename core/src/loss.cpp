// The loss with its gradient.
#include "headwise/loss.h"

#include <cmath>

#include "headwise/error.h"

namespace headwise {

Loss meanSquaredError(const Matrix& output, const Matrix& target) {
  if (output.size() == 0)
    throw Error(ErrorCode::invalidDimension, "output is empty; a mean needs at least one entry.", "output");
  checkShape("target", shapeOf(target), shapeOf(output), "as output");
  Loss loss;
  loss.gradient = output - target;
  loss.value = loss.gradient.squaredNorm() / static_cast<Scalar>(output.size());
  if (!std::isfinite(loss.value))
    throw Error(ErrorCode::notFinite, "The loss overflowed: output and target are too far apart.", "output");
  loss.gradient *= 2 / static_cast<Scalar>(output.size());
  return loss;
}

}  // namespace headwise
