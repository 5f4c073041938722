// Walks the golden data: all .json files of the folder in the environment's HEADWISE_GOLDEN_DIR, else of tests/golden.
#include "checks.h"
#include "golden_check.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace headwise::test {

namespace {

std::string goldenFolder() {
  const char* folder = std::getenv("HEADWISE_GOLDEN_DIR");
  return folder && *folder ? folder : HEADWISE_DEFAULT_GOLDEN_DIR;
}

std::vector<std::string> goldenFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(goldenFolder()))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// A layer of one head and one token: the output is value · W_v · W_o = 2·3·5.
std::string smallFile(const std::string& kind = "mha",
                      const std::string& output = "[[30]]",
                      const std::string& more = "",
                      const std::string& mask = "null") {
  return R"({"kind": ")" + kind + R"(", "dims": {"n_q": 1, "num_heads": 1}, "inputs": {"X": [[2]]}, "mask": )" + mask +
         R"(, "weights": {"W_q": [[[1]]], "W_k": [[[1]]], "W_v": [[[3]]], "W_o": [[5]]}, "expected": {"output": )" +
         output + more + "}}";
}

// The file has exactly this problem.
Verdict hasProblem(const std::string& text, const std::string& part) {
  const GoldenReport report = checkGoldenFile(text);
  std::string all;
  for (const std::string& problem : report.problems)
    all += problem + "\n";
  return {report.problems.size() == 1 && all.find(part) != std::string::npos, "problems: " + all};
}

}  // namespace

TEST_CASE("golden: every number of every file agrees, and nothing in the files is unknown") {
  const std::vector<std::string> files = goldenFiles();
  INFO("folder " << goldenFolder());
  REQUIRE(!files.empty());
  GoldenReport all;
  for (const std::string& file : files) {
    GoldenReport report = checkGoldenFile(fileText(file));
    for (const std::string& problem : report.problems)
      FAIL_CHECK(file << ": " << problem);
    all.add(report);
  }
  summarise(all);
  CHECK(all.numbers > 0);
  for (const auto& [name, count] : all.pending)
    CHECK(name == "torch_nn_MultiheadAttention");  // notes on another library
}

TEST_CASE("golden: the check itself counts a right file and refuses a wrong number with both matrices") {
  const GoldenReport report = checkGoldenFile(smallFile());
  CHECK(report.problems.empty());
  CHECK(report.numbers == 1);
  CHECK(report.fields == 1);
  CHECK(report.files == 1);
  CHECK(hasProblem(smallFile("mha", "[[30.00001]]"), "expected.output[0]"));
  CHECK(hasProblem(smallFile("mha", "[[30.00001]]"), "30.00001"));
  CHECK(checkGoldenFile(smallFile("mha", "[[30.000000001]]")).problems.empty());
  CHECK(hasProblem(smallFile("mha", "[[30, 30]]"), "shapes differ"));
}

TEST_CASE(
    "golden: the check refuses kinds, fields, masks and sizes that it does not know or that contradict each other") {
  CHECK(hasProblem(smallFile("rotary"), "kind \"rotary\" is unknown"));
  CHECK(hasProblem(smallFile("mha", "[[30]]", R"(, "logits": [[1]])"), "expected.logits is unknown"));
  CHECK(hasProblem(smallFile("mha", "null"), "no number was compared"));
  CHECK(hasProblem(smallFile("mha", "[[30]]", "", R"({"type": "window"})"), "mask.type \"window\" is unknown"));
  CHECK(hasProblem(smallFile("mha", "[[30]]", "", R"({"type": "causal", "keep": [[false]]})"), "mask.keep"));
  std::string file = smallFile();
  CHECK(hasProblem(file.replace(file.find("\"n_q\": 1"), 8, "\"n_q\": 2"), "dims.n_q"));
  CHECK(hasProblem("{", "parse error"));
  CHECK(hasProblem("{}", "\"kind\" is missing"));
}

TEST_CASE("golden: what belongs to later work is counted by name") {
  GoldenReport report = checkGoldenFile(smallFile("mha", "[[30]]", R"(, "torch_nn_MultiheadAttention": {"X": [[1]]})"));
  CHECK(report.problems.empty());
  CHECK(report.pending == std::map<std::string, int>{{"torch_nn_MultiheadAttention", 1}});
}

TEST_CASE("golden: mistakes are compared by name, and a wrong or unknown one is a problem") {
  // W_o dropped: the output is value · W_v = 6, which is 24 from the right one.
  const auto file = [](const std::string& mistakes) {
    std::string text = smallFile();
    return text.insert(text.size() - 1, R"(, "mistakes": )" + mistakes +
                                            R"(, "mistake_distance_from_correct": {"output_projection_missing": 24})");
  };
  CHECK(checkGoldenFile(file(R"({"output_projection_missing": [[6]]})")).problems.empty());
  CHECK(checkGoldenFile(file(R"({"output_projection_missing": [[6]]})")).numbers == 3);
  CHECK(hasProblem(file(R"({"output_projection_missing": [[6.00001]]})"),
                   "mistakes.output_projection_missing: row 0, column 0"));
  CHECK(hasProblem(file(R"({"softmax_over_tokens": [[6]]})"), "\"softmax_over_tokens\" is unknown"));
}

TEST_CASE("golden: gradients are compared by name, and a wrong or unknown one is a problem") {
  // One token attends to itself: ∂(30·G)/∂W_o = value · W_v · G = 6 · 2.
  const auto file = [](const std::string& gradients) {
    std::string text = smallFile("mha", "[[30]]", R"(, "gradients": )" + gradients);
    return text.replace(text.find("\"X\": [[2]]"), 10, R"("X": [[2]], "G": [[2]])");
  };
  CHECK(checkGoldenFile(file(R"({"W_o": [[12]]})")).problems.empty());
  CHECK(checkGoldenFile(file(R"({"W_o": [[12]]})")).numbers == 2);
  CHECK(hasProblem(file(R"({"W_o": [[12.00001]]})"), "expected.gradients.W_o[0]"));
  CHECK(hasProblem(file(R"({"W_z": [[12]]})"), "expected.gradients.W_z is unknown"));
}

TEST_CASE("golden: a causal mask without an alignment is the one whose pattern is listed") {
  const auto file = [](const char* keep, const char* output) {
    return std::string(
               R"({"kind": "sdpa", "dims": {}, "inputs": {"Q": [[0]], "K": [[0], [0]], "V": [[2], [4]]}, "weights": {},
                           "mask": {"type": "causal", "keep": )") +
           keep + R"(}, "expected": {"output": )" + output + "}}";
  };
  CHECK(checkGoldenFile(file("[[true, false]]", "[[2]]")).problems.empty());  // sees the first key only
  CHECK(checkGoldenFile(file("[[true, true]]", "[[3]]")).problems.empty());   // (2 + 4)/2
  CHECK(hasProblem(file("[[false, true]]", "[[2]]"), "mask.keep"));
}

}  // namespace headwise::test
