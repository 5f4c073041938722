#include "request.h"

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <new>
#include <stdexcept>

namespace headwise::bindings {

// HEAPF64 is Emscripten's view of the whole memory, made anew whenever it grows.
// clang-format off
EM_JS(emscripten::EM_VAL, headwise_view_of, (double* numbers, double size), {
  return Emval.toHandle(new Float64Array(HEAPF64.buffer, numbers, size));
});
// clang-format on

namespace {

// One request at a time: calls do not nest. The memory is kept for the next one, unless it is much.
constexpr std::size_t kMostKept = 1 << 16;

struct Memory {
  std::vector<double> numbers;
  std::size_t size = 0;  // of the request, which may be less
};
Memory& memory() {
  static Memory all;
  return all;
}

// How many numbers the next request has → a Float64Array to write them to, and then to forget; null where there is no memory for it.
val room(double size) {
  try {
    memory().size = static_cast<std::size_t>(size);
    if (memory().numbers.size() < memory().size) memory().numbers.resize(memory().size);
    return val::take_ownership(headwise_view_of(memory().numbers.data(), size));
  } catch (const std::bad_alloc&) {
    return val::null();
  }
}

EMSCRIPTEN_BINDINGS(request) { emscripten::function("room", &room); }

}  // namespace

Request::Request() : next_(memory().numbers.data()), end_(next_ + memory().size) {}

Request::~Request() {
  memory().size = 0;
  if (memory().numbers.size() > kMostKept) std::vector<double>().swap(memory().numbers);
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
