#include "headwise/trace.h"

#include "checks.h"
#include "samples.h"

#include <set>

namespace headwise::test {

TEST_CASE("trace: forEachMatrix visits every matrix once, in the order of computation") {
  Sample layer = selfAttentionSample(3, 8, 4, 1);
  layer.weights = randomWeights(Dimensions::selfAttention(8, 4, 2), 1);
  const ForwardTrace trace = attend(layer.inputs, layer.weights);
  std::vector<std::string> paths;
  std::set<const Matrix*> visited;
  forEachMatrix(trace, [&](const std::string& path, const Matrix& matrix) {
    paths.push_back(path);
    visited.insert(&matrix);
  });
  std::vector<std::string> expected;
  for (const char* head : {"keyValueHeads[0].", "keyValueHeads[1]."})
    for (const char* field : {"keys", "values"})
      expected.push_back(std::string(head) + field);
  for (const char* head : {"heads[0].", "heads[1].", "heads[2].", "heads[3]."})
    for (const char* field : {"queries", "rawScores", "scaledScores", "maskedScores", "attentionWeights", "output"})
      expected.push_back(std::string(head) + field);
  expected.insert(expected.end(), {"concatenated", "output"});
  CHECK(paths == expected);
  CHECK(visited.size() == expected.size());
}

TEST_CASE("trace: the field tables name every member, and each name its own member") {
  HeadTrace head;
  head.queries = matrixOf({{0}});
  head.rawScores = matrixOf({{1}});
  head.scaledScores = matrixOf({{2}});
  head.maskedScores = matrixOf({{3}});
  head.attentionWeights = matrixOf({{4}});
  head.output = matrixOf({{5}});
  for (std::size_t i = 0; i < kHeadFields.size(); ++i)
    CHECK((head.*kHeadFields[i].matrix)(0, 0) == static_cast<Scalar>(i));
  CHECK(kKeyValueHeadFields[0].matrix == &KeyValueHeadTrace::keys);
  CHECK(kKeyValueHeadFields[1].matrix == &KeyValueHeadTrace::values);
  CHECK(kLayerFields[0].matrix == &ForwardTrace::concatenated);
  CHECK(kLayerFields[1].matrix == &ForwardTrace::output);
}

TEST_CASE("trace: traceBytes counts what a trace holds") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample layer = sample(seed);
    INFO(layer.text);
    Index cells = 0;
    forEachMatrix(attend(layer.inputs, layer.weights, layer.options),
                  [&](const std::string&, const Matrix& matrix) { cells += matrix.size(); });
    CHECK(traceBytes(layer.weights.dimensions, layer.inputs.query.rows(), layer.inputs.key.rows()) ==
          static_cast<double>(cells) * sizeof(Scalar));
  }
}

TEST_CASE("trace: exactly 256 MiB is allowed, one row more is refused with both numbers") {
  // One token, widths 1: queries 1, scores 4 × 1, head output 1, keys 1, values 1, concatenated 1, output p_o: 9 + p_o numbers of 8 bytes.
  Dimensions dimensions = Dimensions::selfAttention(1, 1);
  dimensions.outputSize = 256 * 1024 * 1024 / 8 - 9;
  CHECK(traceBytes(dimensions, 1, 1) == kMaxTraceBytes);
  CHECK_NOTHROW(checkTraceSize(dimensions, 1, 1));
  dimensions.outputSize += 1;
  CHECK(refuses([&] { checkTraceSize(dimensions, 1, 1); }, ErrorCode::tooLarge, {"1 queries", "1 keys", "256 MiB"}));
  CHECK(refuses([] { checkTraceSize(Dimensions::selfAttention(8, 2), 10000, 5000); }, ErrorCode::tooLarge,
                {"10000 queries", "5000 keys", "2 heads", "limit is 256 MiB"}));
}

TEST_CASE("trace: absurd sizes do not wrap around the check") {
  const Index huge = Index{1} << 30;
  CHECK(refuses([&] { checkTraceSize(Dimensions::selfAttention(huge, 1), huge, huge); }, ErrorCode::tooLarge,
                {"256 MiB"}));
}

}  // namespace headwise::test
