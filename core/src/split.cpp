// Cutting one head into several, and adding their scores up again.
#include "headwise/split.h"

#include <numeric>
#include <string>

#include "headwise/comparison.h"
#include "headwise/error.h"

namespace headwise {

namespace {

void checkSingle(const Weights& single, Index headCount) {
  const Dimensions& dimensions = single.dimensions;
  if (dimensions.headCount != 1)
    throw Error(ErrorCode::invalidDimension,
                "Only a layer of one head can be cut, but headCount is " + std::to_string(dimensions.headCount) + ".",
                "headCount");
  if (single.heads[0].additive)
    throw Error(ErrorCode::invalidOption,
                "Only dot products can be cut by columns: additive score matrices belong to heads of one width.");
  const Index common = std::gcd(dimensions.querySize, dimensions.valueSize);
  if (headCount >= 1 && common % headCount == 0) return;
  std::string choices;
  for (const Index divisor : divisorsOf(common))
    if (choices.size() < 100 || divisor == common) choices += (choices.empty() ? "" : ", ") + std::to_string(divisor);
  throw Error(ErrorCode::invalidDimension,
              "headCount " + std::to_string(headCount) + " does not divide the single head's widths, querySize " +
                  std::to_string(dimensions.querySize) + " and valueSize " + std::to_string(dimensions.valueSize) +
                  "; it can be one of " + choices + ".",
              "headCount");
}

}  // namespace

Weights splitSingleHead(const Weights& single, Index headCount) {
  checkWeights(single, Pooling::scaledDotProduct);
  checkProjected(single, "Splitting");
  checkSingle(single, headCount);
  Weights split;
  split.dimensions = single.dimensions;
  split.output = single.output;
  Dimensions& dimensions = split.dimensions;
  dimensions.headCount = dimensions.keyValueHeadCount = headCount;
  dimensions.querySize /= headCount;
  dimensions.keySize /= headCount;
  dimensions.valueSize /= headCount;
  for (Index j = 0; j < headCount; ++j) {
    split.heads.push_back({columnsOf(single.heads[0].query, j * dimensions.querySize, dimensions.querySize), {}});
    split.keyValueHeads.push_back(
        {columnsOf(single.keyValueHeads[0].key, j * dimensions.keySize, dimensions.keySize),
         columnsOf(single.keyValueHeads[0].value, j * dimensions.valueSize, dimensions.valueSize)});
  }
  return split;
}

ScoreDecomposition decomposeScores(const ForwardTrace& single, const ForwardTrace& split) {
  if (single.heads.size() != 1 || split.heads.empty())
    throw Error(ErrorCode::invalidDimension,
                "decomposeScores needs the trace of one head and that of its blocks, but got " +
                    std::to_string(single.heads.size()) + " and " + std::to_string(split.heads.size()) + " heads.");
  const Matrix& whole = single.heads[0].rawScores;
  ScoreDecomposition decomposition;
  decomposition.sum = Matrix::Zero(whole.rows(), whole.cols());
  for (std::size_t j = 0; j < split.heads.size(); ++j) {
    const Matrix& term = split.heads[j].rawScores;
    checkShape("split.heads[" + std::to_string(j) + "].rawScores", shapeOf(term), shapeOf(whole),
               "as the single head's rawScores");
    decomposition.terms.push_back(term);
    decomposition.sum += term;
  }
  checkOverflow("The sum of the scores", decomposition.sum);
  decomposition.largestDifference = compareMatrices(decomposition.sum, whole).largestDifference;
  return decomposition;
}

}  // namespace headwise
