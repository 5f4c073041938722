#include "request.h"

#include <emscripten/emscripten.h>

#include <stdexcept>

namespace headwise::bindings {

// HEAPF64 is Emscripten's view of the whole memory, made anew whenever it grows.
// clang-format off
EM_JS(double, headwise_length_of, (emscripten::EM_VAL handle), {
  return Emval.toValue(handle)['length'];
});
EM_JS(void, headwise_copy_numbers, (emscripten::EM_VAL handle, double* numbers), {
  HEAPF64.set(Emval.toValue(handle), numbers / 8);
});
// clang-format on

namespace {

// One request at a time: calls do not nest. The memory is kept for the next one, unless it is much.
constexpr std::size_t kMostKept = 1 << 16;

std::vector<double>& memory() {
  static std::vector<double> numbers;
  return numbers;
}

}  // namespace

Request::Request(const val& numbers) {
  const auto size = static_cast<std::size_t>(headwise_length_of(numbers.as_handle()));
  if (memory().size() < size) memory().resize(size);
  next_ = memory().data();
  end_ = next_ + size;
  headwise_copy_numbers(numbers.as_handle(), memory().data());
}

Request::~Request() {
  if (memory().size() > kMostKept) std::vector<double>().swap(memory());
}

const double* Request::take(std::size_t count) {
  if (static_cast<std::size_t>(end_ - next_) < count)
    throw std::logic_error("the request is shorter than what is read from it");
  const double* first = next_;
  next_ += count;
  return first;
}

std::optional<double> Request::optional() {
  const double given = number();
  if (std::isnan(given)) return {};
  return given;
}

MatrixView Request::cells(const Shape& shape) {
  const double* first = take(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns));
  return {first, shape.rows, shape.columns};
}

Matrix Request::matrix() {
  const Index rows = integer(), columns = integer();
  return cells({rows, columns});
}

std::vector<Matrix> Request::matrices() {
  std::vector<Matrix> all(static_cast<std::size_t>(integer()));
  for (Matrix& one : all)
    one = matrix();
  return all;
}

RowVector Request::vector() {
  const Index size = integer();
  return cells({1, size});
}

std::vector<Index> Request::integers() {
  std::vector<Index> all(static_cast<std::size_t>(integer()));
  for (Index& one : all)
    one = integer();
  return all;
}

std::string Request::text() {
  std::string text(static_cast<std::size_t>(integer()), '\0');
  for (char& byte : text)
    byte = static_cast<char>(static_cast<unsigned char>(number()));
  return text;
}

std::vector<std::string> Request::texts() {
  std::vector<std::string> all(static_cast<std::size_t>(integer()));
  for (std::string& one : all)
    one = text();
  return all;
}

}  // namespace headwise::bindings
