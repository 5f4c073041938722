// What a call gives back. Everything is copied: a view of the module's memory would be detached when it grows.
//
//   Matrix       { rows, columns, data: Float64Array }   row-major
//   BoolMatrix   { rows, columns, data: Uint8Array }     0 or 1
//   RowVector    Float64Array
//
// Layers and traces go as one Float64Array each, see packing.h. A number or a cell that is not finite is refused (notFinite), so that no overflow
// is taken for a result, whatever the core checked; a list of numbers may hold −∞, as a row of hidden cells does. All of these throw std::bad_alloc where JavaScript has no memory left.
#pragma once

#include "headwise/comparison.h"
#include "headwise/types.h"

#include <emscripten/val.h>

#include <concepts>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace headwise::bindings {

using emscripten::val;

void checkAnswer(const MatrixView& cells);

val toJs(const Matrix& matrix);
val toJs(const BoolMatrix& matrix);
val toJs(const RowVector& vector);
val toJs(const std::vector<double>& numbers);
val toJs(std::string_view text);
val toJs(const CellPosition& place);
inline val toJs(Index number) { return val(static_cast<double>(number)); }
val toJs(Scalar number);
// Only for bool itself: a pointer would convert to it.
template <std::same_as<bool> Statement>
val toJs(Statement statement) {
  return val(statement);
}

template <class Item>
val toJs(const std::vector<Item>& items) {
  val array = val::array();
  for (std::size_t i = 0; i < items.size(); ++i)
    array.set(i, toJs(items[i]));
  return array;
}

/// { name: value, … }
val object(std::initializer_list<std::pair<const char*, val>> members);

}  // namespace headwise::bindings
