// Sharing as an index per head; weights stay one set a head, so that tied and untied layers run through the same code.
#include "headwise/sharing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cost_counts.h"
#include "headwise/error.h"

namespace headwise {

namespace {

// A plan has an entry for each head.
constexpr Index kMostPlannedHeads = 1 << 20;

void checkPlan(const SharingPlan& plan, Index headCount) {
  const auto count = static_cast<std::size_t>(headCount);
  if (plan.query.size() != count || plan.keyValue.size() != count)
    throw Error(ErrorCode::shapeMismatch, "plan is for " + std::to_string(plan.query.size()) +
                                              " heads, but the layer has " + std::to_string(headCount) + ".");
  for (const std::vector<Index>* users : {&plan.query, &plan.keyValue})
    for (const Index user : *users)
      if (user < 0 || user >= headCount)
        throw Error(ErrorCode::invalidOption, "plan names head " + std::to_string(user) + ", but heads are 0 to " +
                                                  std::to_string(headCount - 1) + ".");
}

void checkPlan(const Dimensions& dimensions, const SharingPlan& plan) {
  if (dimensions.keyValueHeadCount != dimensions.headCount)
    throw Error(ErrorCode::invalidDimension,
                "A sharing plan needs as many key/value heads as query heads, but keyValueHeadCount is " +
                    std::to_string(dimensions.keyValueHeadCount) + " and headCount is " +
                    std::to_string(dimensions.headCount) + "; the plan itself says who shares.",
                "keyValueHeadCount");
  checkPlan(plan, dimensions.headCount);
}

void add(Projection& sum, const Projection& term) {
  sum.weight += term.weight;
  if (sum.bias && term.bias) *sum.bias += *term.bias;
}

double distinct(const std::vector<Index>& users) {
  return static_cast<double>(std::set<Index>(users.begin(), users.end()).size());
}

// Free numbers of a product of [rows × width] and [width × columns]: a matrix of that rank.
double freedomOf(double rows, double columns, double width) {
  const double rank = std::min({width, rows, columns});
  return rank * (rows + columns - rank);
}

}  // namespace

SharingPlan sharingPlan(Sharing sharing, Index headCount, Index groupSize) {
  if (headCount < 1)
    throw Error(ErrorCode::invalidDimension, "headCount must be at least 1, but is " + std::to_string(headCount) + ".",
                "headCount");
  if (headCount > kMostPlannedHeads)
    throw Error(ErrorCode::tooLarge,
                "A sharing plan is for at most " + std::to_string(kMostPlannedHeads) + " heads, but headCount is " +
                    std::to_string(headCount) + ".",
                "headCount");
  if (sharing == Sharing::keysAndValuesPerGroup && (groupSize < 1 || headCount % groupSize != 0))
    throw Error(
        ErrorCode::invalidDimension,
        "groupSize " + std::to_string(groupSize) + " does not divide headCount " + std::to_string(headCount) + ".",
        "groupSize");
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
  checkProjected(weights, "Sharing");
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
  checkOverflow("A gradient summed over the heads that share a matrix", sums);
  return shareWeights(sums, plan);
}

Weights equivalentSingleHead(const Weights& weights, const Options& options) {
  checkWeights(weights, options.pooling);
  checkProjected(weights, "Merging heads");
  const Dimensions& dimensions = weights.dimensions;
  const Index valueSize = dimensions.valueSize;
  Weights single{.dimensions = dimensions,
                 .isProjected = true,
                 .heads = {weights.heads[0]},
                 .keyValueHeads = {weights.keyValueHeads[0]},
                 .output = {}};
  single.dimensions.headCount = single.dimensions.keyValueHeadCount = 1;
  single.output.weight = Matrix::Zero(valueSize, dimensions.outputSize);
  for (Index j = 0; j < dimensions.headCount; ++j)
    single.output.weight += weights.output.weight.middleRows(j * valueSize, valueSize);
  single.output.bias = weights.output.bias;
  // The same option may be another factor for one head; the queries make up for it.
  const auto factorOf = [&](const Dimensions& of) { return scaleFactor(of, options.pooling, options.scale); };
  const Scalar factor = factorOf(dimensions), singleFactor = factorOf(single.dimensions);
  const Scalar ratio = factor == singleFactor ? 1 : factor / singleFactor;  // a factor of 0 is the same for both
  single.heads[0].query.weight *= ratio;
  if (single.heads[0].query.bias) *single.heads[0].query.bias *= ratio;
  checkOverflow("The one head's weights", single);
  return single;
}

Weights withEqualOutputBlocks(const Weights& weights) {
  checkWeights(weights);
  checkProjected(weights, "Equal blocks of W_o");
  Weights equal = weights;
  equal.output.weight =
      Matrix(weights.output.weight.topRows(weights.dimensions.valueSize).replicate(weights.dimensions.headCount, 1));
  return equal;
}

Weights withoutHead(const Weights& weights, Index head) {
  checkWeights(weights);
  checkProjected(weights, "Switching a head off");
  if (head < 0 || head >= weights.dimensions.headCount)
    throw Error(ErrorCode::invalidOption, "head must be from 0 to " + std::to_string(weights.dimensions.headCount - 1) +
                                              ", but is " + std::to_string(head) + ".");
  Weights without = weights;
  without.output.weight.middleRows(head * weights.dimensions.valueSize, weights.dimensions.valueSize).setZero();
  return without;
}

SharingCost sharingCost(
    const Dimensions& dimensions, const SharingPlan& plan, bool biases, Index queryCount, Index keyCount) {
  checkDimensions(dimensions, Pooling::scaledDotProduct);
  checkPlan(plan, dimensions.headCount);
  if (queryCount < 1 || keyCount < 1)
    throw Error(ErrorCode::invalidDimension, "A cost needs at least one query and one key, but got " +
                                                 std::to_string(queryCount) + " and " + std::to_string(keyCount) + ".");
  // Heads of a grouped layer share keys and values already: those of the group's first head.
  const Index groupSize = dimensions.groupSize();
  std::vector<Index> keyValueUsers;
  for (const Index user : plan.keyValue)
    keyValueUsers.push_back(user - user % groupSize);
  std::set<std::pair<Index, Index>> functions;
  for (std::size_t j = 0; j < plan.query.size(); ++j)
    functions.emplace(plan.query[j], keyValueUsers[j]);
  std::map<Index, double> headsOf;  // of each key/value matrix, how many functions use it
  for (const auto& [user, keyValueUser] : functions)
    ++headsOf[keyValueUser];

  const auto width = [](Index size) { return static_cast<double>(size); };
  const auto counted = [&](const DistinctMatrices& matrices) {
    return countCost(dimensions, Pooling::scaledDotProduct, matrices, width(queryCount), width(keyCount), biases);
  };
  const double heads = width(dimensions.headCount);
  const double distinctQueries = distinct(plan.query), distinctKeyValues = distinct(keyValueUsers);
  const LayerCost unshared = counted({heads, heads, heads});
  const LayerCost merged = counted({static_cast<double>(functions.size()), distinctQueries, distinctKeyValues});

  SharingCost cost;
  cost.parametersUnshared = unshared.parameters;
  cost.parameters = counted({heads, distinctQueries, distinctKeyValues}).parameters;
  cost.parametersMerged = merged.parameters;
  cost.multiplyAdds = unshared.multiplyAdds;
  cost.multiplyAddsMerged = merged.multiplyAdds;
  cost.parametersThatMatter = biases ? width(dimensions.outputSize) : 0;
  for (const auto& [user, count] : headsOf)
    cost.parametersThatMatter +=
        freedomOf(count * (width(dimensions.queryInputSize) + (biases ? 1 : 0)), width(dimensions.keyInputSize),
                  width(dimensions.keySize)) +
        freedomOf(width(dimensions.valueInputSize), count * width(dimensions.outputSize), width(dimensions.valueSize));
  return cost;
}

}  // namespace headwise
