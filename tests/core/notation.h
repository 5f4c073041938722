// The table of trace fields as docs/notation.md prints it, generated from the table in headwise/computation.h.
#pragma once

#include <string>
#include <vector>

namespace headwise::test {

/// The table's lines, heading included.
std::vector<std::string> notationTable();

/// The lines of the table under "## Trace fields" in the text of docs/notation.md.
std::vector<std::string> printedTable(const std::string& notation);

}  // namespace headwise::test
