// The names that the values of an enumeration have outside C++. Each list stands beside its enumeration and nowhere else.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "headwise/error.h"

namespace headwise {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, std::string_view>, count>;

template <class Value, std::size_t count>
constexpr std::string_view nameIn(const Names<Value, count>& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return "unknown";
}

/// Throws invalidOption, with the names that would do, for one that is not in the list.
template <class Value, std::size_t count>
Value namedIn(const Names<Value, count>& names, std::string_view wanted) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (name == wanted) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(ErrorCode::invalidOption,
              "\"" + std::string(wanted.substr(0, 40)) + "\" is unknown; it can be " + known + ".");
}

}  // namespace headwise
