// The computation as data: what every matrix of a layer is, one row each. From this table come the bytes and shapes of a trace, the checks
// of weights and traces, the arithmetic behind a cell, what JavaScript is told, the page's names and colours, and the table in
// docs/notation.md.
//
// A new field of the trace is a member of its struct in trace.h, the line that computes it, and a row here.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "headwise/layer.h"
#include "headwise/names.h"
#include "headwise/trace.h"

namespace headwise {

/// What the rows, or the columns, of a matrix are. The names are those of docs/notation.md.
enum class Axis {
  queries,
  keys,
  queryInput,
  keyInput,
  valueInput,
  query,
  key,
  value,
  concatenated,
  output,
  scoreHidden,
  one
};
inline constexpr Names<Axis, 12> kAxes{{
    {Axis::queries, "n_q"},
    {Axis::keys, "n_kv"},
    {Axis::queryInput, "d_q"},
    {Axis::keyInput, "d_k"},
    {Axis::valueInput, "d_v"},
    {Axis::query, "p_q"},
    {Axis::key, "p_k"},
    {Axis::value, "p_v"},
    {Axis::concatenated, "h·p_v"},
    {Axis::output, "p_o"},
    {Axis::scoreHidden, "a"},
    {Axis::one, "1"},
}};

/// How many there are of a matrix: one for the layer, one a query head or one a key/value head.
enum class Owner { layer, head, keyValueHead };
inline constexpr Names<Owner, 3> kOwners{{
    {Owner::layer, "layer"},
    {Owner::head, "head"},
    {Owner::keyValueHead, "keyValueHead"},
}};

enum class Part { input, weight, trace };
inline constexpr Names<Part, 3> kParts{{
    {Part::input, "input"},
    {Part::weight, "weight"},
    {Part::trace, "trace"},
}};

/// What a matrix is about; each has its colour on the page.
enum class FieldRole { input, query, key, value, scores, attention, output };
inline constexpr Names<FieldRole, 7> kFieldRoles{{
    {FieldRole::input, "input"},
    {FieldRole::query, "query"},
    {FieldRole::key, "key"},
    {FieldRole::value, "value"},
    {FieldRole::scores, "scores"},
    {FieldRole::attention, "attention"},
    {FieldRole::output, "output"},
}};

/// How a cell comes about from its operands.
enum class Operation {
  given,     ///< it is put in
  product,   ///< Σ left · right + bias, the bias being a third operand
  additive,  ///< the same with right = tanh(hidden): what a score is under Pooling::additive
  scale,     ///< operand · scaleFactor
  mask,      ///< operand + bias, or −∞ if hidden
  softmax,   ///< exp(operand − the row's maximum), divided by the row's sum
  maximum,   ///< the largest of the operand
  copy,      ///< the operand of the head whose block of columns this is
};
inline constexpr Names<Operation, 8> kOperations{{
    {Operation::given, "given"},
    {Operation::product, "product"},
    {Operation::additive, "additive"},
    {Operation::scale, "scale"},
    {Operation::mask, "mask"},
    {Operation::softmax, "softmax"},
    {Operation::maximum, "maximum"},
    {Operation::copy, "copy"},
}};

/// The part of an operand that goes into cell (row, column).
enum class Slice {
  row,          ///< its row `row`
  column,       ///< its column `column`
  columnAsRow,  ///< its row `column`: keys, whose rows are the columns of scores
  cell,         ///< its cell (row, column)
};
inline constexpr Names<Slice, 4> kSlices{{
    {Slice::row, "row"},
    {Slice::column, "column"},
    {Slice::columnAsRow, "columnAsRow"},
    {Slice::cell, "cell"},
}};

/// `path` is a field's; empty for none. Of the same head, or of the key/value head that the head uses.
struct Operand {
  std::string_view path;
  Slice slice = Slice::cell;
};

struct Field {
  std::string_view path;  ///< "heads[].queries": [] stands for the owner's number
  Owner owner = Owner::layer;
  std::string_view
      symbol;  ///< "Q_{j}": _ and ^ before indices; {j} is the number of the head, {g} that of the key/value head
  Axis rows = Axis::one;
  Axis columns = Axis::one;
  FieldRole role = FieldRole::input;
  Operation operation = Operation::given;
  std::array<Operand, 3> operands{};
  std::string_view formula;  ///< for documents

  // Where it stands: one of the three is set. Empty views are weights that a layer lacks.
  MatrixView (*inInputs)(const Inputs&) = nullptr;
  MatrixView (*inWeights)(const Weights&, Index) = nullptr;
  MatrixView (*inTrace)(const ForwardTrace&, Index) = nullptr;

  constexpr Part part() const { return inInputs ? Part::input : inWeights ? Part::weight : Part::trace; }
  /// Weights that only some layers have: biases and what additive pooling learns.
  constexpr bool isOptional() const {
    return part() == Part::weight && (rows == Axis::one || columns == Axis::scoreHidden);
  }
};

namespace views {

inline MatrixView of(const Matrix& matrix) { return {matrix.data(), matrix.rows(), matrix.cols()}; }
inline MatrixView of(const std::optional<RowVector>& bias) {
  return bias ? MatrixView{bias->data(), 1, bias->size()} : MatrixView{nullptr, 0, 0};
}
inline std::size_t at(Index index) { return static_cast<std::size_t>(index); }

template <Matrix Inputs::*member>
MatrixView input(const Inputs& inputs) {
  return of(inputs.*member);
}
template <Matrix HeadTrace::*member>
MatrixView head(const ForwardTrace& trace, Index j) {
  return of(trace.heads[at(j)].*member);
}
template <Matrix KeyValueHeadTrace::*member>
MatrixView keyValueHead(const ForwardTrace& trace, Index g) {
  return of(trace.keyValueHeads[at(g)].*member);
}
template <Matrix ForwardTrace::*member>
MatrixView layer(const ForwardTrace& trace, Index) {
  return of(trace.*member);
}
template <Projection KeyValueHeadWeights::*member>
MatrixView keyValueWeight(const Weights& weights, Index g) {
  return of((weights.keyValueHeads[at(g)].*member).weight);
}
template <Projection KeyValueHeadWeights::*member>
MatrixView keyValueBias(const Weights& weights, Index g) {
  return of((weights.keyValueHeads[at(g)].*member).bias);
}
inline MatrixView queryWeight(const Weights& weights, Index j) { return of(weights.heads[at(j)].query.weight); }
inline MatrixView queryBias(const Weights& weights, Index j) { return of(weights.heads[at(j)].query.bias); }
template <Matrix AdditiveScore::*member>
MatrixView additive(const Weights& weights, Index j) {
  const auto& score = weights.heads[at(j)].additive;
  return score ? of((*score).*member) : MatrixView{nullptr, 0, 0};
}
inline MatrixView scoreVector(const Weights& weights, Index j) {
  const auto& score = weights.heads[at(j)].additive;
  return score ? MatrixView{score->scoreVector.data(), 1, score->scoreVector.size()} : MatrixView{nullptr, 0, 0};
}
inline MatrixView outputWeight(const Weights& weights, Index) { return of(weights.output.weight); }
inline MatrixView outputBias(const Weights& weights, Index) { return of(weights.output.bias); }

}  // namespace views

// clang-format off: one row a line is what makes it a table.
inline constexpr std::array<Field, 24> kFields{{
    {.path = "inputs.query",
     .symbol = "H",
     .rows = Axis::queries,
     .columns = Axis::queryInput,
     .role = FieldRole::input,
     .formula = "H_q",
     .inInputs = views::input<&Inputs::query>},
    {.path = "inputs.key",
     .symbol = "H_{kv}",
     .rows = Axis::keys,
     .columns = Axis::keyInput,
     .role = FieldRole::input,
     .formula = "H_k",
     .inInputs = views::input<&Inputs::key>},
    {.path = "inputs.value",
     .symbol = "H_{kv}",
     .rows = Axis::keys,
     .columns = Axis::valueInput,
     .role = FieldRole::input,
     .formula = "H_v",
     .inInputs = views::input<&Inputs::value>},

    {.path = "weights.W_q[]",
     .owner = Owner::head,
     .symbol = "W_{j}^q",
     .rows = Axis::queryInput,
     .columns = Axis::query,
     .role = FieldRole::query,
     .formula = "W_j^q",
     .inWeights = views::queryWeight},
    {.path = "weights.b_q[]",
     .owner = Owner::head,
     .symbol = "b_{j}^q",
     .rows = Axis::one,
     .columns = Axis::query,
     .role = FieldRole::query,
     .formula = "b_j^q",
     .inWeights = views::queryBias},
    {.path = "weights.A_q[]",
     .owner = Owner::head,
     .symbol = "A_{j}^q",
     .rows = Axis::query,
     .columns = Axis::scoreHidden,
     .role = FieldRole::query,
     .formula = "A_j^q",
     .inWeights = views::additive<&AdditiveScore::scoreQuery>},
    {.path = "weights.A_k[]",
     .owner = Owner::head,
     .symbol = "A_{j}^k",
     .rows = Axis::key,
     .columns = Axis::scoreHidden,
     .role = FieldRole::key,
     .formula = "A_j^k",
     .inWeights = views::additive<&AdditiveScore::scoreKey>},
    {.path = "weights.a_v[]",
     .owner = Owner::head,
     .symbol = "a_{j}",
     .rows = Axis::one,
     .columns = Axis::scoreHidden,
     .role = FieldRole::scores,
     .formula = "a_j",
     .inWeights = views::scoreVector},
    {.path = "weights.W_k[]",
     .owner = Owner::keyValueHead,
     .symbol = "W_{g}^k",
     .rows = Axis::keyInput,
     .columns = Axis::key,
     .role = FieldRole::key,
     .formula = "W_g^k",
     .inWeights = views::keyValueWeight<&KeyValueHeadWeights::key>},
    {.path = "weights.b_k[]",
     .owner = Owner::keyValueHead,
     .symbol = "b_{g}^k",
     .rows = Axis::one,
     .columns = Axis::key,
     .role = FieldRole::key,
     .formula = "b_g^k",
     .inWeights = views::keyValueBias<&KeyValueHeadWeights::key>},
    {.path = "weights.W_v[]",
     .owner = Owner::keyValueHead,
     .symbol = "W_{g}^v",
     .rows = Axis::valueInput,
     .columns = Axis::value,
     .role = FieldRole::value,
     .formula = "W_g^v",
     .inWeights = views::keyValueWeight<&KeyValueHeadWeights::value>},
    {.path = "weights.b_v[]",
     .owner = Owner::keyValueHead,
     .symbol = "b_{g}^v",
     .rows = Axis::one,
     .columns = Axis::value,
     .role = FieldRole::value,
     .formula = "b_g^v",
     .inWeights = views::keyValueBias<&KeyValueHeadWeights::value>},
    {.path = "weights.W_o",
     .symbol = "W^o",
     .rows = Axis::concatenated,
     .columns = Axis::output,
     .role = FieldRole::output,
     .formula = "W^o",
     .inWeights = views::outputWeight},
    {.path = "weights.b_o",
     .symbol = "b^o",
     .rows = Axis::one,
     .columns = Axis::output,
     .role = FieldRole::output,
     .formula = "b^o",
     .inWeights = views::outputBias},

    {.path = "keyValueHeads[].keys",
     .owner = Owner::keyValueHead,
     .symbol = "K_{g}",
     .rows = Axis::keys,
     .columns = Axis::key,
     .role = FieldRole::key,
     .operation = Operation::product,
     .operands = {{{"inputs.key", Slice::row}, {"weights.W_k[]", Slice::column}, {"weights.b_k[]", Slice::column}}},
     .formula = "H_k W_g^k + b_g^k",
     .inTrace = views::keyValueHead<&KeyValueHeadTrace::keys>},
    {.path = "keyValueHeads[].values",
     .owner = Owner::keyValueHead,
     .symbol = "V_{g}",
     .rows = Axis::keys,
     .columns = Axis::value,
     .role = FieldRole::value,
     .operation = Operation::product,
     .operands = {{{"inputs.value", Slice::row}, {"weights.W_v[]", Slice::column}, {"weights.b_v[]", Slice::column}}},
     .formula = "H_v W_g^v + b_g^v",
     .inTrace = views::keyValueHead<&KeyValueHeadTrace::values>},
    {.path = "heads[].queries",
     .owner = Owner::head,
     .symbol = "Q_{j}",
     .rows = Axis::queries,
     .columns = Axis::query,
     .role = FieldRole::query,
     .operation = Operation::product,
     .operands = {{{"inputs.query", Slice::row}, {"weights.W_q[]", Slice::column}, {"weights.b_q[]", Slice::column}}},
     .formula = "H_q W_j^q + b_j^q",
     .inTrace = views::head<&HeadTrace::queries>},
    {.path = "heads[].rawScores",
     .owner = Owner::head,
     .symbol = "Q_{j} K_{g}^T",
     .rows = Axis::queries,
     .columns = Axis::keys,
     .role = FieldRole::scores,
     .operation = Operation::product,
     .operands = {{{"heads[].queries", Slice::row}, {"keyValueHeads[].keys", Slice::columnAsRow}}},
     .formula = "Q_j K_gᵀ, or additive scores",
     .inTrace = views::head<&HeadTrace::rawScores>},
    {.path = "heads[].scaledScores",
     .owner = Owner::head,
     .symbol = "S_{j}",
     .rows = Axis::queries,
     .columns = Axis::keys,
     .role = FieldRole::scores,
     .operation = Operation::scale,
     .operands = {{{"heads[].rawScores", Slice::cell}}},
     .formula = "rawScores · scaleFactor",
     .inTrace = views::head<&HeadTrace::scaledScores>},
    {.path = "heads[].maskedScores",
     .owner = Owner::head,
     .symbol = "S_{j}",
     .rows = Axis::queries,
     .columns = Axis::keys,
     .role = FieldRole::scores,
     .operation = Operation::mask,
     .operands = {{{"heads[].scaledScores", Slice::cell}}},
     .formula = "scaledScores + bias, −∞ where hidden",
     .inTrace = views::head<&HeadTrace::maskedScores>},
    {.path = "heads[].attentionWeights",
     .owner = Owner::head,
     .symbol = "A_{j}",
     .rows = Axis::queries,
     .columns = Axis::keys,
     .role = FieldRole::attention,
     .operation = Operation::softmax,
     .operands = {{{"heads[].maskedScores", Slice::row}}},
     .formula = "softmax of each row",
     .inTrace = views::head<&HeadTrace::attentionWeights>},
    {.path = "heads[].output",
     .owner = Owner::head,
     .symbol = "O_{j}",
     .rows = Axis::queries,
     .columns = Axis::value,
     .role = FieldRole::output,
     .operation = Operation::product,
     .operands = {{{"heads[].attentionWeights", Slice::row}, {"keyValueHeads[].values", Slice::column}}},
     .formula = "attentionWeights V_g",
     .inTrace = views::head<&HeadTrace::output>},
    {.path = "concatenated",
     .symbol = "concat",
     .rows = Axis::queries,
     .columns = Axis::concatenated,
     .role = FieldRole::output,
     .operation = Operation::copy,
     .operands = {{{"heads[].output", Slice::cell}}},
     .formula = "the heads side by side",
     .inTrace = views::layer<&ForwardTrace::concatenated>},
    {.path = "output",
     .symbol = "output",
     .rows = Axis::queries,
     .columns = Axis::output,
     .role = FieldRole::output,
     .operation = Operation::product,
     .operands = {{{"concatenated", Slice::row}, {"weights.W_o", Slice::column}, {"weights.b_o", Slice::column}}},
     .formula = "concatenated W^o + b^o",
     .inTrace = views::layer<&ForwardTrace::output>},
}};
// clang-format on

/// The row of that path; null for none.
constexpr const Field* fieldOf(std::string_view path) {
  for (const Field& field : kFields)
    if (field.path == path) return &field;
  return nullptr;
}

namespace checks {

constexpr std::size_t rowsOf(Owner owner) {
  std::size_t count = 0;
  for (const Field& field : kFields)
    if (field.part() == Part::trace && field.owner == owner) ++count;
  return count;
}
constexpr bool operandsExist() {
  for (const Field& field : kFields)
    for (const Operand& operand : field.operands)
      if (!operand.path.empty() && !fieldOf(operand.path)) return false;
  return true;
}
static_assert(sizeof(HeadTrace) == rowsOf(Owner::head) * sizeof(Matrix),
              "a member of HeadTrace has no row, or a row no member");
static_assert(sizeof(KeyValueHeadTrace) == rowsOf(Owner::keyValueHead) * sizeof(Matrix));
static_assert(operandsExist());

}  // namespace checks

/// The size that an axis has in a layer of these dimensions.
Index sizeOf(Axis axis, const Dimensions& dimensions, Index queryCount, Index keyCount);
/// "querySize": what an axis is called in Dimensions and in messages.
std::string_view sizeNameOf(Axis axis);
Shape shapeOf(const Field& field, const Dimensions& dimensions, Index queryCount, Index keyCount);
/// How many matrices of this kind a layer has.
Index countOf(const Field& field, const Dimensions& dimensions);
/// "heads[].queries" and 1 → "heads[1].queries"
std::string pathOf(const Field& field, Index index);

/// Calls visit(field, index, view) for every matrix of the trace, in the order of the table.
template <class Visitor>
void forEachMatrix(const ForwardTrace& trace, Visitor&& visit) {
  for (const Field& field : kFields) {
    if (field.part() != Part::trace) continue;
    const std::size_t count = field.owner == Owner::head           ? trace.heads.size()
                              : field.owner == Owner::keyValueHead ? trace.keyValueHeads.size()
                                                                   : 1;
    for (std::size_t index = 0; index < count; ++index)
      visit(field, static_cast<Index>(index), field.inTrace(trace, static_cast<Index>(index)));
  }
}

/// A trace larger than this is refused before anything is allocated: 256 MiB, what a phone's browser tab can still give.
inline constexpr double kMaxTraceBytes = 256.0 * 1024 * 1024;

/// Bytes of all matrices of a trace; a double, since the product of absurd sizes overflows an integer.
double traceBytes(const Dimensions& dimensions, Index queryCount, Index keyCount);

/// Throws tooLarge, with both numbers, if the trace would pass kMaxTraceBytes.
void checkTraceSize(const Dimensions& dimensions, Index queryCount, Index keyCount);

/// Throws shapeMismatch unless the trace has the shapes that `attend` gives for this layer.
void checkTrace(const Layer& layer, const ForwardTrace& trace);

}  // namespace headwise
