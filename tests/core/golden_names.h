// What golden files call the fields of a trace: the only such list in C++.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace headwise::test {

/// Golden name and path of the field, in the order of the table in headwise/computation.h.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kGoldenNames{{
    {"K", "keyValueHeads[].keys"},
    {"V", "keyValueHeads[].values"},
    {"Q", "heads[].queries"},
    {"scores", "heads[].scaledScores"},
    {"attention", "heads[].attentionWeights"},
    {"heads", "heads[].output"},
    {"concat", "concatenated"},
    {"output", "output"},
}};

/// "Q" → "heads[].queries"; empty for no name of a field.
constexpr std::string_view pathOfGolden(std::string_view name) {
  for (const auto& [golden, path] : kGoldenNames)
    if (golden == name) return path;
  return {};
}
/// The way back; empty for a field that golden files do not have.
constexpr std::string_view goldenNameOf(std::string_view path) {
  for (const auto& [golden, known] : kGoldenNames)
    if (known == path) return golden;
  return {};
}

}  // namespace headwise::test
