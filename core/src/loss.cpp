// Losses with their gradients.
#include "headwise/loss.h"

#include <cmath>
#include <string>

#include "headwise/error.h"

namespace headwise {

Loss meanSquaredError(const Matrix& output, const Matrix& target) {
  checkShape("target", shapeOf(target), shapeOf(output), "as output");
  Loss loss;
  loss.gradient = output - target;
  loss.value = loss.gradient.squaredNorm() / static_cast<Scalar>(output.size());
  loss.gradient *= 2 / static_cast<Scalar>(output.size());
  return loss;
}

Loss softmaxCrossEntropy(const Matrix& output, const std::vector<Index>& targets) {
  if (static_cast<Index>(targets.size()) != output.rows())
    throw Error(ErrorCode::shapeMismatch, "targets has " + std::to_string(targets.size()) + " entries; output has " +
                                              std::to_string(output.rows()) + " rows, and each needs one.");
  const auto rows = static_cast<Scalar>(output.rows());
  Loss loss;
  loss.gradient.resizeLike(output);
  for (Index row = 0; row < output.rows(); ++row) {
    const Index target = targets[static_cast<std::size_t>(row)];
    if (target < 0 || target >= output.cols())
      throw Error(ErrorCode::invalidOption, "targets[" + std::to_string(row) + "] is " + std::to_string(target) +
                                                "; a class is from 0 to " + std::to_string(output.cols() - 1) + ".");
    const Scalar maximum = output.row(row).maxCoeff();
    for (Index column = 0; column < output.cols(); ++column)
      loss.gradient(row, column) = std::exp(output(row, column) - maximum);
    const Scalar sum = loss.gradient.row(row).sum();
    // −ln softmax = ln Σ exp(o − max) − (o_target − max), finite where the softmax itself has underflowed to 0.
    loss.value += (std::log(sum) - (output(row, target) - maximum)) / rows;
    loss.gradient.row(row) /= sum;
    loss.gradient(row, target) -= 1;
  }
  loss.gradient /= rows;
  return loss;
}

}  // namespace headwise
