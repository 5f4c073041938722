// The eight constructions, and how far a pair of layers is from each.
#include "headwise/course/equality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "headwise/attention.h"
#include "headwise/comparison.h"
#include "headwise/error.h"
#include "headwise/layout.h"
#include "headwise/split.h"
#include "headwise/work.h"

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
  const auto copied = single.heads[0].query.weight.size() + single.keyValueHeads[0].key.weight.size();
  checkResultSize("The heads, each with all of W_q and W_k,", 3 * static_cast<double>(headCount),
                  static_cast<double>(headCount) * static_cast<double>(copied), "Choose fewer heads or smaller sizes.");
  Weights multi;
  multi.dimensions = single.dimensions;
  multi.output = single.output;
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
  const Index headCount = pair.multi.weights.dimensions.headCount, valueSize = pair.multi.weights.dimensions.valueSize;
  if (valueSize * headCount != pair.single.weights.dimensions.valueSize ||
      pair.multi.weights.dimensions.keyValueHeadCount != headCount)
    return kForbidden;
  Scalar distance = 0;
  for (Index j = 0; j < headCount; ++j)
    distance = std::max(distance, gap(pair.multi.weights.keyValueHeads[static_cast<std::size_t>(j)].value,
                                      columnsOf(pair.single.weights.keyValueHeads[0].value, j * valueSize, valueSize)));
  return distance;
}

Scalar distanceFromZero(const LayerPair& pair, Role role) {
  Scalar distance = 0;
  for (const Weights* weights : {&pair.single.weights, &pair.multi.weights})
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
  for (std::size_t j = 0; j < pair.multi.weights.heads.size(); ++j)
    distance = std::max(distance, distanceFromRescaled(pair.single.weights, pair.multi.weights.heads[j],
                                                       pair.multi.weights.keyValueHeads[j], mayRescale));
  return distance;
}

Scalar distanceFromEqualBlocks(const LayerPair& pair) {
  const Index headCount = pair.multi.weights.dimensions.headCount, querySize = pair.multi.weights.dimensions.querySize;
  if (querySize * headCount != pair.single.weights.dimensions.querySize) return kForbidden;
  Scalar distance = distanceOfCutValues(pair);
  if (distance == kForbidden) return distance;
  const Projection& singleQuery = pair.single.weights.heads[0].query;
  const Projection& singleKey = pair.single.weights.keyValueHeads[0].key;
  const Projection keyBlock = columnsOf(singleKey, 0, querySize);
  Projection queryBlock = columnsOf(singleQuery, 0, querySize);
  distance = std::max(
      {distance, gap(singleQuery, repeated(queryBlock, headCount)), gap(singleKey, repeated(keyBlock, headCount))});
  scale(queryBlock, std::sqrt(static_cast<Scalar>(headCount)));
  for (std::size_t j = 0; j < pair.multi.weights.heads.size(); ++j)
    distance = std::max({distance, gap(pair.multi.weights.heads[j].query, queryBlock),
                         gap(pair.multi.weights.keyValueHeads[j].key, keyBlock)});
  return distance;
}

void checkSingleHead(const Layer& single) {
  if (single.options.pooling != Pooling::scaledDotProduct)
    throw Error(ErrorCode::invalidOption,
                "The constructions are about dot products; pooling must be scaledDotProduct.");
  checkLayer(single);
  checkProjected(single.weights, "A construction");
  if (single.dimensions().headCount != 1)
    throw Error(ErrorCode::invalidDimension,
                "single must have one head, but headCount is " + std::to_string(single.dimensions().headCount) + ".",
                "headCount");
}

// Both layers with inputs and options as the construction leaves them in `changed`, whose weights are the single head's.
LayerPair pairOf(Layer changed, Weights multi) {
  checkOverflow("A rescaled matrix", multi);
  Layer other{changed.inputs, std::move(multi), changed.options};
  return {std::move(changed), std::move(other)};
}

Scalar largestScore(const ForwardTrace& trace) {
  Scalar largest = 0;
  for (const HeadTrace& head : trace.heads)
    largest = std::max(largest, head.scaledScores.cwiseAbs().maxCoeff());
  return largest;
}

Layer withQueriesTimes(Layer layer, Scalar factor) {
  for (HeadWeights& head : layer.weights.heads)
    scale(head.query, factor);
  return layer;
}

bool areEqual(const Comparison& comparison) {
  return comparison.sameShape && comparison.largestDifference < kChallengeTolerance;
}

}  // namespace

LayerPair constructEqualPair(Construction construction, const Layer& single, Index headCount) {
  checkSingleHead(single);
  Layer changed = single;
  Projection &query = changed.weights.heads[0].query, &key = changed.weights.keyValueHeads[0].key;
  switch (construction) {
    case Construction::oneHead:
      headCount = 1;
      break;
    case Construction::oneKey:
      changed.inputs.key = Matrix(single.inputs.key.topRows(1));
      changed.inputs.value = Matrix(single.inputs.value.topRows(1));
      changed.options.mask = {};  // it was made for more keys
      break;
    case Construction::constantInput:
      for (Matrix* input : {&changed.inputs.query, &changed.inputs.key, &changed.inputs.value})
        *input = repeatedRow(*input);
      break;
    case Construction::zeroQuery:
      scale(query, 0);
      break;
    case Construction::zeroKey:
      scale(key, 0);
      break;
    case Construction::fullScores:
    case Construction::rescaledHeads: {
      changed.options.scale = {};
      Weights multi = withFullScores(single.weights, headCount);
      if (construction == Construction::rescaledHeads)
        for (Index j = 0; j < headCount; ++j) {
          scale(multi.heads[static_cast<std::size_t>(j)].query, rescalingFactor(j));
          scale(multi.keyValueHeads[static_cast<std::size_t>(j)].key, 1 / rescalingFactor(j));
        }
      return pairOf(std::move(changed), std::move(multi));
    }
    case Construction::equalBlocks: {
      changed.options.scale = {};
      const Weights cut = splitSingleHead(single.weights, headCount);
      query = repeated(cut.heads[0].query, headCount);
      key = repeated(cut.keyValueHeads[0].key, headCount);
      Weights multi = splitSingleHead(changed.weights, headCount);
      for (HeadWeights& head : multi.heads)
        scale(head.query, std::sqrt(static_cast<Scalar>(headCount)));
      return pairOf(std::move(changed), std::move(multi));
    }
  }
  Weights multi = splitSingleHead(changed.weights, headCount);
  return pairOf(std::move(changed), std::move(multi));
}

Scalar distanceFrom(Construction construction, const LayerPair& pair) {
  checkSingleHead(pair.single);
  checkPair(pair);
  switch (construction) {
    case Construction::oneHead:
      return pair.multi.weights.dimensions.headCount == 1 ? 0 : kForbidden;
    case Construction::oneKey:
      return pair.single.inputs.key.rows() == 1 ? 0 : kForbidden;
    case Construction::constantInput:
      return std::max(deviationOfRows(pair.single.inputs.key), deviationOfRows(pair.single.inputs.value));
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
  checkSingleHead(pair.single);
  checkPair(pair);
  const ForwardTrace singleTrace = attend(pair.single), multiTrace = attend(pair.multi);
  const Matrix& single = singleTrace.concatenated;
  const Comparison comparison = compareMatrices(single, multiTrace.concatenated);
  OwnConstruction judgement;
  judgement.largestDifference = comparison.largestDifference;
  judgement.equal = judgement.equalWithLargerScores = areEqual(comparison);
  constexpr Scalar kMostScaling = 1e6;
  const Scalar score = std::max(largestScore(singleTrace), largestScore(multiTrace));
  if (judgement.equal && score > 0 && score < 1) {
    const Scalar factor = std::min(kMostScaling, 1 / score);
    judgement.equalWithLargerScores =
        areEqual(compareMatrices(attend(withQueriesTimes(pair.single, factor)).concatenated,
                                 attend(withQueriesTimes(pair.multi, factor)).concatenated));
  }
  for (const auto& [construction, name] : kConstructions)
    if (!judgement.used && distanceFrom(construction, pair) <= kConditionTolerance) judgement.used = construction;
  judgement.outputIsZero = single.cwiseAbs().maxCoeff() <= kConditionTolerance;
  judgement.outputSameForAllTokens = deviationOfRows(single) <= kConditionTolerance;
  judgement.accepted = judgement.equalWithLargerScores && !judgement.used && !judgement.outputIsZero &&
                       !judgement.outputSameForAllTokens;
  return judgement;
}

}  // namespace headwise
