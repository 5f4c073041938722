#include "checks.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headwise::test {

namespace {

template <class Cells>
std::string textOf(const Cells& matrix) {
  std::ostringstream text;
  text.precision(17);
  text << toString(shapeOf(matrix)) << "\n";
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (Index column = 0; column < matrix.cols(); ++column)
      text << "  " << matrix(row, column);
    text << "\n";
  }
  return text.str();
}

template <class Cells>
Verdict differing(const std::string& reason, const Cells& actual, const Cells& expected) {
  return {false, reason + "\nactual " + textOf(actual) + "expected " + textOf(expected)};
}

// Holds if agrees(a, b) does for every pair of cells.
template <class Cells, class Agreement>
Verdict compared(const Cells& actual, const Cells& expected, Agreement agrees) {
  if (shapeOf(actual) != shapeOf(expected)) return differing("shapes differ", actual, expected);
  for (Index row = 0; row < actual.rows(); ++row)
    for (Index column = 0; column < actual.cols(); ++column)
      if (!agrees(actual(row, column), expected(row, column)))
        return differing("row " + std::to_string(row) + ", column " + std::to_string(column) + " differs", actual,
                         expected);
  return {true, "equal"};
}

}  // namespace

Verdict near(const Matrix& actual, const Matrix& expected, Scalar tolerance) {
  return compared(actual, expected, [&](Scalar a, Scalar b) {
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= tolerance * (1 + std::abs(b));
  });
}

Verdict near(Scalar actual, Scalar expected, Scalar tolerance) {
  return near(matrixOf({{actual}}), matrixOf({{expected}}), tolerance);
}

Verdict same(const Matrix& actual, const Matrix& expected) {
  return compared(actual, expected, [](Scalar a, Scalar b) { return a == b; });
}

Verdict samePattern(const BoolMatrix& actual, const BoolMatrix& expected) {
  return compared(actual, expected, [](bool a, bool b) { return a == b; });
}

Verdict hasShape(const Matrix& actual, const Shape& expected) {
  return {shapeOf(actual) == expected, toString(shapeOf(actual)) + " instead of " + toString(expected)};
}

Verdict apart(const Matrix& a, const Matrix& b, Scalar distance) {
  if (shapeOf(a) != shapeOf(b)) return differing("shapes differ", a, b);
  for (Index row = 0; row < a.rows(); ++row)
    for (Index column = 0; column < a.cols(); ++column)
      if (std::abs(a(row, column) - b(row, column)) > distance) return {true, "apart"};
  return differing("no cell differs by more than " + std::to_string(distance), a, b);
}

Verdict refuses(const std::function<void()>& action, ErrorCode code, std::initializer_list<std::string_view> parts) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.code() != code) return {false, "refused as " + std::string(nameOf(error.code())) + ": " + message};
    for (const std::string_view part : parts)
      if (message.find(part) == std::string::npos) return {false, "no \"" + std::string(part) + "\" in: " + message};
    return {true, message};
  }
  return {false, "nothing was refused; wanted " + std::string(nameOf(code))};
}

std::string toText(const Matrix& matrix) { return textOf(matrix); }

Matrix matrixOf(std::initializer_list<std::initializer_list<Scalar>> rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index row = 0;
  for (const auto& entries : rows) {
    REQUIRE(static_cast<Index>(entries.size()) == result.cols());
    Index column = 0;
    for (const Scalar entry : entries)
      result(row, column++) = entry;
    ++row;
  }
  return result;
}

RowVector rowOf(std::initializer_list<Scalar> entries) {
  RowVector result(static_cast<Index>(entries.size()));
  Index column = 0;
  for (const Scalar entry : entries)
    result(column++) = entry;
  return result;
}

BoolMatrix patternOf(std::initializer_list<std::string_view> rows) {
  BoolMatrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index row = 0;
  for (const std::string_view cells : rows) {
    REQUIRE(static_cast<Index>(cells.size()) == result.cols());
    for (Index column = 0; column < result.cols(); ++column)
      result(row, column) = cells[static_cast<std::size_t>(column)] == 'x';
    ++row;
  }
  return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
  REQUIRE(a.cols() == b.rows());
  Matrix result(a.rows(), b.cols());
  for (Index row = 0; row < a.rows(); ++row)
    for (Index column = 0; column < b.cols(); ++column) {
      Scalar sum = 0;
      for (Index inner = 0; inner < a.cols(); ++inner)
        sum += a(row, inner) * b(inner, column);
      result(row, column) = sum;
    }
  return result;
}

Matrix middleColumns(const Matrix& matrix, Index first, Index count) { return matrix.middleCols(first, count); }

Matrix middleRows(const Matrix& matrix, Index first, Index count) { return matrix.middleRows(first, count); }

Matrix reordered(const Matrix& matrix, const std::vector<Index>& order) {
  Matrix result(static_cast<Index>(order.size()), matrix.cols());
  for (std::size_t row = 0; row < order.size(); ++row)
    result.row(static_cast<Index>(row)) = matrix.row(order[row]);
  return result;
}

Scalar largestMagnitude(const Matrix& matrix) {
  Scalar largest = 0;
  for (Index row = 0; row < matrix.rows(); ++row)
    for (Index column = 0; column < matrix.cols(); ++column)
      largest = std::max(largest, std::abs(matrix(row, column)));
  return largest;
}

}  // namespace headwise::test
