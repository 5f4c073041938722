// Which row met which column, read off the table of fields. The numbers come from the layer and its trace; only the terms are multiplied again.
#include "headwise/explanation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "headwise/error.h"

namespace headwise {

namespace {

// A field of the trace and which of its matrices.
struct Found {
  const Field& field;
  Index index;
};

// Its beginning, without what would end a C string or cut a character in two.
std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result;
  for (const char byte : text.substr(0, kMost))
    result += byte >= ' ' && byte <= '~' ? byte : '?';
  return result + (text.size() > kMost ? "…" : "");
}

[[noreturn]] void refusePath(std::string_view path) {
  std::string known;
  for (const Field& field : kFields)
    if (field.part() == Part::trace) known += (known.empty() ? "" : ", ") + std::string(field.path);
  throw Error(ErrorCode::invalidOption,
              "path \"" + printable(path) + "\" names no matrix of the trace; it can be " + known +
                  ", with a number in the brackets.",
              "path");
}

Found fieldAt(const ForwardTrace& trace, std::string_view path) {
  const Field* found = nullptr;
  Index at = 0;
  forEachMatrix(trace, [&](const Field& field, Index index, const MatrixView&) {
    if (!found && pathOf(field, index) == path) found = &field, at = index;
  });
  if (!found) refusePath(path);
  return {*found, at};
}

// What goes into one cell: an operand's matrix, the part of it, and where that stands.
struct Read {
  Place place;
  std::vector<Scalar> numbers;
};

class Reader {
 public:
  Reader(const Layer& layer, const ForwardTrace& trace, const Found& found, Index row, Index column)
      : layer_(layer), trace_(trace), found_(found), row_(row), column_(column) {}

  /// Without numbers for what the layer does not have, such as a bias.
  Read operator()(const Operand& operand) const {
    if (operand.path.empty()) return {};
    const Field& field = *fieldOf(operand.path);
    const Index index = indexOf(field);
    const Part part = field.part();
    const MatrixView matrix = part == Part::input    ? field.inInputs(layer_.inputs)
                              : part == Part::weight ? field.inWeights(layer_.weights, index)
                                                     : field.inTrace(trace_, index);
    if (matrix.size() == 0) return {};
    // A bias is a vector: what a column of it comes to is one cell.
    if (field.rows == Axis::one) return {{pathOf(field, index), 0, column_}, {matrix(0, column_)}};
    return read(pathOf(field, index), matrix, operand.slice);
  }

  Read read(std::string path, const MatrixView& matrix, Slice slice) const {
    switch (slice) {
      case Slice::row:
        return {{std::move(path), row_, {}}, numbersOf(matrix.row(row_))};
      case Slice::columnAsRow:
        return {{std::move(path), column_, {}}, numbersOf(matrix.row(column_))};
      case Slice::column:
        return {{std::move(path), {}, column_}, numbersOf(matrix.col(column_))};
      case Slice::cell:
        break;
    }
    return {{std::move(path), row_, column_}, {matrix(row_, column_)}};
  }

  template <class Numbers>
  static std::vector<Scalar> numbersOf(const Numbers& numbers) {
    return {numbers.begin(), numbers.end()};
  }

 private:
  // The matrix of the operand that belongs to the cell's: of the same head, or of the key/value head that the head uses.
  Index indexOf(const Field& operand) const {
    if (operand.owner == Owner::keyValueHead && found_.field.owner == Owner::head)
      return layer_.dimensions().keyValueHeadOf(found_.index);
    return operand.owner == Owner::layer ? 0 : found_.index;
  }

  const Layer& layer_;
  const ForwardTrace& trace_;
  const Found& found_;
  Index row_;
  Index column_;
};

void multiply(Explanation& explanation) {
  for (std::size_t i = 0; i < explanation.left.size(); ++i)
    explanation.terms.push_back(explanation.left[i] * explanation.right[i]);
}

Explanation product(const Reader& reader, const Field& field) {
  Read left = reader(field.operands[0]), right = reader(field.operands[1]);
  Explanation explanation{.sources = {std::move(left.place), std::move(right.place)},
                          .left = std::move(left.numbers),
                          .right = std::move(right.numbers),
                          .terms = {}};
  if (Read bias = reader(field.operands[2]); !bias.numbers.empty()) {
    explanation.addend = bias.numbers[0];
    explanation.sources.push_back(std::move(bias.place));
  }
  multiply(explanation);
  return explanation;
}

// scoreVector · tanh(q scoreQuery + k scoreKey), q and k being the operands that a dot product multiplies.
Explanation additive(const Reader& reader,
                     const Field& field,
                     const AdditiveScore& score,
                     const std::string& scorePath) {
  Read query = reader(field.operands[0]), key = reader(field.operands[1]);
  const auto row = [](const Read& read) {
    return RowVector::Map(read.numbers.data(), static_cast<Index>(read.numbers.size()));
  };
  const RowVector hidden = row(query) * score.scoreQuery + row(key) * score.scoreKey;
  Explanation explanation{.operation = Operation::additive,
                          .sources = {{scorePath, 0, {}}, std::move(query.place), std::move(key.place)},
                          .left = Reader::numbersOf(score.scoreVector),
                          .right = Reader::numbersOf(RowVector(hidden.array().tanh())),
                          .terms = {}};
  multiply(explanation);
  return explanation;
}

Explanation mask(const Reader& reader, const Field& field, const Matrix* bias) {
  Read score = reader(field.operands[0]);
  Explanation explanation{
      .sources = {std::move(score.place)}, .left = std::move(score.numbers), .right = {0}, .terms = {}};
  if (bias) {
    Read added = reader.read("mask.values", views::of(*bias), Slice::cell);
    explanation.right = std::move(added.numbers);
    explanation.sources.push_back(std::move(added.place));
  }
  explanation.terms = {explanation.left[0], explanation.right[0]};
  return explanation;
}

Explanation softmax(const Reader& reader, const Field& field, const MatrixView& weights, Index row) {
  Read scores = reader(field.operands[0]);
  const Scalar maximum = *std::max_element(scores.numbers.begin(), scores.numbers.end());
  Explanation explanation{.sources = {std::move(scores.place)},
                          .left = std::move(scores.numbers),
                          .right = {},
                          .terms = Reader::numbersOf(weights.row(row)),
                          .addend = std::isinf(maximum) ? 0 : maximum};
  for (const Scalar score : explanation.left)
    explanation.right.push_back(std::isinf(score) ? 0 : std::exp(score - maximum));
  return explanation;
}

// The head's cell that stands in this column of the heads side by side.
Explanation copied(const ForwardTrace& trace, Index valueSize, Index row, Index column) {
  const Field& field = *fieldOf("heads[].output");
  const Index head = column / valueSize, within = column % valueSize;
  const Scalar value = field.inTrace(trace, head)(row, within);
  return {.sources = {{pathOf(field, head), row, within}}, .left = {value}, .right = {}, .terms = {value}};
}

}  // namespace

Explanation explainCell(const Layer& layer, const ForwardTrace& trace, std::string_view path, Index row, Index column) {
  checkShapes(layer);
  checkTrace(layer, trace);
  const Found found = fieldAt(trace, path);
  const Field& field = found.field;
  const MatrixView matrix = field.inTrace(trace, found.index);
  if (row < 0 || row >= matrix.rows() || column < 0 || column >= matrix.cols())
    throw Error(ErrorCode::shapeMismatch, std::string(path) + " is " + toString(shapeOf(matrix)) +
                                              ", so it has no row " + std::to_string(row) + ", column " +
                                              std::to_string(column) + ".");
  if (!layer.weights.isProjected &&
      std::any_of(field.operands.begin(), field.operands.end(), [](const Operand& operand) {
        return !operand.path.empty() && fieldOf(operand.path)->part() == Part::weight &&
               !fieldOf(operand.path)->isOptional();
      }))
    throw Error(ErrorCode::invalidOption, std::string(path) + " is not computed in a layer without projections.",
                "path");

  const Reader reader(layer, trace, found, row, column);
  const auto explain = [&]() -> Explanation {
    switch (field.operation) {
      case Operation::scale: {
        Read score = reader(field.operands[0]);
        Explanation explanation{.sources = {std::move(score.place)},
                                .left = std::move(score.numbers),
                                .right = {trace.scaleFactor},
                                .terms = {}};
        multiply(explanation);
        return explanation;
      }
      case Operation::mask:
        return mask(reader, field, biasOf(layer.options.mask, found.index));
      case Operation::softmax:
        return softmax(reader, field, matrix, row);
      case Operation::copy:
        return copied(trace, layer.dimensions().valueSize, row, column);
      case Operation::maximum: {
        Read whole = reader(field.operands[0]);
        return {.sources = {std::move(whole.place)}, .left = std::move(whole.numbers), .right = {}, .terms = {}};
      }
      default:
        break;
    }
    const auto head = static_cast<std::size_t>(found.index);
    const bool isScore = field.rows == Axis::n_q && field.columns == Axis::n_kv;
    if (const AdditiveScore* score = isScore ? layer.additiveOf(head) : nullptr)
      return additive(reader, field, *score, pathOf(*fieldOf("weights.a_v[]"), found.index));
    return product(reader, field);
  };
  Explanation explanation = explain();
  if (explanation.operation != Operation::additive) explanation.operation = field.operation;
  explanation.result = matrix(row, column);
  if (field.operation == Operation::mask) explanation.hidden = std::isinf(explanation.result);
  if (field.operation == Operation::softmax)
    explanation.hidden = std::isinf(explanation.left[static_cast<std::size_t>(column)]);
  return explanation;
}

}  // namespace headwise
