#include "conversion.h"

#include "headwise/error.h"
#include "headwise/trace.h"

#include <emscripten/emscripten.h>

#include <type_traits>

namespace headwise::bindings {

// A matrix crosses in one call each way: property by property it would take a dozen. HEAPF64 and HEAPU8 are Emscripten's views of the
// whole memory, made anew whenever it grows.
// clang-format off
EM_JS(emscripten::EM_VAL, headwise_matrix, (const void* cells, double rows, double columns, bool isBool), {
  const size = rows * columns;
  const data = isBool ? HEAPU8.slice(cells, cells + size) : HEAPF64.slice(cells / 8, cells / 8 + size);
  return Emval.toHandle({ 'rows': rows, 'columns': columns, 'data': data });
});
EM_JS(emscripten::EM_VAL, headwise_numbers, (const double* cells, double size), {
  return Emval.toHandle(HEAPF64.slice(cells / 8, cells / 8 + size));
});
EM_JS(void, headwise_shape_of, (emscripten::EM_VAL handle, double* shape), {
  const matrix = Emval.toValue(handle);
  HEAPF64[shape / 8] = matrix['rows'];
  HEAPF64[shape / 8 + 1] = matrix['columns'];
});
EM_JS(void, headwise_copy_cells, (emscripten::EM_VAL handle, void* cells, bool isBool), {
  const data = Emval.toValue(handle)['data'];
  if (isBool) HEAPU8.set(data, cells);
  else HEAPF64.set(data, cells / 8);
});
EM_JS(void, headwise_copy_numbers, (emscripten::EM_VAL handle, double* cells), {
  HEAPF64.set(Emval.toValue(handle), cells / 8);
});
// clang-format on

namespace {

static_assert(sizeof(bool) == 1);

template <class MatrixType>
MatrixType cellsFrom(const val& matrix) {
  double shape[2];
  headwise_shape_of(matrix.as_handle(), shape);
  MatrixType result(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  headwise_copy_cells(matrix.as_handle(), result.data(), std::is_same_v<typename MatrixType::Scalar, bool>);
  return result;
}

template <class MatrixType>
val cellsToJs(const MatrixType& matrix) {
  return val::take_ownership(headwise_matrix(matrix.data(), static_cast<double>(matrix.rows()),
                                             static_cast<double>(matrix.cols()),
                                             std::is_same_v<typename MatrixType::Scalar, bool>));
}

template <class Item>
std::vector<Item> listFrom(const val& array, Item (*itemFrom)(const val&)) {
  const Index size = integerFrom(array["length"]);
  std::vector<Item> items;
  items.reserve(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i)
    items.push_back(itemFrom(array[static_cast<int>(i)]));
  return items;
}

}  // namespace

Index integerFrom(const val& number) { return static_cast<Index>(number.as<double>()); }

Matrix matrixFrom(const val& matrix) { return cellsFrom<Matrix>(matrix); }
BoolMatrix boolMatrixFrom(const val& matrix) { return cellsFrom<BoolMatrix>(matrix); }

RowVector vectorFrom(const val& array) {
  RowVector result(integerFrom(array["length"]));
  headwise_copy_numbers(array.as_handle(), result.data());
  return result;
}

std::vector<Index> integersFrom(const val& array) { return listFrom(array, integerFrom); }
std::vector<Matrix> matricesFrom(const val& array) { return listFrom(array, matrixFrom); }
std::vector<std::string> stringsFrom(const val& array) {
  return listFrom<std::string>(array, [](const val& text) { return text.as<std::string>(); });
}

std::uint64_t seedFrom(const val& seed) { return static_cast<std::uint64_t>(seed.as<double>()); }

void checkMatrixSize(std::string_view name, double cells) {
  if (cells * sizeof(Scalar) > kMaxTraceBytes)
    throw Error(ErrorCode::tooLarge, std::string(name) + " would have more than " +
                                         std::to_string(static_cast<long>(kMaxTraceBytes / sizeof(Scalar))) +
                                         " entries (256 MiB); choose smaller sizes.");
}

val toJs(const Matrix& matrix) { return cellsToJs(matrix); }
val toJs(const BoolMatrix& matrix) { return cellsToJs(matrix); }

val toJs(const RowVector& vector) {
  return val::take_ownership(headwise_numbers(vector.data(), static_cast<double>(vector.size())));
}

// By std::string: a C string would be read as Latin-1, and messages hold × and −∞.
val toJs(std::string_view text) { return val(std::string(text)); }

val toJs(const Comparison& comparison) {
  val result = val::object();
  result.set("sameShape", comparison.sameShape);
  result.set("largestDifference", comparison.largestDifference);
  result.set("row", toJs(comparison.row));
  result.set("column", toJs(comparison.column));
  result.set("largestMagnitude", comparison.largestMagnitude);
  return result;
}

}  // namespace headwise::bindings
