#include "golden_report.h"

#include "checks.h"

namespace headwise::test {

namespace {

constexpr Scalar kGoldenTolerance = 1e-10;  // the files hold 12 significant digits

GoldenReport& summarised() {
  static GoldenReport report;
  return report;
}

}  // namespace

void GoldenReport::compare(const std::string& field, const Matrix& actual, const Matrix& expected) {
  ++fields;
  numbers += static_cast<std::size_t>(expected.size());
  const Verdict verdict = near(actual, expected, kGoldenTolerance);
  require(verdict.holds, field + ": " + verdict.text);
}

void GoldenReport::compare(const std::string& field,
                           const std::vector<Matrix>& actual,
                           const std::vector<Matrix>& expected) {
  if (expected.size() != 1 && expected.size() != actual.size()) {
    problems.push_back(field + ": " + std::to_string(expected.size()) + " matrices expected, but there are " +
                       std::to_string(actual.size()));
    return;
  }
  const std::size_t fieldsBefore = fields;
  for (std::size_t i = 0; i < actual.size(); ++i)
    compare(field + "[" + std::to_string(i) + "]", actual[i], expected[expected.size() == 1 ? 0 : i]);
  fields = fieldsBefore + 1;
}

void GoldenReport::compare(const std::string& field,
                           const std::vector<Index>& actual,
                           const std::vector<Index>& expected) {
  ++fields;
  numbers += expected.size();
  std::string text = field + " is another list:";
  for (const Index index : actual)
    text.append(" ").append(std::to_string(index));
  require(actual == expected, text);
}

void GoldenReport::compare(const std::string& field, Scalar actual, Scalar expected) {
  compare(field, matrixOf({{actual}}), matrixOf({{expected}}));
}

void GoldenReport::require(bool holds, const std::string& problem) {
  if (!holds) problems.push_back(problem);
}

void GoldenReport::add(const GoldenReport& other) {
  problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  numbers += other.numbers;
  fields += other.fields;
  files += other.files;
  for (const auto& [name, count] : other.pending)
    pending[name] += count;
}

std::string goldenSummary() {
  const GoldenReport& report = summarised();
  std::string text = "golden: " + std::to_string(report.numbers) + " numbers in " + std::to_string(report.fields) +
                     " fields of " + std::to_string(report.files) + " files compared";
  if (report.pending.empty()) return text;
  text += "; pending:";
  for (const auto& [name, count] : report.pending)
    text += (text.back() == ':' ? " " : ", ") + name + " " + std::to_string(count);
  return text;
}

void summarise(const GoldenReport& report) { summarised() = report; }

}  // namespace headwise::test
