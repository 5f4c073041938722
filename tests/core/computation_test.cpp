// The table of fields against what the library computes, and against what docs/notation.md prints.
#include "headwise/computation.h"

#include "checks.h"
#include "golden_json.h"
#include "golden_names.h"
#include "headwise/attention.h"
#include "notation.h"
#include "samples.h"

#include <set>

namespace headwise::test {

namespace {

// Grouped heads, cross attention, additive pooling, any mask; and none of the projections.
std::vector<Layer> layersOfEveryKind() {
  std::vector<Layer> layers;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    layers.push_back(sample(seed));
    layers.push_back(sample(seed, {.pooling = Pooling::additive}));
  }
  const Inputs inputs{normalMatrix(3, 4, 1), normalMatrix(5, 4, 2), normalMatrix(5, 2, 3)};
  layers.push_back(unprojectedLayer(inputs));
  layers.push_back(
      unprojectedLayer(inputs, {.pooling = Pooling::additive},
                       AdditiveScore{normalMatrix(4, 7, 1), normalMatrix(4, 7, 2), normalMatrix(1, 7, 3)}));
  return layers;
}

std::size_t rowNumberOf(std::string_view path) {
  for (std::size_t row = 0; row < kFields.size(); ++row)
    if (kFields[row].path == path) return row;
  FAIL("no field is called " << path);
  return 0;
}

// Along what an operand's slice runs.
Axis lengthOf(const Operand& operand) {
  const Field& field = *fieldOf(operand.path);
  if (operand.slice == Slice::cell) return Axis::one;
  return operand.slice == Slice::column ? field.rows : field.columns;
}

}  // namespace

TEST_CASE("fields: every matrix of a trace has the shape that the table says") {
  for (const Layer& layer : layersOfEveryKind())
    forEachMatrix(attend(layer), [&](const Field& field, Index index, const MatrixView& matrix) {
      INFO(pathOf(field, index));
      CHECK(hasShape(matrix, shapeOf(field, layer.dimensions(), layer.queryCount(), layer.keyCount())));
    });
}

TEST_CASE("fields: every matrix that is put in has the shape that the table says, or is one that a layer may lack") {
  for (const Layer& layer : layersOfEveryKind())
    for (const Field& field : kFields) {
      if (field.part() == Part::trace) continue;
      INFO(std::string(field.path));
      const Shape shape = shapeOf(field, layer.dimensions(), layer.queryCount(), layer.keyCount());
      if (field.part() == Part::input) {
        CHECK(hasShape(field.inInputs(layer.inputs), shape));
        continue;
      }
      for (Index index = 0; index < countOf(field, layer.dimensions()); ++index) {
        const MatrixView matrix = field.inWeights(layer.weights, index);
        if (matrix.size() > 0)
          CHECK(hasShape(matrix, shape));
        else
          CHECK((field.isOptional() || !layer.weights.isProjected));
      }
    }
}

TEST_CASE("fields: the table has every parameter of a layer") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Sample layer = sample(seed, {.pooling = Pooling::additive});
    INFO(layer.text);
    Index cells = 0, found = 0;
    forEachParameter([&](const auto& parameter) { cells += parameter.size(); }, layer.weights);
    for (const Field& field : kFields)
      if (field.part() == Part::weight)
        for (Index index = 0; index < countOf(field, layer.dimensions()); ++index)
          found += field.inWeights(layer.weights, index).size();
    CHECK(found == cells);
  }
}

TEST_CASE("fields: paths are unique and say where a matrix stands, symbols have the number of their owner") {
  std::set<std::string_view> paths;
  for (const Field& field : kFields) {
    INFO(std::string(field.path));
    CHECK(paths.insert(field.path).second);
    CHECK(field.path.starts_with("inputs.") == (field.part() == Part::input));
    CHECK(field.path.starts_with("weights.") == (field.part() == Part::weight));
    const auto holds = [&](std::string_view letter) { return field.symbol.find(letter) != std::string_view::npos; };
    CHECK((field.path.find("[]") != std::string_view::npos) == (field.owner != Owner::layer));
    CHECK(holds("{j}") == (field.owner == Owner::head));
    if (field.owner == Owner::keyValueHead) CHECK(holds("{g}"));
    if (field.owner == Owner::layer) CHECK(!holds("{g}"));
    CHECK(!field.symbol.empty());
    CHECK(field.formula.empty() == (field.part() != Part::trace));
    CHECK((field.operation == Operation::given) == (field.part() != Part::trace));
  }
  CHECK(pathOf(*fieldOf("heads[].queries"), 12) == "heads[12].queries");
  CHECK(pathOf(*fieldOf("weights.W_k[]"), 1) == "weights.W_k[1]");
  CHECK(pathOf(*fieldOf("output"), 0) == "output");
  CHECK(fieldOf("heads[0].queries") == nullptr);
}

TEST_CASE("fields: operands are fields that stand before their result") {
  for (const Field& field : kFields)
    for (const Operand& operand : field.operands) {
      if (operand.path.empty()) continue;
      INFO(std::string(field.path) << " from " << std::string(operand.path));
      CHECK(rowNumberOf(operand.path) < rowNumberOf(field.path));
    }
}

TEST_CASE("fields: the operands of a product are as long as each other, and its rows and columns are theirs") {
  for (const Field& field : kFields) {
    if (field.operation != Operation::product) continue;
    INFO(std::string(field.path));
    const auto& [left, right, bias] = field.operands;
    CHECK(left.slice == Slice::row);
    CHECK(fieldOf(left.path)->rows == field.rows);
    const Field& second = *fieldOf(right.path);
    CHECK((right.slice == Slice::columnAsRow ? second.rows : second.columns) == field.columns);
    // By size and not by name: p_q = p_k in dot products, and n_kv rows of values meet n_kv columns of weights.
    const Dimensions dimensions{.queryInputSize = 2,
                                .keyInputSize = 3,
                                .valueInputSize = 5,
                                .headCount = 6,
                                .keyValueHeadCount = 3,
                                .querySize = 7,
                                .keySize = 7,
                                .valueSize = 11,
                                .outputSize = 13};
    CHECK(sizeOf(lengthOf(left), dimensions, 17, 19) == sizeOf(lengthOf(right), dimensions, 17, 19));
    if (!bias.path.empty()) CHECK(fieldOf(bias.path)->columns == field.columns);
  }
}

TEST_CASE("fields: each axis has its size and its name") {
  const Dimensions dimensions{.queryInputSize = 2,
                              .keyInputSize = 3,
                              .valueInputSize = 4,
                              .headCount = 5,
                              .keyValueHeadCount = 5,
                              .querySize = 6,
                              .keySize = 7,
                              .valueSize = 8,
                              .outputSize = 9,
                              .scoreHiddenSize = 10};
  struct Expected {
    Axis axis;
    Index size;
    const char* name;
  };
  const Expected axes[] = {
      {Axis::n_q, 11, "queries"},     {Axis::n_kv, 12, "keys"},         {Axis::d_q, 2, "queryInputSize"},
      {Axis::d_k, 3, "keyInputSize"}, {Axis::d_v, 4, "valueInputSize"}, {Axis::p_q, 6, "querySize"},
      {Axis::p_k, 7, "keySize"},      {Axis::p_v, 8, "valueSize"},      {Axis::hp_v, 40, "headCount·valueSize"},
      {Axis::p_o, 9, "outputSize"},   {Axis::a, 10, "scoreHiddenSize"}, {Axis::one, 1, "1"}};
  CHECK(std::size(axes) == kAxes.size());
  for (const Expected& expected : axes) {
    INFO(expected.name);
    CHECK(sizeOf(expected.axis, dimensions, 11, 12) == expected.size);
    CHECK(sizeNameOf(expected.axis) == expected.name);
  }
}

TEST_CASE("fields: docs/notation.md prints the table as it is, and golden files name fields that exist") {
  const std::vector<std::string> table = notationTable();
  std::string text;
  for (const std::string& line : table)
    text += line + "\n";
  INFO("the table should be\n" << text);
  CHECK(printedTable(fileText(HEADWISE_NOTATION)) == table);
  for (const auto& named : kGoldenNames)
    CHECK(fieldOf(named.second) != nullptr);
}

TEST_CASE("trace: forEachMatrix visits every matrix once, in the order of the table") {
  const Layer layer{Inputs::self(normalMatrix(3, 8, 1)), randomWeights(Dimensions::selfAttention(8, 4, 2), 1), {}};
  const ForwardTrace trace = attend(layer);
  std::vector<std::string> paths;
  std::set<const Scalar*> visited;
  forEachMatrix(trace, [&](const Field& field, Index index, const MatrixView& matrix) {
    paths.push_back(pathOf(field, index));
    visited.insert(matrix.data());
  });
  std::vector<std::string> expected;
  for (const Field& field : kFields)
    for (Index index = 0; field.part() == Part::trace && index < countOf(field, layer.dimensions()); ++index)
      expected.push_back(pathOf(field, index));
  CHECK(paths == expected);
  CHECK(visited.size() == expected.size());
}

TEST_CASE("trace: each path leads to its own member") {
  ForwardTrace trace;
  trace.heads.resize(1);
  trace.keyValueHeads.resize(1);
  HeadTrace& head = trace.heads[0];
  const std::pair<const char*, Matrix*> members[] = {{"heads[].queries", &head.queries},
                                                     {"heads[].rawScores", &head.rawScores},
                                                     {"heads[].scaledScores", &head.scaledScores},
                                                     {"heads[].maskedScores", &head.maskedScores},
                                                     {"heads[].attentionWeights", &head.attentionWeights},
                                                     {"heads[].output", &head.output},
                                                     {"keyValueHeads[].keys", &trace.keyValueHeads[0].keys},
                                                     {"keyValueHeads[].values", &trace.keyValueHeads[0].values},
                                                     {"concatenated", &trace.concatenated},
                                                     {"output", &trace.output}};
  for (const auto& member : members) {
    const auto [path, matrix] = member;
    INFO(std::string(member.first));  // Clang before 16 takes no structured binding into a lambda
    *matrix = matrixOf({{1}});
    CHECK(fieldOf(path)->inTrace(trace, 0).data() == matrix->data());
  }
}

TEST_CASE("trace: traceBytes counts what a trace holds") {
  for (const Layer& layer : layersOfEveryKind()) {
    Index cells = 0;
    forEachMatrix(attend(layer), [&](const Field&, Index, const MatrixView& matrix) { cells += matrix.size(); });
    CHECK(traceBytes(layer.dimensions(), layer.queryCount(), layer.keyCount()) ==
          static_cast<double>(cells) * sizeof(Scalar));
  }
}

TEST_CASE("trace: one of another layer is refused with what it has and what was wanted") {
  const Layer layer = selfAttentionLayer(4, 6, 2, 1);
  const ForwardTrace trace = attend(layer);
  CHECK_NOTHROW(checkTrace(layer, trace));
  CHECK(refuses([&] { checkTrace(layer, attend(selfAttentionLayer(4, 6, 3, 1))); }, ErrorCode::shapeMismatch,
                {"trace has 3 heads", "2"}));
  CHECK(refuses([&] { checkTrace(layer, ForwardTrace{}); }, ErrorCode::shapeMismatch, {"trace has 0 heads", "2"}));
  CHECK(refuses([&] { checkTrace(layer, attend(selfAttentionLayer(5, 6, 2, 1))); }, ErrorCode::shapeMismatch,
                {"trace.keyValueHeads[0].keys", "4 × 3", "5 × 3"}));
  // Another size of any kind changes some matrix.
  for (Index Dimensions::*size : {&Dimensions::querySize, &Dimensions::valueSize, &Dimensions::outputSize}) {
    Dimensions other = layer.dimensions();
    other.*size += 1;
    other.keySize = other.querySize;
    CHECK(refuses(
        [&] {
          checkTrace(layer, attend({layer.inputs, randomWeights(other, 1)}));
        },
        ErrorCode::shapeMismatch, {"trace."}));
  }
  Inputs moreKeys = layer.inputs;
  moreKeys.key = moreKeys.value = normalMatrix(5, 6, 2);
  CHECK(refuses(
      [&] {
        checkTrace(layer, attend({moreKeys, layer.weights}));
      },
      ErrorCode::shapeMismatch, {"trace.keyValueHeads[0].keys", "4 × 3", "5 × 3"}));
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
  CHECK(refuses([] { checkTraceSize(Dimensions::selfAttention(kLargestSize, 1), kLargestSize, kLargestSize); },
                ErrorCode::tooLarge, {"256 MiB"}));
}

}  // namespace headwise::test
