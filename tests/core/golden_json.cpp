#include "golden_json.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace headwise::test {

namespace {

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

void checkArray(const Json& value) {
  if (!value.is_array() || value.empty())
    fail("an array with entries was expected instead of " + value.dump().substr(0, 40));
}

template <class Cells, class Read>
Cells tableFrom(const Json& rows, Read read) {
  checkArray(rows);
  checkArray(rows[0]);
  Cells cells(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index row = 0; row < cells.rows(); ++row) {
    const Json& entries = rows[static_cast<std::size_t>(row)];
    if (!entries.is_array() || static_cast<Index>(entries.size()) != cells.cols())
      fail("row " + std::to_string(row) + " has another length");
    for (Index column = 0; column < cells.cols(); ++column)
      cells(row, column) = read(entries[static_cast<std::size_t>(column)]);
  }
  return cells;
}

}  // namespace

std::shared_ptr<const Json> parsed(const std::string& text) {
  try {
    return std::make_shared<const Json>(Json::parse(text));
  } catch (const Json::exception& error) {
    fail(error.what());
  }
}

std::string fileText(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) && !object.at(key).is_null();
}

const Json& at(const Json& object, std::string_view key) {
  const std::string name(key);
  if (!has(object, name)) fail("\"" + name + "\" is missing");
  return object.at(name);
}

std::vector<std::string> keysOf(const Json& object) {
  if (!object.is_object()) fail("an object was expected instead of " + object.dump().substr(0, 40));
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

std::vector<const Json*> entriesOf(const Json& array) {
  if (!array.is_array()) fail("an array was expected instead of " + array.dump().substr(0, 40));
  std::vector<const Json*> entries;
  for (const Json& entry : array)
    entries.push_back(&entry);
  return entries;
}

int depthOf(const Json& value) { return value.is_array() ? 1 + (value.empty() ? 0 : depthOf(value[0])) : 0; }

Scalar numberFrom(const Json& number) {
  if (number.is_number()) return number.get<Scalar>();
  if (number == "-inf") return -std::numeric_limits<Scalar>::infinity();
  fail("a number was expected instead of " + number.dump().substr(0, 40));
}

bool truthFrom(const Json& truth) {
  if (!truth.is_boolean()) fail("true or false was expected instead of " + truth.dump().substr(0, 40));
  return truth.get<bool>();
}

std::string textFrom(const Json& text) {
  if (!text.is_string()) fail("a text was expected instead of " + text.dump().substr(0, 40));
  return text.get<std::string>();
}

std::vector<Index> indicesFrom(const Json& arrayOrNumber) {
  if (arrayOrNumber.is_number_integer()) return {arrayOrNumber.get<Index>()};
  std::vector<Index> indices;
  for (const Json* entry : entriesOf(arrayOrNumber)) {
    if (!entry->is_number_integer()) fail("an integer was expected instead of " + entry->dump().substr(0, 40));
    indices.push_back(entry->get<Index>());
  }
  return indices;
}

RowVector rowFrom(const Json& array) {
  checkArray(array);
  RowVector row(static_cast<Index>(array.size()));
  for (Index column = 0; column < row.size(); ++column)
    row(column) = numberFrom(array[static_cast<std::size_t>(column)]);
  return row;
}

Matrix matrixFrom(const Json& rows) { return tableFrom<Matrix>(rows, numberFrom); }
BoolMatrix patternFrom(const Json& rows) { return tableFrom<BoolMatrix>(rows, truthFrom); }

std::vector<Matrix> matricesFrom(const Json& stack) {
  if (depthOf(stack) == 2) return {matrixFrom(stack)};
  std::vector<Matrix> matrices;
  for (const Json* matrix : entriesOf(stack))
    matrices.push_back(matrixFrom(*matrix));
  return matrices;
}

}  // namespace headwise::test
