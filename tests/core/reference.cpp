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

double divisorOf(const Dimensions& dimensions, const Options& options) {
  if (options.pooling == Pooling::additive || options.scale == Scale::none) return 1;
  const double width = static_cast<double>(dimensions.querySize);
  return options.scale == Scale::perHeadWidth ? std::sqrt(width)
                                              : std::sqrt(width * static_cast<double>(dimensions.headCount));
}

bool sees(const Mask& mask, Index query, Index key, Index queryCount, Index keyCount) {
  if (mask.bias.size() > 0 && mask.bias(query, key) == kHidden) return false;
  if (mask.kind == Mask::Kind::causalTopLeft) return key <= query;
  // Counted from the ends: as far before the last key as the query is before the last query, or further.
  if (mask.kind == Mask::Kind::causalBottomRight) return keyCount - 1 - key >= queryCount - 1 - query;
  if (mask.kind == Mask::Kind::validLengths)
    return key < mask.validLengths[mask.validLengths.size() == 1 ? 0 : static_cast<std::size_t>(query)];
  if (mask.kind == Mask::Kind::keep) return mask.keep(query, key);
  return true;
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

ReferenceHead head(const Table& queries,
                   const Table& keys,
                   const Table& values,
                   const HeadWeights& weights,
                   double divisor,
                   const Options& options) {
  ReferenceHead head{queries, {}, {}, {}, {}, {}};
  const auto queryCount = static_cast<Index>(queries.size()), keyCount = static_cast<Index>(keys.size());
  for (Index i = 0; i < queryCount; ++i) {
    std::vector<double> raw, scaled, masked;
    for (Index k = 0; k < keyCount; ++k) {
      const auto& query = queries[static_cast<std::size_t>(i)];
      const auto& key = keys[static_cast<std::size_t>(k)];
      raw.push_back(options.pooling == Pooling::additive ? additiveScore(query, key, *weights.additive)
                                                         : dotProduct(query, key));
      scaled.push_back(raw.back() / divisor);
      const double bias = options.mask.bias.size() > 0 ? options.mask.bias(i, k) : 0;
      masked.push_back(sees(options.mask, i, k, queryCount, keyCount) ? scaled.back() + bias : kHidden);
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

Reference referenceAttend(const Inputs& inputs, const Weights& weights, const Options& options) {
  Reference result;
  for (const auto& keyValueHead : weights.keyValueHeads) {
    result.keys.push_back(projected(tableOf(inputs.key), keyValueHead.key));
    result.values.push_back(projected(tableOf(inputs.value), keyValueHead.value));
  }
  const double divisor = divisorOf(weights.dimensions, options);
  const std::size_t queriesPerKeyValueHead = weights.heads.size() / weights.keyValueHeads.size();
  result.concatenated.resize(static_cast<std::size_t>(inputs.query.rows()));
  for (std::size_t j = 0; j < weights.heads.size(); ++j) {
    const std::size_t g = j / queriesPerKeyValueHead;
    const Table queries = projected(tableOf(inputs.query), weights.heads[j].query);
    result.heads.push_back(head(queries, result.keys[g], result.values[g], weights.heads[j], divisor, options));
    for (std::size_t i = 0; i < result.concatenated.size(); ++i)
      for (const double cell : result.heads[j].output[i])
        result.concatenated[i].push_back(cell);
  }
  result.output = projected(result.concatenated, weights.output);
  for (Index i = 0; i < inputs.query.rows(); ++i) {
    bool seesSomething = false;
    for (Index k = 0; k < inputs.key.rows(); ++k)
      if (sees(options.mask, i, k, inputs.query.rows(), inputs.key.rows())) seesSomething = true;
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
