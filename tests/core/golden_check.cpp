#include "golden_check.h"

#include "golden_gradients.h"
#include "golden_mistakes.h"
#include "golden_names.h"
#include "headwise/comparison.h"
#include "headwise/computation.h"
#include "headwise/forward.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headwise::test {

namespace {

/// What the library does not compute yet, and what other libraries do. A name leaves the list once it can be compared.
constexpr std::string_view kPendingFields[] = {"torch_nn_MultiheadAttention"};

// The field's matrix of every owner.
std::vector<Matrix> matricesOf(const ForwardTrace& trace, std::string_view path) {
  std::vector<Matrix> matrices;
  forEachMatrix(trace, [&](const Field& field, Index, const MatrixView& matrix) {
    if (field.path == path) matrices.push_back(matrix);
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

// "finite_fill_minus_1e6" and the like.
void compareOtherConventions(GoldenReport& report, const Layer& layer, const Json& conventions) {
  const std::string fillPrefix = "finite_fill_minus_";
  for (const std::string& name : keysOf(conventions)) {
    if (countPending(report, name)) continue;
    const std::string field = "other_conventions." + name;
    if (name.rfind(fillPrefix, 0) == 0)
      report.compare(
          field, forward(layer, {.hide = Hide::fill, .fillValue = -std::stod(name.substr(fillPrefix.size()))}).output,
          matrixFrom(at(at(conventions, name), "output")));
    else
      report.problems.push_back(field + " is unknown");
  }
}

// The outputs of wrong layers, how far each is from the right one, and the queries that see nothing there.
void compareMistakes(GoldenReport& report, const std::string& kind, const Json& file) {
  const Json& weights = at(file, "weights");
  GoldenReport counted;  // the right layer was read and counted before
  const Layer layer =
      layerFrom(counted, kind, file, kind == "fused_layouts" ? at(weights, "canonical") : weights, at(file, "dims"));
  const Matrix right = attend(layer).output;
  for (const std::string& name : keysOf(at(file, "mistakes"))) {
    const std::string field = "mistakes." + name;
    const ForwardTrace wrong = traceOfMistake(name, layer);
    report.compare(field, wrong.output, matrixFrom(at(at(file, "mistakes"), name)));
    if (has(file, "mistake_distance_from_correct") && has(at(file, "mistake_distance_from_correct"), name))
      report.compare(field + ", distance", compareMatrices(wrong.output, right).largestDifference,
                     numberFrom(at(at(file, "mistake_distance_from_correct"), name)));
    if (has(file, "mistake_fully_masked_rows") && has(at(file, "mistake_fully_masked_rows"), name))
      report.compare(field + ", empty rows", wrong.emptyRows,
                     indicesFrom(at(at(file, "mistake_fully_masked_rows"), name)));
  }
}

void checkLayer(GoldenReport& report, const std::string& kind, const Json& file) {
  const Layer layer = layerFrom(report, kind, file, at(file, "weights"), at(file, "dims"));
  const Json& expected = at(file, "expected");
  compareLayer(report, "expected", layer, file, expected, {"other_conventions"});
  if (has(expected, "other_conventions")) compareOtherConventions(report, layer, at(expected, "other_conventions"));
}

void checkKind(GoldenReport& report, const std::string& kind, const Json& file) {
  if (kind == "sdpa" || kind == "mha" || kind == "mistakes" || kind == "additive" || kind == "additive_mha")
    return checkLayer(report, kind, file);
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
    if (const std::string_view path = pathOfGolden(name); !path.empty())
      report.compare(field, matricesOf(trace, path), matricesFrom(numbers));
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
                  const Layer& layer,
                  const Json& file,
                  const Json& expected,
                  const std::vector<std::string>& others) {
  std::vector<std::string> elsewhere = others;
  elsewhere.insert(elsewhere.end(), {"gradients", "gradient_norms"});
  compareTrace(report, where, attend(layer), expected, elsewhere);
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
    checkKind(report, kind, *file);
    if (has(*file, "mistakes")) compareMistakes(report, kind, *file);
    report.require(report.numbers > 0 || !report.problems.empty(), "no number was compared");
  } catch (const std::exception& error) {
    report.problems.push_back(error.what());
  }
  report.files = report.numbers > 0 ? 1 : 0;
  return report;
}

}  // namespace headwise::test
