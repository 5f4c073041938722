// The names that enumerations have outside C++, where the core does not give them one itself. lists_bindings.cpp hands all of them
// to JavaScript, and a test holds the wrapper's copies against them.
#pragma once

#include "conversion.h"
#include "headwise/equality.h"
#include "headwise/error.h"
#include "headwise/layout.h"
#include "headwise/mask.h"
#include "headwise/optimizer.h"
#include "headwise/pooling.h"
#include "headwise/random.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace headwise::bindings {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, std::string_view>, count>;

inline constexpr Names<Pooling, 2> kPoolings{{
    {Pooling::scaledDotProduct, "scaledDotProduct"},
    {Pooling::additive, "additive"},
}};
inline constexpr Names<Scale, 3> kScales{{
    {Scale::perHeadWidth, "perHeadWidth"},
    {Scale::totalWidth, "totalWidth"},
    {Scale::none, "none"},
}};
inline constexpr Names<Mask::Kind, 5> kMaskKinds{{
    {Mask::Kind::none, "none"},
    {Mask::Kind::causalTopLeft, "causalTopLeft"},
    {Mask::Kind::causalBottomRight, "causalBottomRight"},
    {Mask::Kind::validLengths, "validLengths"},
    {Mask::Kind::keep, "keep"},
}};
inline constexpr Names<Distribution, 4> kDistributions{{
    {Distribution::normal, "normal"},
    {Distribution::scaledNormal, "scaledNormal"},
    {Distribution::uniform, "uniform"},
    {Distribution::zeros, "zeros"},
}};
inline constexpr Names<OptimizerOptions::Kind, 2> kOptimizers{{
    {OptimizerOptions::Kind::sgd, "sgd"},
    {OptimizerOptions::Kind::adam, "adam"},
}};
inline constexpr Names<Role, 3> kRoles{{
    {Role::query, "query"},
    {Role::key, "key"},
    {Role::value, "value"},
}};

template <class Value, std::size_t count>
std::string_view nameIn(const Names<Value, count>& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return "unknown";
}

/// Throws invalidOption for a name that is not in the list.
template <class Value, std::size_t count>
Value namedIn(const Names<Value, count>& names, const val& name) {
  const auto wanted = name.as<std::string>();
  for (const auto& [value, known] : names)
    if (known == wanted) return value;
  std::string message = "\"" + wanted + "\" is unknown; it can be";
  for (const auto& [value, known] : names)
    message += " " + std::string(known);
  throw Error(ErrorCode::invalidOption, message + ".");
}

}  // namespace headwise::bindings
