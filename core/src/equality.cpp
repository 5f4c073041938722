// The eight constructions, and how far a pair of layers is from each.
#include "headwise/equality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "headwise/comparison.h"
#include "headwise/error.h"
#include "headwise/layout.h"
#include "headwise/split.h"

namespace headwise {

namespace {

constexpr Scalar kForbidden = std::numeric_limits<Scalar>::infinity();

void scale(Projection& projection, Scalar factor) {
  projection.weight *= factor;
  if (projection.bias) *projection.bias *= factor;
}

Matrix repeatedRow(const Matrix& matrix) { return matrix.row(0).replicate(matrix.rows(), 1); }

// [A … A] from A.
Projection repeated(const Projection& block, Index count) {
  Projection wide{block.weight.replicate(1, count), {}};
  if (block.bias) wide.bias = block.bias->replicate(1, count);
  return wide;
}

// Heads that each keep the whole of W_q and W_k; only W_v is cut. Built from a cut layer, whose value blocks are right already.
Weights withFullScores(const Weights& single, Index headCount) {
  if (headCount < 1 || single.dimensions.valueSize % headCount != 0)
    throw Error(ErrorCode::invalidDimension, "headCount " + std::to_string(headCount) + " does not divide valueSize " +
                                                 std::to_string(single.dimensions.valueSize) +
                                                 "; only divisors can cut W_v.");
  Weights multi{.dimensions = single.dimensions, .heads = {}, .keyValueHeads = {}, .output = single.output};
  const Index valueSize = single.dimensions.valueSize / headCount;
  multi.dimensions.headCount = multi.dimensions.keyValueHeadCount = headCount;
  multi.dimensions.valueSize = valueSize;
  for (Index j = 0; j < headCount; ++j) {
    multi.heads.push_back(single.heads[0]);
    multi.keyValueHeads.push_back(
        {single.keyValueHeads[0].key, columnsOf(single.keyValueHeads[0].value, j * valueSize, valueSize)});
  }
  return multi;
}

// 1, −2, 3, −4 …: no two heads alike, and signs that cancel in the product of queries and keys.
Scalar rescalingFactor(Index head) { return static_cast<Scalar>(head + 1) * (head % 2 == 0 ? 1 : -1); }

Scalar largest(const Projection& projection) {
  const Scalar weight = projection.weight.cwiseAbs().maxCoeff();
  return projection.bias ? std::max(weight, projection.bias->cwiseAbs().maxCoeff()) : weight;
}

// Largest difference of two projections, a missing bias counting as zero; kForbidden for different shapes.
Scalar gap(const Projection& a, const Projection& b) {
  if (shapeOf(a.weight) != shapeOf(b.weight)) return kForbidden;
  const auto bias = [](const Projection& projection) {
    return projection.bias.value_or(RowVector::Zero(projection.weight.cols()));
  };
  return std::max((a.weight - b.weight).cwiseAbs().maxCoeff(), (bias(a) - bias(b)).cwiseAbs().maxCoeff());
}

Scalar deviationOfRows(const Matrix& matrix) { return (matrix - repeatedRow(matrix)).cwiseAbs().maxCoeff(); }

// Are the heads' value matrices the blocks of the single head's? W^o does not matter: the heads are compared before it.
Scalar distanceOfCutValues(const LayerPair& pair) {
  const Index headCount = pair.multi.dimensions.headCount, valueSize = pair.multi.dimensions.valueSize;
  if (valueSize * headCount != pair.single.dimensions.valueSize || pair.multi.dimensions.keyValueHeadCount != headCount)
    return kForbidden;
  Scalar distance = 0;
  for (Index j = 0; j < headCount; ++j)
    distance = std::max(distance, gap(pair.multi.keyValueHeads[static_cast<std::size_t>(j)].value,
                                      columnsOf(pair.single.keyValueHeads[0].value, j * valueSize, valueSize)));
  return distance;
}

Scalar distanceFromZero(const LayerPair& pair, Role role) {
  Scalar distance = 0;
  for (const Weights* weights : {&pair.single, &pair.multi})
    distance = std::max(distance, largest(wideProjection(*weights, role)));
  return distance;
}

// How far a head is from c·W_q, W_k / c; the c that fits W_q best is used.
Scalar distanceFromRescaled(const Weights& single,
                            const HeadWeights& head,
                            const KeyValueHeadWeights& keyValue,
                            bool mayRescale) {
  const Projection& query = single.heads[0].query;
  if (shapeOf(head.query.weight) != shapeOf(query.weight)) return kForbidden;
  Scalar factor = 1;
  if (mayRescale) {
    factor = head.query.weight.cwiseProduct(query.weight).sum() / query.weight.squaredNorm();
    if (!std::isfinite(factor) || factor == 0) return kForbidden;
  }
  Projection expectedQuery = query, expectedKey = single.keyValueHeads[0].key;
  scale(expectedQuery, factor);
  scale(expectedKey, 1 / factor);
  return std::max(gap(head.query, expectedQuery), gap(keyValue.key, expectedKey));
}

Scalar distanceFromFullScores(const LayerPair& pair, bool mayRescale) {
  Scalar distance = distanceOfCutValues(pair);
  if (distance == kForbidden) return distance;
  for (std::size_t j = 0; j < pair.multi.heads.size(); ++j)
    distance = std::max(
        distance, distanceFromRescaled(pair.single, pair.multi.heads[j], pair.multi.keyValueHeads[j], mayRescale));
  return distance;
}

Scalar distanceFromEqualBlocks(const LayerPair& pair) {
  const Index headCount = pair.multi.dimensions.headCount, querySize = pair.multi.dimensions.querySize;
  if (querySize * headCount != pair.single.dimensions.querySize) return kForbidden;
  Scalar distance = distanceOfCutValues(pair);
  if (distance == kForbidden) return distance;
  const Projection& singleQuery = pair.single.heads[0].query;
  const Projection& singleKey = pair.single.keyValueHeads[0].key;
  const Projection keyBlock = columnsOf(singleKey, 0, querySize);
  Projection queryBlock = columnsOf(singleQuery, 0, querySize);
  distance = std::max(
      {distance, gap(singleQuery, repeated(queryBlock, headCount)), gap(singleKey, repeated(keyBlock, headCount))});
  scale(queryBlock, std::sqrt(static_cast<Scalar>(headCount)));
  for (std::size_t j = 0; j < pair.multi.heads.size(); ++j)
    distance = std::max(
        {distance, gap(pair.multi.heads[j].query, queryBlock), gap(pair.multi.keyValueHeads[j].key, keyBlock)});
  return distance;
}

void checkSingleHead(const Weights& single, const Options& options) {
  if (options.pooling != Pooling::scaledDotProduct)
    throw Error(ErrorCode::invalidOption,
                "The constructions are about dot products; pooling must be scaledDotProduct.");
  checkWeights(single, options.pooling);
  if (single.dimensions.headCount != 1)
    throw Error(ErrorCode::invalidDimension,
                "single must have one head, but headCount is " + std::to_string(single.dimensions.headCount) + ".");
}

}  // namespace

LayerPair constructEqualPair(
    Construction construction, const Inputs& inputs, const Weights& single, const Options& options, Index headCount) {
  checkSingleHead(single, options);
  LayerPair pair{inputs, single, {}, options};
  switch (construction) {
    case Construction::oneHead:
      headCount = 1;
      break;
    case Construction::oneKey:
      pair.inputs.key = Matrix(inputs.key.topRows(1));
      pair.inputs.value = Matrix(inputs.value.topRows(1));
      pair.options.mask = {};  // it was made for more keys
      break;
    case Construction::constantInput:
      for (Matrix* input : {&pair.inputs.query, &pair.inputs.key, &pair.inputs.value})
        *input = repeatedRow(*input);
      break;
    case Construction::zeroQuery:
      scale(pair.single.heads[0].query, 0);
      break;
    case Construction::zeroKey:
      scale(pair.single.keyValueHeads[0].key, 0);
      break;
    case Construction::fullScores:
    case Construction::rescaledHeads:
      pair.options.scale = Scale::perHeadWidth;
      pair.multi = withFullScores(single, headCount);
      if (construction == Construction::fullScores) return pair;
      for (Index j = 0; j < headCount; ++j) {
        scale(pair.multi.heads[static_cast<std::size_t>(j)].query, rescalingFactor(j));
        scale(pair.multi.keyValueHeads[static_cast<std::size_t>(j)].key, 1 / rescalingFactor(j));
      }
      return pair;
    case Construction::equalBlocks: {
      pair.options.scale = Scale::perHeadWidth;
      const Weights cut = splitSingleHead(single, headCount);
      pair.single.heads[0].query = repeated(cut.heads[0].query, headCount);
      pair.single.keyValueHeads[0].key = repeated(cut.keyValueHeads[0].key, headCount);
      pair.multi = splitSingleHead(pair.single, headCount);
      for (HeadWeights& head : pair.multi.heads)
        scale(head.query, std::sqrt(static_cast<Scalar>(headCount)));
      return pair;
    }
  }
  pair.multi = splitSingleHead(pair.single, headCount);
  return pair;
}

Scalar distanceFrom(Construction construction, const LayerPair& pair) {
  checkSingleHead(pair.single, pair.options);
  checkWeights(pair.multi, pair.options.pooling);
  switch (construction) {
    case Construction::oneHead:
      return pair.multi.dimensions.headCount == 1 ? 0 : kForbidden;
    case Construction::oneKey:
      return pair.inputs.key.rows() == 1 ? 0 : kForbidden;
    case Construction::constantInput:
      return std::max(deviationOfRows(pair.inputs.key), deviationOfRows(pair.inputs.value));
    case Construction::zeroQuery:
      return distanceFromZero(pair, Role::query);
    case Construction::zeroKey:
      return distanceFromZero(pair, Role::key);
    case Construction::fullScores:
      return distanceFromFullScores(pair, false);
    case Construction::equalBlocks:
      return distanceFromEqualBlocks(pair);
    case Construction::rescaledHeads:
      return distanceFromFullScores(pair, true);
  }
  return kForbidden;
}

OwnConstruction judgeOwnConstruction(const LayerPair& pair) {
  const Matrix single = attend(pair.inputs, pair.single, pair.options).concatenated;
  const Matrix multi = attend(pair.inputs, pair.multi, pair.options).concatenated;
  const Comparison comparison = compareMatrices(single, multi);
  OwnConstruction judgement;
  judgement.largestDifference = comparison.largestDifference;
  judgement.equal = comparison.sameShape && comparison.largestDifference < kEqualTolerance;
  for (const auto& [construction, name] : kConstructions)
    if (!judgement.used && distanceFrom(construction, pair) <= kConditionTolerance) judgement.used = construction;
  judgement.outputIsZero = single.cwiseAbs().maxCoeff() <= kConditionTolerance;
  judgement.outputSameForAllTokens = deviationOfRows(single) <= kConditionTolerance;
  judgement.accepted =
      judgement.equal && !judgement.used && !judgement.outputIsZero && !judgement.outputSameForAllTokens;
  return judgement;
}

}  // namespace headwise
