// Compares the numbers of one golden file with what the library computes. tests/golden/README.md describes the files.
#pragma once

#include "golden_layer.h"
#include "golden_report.h"

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

/// The trace and the gradients that `expected` lists. Gradients are those of Σ output ∘ G, with G from the file's inputs.
void compareLayer(GoldenReport& report,
                  const std::string& where,
                  const Layer& layer,
                  const Json& file,
                  const Json& expected,
                  const std::vector<std::string>& others = {});

/// True, and counted, if the field belongs to later work.
bool countPending(GoldenReport& report, const std::string& field);

// The kinds that hold several layers: golden_derived.cpp.
void checkComparison(GoldenReport& report, const Json& file);
void checkSharedWeights(GoldenReport& report, const Json& file);
void checkFusedLayouts(GoldenReport& report, const Json& file);

// golden_training.cpp
void checkTraining(GoldenReport& report, const Json& file);

}  // namespace headwise::test
