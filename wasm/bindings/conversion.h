// How numbers and matrices cross between C++ and JavaScript. Everything is copied, both ways: a view of the module's memory lives
// only inside one function here, since memory growth detaches views silently.
//
//   Matrix       { rows, columns, data: Float64Array }   row-major
//   BoolMatrix   { rows, columns, data: Uint8Array }     0 or 1
//   RowVector    Float64Array
//
// The wrapper has checked types, integers, lengths and finiteness before anything gets here.
#pragma once

#include "headwise/comparison.h"
#include "headwise/random.h"
#include "headwise/types.h"

#include <emscripten/val.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headwise::bindings {

using emscripten::val;

Index integerFrom(const val& number);
Matrix matrixFrom(const val& matrix);
BoolMatrix boolMatrixFrom(const val& matrix);
RowVector vectorFrom(const val& array);
std::vector<Index> integersFrom(const val& array);
std::vector<Matrix> matricesFrom(const val& array);
std::vector<std::string> stringsFrom(const val& array);
/// A whole number up to 2⁵³, what JavaScript's numbers hold exactly.
std::uint64_t seedFrom(const val& seed);

/// Throws tooLarge for more cells than kMaxTraceBytes holds. In floating point: Index has 32 bits here, and sizes multiply.
void checkMatrixSize(std::string_view name, double cells);

val toJs(const Matrix& matrix);
val toJs(const BoolMatrix& matrix);
val toJs(const RowVector& vector);
val toJs(std::string_view text);
val toJs(const Comparison& comparison);
inline val toJs(Index number) { return val(static_cast<double>(number)); }
inline val toJs(Scalar number) { return val(number); }
// Only for bool itself: a pointer would convert to it.
template <std::same_as<bool> Statement>
val toJs(Statement statement) {
  return val(statement);
}

template <class Item>
val toJs(const std::optional<Item>& item) {
  return item ? toJs(*item) : val::null();
}

template <class Item>
val toJs(const std::vector<Item>& items) {
  val array = val::array();
  for (std::size_t i = 0; i < items.size(); ++i)
    array.set(i, toJs(items[i]));
  return array;
}

}  // namespace headwise::bindings
