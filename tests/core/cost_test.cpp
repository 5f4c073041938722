#include "headwise/cost.h"

#include "checks.h"
#include "headwise/attention.h"
#include "headwise/random.h"
#include "reference.h"
#include "samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace headwise::test {

namespace {

using Counters = std::map<std::string, double>;

// A forward pass by plain loops that counts what it does as it does it: no formula, and no line shared with the library. Masks and
// scales cost no multiply-adds, so that it has none: scores are multiplied by the layer's factor, which is not counted.
class CountedPass {
 public:
  CountedPass(const Layer& layer, const SharingPlan& plan) : layer_(layer), plan_(plan) {}

  Counters counters;
  Table output;

  void run() {
    const auto& [inputs, weights, options] = layer_;
    std::map<Index, Table> queries, keys, values;  // by the head whose matrix made them
    const auto group = static_cast<Index>(weights.heads.size() / weights.keyValueHeads.size());
    Table concatenated(static_cast<std::size_t>(inputs.query.rows()));
    for (std::size_t j = 0; j < weights.heads.size(); ++j) {
      const Index own = plan_.query[j], shared = plan_.keyValue[j] / group;
      if (!queries.contains(own)) {
        queries[own] =
            project(inputs.query, weights.heads[static_cast<std::size_t>(own)].query, "W_q", "b_q", "queries");
        if (const auto& additive = weights.heads[static_cast<std::size_t>(own)].additive) {
          store("A_q", additive->scoreQuery.size());
          store("A_k", additive->scoreKey.size());
          store("a_v", additive->scoreVector.size());
        }
      }
      const auto& keyValueHead = weights.keyValueHeads[static_cast<std::size_t>(shared)];
      if (!keys.contains(shared)) {
        keys[shared] = project(inputs.key, keyValueHead.key, "W_k", "b_k", "keys");
        values[shared] = project(inputs.value, keyValueHead.value, "W_v", "b_v", "values");
        counters["cacheNumbersPerToken keys"] += static_cast<double>(keys[shared][0].size());
        counters["cacheNumbersPerToken values"] += static_cast<double>(values[shared][0].size());
      }
      pool(queries[own], keys[shared], values[shared], weights.heads[static_cast<std::size_t>(own)], concatenated);
    }
    output = project(matrixOf(concatenated), weights.output, "W_o", "b_o", "output");
  }

 private:
  void store(const std::string& name, Index size) { counters["parameters " + name] += static_cast<double>(size); }
  double multiplyAdd(const std::string& stage, double a, double b, double sum) {
    ++counters["multiplyAdds " + stage];
    return a * b + sum;
  }

  Table project(const Matrix& rows,
                const Projection& projection,
                const std::string& weight,
                const std::string& bias,
                const std::string& stage) {
    store(weight, projection.weight.size());
    if (projection.bias) store(bias, projection.bias->size());
    Table result;
    for (Index i = 0; i < rows.rows(); ++i) {
      result.emplace_back();
      for (Index k = 0; k < projection.weight.cols(); ++k) {
        double sum = projection.bias ? (*projection.bias)(k) : 0;
        for (Index c = 0; c < rows.cols(); ++c)
          sum = multiplyAdd(stage, rows(i, c), projection.weight(c, k), sum);
        result.back().push_back(sum);
      }
    }
    return result;
  }

  Table hidden(const Table& rows, const Matrix& weight, const std::string& stage) {
    Table result;
    for (const auto& row : rows) {
      result.emplace_back();
      for (Index unit = 0; unit < weight.cols(); ++unit) {
        double sum = 0;
        for (std::size_t i = 0; i < row.size(); ++i)
          sum = multiplyAdd(stage, row[i], weight(static_cast<Index>(i), unit), sum);
        result.back().push_back(sum);
      }
    }
    return result;
  }

  void pool(
      const Table& queries, const Table& keys, const Table& values, const HeadWeights& head, Table& concatenated) {
    Table hiddenQueries, hiddenKeys;
    if (head.additive) {
      hiddenQueries = hidden(queries, head.additive->scoreQuery, "hiddenQueries");
      hiddenKeys = hidden(keys, head.additive->scoreKey, "hiddenKeys");
    }
    const double factor = head.additive ? 1 : 1 / std::sqrt(static_cast<double>(queries[0].size()));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<double> scores;
      for (std::size_t k = 0; k < keys.size(); ++k) {
        double score = 0;
        if (head.additive) {
          for (std::size_t unit = 0; unit < hiddenKeys[k].size(); ++unit) {
            ++counters["tanhTerms scores"];
            const double activation = std::tanh(hiddenQueries[i][unit] + hiddenKeys[k][unit]);
            score = multiplyAdd("scores", activation, head.additive->scoreVector(static_cast<Index>(unit)), score);
          }
        } else {
          for (std::size_t c = 0; c < keys[k].size(); ++c)
            score = multiplyAdd("scores", queries[i][c], keys[k][c], score);
        }
        scores.push_back(score * factor);
      }
      const double largest = *std::max_element(scores.begin(), scores.end());
      std::vector<double> map;
      double total = 0;
      for (const double score : scores) {
        ++counters["softmaxTerms attentionWeights"];
        map.push_back(std::exp(score - largest));
        total += map.back();
      }
      counters["mapNumbers attentionWeights"] += static_cast<double>(map.size());
      for (std::size_t component = 0; component < values[0].size(); ++component) {
        double sum = 0;
        for (std::size_t k = 0; k < map.size(); ++k)
          sum = multiplyAdd("weightedSum", map[k] / total, values[k][component], sum);
        concatenated[i].push_back(sum);
      }
    }
  }

  const Layer& layer_;
  const SharingPlan& plan_;
};

Counters termsOf(const LayerCost& cost) {
  Counters terms;
  for (const CostTerm& term : cost.terms) {
    double product = 1;
    for (const CostFactor& factor : term.factors)
      product *= factor.size;
    CHECK(product == term.value);
    terms[std::string(nameIn(kCostCounts, term.count)) + " " + std::string(term.of)] += term.value;
  }
  return terms;
}

double sumOf(const Counters& counters, const std::string& count) {
  double sum = 0;
  for (const auto& [name, value] : counters)
    if (name.starts_with(count + " ")) sum += value;
  return sum;
}

Dimensions base() { return Dimensions::selfAttention(512, 8); }

}  // namespace

TEST_CASE("cost: formulas equal the operations that a plain forward pass counts, in 60 random layers") {
  constexpr Sharing kAll[] = {Sharing::none, Sharing::keysAndValuesPerGroup, Sharing::keysAndValues, Sharing::all};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Sharing sharing = kAll[seed % 4];
    SampleWishes wishes;
    wishes.pooling = seed % 3 == 0 ? Pooling::additive : Pooling::scaledDotProduct;
    wishes.self = seed % 5 == 0;
    wishes.grouped = sharing == Sharing::none;
    wishes.masked = false;
    Sample layer = sample(seed, wishes);
    layer.options.scale = {};
    const Dimensions& dimensions = layer.dimensions();
    const std::vector<Index> divisors = divisorsOf(dimensions.headCount);
    const Index groupSize = divisors[seed % divisors.size()];
    const SharingPlan plan = sharingPlan(sharing, dimensions.headCount, groupSize);
    if (sharing != Sharing::none) layer.weights = shareWeights(layer.weights, plan);
    INFO(layer.text, ", ", nameIn(kSharings, sharing), ", groups of ", groupSize);

    CountedPass pass(layer, plan);
    pass.run();
    CHECK(near(matrixOf(pass.output), attend(layer).output));
    const LayerCost cost = layerCost(dimensions, wishes.pooling, layer.queryCount(), layer.keyCount(),
                                     {.sharing = sharing,
                                      .groupSize = groupSize,
                                      .biases = layer.weights.output.bias.has_value(),
                                      .bytesPerNumber = 2});
    CHECK(termsOf(cost) == pass.counters);
    CHECK(cost.parameters == sumOf(pass.counters, "parameters"));
    CHECK(cost.multiplyAdds == sumOf(pass.counters, "multiplyAdds"));
    CHECK(cost.softmaxTerms == sumOf(pass.counters, "softmaxTerms"));
    CHECK(cost.tanhTerms == sumOf(pass.counters, "tanhTerms"));
    CHECK(cost.mapNumbers == sumOf(pass.counters, "mapNumbers"));
    CHECK(cost.mapBytes == 2 * cost.mapNumbers);
    CHECK(cost.cacheNumbersPerToken == sumOf(pass.counters, "cacheNumbersPerToken"));
    CHECK(cost.cacheBytesPerToken == 2 * cost.cacheNumbersPerToken);
  }
}

TEST_CASE("cost: the Transformer's base layer, as its sizes say") {
  // d 512, h 8: four matrices of 512²; with 10 tokens 4·10·512² and 2·10²·512 multiply-adds.
  const LayerCost cost = layerCost(base(), Pooling::scaledDotProduct, 10, 10);
  CHECK(cost.parameters == 1048576);
  CHECK(cost.multiplyAdds == 10485760 + 102400);
  CHECK(cost.softmaxTerms == 800);
  CHECK(cost.mapNumbers == 800);
  CHECK(cost.mapBytes == 3200);
  CHECK(cost.tanhTerms == 0);
}

TEST_CASE("cost: under the budget parameters and multiply-adds stay, softmax terms grow; without it all grow with h") {
  const auto costOf = [](const Dimensions& dimensions) {
    return layerCost(dimensions, Pooling::scaledDotProduct, 20, 20);
  };
  const LayerCost one = costOf(Dimensions::selfAttention(96, 1));
  for (const Index heads : {2, 3, 8, 96}) {
    const LayerCost within = costOf(Dimensions::selfAttention(96, heads));
    CHECK(within.parameters == one.parameters);
    CHECK(within.multiplyAdds == one.multiplyAdds);
    CHECK(within.softmaxTerms == static_cast<double>(heads) * one.softmaxTerms);
    Dimensions wide = Dimensions::selfAttention(96, heads);
    wide.querySize = wide.keySize = wide.valueSize = 96;
    const LayerCost without = costOf(wide);
    CHECK(without.parameters == static_cast<double>(heads) * one.parameters);
    CHECK(without.multiplyAdds == static_cast<double>(heads) * one.multiplyAdds);
    CHECK(without.softmaxTerms == within.softmaxTerms);
  }
}

TEST_CASE("cost: a grouped 8-billion model keeps a quarter of the keys and values") {
  const Dimensions grouped = Dimensions::selfAttention(4096, 32, 8);
  const LayerCost cost = layerCost(grouped, Pooling::scaledDotProduct, 8192, 8192, {.bytesPerNumber = 2});
  CHECK(cost.cacheNumbersPerToken == 2048);
  CHECK(cost.cacheBytesPerToken == 4096);
  const LayerCost whole = layerCost(Dimensions::selfAttention(4096, 32), Pooling::scaledDotProduct, 8192, 8192);
  CHECK(whole.cacheNumbersPerToken == 8192);
  CHECK(whole.mapNumbers == cost.mapNumbers);
}

TEST_CASE("cost: a head without projections has scores and a weighted sum only") {
  // 5 queries, 6 keys, p_q 4, p_k 2, p_v 3, a 7: maps 5·4·7 and 6·2·7; pairs 5·6·7; weighted sum 5·6·3. Parameters (4 + 2 + 1)·7.
  Dimensions dimensions{4, 2, 3, 1, 1, 4, 2, 3, 3, 7};
  const LayerCost cost = layerCost(dimensions, Pooling::additive, 5, 6, {.biases = true, .isProjected = false});
  CHECK(cost.multiplyAdds == 140 + 84 + 210 + 90);
  CHECK(cost.softmaxTerms == 30);
  CHECK(cost.tanhTerms == 210);
  CHECK(cost.parameters == 49);
}

TEST_CASE("cost: counts are exact up to 2^53, and refused above") {
  const Dimensions dimensions = Dimensions::selfAttention(1 << 20, 1);
  // 2n·(2d² + n·d) for n = 2¹¹: below 2⁵³; for n = 2¹²: 2¹³·(2⁴¹ + 2³²) above.
  const LayerCost cost = layerCost(dimensions, Pooling::scaledDotProduct, 1 << 10, 1 << 10);
  CHECK(cost.multiplyAdds == 2.0 * 1024 * (2.0 * 1048576 * 1048576 + 1024.0 * 1048576));
  CHECK(refuses([&] { layerCost(dimensions, Pooling::scaledDotProduct, 1 << 12, 1 << 12); }, ErrorCode::tooLarge,
                {"multiplyAdds", "2^53"}));
  CHECK(refuses(
      [&] {
        layerCost(Dimensions::selfAttention(1, 1), Pooling::scaledDotProduct, 1 << 25, 1 << 25, {.bytesPerNumber = 16});
      },
      ErrorCode::tooLarge, {"mapBytes"}));
}

TEST_CASE("cost: what does not fit is refused") {
  const auto costOf = [](const Dimensions& dimensions, const CostOptions& options) {
    return layerCost(dimensions, Pooling::scaledDotProduct, 5, 6, options);
  };
  CHECK(refuses([&] { layerCost(base(), Pooling::additive, 5, 6); }, ErrorCode::invalidDimension,
                {"scoreHiddenSize", "at least 1", "0"}));
  CHECK(refuses([&] { layerCost(base(), Pooling::scaledDotProduct, 5, 0); }, ErrorCode::invalidDimension,
                {"at least one query and one key", "5 and 0"}));
  CHECK(refuses([&] { costOf(base(), {.sharing = Sharing::keysAndValuesPerGroup, .groupSize = 3}); },
                ErrorCode::invalidDimension, {"groupSize 3 does not divide headCount 8"}));
  CHECK(refuses([&] { costOf(Dimensions::selfAttention(512, 8, 2), {.sharing = Sharing::keysAndValues}); },
                ErrorCode::invalidDimension, {"said twice", "keyValueHeadCount 2", "keysAndValues"}));
  for (const Index bytes : {0, 17})
    CHECK(refuses([&] { costOf(base(), {.bytesPerNumber = bytes}); }, ErrorCode::invalidOption, {"from 1 to 16"}));
}

}  // namespace headwise::test
