// The number and matrix types that every other header uses.
#pragma once

#include <Eigen/Core>

#include <string>

namespace headwise {

using Scalar = double;
using Index = Eigen::Index;

/// Row-major, so that memory order is reading order: row 0 first, as in NumPy, PyTorch and the page.
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;
using BoolMatrix = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Somebody else's matrix or row vector, to read; it must outlive the view. Empty, 0 × 0, for what is absent.
using MatrixView = Eigen::Map<const Matrix>;

/// Rows × columns.
struct Shape {
  Index rows = 0;
  Index columns = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

template <class Derived>
Shape shapeOf(const Eigen::DenseBase<Derived>& matrix) {
  return {matrix.rows(), matrix.cols()};
}

/// "5 × 6"
inline std::string toString(const Shape& shape) {
  return std::to_string(shape.rows) + " × " + std::to_string(shape.columns);
}

}  // namespace headwise
