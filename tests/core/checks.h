// What the tests compare with: matrices to a tolerance, refusals by code and wording. A failed check prints both sides.
#pragma once

#include "headwise/error.h"
#include "headwise/types.h"

#include <doctest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace headwise::test {

/// The outcome of a comparison: CHECK(near(a, b)) prints `text` where it does not hold.
struct Verdict {
  bool holds = false;
  std::string text;
  explicit operator bool() const { return holds; }
};

/// A tolerance between rounding (1e-15 an operation here) and any mistake worth the name.
inline constexpr Scalar kRounding = 1e-12;

/// |actual − expected| ≤ tolerance · (1 + |expected|) in every cell. Infinities must be equal; NaN never is.
Verdict near(const Matrix& actual, const Matrix& expected, Scalar tolerance = kRounding);
Verdict near(Scalar actual, Scalar expected, Scalar tolerance = kRounding);

/// The same shape and the same value in every cell.
Verdict same(const Matrix& actual, const Matrix& expected);
Verdict samePattern(const BoolMatrix& actual, const BoolMatrix& expected);

Verdict hasShape(const Matrix& actual, const Shape& expected);

/// The opposite of near, for numbers that have to differ visibly: some cell differs by more than `distance`.
Verdict apart(const Matrix& a, const Matrix& b, Scalar distance);

/// The action throws Error with this code and a message that holds each of the parts.
Verdict refuses(const std::function<void()>& action, ErrorCode code, std::initializer_list<std::string_view> parts);

std::string toText(const Matrix& matrix);

/// matrixOf({{1, 2}, {3, 4}})
Matrix matrixOf(std::initializer_list<std::initializer_list<Scalar>> rows);
RowVector rowOf(std::initializer_list<Scalar> entries);
/// patternOf({"x..", "xx."}): true where an x stands.
BoolMatrix patternOf(std::initializer_list<std::string_view> rows);

/// The inner product written out: tests share no code with the library's products.
Matrix product(const Matrix& a, const Matrix& b);

/// Columns first … first + count − 1.
Matrix middleColumns(const Matrix& matrix, Index first, Index count);
Matrix middleRows(const Matrix& matrix, Index first, Index count);

/// Row i is row order[i] of the matrix.
Matrix reordered(const Matrix& matrix, const std::vector<Index>& order);

Scalar largestMagnitude(const Matrix& matrix);

}  // namespace headwise::test

template <>
struct doctest::StringMaker<headwise::test::Verdict> {
  static String convert(const headwise::test::Verdict& verdict) { return verdict.text.c_str(); }
};
