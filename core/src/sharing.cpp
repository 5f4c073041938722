// Sharing as an index per head; weights stay one set a head, so that tied and untied layers run through the same code.
#include "headwise/sharing.h"

#include <set>
#include <string>

#include "headwise/error.h"

namespace headwise {

namespace {

void checkPlan(const Dimensions& dimensions, const SharingPlan& plan) {
  if (dimensions.keyValueHeadCount != dimensions.headCount)
    throw Error(ErrorCode::invalidDimension,
                "A sharing plan needs as many key/value heads as query heads, but keyValueHeadCount is " +
                    std::to_string(dimensions.keyValueHeadCount) + " and headCount is " +
                    std::to_string(dimensions.headCount) + "; the plan itself says who shares.");
  const auto headCount = static_cast<std::size_t>(dimensions.headCount);
  if (plan.query.size() != headCount || plan.keyValue.size() != headCount)
    throw Error(ErrorCode::shapeMismatch, "plan is for " + std::to_string(plan.query.size()) +
                                              " heads, but the layer has " + std::to_string(headCount) + ".");
}

void add(Projection& sum, const Projection& term) {
  sum.weight += term.weight;
  if (sum.bias && term.bias) *sum.bias += *term.bias;
}

double sizeOf(Index rows, Index columns, bool bias) { return static_cast<double>((rows + (bias ? 1 : 0)) * columns); }

double distinct(const std::vector<Index>& users) {
  return static_cast<double>(std::set<Index>(users.begin(), users.end()).size());
}

}  // namespace

SharingPlan sharingPlan(Sharing sharing, Index headCount, Index groupSize) {
  if (headCount < 1)
    throw Error(ErrorCode::invalidDimension, "headCount must be at least 1, but is " + std::to_string(headCount) + ".");
  if (sharing == Sharing::keysAndValuesPerGroup && (groupSize < 1 || headCount % groupSize != 0))
    throw Error(ErrorCode::invalidDimension, "groupSize " + std::to_string(groupSize) + " does not divide headCount " +
                                                 std::to_string(headCount) + ".");
  SharingPlan plan;
  for (Index head = 0; head < headCount; ++head) {
    plan.query.push_back(sharing == Sharing::all ? 0 : head);
    plan.keyValue.push_back(sharing == Sharing::none                    ? head
                            : sharing == Sharing::keysAndValuesPerGroup ? head - head % groupSize
                                                                        : 0);
  }
  return plan;
}

Weights shareWeights(const Weights& weights, const SharingPlan& plan) {
  checkPlan(weights.dimensions, plan);
  Weights shared = weights;
  for (std::size_t j = 0; j < plan.query.size(); ++j) {
    shared.heads[j] = weights.heads[static_cast<std::size_t>(plan.query[j])];
    shared.keyValueHeads[j] = weights.keyValueHeads[static_cast<std::size_t>(plan.keyValue[j])];
  }
  return shared;
}

Weights sumOverUsers(const Weights& gradients, const SharingPlan& plan) {
  checkPlan(gradients.dimensions, plan);
  Weights sums = gradients;
  // Collected at the first user, in the order of heads, and handed out from there: all users get the same bits.
  for (std::size_t j = 0; j < plan.query.size(); ++j) {
    const auto query = static_cast<std::size_t>(plan.query[j]), keyValue = static_cast<std::size_t>(plan.keyValue[j]);
    if (query != j) {
      add(sums.heads[query].query, gradients.heads[j].query);
      if (gradients.heads[j].additive) {
        sums.heads[query].additive->scoreQuery += gradients.heads[j].additive->scoreQuery;
        sums.heads[query].additive->scoreKey += gradients.heads[j].additive->scoreKey;
        sums.heads[query].additive->scoreVector += gradients.heads[j].additive->scoreVector;
      }
    }
    if (keyValue != j) {
      add(sums.keyValueHeads[keyValue].key, gradients.keyValueHeads[j].key);
      add(sums.keyValueHeads[keyValue].value, gradients.keyValueHeads[j].value);
    }
  }
  return shareWeights(sums, plan);
}

Weights equivalentSingleHead(const Weights& weights) {
  const Dimensions& dimensions = weights.dimensions;
  const Index valueSize = dimensions.valueSize;
  Weights single{.dimensions = dimensions,
                 .heads = {weights.heads.at(0)},
                 .keyValueHeads = {weights.keyValueHeads.at(0)},
                 .output = {}};
  single.dimensions.headCount = single.dimensions.keyValueHeadCount = 1;
  single.output.weight = Matrix::Zero(valueSize, dimensions.outputSize);
  for (Index j = 0; j < dimensions.headCount; ++j)
    single.output.weight += weights.output.weight.middleRows(j * valueSize, valueSize);
  single.output.bias = weights.output.bias;
  return single;
}

SharingCost sharingCost(
    const Dimensions& dimensions, const SharingPlan& plan, bool biases, Index queryCount, Index keyCount) {
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  checkPlan(dimensions, plan);
  const double query = sizeOf(dimensions.queryInputSize, dimensions.querySize, biases);
  const double keyValue = sizeOf(dimensions.keyInputSize, dimensions.keySize, biases) +
                          sizeOf(dimensions.valueInputSize, dimensions.valueSize, biases);
  const double output = sizeOf(dimensions.concatenatedSize(), dimensions.outputSize, biases);
  const double outputOfOne = sizeOf(dimensions.valueSize, dimensions.outputSize, biases);
  const auto heads = static_cast<double>(dimensions.headCount);
  const double distinctQueries = distinct(plan.query), distinctKeyValues = distinct(plan.keyValue);
  const bool oneFunction = distinctQueries == 1 && distinctKeyValues == 1;

  const auto queries = static_cast<double>(queryCount), keys = static_cast<double>(keyCount);
  const auto width = [](Index size) { return static_cast<double>(size); };
  const double projectQuery = queries * width(dimensions.queryInputSize) * width(dimensions.querySize);
  const double projectKeyValue = keys * (width(dimensions.keyInputSize) * width(dimensions.keySize) +
                                         width(dimensions.valueInputSize) * width(dimensions.valueSize));
  const double pool = queries * keys * (width(dimensions.querySize) + width(dimensions.valueSize));
  const double projectOutput = queries * width(dimensions.valueSize) * width(dimensions.outputSize);

  SharingCost cost;
  cost.parametersUnshared = heads * (query + keyValue) + output;
  cost.parameters = distinctQueries * query + distinctKeyValues * keyValue + output;
  cost.parametersThatMatter = oneFunction ? query + keyValue + outputOfOne : cost.parameters;
  cost.multiplyAdds = heads * (projectQuery + projectKeyValue + pool + projectOutput);
  cost.multiplyAddsNeeded = oneFunction ? projectQuery + projectKeyValue + pool + projectOutput
                                        : distinctQueries * projectQuery + distinctKeyValues * projectKeyValue +
                                              heads * (pool + projectOutput);
  return cost;
}

}  // namespace headwise
