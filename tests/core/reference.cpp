#include "reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headwise::test {

namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

// rows × weight + bias
Table projected(const Table& rows, const Projection& projection) {
  Table result;
  for (const auto& row : rows) {
    std::vector<double> cells;
    for (Index column = 0; column < projection.weight.cols(); ++column) {
      double sum = projection.bias ? (*projection.bias)(column) : 0;
      for (Index feature = 0; feature < projection.weight.rows(); ++feature)
        sum += row[static_cast<std::size_t>(feature)] * projection.weight(feature, column);
      cells.push_back(sum);
    }
    result.push_back(cells);
  }
  return result;
}

double dotProduct(const std::vector<double>& query, const std::vector<double>& key) {
  double sum = 0;
  for (std::size_t i = 0; i < query.size(); ++i)
    sum += query[i] * key[i];
  return sum;
}

// scoreVector · tanh(query scoreQuery + key scoreKey)
double additiveScore(const std::vector<double>& query, const std::vector<double>& key, const AdditiveScore& score) {
  double sum = 0;
  for (Index unit = 0; unit < score.scoreVector.size(); ++unit) {
    double hidden = 0;
    for (std::size_t i = 0; i < query.size(); ++i)
      hidden += query[i] * score.scoreQuery(static_cast<Index>(i), unit);
    for (std::size_t i = 0; i < key.size(); ++i)
      hidden += key[i] * score.scoreKey(static_cast<Index>(i), unit);
    sum += score.scoreVector(unit) * std::tanh(hidden);
  }
  return sum;
}

double factorOf(const Dimensions& dimensions, const Options& options) {
  if (options.pooling == Pooling::additive) return 1;
  const auto width = static_cast<double>(dimensions.querySize);
  switch (options.scale.rule) {
    case Scale::Rule::perHeadWidth:
      return 1 / std::sqrt(width);
    case Scale::Rule::totalWidth:
      return 1 / std::sqrt(width * static_cast<double>(dimensions.headCount));
    case Scale::Rule::modelWidth:
      return 1 / std::sqrt(static_cast<double>(dimensions.queryInputSize));
    case Scale::Rule::factor:
      return options.scale.factor;
    case Scale::Rule::none:
      break;
  }
  return 1;
}

// The bias of the head, or null.
const Matrix* headBias(const Mask& mask, std::size_t head) {
  if (mask.biases.empty()) return nullptr;
  return mask.biases.size() == 1 ? &mask.biases[0] : &mask.biases[head];
}

bool sees(const Mask& mask, std::size_t head, Index query, Index key, Index queryCount, Index keyCount) {
  if (const Matrix* bias = headBias(mask, head); bias && (*bias)(query, key) == kHidden) return false;
  // How many keys the query is past this key; counted from the ends for bottomRight.
  const Index past = mask.causal == Alignment::topLeft ? query - key : (keyCount - 1 - key) - (queryCount - 1 - query);
  if (mask.causal && (past < 0 || (mask.window && past >= *mask.window))) return false;
  if (mask.keep && !(*mask.keep)(query, key)) return false;
  if (!mask.validLengths) return true;
  return key < (*mask.validLengths)[mask.validLengths->size() == 1 ? 0 : static_cast<std::size_t>(query)];
}

std::vector<double> softmax(const std::vector<double>& scores) {
  double maximum = kHidden;
  for (const double score : scores)
    maximum = std::max(maximum, score);
  std::vector<double> weights(scores.size(), 0);
  if (maximum == kHidden) return weights;
  double sum = 0;
  for (const double score : scores)
    sum += std::exp(score - maximum);
  for (std::size_t i = 0; i < scores.size(); ++i)
    weights[i] = std::exp(scores[i] - maximum) / sum;
  return weights;
}

ReferenceHead head(
    const Table& queries, const Table& keys, const Table& values, std::size_t number, const Layer& layer) {
  const Options& options = layer.options;
  const double factor = factorOf(layer.weights.dimensions, options);
  ReferenceHead head{queries, {}, {}, {}, {}, {}};
  const auto queryCount = static_cast<Index>(queries.size()), keyCount = static_cast<Index>(keys.size());
  for (Index i = 0; i < queryCount; ++i) {
    std::vector<double> raw, scaled, masked;
    for (Index k = 0; k < keyCount; ++k) {
      const auto& query = queries[static_cast<std::size_t>(i)];
      const auto& key = keys[static_cast<std::size_t>(k)];
      raw.push_back(options.pooling == Pooling::additive
                        ? additiveScore(query, key, *layer.weights.heads[number].additive)
                        : dotProduct(query, key));
      scaled.push_back(raw.back() * factor);
      const Matrix* bias = headBias(options.mask, number);
      masked.push_back(sees(options.mask, number, i, k, queryCount, keyCount)
                           ? scaled.back() + (bias ? (*bias)(i, k) : 0)
                           : kHidden);
    }
    const std::vector<double> attention = softmax(masked);
    std::vector<double> output(values[0].size(), 0);
    for (std::size_t k = 0; k < values.size(); ++k)
      for (std::size_t component = 0; component < output.size(); ++component)
        output[component] += attention[k] * values[k][component];
    head.rawScores.push_back(raw);
    head.scaledScores.push_back(scaled);
    head.maskedScores.push_back(masked);
    head.attentionWeights.push_back(attention);
    head.output.push_back(output);
  }
  return head;
}

}  // namespace

Reference referenceAttend(const Layer& layer) {
  const auto& [inputs, weights, options] = layer;
  Reference result;
  for (const auto& keyValueHead : weights.keyValueHeads) {
    result.keys.push_back(projected(tableOf(inputs.key), keyValueHead.key));
    result.values.push_back(projected(tableOf(inputs.value), keyValueHead.value));
  }
  const std::size_t queriesPerKeyValueHead = weights.heads.size() / weights.keyValueHeads.size();
  result.concatenated.resize(static_cast<std::size_t>(inputs.query.rows()));
  for (std::size_t j = 0; j < weights.heads.size(); ++j) {
    const std::size_t g = j / queriesPerKeyValueHead;
    result.heads.push_back(
        head(projected(tableOf(inputs.query), weights.heads[j].query), result.keys[g], result.values[g], j, layer));
    for (std::size_t i = 0; i < result.concatenated.size(); ++i)
      for (const double cell : result.heads[j].output[i])
        result.concatenated[i].push_back(cell);
  }
  result.output = projected(result.concatenated, weights.output);
  for (Index i = 0; i < inputs.query.rows(); ++i) {
    bool seesSomething = false;
    for (std::size_t j = 0; j < weights.heads.size(); ++j)
      for (Index k = 0; k < inputs.key.rows(); ++k)
        if (sees(options.mask, j, i, k, inputs.query.rows(), inputs.key.rows())) seesSomething = true;
    if (!seesSomething) result.emptyRows.push_back(i);
  }
  return result;
}

Table tableOf(const Matrix& matrix) {
  Table table;
  for (Index row = 0; row < matrix.rows(); ++row) {
    table.emplace_back();
    for (Index column = 0; column < matrix.cols(); ++column)
      table.back().push_back(matrix(row, column));
  }
  return table;
}

Matrix matrixOf(const Table& table) {
  Matrix matrix(static_cast<Index>(table.size()), static_cast<Index>(table.empty() ? 0 : table[0].size()));
  for (std::size_t row = 0; row < table.size(); ++row)
    for (std::size_t column = 0; column < table[row].size(); ++column)
      matrix(static_cast<Index>(row), static_cast<Index>(column)) = table[row][column];
  return matrix;
}

}  // namespace headwise::test
