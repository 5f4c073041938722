// The computation as data: what every matrix of a layer is, one row each. From this table come the bytes and shapes of a trace, the checks
// of weights and traces, the arithmetic behind a cell, what JavaScript is told, the page's names and colours, and the table in
// docs/notation.md.
//
// A new field of the trace is a member of its struct in trace.h, the line that computes it, and a row here.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "headwise/layer.h"
#include "headwise/names.h"
#include "headwise/trace.h"
#include "headwise/views.h"

namespace headwise {

/// What the rows, or the columns, of a matrix are, in the letters of docs/notation.md.
enum class Axis { n_q, n_kv, d_q, d_k, d_v, p_q, p_k, p_v, hp_v, p_o, a, one };
inline constexpr Names<Axis, 12> kAxes{{
    {Axis::n_q, "n_q"},
    {Axis::n_kv, "n_kv"},
    {Axis::d_q, "d_q"},
    {Axis::d_k, "d_k"},
    {Axis::d_v, "d_v"},
    {Axis::p_q, "p_q"},
    {Axis::p_k, "p_k"},
    {Axis::p_v, "p_v"},
    {Axis::hp_v, "h·p_v"},
    {Axis::p_o, "p_o"},
    {Axis::a, "a"},
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
  std::string_view formula{};  ///< for documents; of what is put in, nothing

  // Where it stands, in the order of Part.
  using InInputs = MatrixView (*)(const Inputs&);
  using InWeights = MatrixView (*)(const Weights&, Index);
  using InTrace = MatrixView (*)(const ForwardTrace&, Index);
  std::variant<InInputs, InWeights, InTrace> view{};

  constexpr Part part() const { return static_cast<Part>(view.index()); }
  MatrixView inInputs(const Inputs& inputs) const { return std::get<InInputs>(view)(inputs); }
  /// Empty for weights that a layer lacks.
  MatrixView inWeights(const Weights& weights, Index index) const { return std::get<InWeights>(view)(weights, index); }
  MatrixView inTrace(const ForwardTrace& trace, Index index) const { return std::get<InTrace>(view)(trace, index); }
  /// Weights that only some layers have: biases and what additive pooling learns.
  constexpr bool isOptional() const { return part() == Part::weight && (rows == Axis::one || columns == Axis::a); }
};

// One row a field. What is not said is a matrix of the layer that is put in.
namespace table {

using enum Axis;
using enum Owner;
using enum FieldRole;
using enum Operation;
using enum Slice;

constexpr Field putIn(std::string_view path, std::string_view symbol, Axis rows, Axis columns, Field::InInputs view) {
  return {.path = path, .symbol = symbol, .rows = rows, .columns = columns, .view = view};
}
constexpr Field weight(std::string_view path,
                       Owner owner,
                       std::string_view symbol,
                       Axis rows,
                       Axis columns,
                       FieldRole role,
                       Field::InWeights view) {
  return {.path = path, .owner = owner, .symbol = symbol, .rows = rows, .columns = columns, .role = role, .view = view};
}
constexpr Field traced(std::string_view path,
                       Owner owner,
                       std::string_view symbol,
                       Axis rows,
                       Axis columns,
                       FieldRole role,
                       Field::InTrace view,
                       std::string_view formula,
                       Operation operation,
                       std::array<Operand, 3> operands) {
  return {path, owner, symbol, rows, columns, role, operation, operands, formula, view};
}

// clang-format off
inline constexpr std::array kRows{
    putIn("inputs.query", "H",      n_q,  d_q, views::input<&Inputs::query>),
    putIn("inputs.key",   "H_{kv}", n_kv, d_k, views::input<&Inputs::key>),
    putIn("inputs.value", "H_{kv}", n_kv, d_v, views::input<&Inputs::value>),

    weight("weights.W_q[]", head,         "W_{j}^q", d_q,  p_q, query,  views::queryWeight),
    weight("weights.b_q[]", head,         "b_{j}^q", one,  p_q, query,  views::queryBias),
    weight("weights.A_q[]", head,         "A_{j}^q", p_q,  a,   query,  views::additive<&AdditiveScore::scoreQuery>),
    weight("weights.A_k[]", head,         "A_{j}^k", p_k,  a,   key,    views::additive<&AdditiveScore::scoreKey>),
    weight("weights.a_v[]", head,         "a_{j}",   one,  a,   scores, views::scoreVector),
    weight("weights.W_k[]", keyValueHead, "W_{g}^k", d_k,  p_k, key,    views::keyValueWeight<&KeyValueHeadWeights::key>),
    weight("weights.b_k[]", keyValueHead, "b_{g}^k", one,  p_k, key,    views::keyValueBias<&KeyValueHeadWeights::key>),
    weight("weights.W_v[]", keyValueHead, "W_{g}^v", d_v,  p_v, value,  views::keyValueWeight<&KeyValueHeadWeights::value>),
    weight("weights.b_v[]", keyValueHead, "b_{g}^v", one,  p_v, value,  views::keyValueBias<&KeyValueHeadWeights::value>),
    weight("weights.W_o",   layer,        "W^o",     hp_v, p_o, output, views::outputWeight),
    weight("weights.b_o",   layer,        "b^o",     one,  p_o, output, views::outputBias),

    traced("keyValueHeads[].keys", keyValueHead, "K_{g}", n_kv, p_k, key, views::keyValueHead<&KeyValueHeadTrace::keys>,
           "H_k W_g^k + b_g^k", product, {{{"inputs.key", row}, {"weights.W_k[]", column}, {"weights.b_k[]", column}}}),
    traced("keyValueHeads[].values", keyValueHead, "V_{g}", n_kv, p_v, value, views::keyValueHead<&KeyValueHeadTrace::values>,
           "H_v W_g^v + b_g^v", product, {{{"inputs.value", row}, {"weights.W_v[]", column}, {"weights.b_v[]", column}}}),
    traced("heads[].queries", head, "Q_{j}", n_q, p_q, query, views::head<&HeadTrace::queries>,
           "H_q W_j^q + b_j^q", product, {{{"inputs.query", row}, {"weights.W_q[]", column}, {"weights.b_q[]", column}}}),
    traced("heads[].rawScores", head, "Q_{j} K_{g}^T", n_q, n_kv, scores, views::head<&HeadTrace::rawScores>,
           "Q_j K_gᵀ, or additive scores", product, {{{"heads[].queries", row}, {"keyValueHeads[].keys", columnAsRow}}}),
    traced("heads[].scaledScores", head, "S_{j}", n_q, n_kv, scores, views::head<&HeadTrace::scaledScores>,
           "rawScores · scaleFactor", scale, {{{"heads[].rawScores", cell}}}),
    traced("heads[].maskedScores", head, "S_{j}", n_q, n_kv, scores, views::head<&HeadTrace::maskedScores>,
           "scaledScores + bias, −∞ where hidden", mask, {{{"heads[].scaledScores", cell}}}),
    traced("heads[].attentionWeights", head, "A_{j}", n_q, n_kv, attention, views::head<&HeadTrace::attentionWeights>,
           "softmax of each row", softmax, {{{"heads[].maskedScores", row}}}),
    traced("heads[].output", head, "O_{j}", n_q, p_v, output, views::head<&HeadTrace::output>,
           "attentionWeights V_g", product, {{{"heads[].attentionWeights", row}, {"keyValueHeads[].values", column}}}),
    traced("concatenated", layer, "concat", n_q, hp_v, output, views::layer<&ForwardTrace::concatenated>,
           "the heads side by side", copy, {{{"heads[].output", cell}}}),
    traced("output", layer, "output", n_q, p_o, output, views::layer<&ForwardTrace::output>,
           "concatenated W^o + b^o", product, {{{"concatenated", row}, {"weights.W_o", column}, {"weights.b_o", column}}}),
};
// clang-format on

}  // namespace table

inline constexpr const auto& kFields = table::kRows;

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
  const auto exists = [](const Operand& operand) {
    return operand.path.empty() ||
           std::any_of(kFields.begin(), kFields.end(), [&](const Field& other) { return other.path == operand.path; });
  };
  return std::all_of(kFields.begin(), kFields.end(), [&](const Field& field) {
    return std::all_of(field.operands.begin(), field.operands.end(), exists);
  });
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
