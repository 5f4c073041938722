// What a call brings: numbers in a row, into which the wrapper has written every argument, one after another (wrapper/request.mjs). They are
// written right into memory that C++ owns: JavaScript asks for a view of so many numbers, fills it, and calls. Nothing here reads a property
// of a JavaScript object.
//
//   a number, a size, a seed, true or false    one number
//   what may be left out                       NaN if it is
//   a name                                     its place in the core's list of names
//   a matrix                                   rows, columns, cells
//   a list                                     its length, then its entries
//   a text                                     the list of its UTF-8 bytes
//
// The wrapper has checked types, integers, lengths and finiteness before anything gets here.
#pragma once

#include "headwise/names.h"
#include "headwise/types.h"

#include <emscripten/val.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headwise::bindings {

using emscripten::val;

class Request {
 public:
  Request();
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  double number() { return *take(1); }
  std::optional<double> optional();
  Index integer() { return static_cast<Index>(number()); }
  bool flag() { return number() != 0; }
  /// A whole number up to 2⁵³, what JavaScript's numbers hold exactly.
  std::uint64_t seed() { return static_cast<std::uint64_t>(number()); }
  std::string text();

  /// As many cells as the shape has, where they are: the view lives as long as the request.
  MatrixView cells(const Shape& shape);
  Matrix matrix();
  std::vector<Matrix> matrices();
  RowVector vector();
  std::vector<Index> integers();
  std::vector<std::string> texts();

  template <class Value, std::size_t count>
  Value named(const Names<Value, count>& names) {
    return names.at(static_cast<std::size_t>(integer())).first;
  }

 private:
  const double* take(std::size_t count);

  const double* next_;
  const double* end_;
};

}  // namespace headwise::bindings
