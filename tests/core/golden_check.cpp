#include "golden_check.h"

#include "checks.h"
#include "golden_gradients.h"
#include "headwise/softmax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <stdexcept>

namespace headwise::test {

namespace {

/// Golden name and trace path.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kGoldenNames{{
    {"Q", "heads[].queries"},
    {"K", "keyValueHeads[].keys"},
    {"V", "keyValueHeads[].values"},
    {"scores", "heads[].scaledScores"},
    {"attention", "heads[].attentionWeights"},
    {"heads", "heads[].output"},
    {"concat", "concatenated"},
    {"output", "output"},
}};

/// What the library does not compute yet, and what other libraries do. A name leaves the list once it can be compared.
constexpr std::string_view kPendingFields[] = {"torch_nn_MultiheadAttention"};
constexpr std::string_view kPendingParts[] = {"mistakes"};  // beside `expected`

// Matrices whose path is the pattern once its numbers are taken out.
std::vector<Matrix> matricesAt(const ForwardTrace& trace, std::string_view pattern) {
  std::vector<Matrix> matrices;
  forEachMatrix(trace, [&](std::string path, const Matrix& matrix) {
    path.erase(std::remove_if(path.begin(), path.end(), [](unsigned char letter) { return std::isdigit(letter); }),
               path.end());
    if (path == pattern) matrices.push_back(matrix);
  });
  return matrices;
}

// Rows in which exp without the subtracted maximum overflows or divides 0 by 0.
std::vector<Index> naiveSoftmaxFailures(const Matrix& scores) {
  std::vector<Index> rows;
  for (Index row = 0; row < scores.rows(); ++row) {
    Scalar sum = 0;
    for (Index column = 0; column < scores.cols(); ++column)
      sum += std::exp(scores(row, column));
    if (sum == 0 || !std::isfinite(sum)) rows.push_back(row);
  }
  return rows;
}

// The layer's output if hidden scores were replaced by a number.
Matrix outputWithFill(const GoldenLayer& layer, const ForwardTrace& trace, Scalar fill) {
  const BoolMatrix visible = mayAttend(layer.options.mask, layer.inputs.query.rows(), layer.inputs.key.rows());
  Matrix concatenated(trace.concatenated.rows(), trace.concatenated.cols());
  Index column = 0;
  for (std::size_t j = 0; j < trace.heads.size(); ++j) {
    const Matrix weights = softmaxRows(fillHidden(trace.heads[j].maskedScores, visible, fill));
    const Matrix& values = trace.keyValueHeads[j * trace.keyValueHeads.size() / trace.heads.size()].values;
    concatenated.middleCols(column, values.cols()) = product(weights, values);
    column += values.cols();
  }
  return layer.isProjected ? project(concatenated, layer.weights.output) : concatenated;
}

// "finite_fill_minus_1e6" and the like.
void compareOtherConventions(GoldenReport& report,
                             const GoldenLayer& layer,
                             const ForwardTrace& trace,
                             const Json& conventions) {
  const std::string fillPrefix = "finite_fill_minus_";
  for (const std::string& name : keysOf(conventions)) {
    if (countPending(report, name)) continue;
    const std::string field = "other_conventions." + name;
    if (name.rfind(fillPrefix, 0) == 0)
      report.compare(field, outputWithFill(layer, trace, -std::stod(name.substr(fillPrefix.size()))),
                     matrixFrom(at(at(conventions, name), "output")));
    else
      report.problems.push_back(field + " is unknown");
  }
}

void checkLayer(GoldenReport& report, const std::string& kind, const Json& file) {
  const GoldenLayer layer = layerFrom(report, kind, file, at(file, "weights"), at(file, "dims"));
  const Json& expected = at(file, "expected");
  compareLayer(report, "expected", layer, file, expected, {"other_conventions"});
  if (has(expected, "other_conventions"))
    compareOtherConventions(report, layer, layer.trace(), at(expected, "other_conventions"));
}

void checkKind(GoldenReport& report, const std::string& kind, const Json& file) {
  if (kind == "sdpa" || kind == "mha" || kind == "additive" || kind == "additive_mha")
    return checkLayer(report, kind, file);
  if (kind == "mistakes") return checkLayer(report, "mha", file);
  if (kind == "compare") return checkComparison(report, file);
  if (kind == "shared_weights") return checkSharedWeights(report, file);
  if (kind == "fused_layouts") return checkFusedLayouts(report, file);
  if (kind == "training") return checkTraining(report, file);
  report.problems.push_back("kind \"" + kind + "\" is unknown");
}

}  // namespace

bool countPending(GoldenReport& report, const std::string& field) {
  const bool pending =
      std::find(std::begin(kPendingFields), std::end(kPendingFields), field) != std::end(kPendingFields);
  if (pending) ++report.pending[field];
  return pending;
}

void compareTrace(GoldenReport& report,
                  const std::string& where,
                  const ForwardTrace& trace,
                  const Json& expected,
                  const std::vector<std::string>& others) {
  for (const std::string& name : keysOf(expected)) {
    if (!has(expected, name) || std::find(others.begin(), others.end(), name) != others.end() ||
        countPending(report, name))
      continue;
    const std::string field = where + "." + name;
    const Json& numbers = at(expected, name);
    const auto known =
        std::find_if(kGoldenNames.begin(), kGoldenNames.end(), [&](const auto& entry) { return entry.first == name; });
    if (known != kGoldenNames.end())
      report.compare(field, matricesAt(trace, known->second), matricesFrom(numbers));
    else if (name == "fully_masked_rows")
      report.compare(field, trace.emptyRows, indicesFrom(numbers));
    else if (name == "naive_softmax_nonfinite_rows")
      report.compare(field, naiveSoftmaxFailures(trace.heads.at(0).scaledScores), indicesFrom(numbers));
    else
      report.problems.push_back(field + " is unknown");
  }
}

void compareLayer(GoldenReport& report,
                  const std::string& where,
                  const GoldenLayer& layer,
                  const Json& file,
                  const Json& expected,
                  const std::vector<std::string>& others) {
  std::vector<std::string> elsewhere = others;
  elsewhere.insert(elsewhere.end(), {"gradients", "gradient_norms"});
  compareTrace(report, where, layer.trace(), expected, elsewhere);
  if (!has(expected, "gradients") && !has(expected, "gradient_norms")) return;
  const NamedGradients gradients = gradientsOf(layer, matrixFrom(at(at(file, "inputs"), "G")));
  if (has(expected, "gradients")) compareGradients(report, where + ".gradients", gradients, at(expected, "gradients"));
  if (has(expected, "gradient_norms"))
    compareNorms(report, where + ".gradient_norms", gradients, at(expected, "gradient_norms"));
}

GoldenReport checkGoldenFile(const std::string& text) {
  GoldenReport report;
  try {
    const std::shared_ptr<const Json> file = parsed(text);
    const std::string kind = textFrom(at(*file, "kind"));
    for (const std::string_view part : kPendingParts)
      if (has(*file, std::string(part))) ++report.pending[std::string(part)];
    checkKind(report, kind, *file);
    report.require(report.numbers > 0 || !report.problems.empty(), "no number was compared");
  } catch (const std::exception& error) {
    report.problems.push_back(error.what());
  }
  report.files = report.numbers > 0 ? 1 : 0;
  return report;
}

}  // namespace headwise::test
