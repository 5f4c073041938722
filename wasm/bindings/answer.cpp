#include "answer.h"

#include "headwise/error.h"

#include <emscripten/emscripten.h>

#include <new>
#include <string>
#include <type_traits>

namespace headwise::bindings {

// A matrix crosses in one call: property by property it would take a dozen. What JavaScript throws for want of memory is caught where it is
// thrown, and told by null: C++ then throws on its own side, so that its destructors run. (An overflow of the caller's stack is no want of
// memory, and goes on to the caller.)
// clang-format off
EM_JS(emscripten::EM_VAL, headwise_copy_of, (const void* cells, double size, bool isBool), {
  try {
    return Emval.toHandle(isBool ? HEAPU8.slice(cells, cells + size) : HEAPF64.slice(cells / 8, cells / 8 + size));
  } catch (error) {
    if (/call stack|recursion/.test(error.message)) throw error;
    return 0;
  }
});
EM_JS(emscripten::EM_VAL, headwise_matrix, (emscripten::EM_VAL data, double rows, double columns), {
  return Emval.toHandle({ 'rows': rows, 'columns': columns, 'data': Emval.toValue(data) });
});
// clang-format on

namespace {

static_assert(sizeof(bool) == 1);

template <class Entry>
val copyOf(const Entry* cells, std::size_t size) {
  const emscripten::EM_VAL copy = headwise_copy_of(cells, static_cast<double>(size), std::is_same_v<Entry, bool>);
  if (!copy) throw std::bad_alloc();
  return val::take_ownership(copy);
}

template <class MatrixType>
val matrixToJs(const MatrixType& matrix) {
  const val data = copyOf(matrix.data(), static_cast<std::size_t>(matrix.size()));
  return val::take_ownership(
      headwise_matrix(data.as_handle(), static_cast<double>(matrix.rows()), static_cast<double>(matrix.cols())));
}

}  // namespace

void checkAnswer(const MatrixView& cells) {
  if (!cells.allFinite())
    throw Error(ErrorCode::notFinite,
                "The result overflowed: the numbers that went in are finite but too large. Make them smaller.");
}

val toJs(Scalar number) {
  checkAnswer({&number, 1, 1});
  return val(number);
}
val toJs(const Matrix& matrix) {
  checkAnswer({matrix.data(), matrix.rows(), matrix.cols()});
  return matrixToJs(matrix);
}
val toJs(const BoolMatrix& matrix) { return matrixToJs(matrix); }
val toJs(const RowVector& vector) {
  checkAnswer({vector.data(), 1, vector.size()});
  return copyOf(vector.data(), static_cast<std::size_t>(vector.size()));
}
val toJs(const std::vector<double>& numbers) { return copyOf(numbers.data(), numbers.size()); }

// By std::string: a C string would be read as Latin-1, and messages hold × and −∞.
val toJs(std::string_view text) { return val(std::string(text)); }

val toJs(const CellPosition& place) { return object({{"row", toJs(place.row)}, {"column", toJs(place.column)}}); }

val object(std::initializer_list<std::pair<const char*, val>> members) {
  val result = val::object();
  for (const auto& [name, value] : members)
    result.set(name, value);
  return result;
}

}  // namespace headwise::bindings
