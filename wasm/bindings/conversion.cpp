#include "conversion.h"

namespace headwise::bindings {

namespace {

template <class Cell>
void copyInto(Cell* target, Index size, const val& source) {
  if (size != 0)
    val(emscripten::typed_memory_view(static_cast<std::size_t>(size), target)).template call<void>("set", source);
}

// slice() copies: a view alone would change or die with the module's memory.
template <class Cell>
val copyOf(const Cell* cells, Index size) {
  return val(emscripten::typed_memory_view(static_cast<std::size_t>(size), cells)).template call<val>("slice");
}

val matrixOf(Index rows, Index columns, const val& data) {
  val matrix = val::object();
  matrix.set("rows", toJs(rows));
  matrix.set("columns", toJs(columns));
  matrix.set("data", data);
  return matrix;
}

template <class Item>
std::vector<Item> listFrom(const val& array, Item (*itemFrom)(const val&)) {
  const Index size = integerFrom(array["length"]);
  std::vector<Item> items;
  items.reserve(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) items.push_back(itemFrom(array[static_cast<int>(i)]));
  return items;
}

}  // namespace

Index integerFrom(const val& number) { return static_cast<Index>(number.as<double>()); }

Matrix matrixFrom(const val& matrix) {
  Matrix result(integerFrom(matrix["rows"]), integerFrom(matrix["columns"]));
  copyInto(result.data(), result.size(), matrix["data"]);
  return result;
}

BoolMatrix boolMatrixFrom(const val& matrix) {
  static_assert(sizeof(bool) == sizeof(std::uint8_t));
  BoolMatrix result(integerFrom(matrix["rows"]), integerFrom(matrix["columns"]));
  copyInto(reinterpret_cast<std::uint8_t*>(result.data()), result.size(), matrix["data"]);
  return result;
}

RowVector vectorFrom(const val& array) {
  RowVector result(integerFrom(array["length"]));
  copyInto(result.data(), result.size(), array);
  return result;
}

std::vector<Index> integersFrom(const val& array) { return listFrom(array, integerFrom); }
std::vector<Matrix> matricesFrom(const val& array) { return listFrom(array, matrixFrom); }
std::vector<std::string> stringsFrom(const val& array) {
  return listFrom<std::string>(array, [](const val& text) { return text.as<std::string>(); });
}

val toJs(const Matrix& matrix) {
  return matrixOf(matrix.rows(), matrix.cols(), copyOf(matrix.data(), matrix.size()));
}

val toJs(const BoolMatrix& matrix) {
  const auto* cells = reinterpret_cast<const std::uint8_t*>(matrix.data());
  return matrixOf(matrix.rows(), matrix.cols(), copyOf(cells, matrix.size()));
}

val toJs(const RowVector& vector) { return copyOf(vector.data(), vector.size()); }

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
