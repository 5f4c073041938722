#include "notation.h"

#include "golden_names.h"
#include "headwise/computation.h"

#include <sstream>

namespace headwise::test {

namespace {

// "heads[].queries" → "heads[j].queries"
std::string withLetter(const std::string& text, Owner owner) {
  const auto brackets = text.find("[]");
  if (brackets == std::string::npos) return text;
  return text.substr(0, brackets + 1) + (owner == Owner::head ? "j" : "g") + text.substr(brackets + 1);
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string goldenCell(const Field& field) {
  const std::string name(goldenNameOf(field.path));
  if (name.empty()) return "–";
  return code(field.owner == Owner::layer ? name : withLetter(name + "[]", field.owner));
}

std::string rowOf(const Field& field) {
  return "| " + code(withLetter(std::string(field.path), field.owner)) + " | " + std::string(field.formula) + " | " +
         std::string(nameIn(kAxes, field.rows)) + " × " + std::string(nameIn(kAxes, field.columns)) + " | " +
         goldenCell(field) + " |";
}

}  // namespace

std::vector<std::string> notationTable() {
  std::vector<std::string> lines = {"| field | formula | rows × columns | golden files |", "|---|---|---|---|"};
  for (const Field& field : kFields)
    if (field.part() == Part::trace) lines.push_back(rowOf(field));
  return lines;
}

std::vector<std::string> printedTable(const std::string& notation) {
  std::istringstream text(notation);
  std::vector<std::string> lines;
  bool inSection = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) inSection = line == "## Trace fields";
    if (inSection && line.starts_with("|")) lines.push_back(line);
  }
  return lines;
}

}  // namespace headwise::test
