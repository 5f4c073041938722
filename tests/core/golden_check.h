// Compares the forward numbers of one golden file with what the library computes. tests/golden/README.md describes the files.
#pragma once

#include "golden_report.h"
#include "headwise/trace.h"

#include <string>

namespace headwise::test {

/// Unknown kinds and fields, and a file of a known kind in which nothing could be compared, are problems.
GoldenReport checkGoldenFile(const std::string& text);

/// The fields of a trace that `expected` lists, by their golden names. `others` are left to the caller; a field that is neither
/// known nor pending is a problem.
void compareTrace(GoldenReport& report,
                  const std::string& where,
                  const ForwardTrace& trace,
                  const Json& expected,
                  const std::vector<std::string>& others = {});

/// True, and counted, if the field belongs to later work.
bool countPending(GoldenReport& report, const std::string& field);

// The kinds that hold several layers: golden_derived.cpp.
void checkComparison(GoldenReport& report, const Json& file);
void checkSharedWeights(GoldenReport& report, const Json& file);
void checkFusedLayouts(GoldenReport& report, const Json& file);

}  // namespace headwise::test
