// Reads JSON with nlohmann's library. Only golden_json.cpp includes the library itself: it takes longer to compile than all tests.
#pragma once

#include "headwise/types.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headwise::test {

using Json = nlohmann::json;

// All of these throw std::runtime_error with a sentence where the text is not what they read.

std::shared_ptr<const Json> parsed(const std::string& text);
std::string fileText(const std::string& path);

/// Whether the object has the key with something other than null.
bool has(const Json& object, const std::string& key);
const Json& at(const Json& object, std::string_view key);
std::vector<std::string> keysOf(const Json& object);
std::vector<const Json*> entriesOf(const Json& array);
/// Arrays inside arrays: 0 for a number, 2 for a matrix, 3 for a stack of matrices.
int depthOf(const Json& value);

Scalar numberFrom(const Json& number);  ///< "-inf" stands for −∞
bool truthFrom(const Json& truth);
std::string textFrom(const Json& text);
std::vector<Index> indicesFrom(const Json& arrayOrNumber);
RowVector rowFrom(const Json& array);
Matrix matrixFrom(const Json& rows);
BoolMatrix patternFrom(const Json& rows);
/// [head][row][column], or one matrix.
std::vector<Matrix> matricesFrom(const Json& stack);

}  // namespace headwise::test
