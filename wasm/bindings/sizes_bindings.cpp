// Sizes and what follows from them, without computing anything.
#include "headwise/cost.h"
#include "headwise/error.h"
#include "headwise/sharing.h"
#include "headwise/work.h"
#include "outcome.h"
#include "packing.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// What most of these begin with.
struct Sizes {
  explicit Sizes(Request& request)
      : dimensions(dimensionsFrom(request)),
        pooling(request.named(kPoolings)),
        queryCount(request.integer()),
        keyCount(request.integer()) {
    checkDimensions(dimensions, pooling);
  }
  Dimensions dimensions;
  Pooling pooling;
  Index queryCount;
  Index keyCount;
};

// modelSize, headCount
val headSizeOf(Request& request) {
  const Index modelSize = request.integer(), headCount = request.integer();
  return toJs(Dimensions::selfAttention(modelSize, headCount).querySize);
}

// sizes → rows and columns of each field
val shapes(Request& request) {
  const Sizes sizes(request);
  std::vector<double> result;
  for (const Field& field : kFields) {
    const Shape shape = shapeOf(field, sizes.dimensions, sizes.queryCount, sizes.keyCount);
    result.push_back(static_cast<double>(shape.rows));
    result.push_back(static_cast<double>(shape.columns));
  }
  return toJs(result);
}

// sizes: throws what attend would throw for a layer of them
val checkSizes(Request& request) {
  const Sizes sizes(request);
  checkTraceSize(sizes.dimensions, sizes.queryCount, sizes.keyCount);
  checkAttendWork(sizes.dimensions, sizes.pooling, sizes.queryCount, sizes.keyCount);
  return val::undefined();
}

// sizes, sharing, groupSize, biases, projected, bytesPerNumber
val layerCost(Request& request) {
  const Sizes sizes(request);
  CostOptions options;
  options.sharing = request.named(kSharings);
  options.groupSize = request.integer();
  options.biases = request.flag();
  options.isProjected = request.flag();
  options.bytesPerNumber = request.integer();
  const LayerCost cost =
      headwise::layerCost(sizes.dimensions, sizes.pooling, sizes.queryCount, sizes.keyCount, options);
  val terms = val::array();
  for (std::size_t i = 0; i < cost.terms.size(); ++i) {
    const CostTerm& term = cost.terms[i];
    val factors = val::array();
    for (std::size_t k = 0; k < term.factors.size(); ++k)
      factors.set(k, object({{"symbol", toJs(term.factors[k].symbol)}, {"size", toJs(term.factors[k].size)}}));
    terms.set(i, object({{"count", toJs(nameIn(kCostCounts, term.count))},
                         {"of", toJs(term.of)},
                         {"factors", factors},
                         {"value", toJs(term.value)}}));
  }
  return object({{"terms", terms},
                 {"parameters", toJs(cost.parameters)},
                 {"multiplyAdds", toJs(cost.multiplyAdds)},
                 {"softmaxTerms", toJs(cost.softmaxTerms)},
                 {"tanhTerms", toJs(cost.tanhTerms)},
                 {"mapNumbers", toJs(cost.mapNumbers)},
                 {"mapBytes", toJs(cost.mapBytes)},
                 {"cacheNumbersPerToken", toJs(cost.cacheNumbersPerToken)},
                 {"cacheBytesPerToken", toJs(cost.cacheBytesPerToken)}});
}

// sizes, sharing, groupSize, biases
val sharingCost(Request& request) {
  const Sizes sizes(request);
  const Sharing sharing = request.named(kSharings);
  const SharingPlan plan = sharingPlan(sharing, sizes.dimensions.headCount, request.integer());
  const SharingCost cost =
      headwise::sharingCost(sizes.dimensions, plan, request.flag(), sizes.queryCount, sizes.keyCount);
  return object({{"parametersUnshared", toJs(cost.parametersUnshared)},
                 {"parameters", toJs(cost.parameters)},
                 {"parametersMerged", toJs(cost.parametersMerged)},
                 {"parametersThatMatter", toJs(cost.parametersThatMatter)},
                 {"multiplyAdds", toJs(cost.multiplyAdds)},
                 {"multiplyAddsMerged", toJs(cost.multiplyAddsMerged)}});
}

// number
val divisorsOf(Request& request) { return toJs(headwise::divisorsOf(request.integer())); }

EMSCRIPTEN_BINDINGS(sizes) {
  using emscripten::function;
  function("headSizeOf", &bound<headSizeOf>);
  function("shapes", &bound<shapes>);
  function("checkSizes", &bound<checkSizes>);
  function("layerCost", &bound<layerCost>);
  function("sharingCost", &bound<sharingCost>);
  function("divisorsOf", &bound<divisorsOf>);
}

}  // namespace

}  // namespace headwise::bindings
