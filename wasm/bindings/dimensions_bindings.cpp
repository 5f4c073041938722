// Sizes: the usual ones, whether they fit together, and the shapes that follow from them.
#include "headwise/dimensions.h"

#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// { modelSize, headCount, keyValueHeadCount? }
val selfAttentionDimensions(const val& request) {
  const val keyValueHeadCount = request["keyValueHeadCount"];
  return toJs(Dimensions::selfAttention(
      integerFrom(request["modelSize"]), integerFrom(request["headCount"]),
      keyValueHeadCount.isUndefined() ? std::optional<Index>{} : integerFrom(keyValueHeadCount)));
}

val pair(Index rows, Index columns) {
  val shape = val::array();
  shape.set(0, toJs(rows));
  shape.set(1, toJs(columns));
  return shape;
}

// { dimensions, pooling, queryCount, keyCount } → the shape of every matrix, in the order of computation. Throws what attend would
// throw for these sizes.
val shapes(const val& request) {
  const Dimensions d = dimensionsFrom(request["dimensions"]);
  const Pooling pooling = namedIn(kPoolings, request["pooling"]);
  const Index n_q = integerFrom(request["queryCount"]);
  const Index n_kv = integerFrom(request["keyCount"]);
  checkDimensions(d, pooling);
  checkTraceSize(d, n_q, n_kv);

  val result = val::object();
  result.set("inputs.query", pair(n_q, d.queryInputSize));
  result.set("inputs.key", pair(n_kv, d.keyInputSize));
  result.set("inputs.value", pair(n_kv, d.valueInputSize));
  result.set("W_q", pair(d.queryInputSize, d.querySize));
  result.set("W_k", pair(d.keyInputSize, d.keySize));
  result.set("W_v", pair(d.valueInputSize, d.valueSize));
  if (pooling == Pooling::additive) {
    result.set("A_q", pair(d.querySize, d.scoreHiddenSize));
    result.set("A_k", pair(d.keySize, d.scoreHiddenSize));
    result.set("a_v", pair(1, d.scoreHiddenSize));
  }
  result.set("W_o", pair(d.concatenatedSize(), d.outputSize));
  result.set("keyValueHeads[].keys", pair(n_kv, d.keySize));
  result.set("keyValueHeads[].values", pair(n_kv, d.valueSize));
  result.set("heads[].queries", pair(n_q, d.querySize));
  for (const auto& field : {"rawScores", "scaledScores", "maskedScores", "attentionWeights"})
    result.set("heads[]." + std::string(field), pair(n_q, n_kv));
  result.set("heads[].output", pair(n_q, d.valueSize));
  result.set("concatenated", pair(n_q, d.concatenatedSize()));
  result.set("output", pair(n_q, d.outputSize));
  return result;
}

val divisorsOf(const val& number) { return toJs(headwise::divisorsOf(integerFrom(number))); }

EMSCRIPTEN_BINDINGS(dimensions) {
  using emscripten::function;
  function("selfAttentionDimensions", &bound<selfAttentionDimensions>);
  function("shapes", &bound<shapes>);
  function("divisorsOf", &bound<divisorsOf>);
}

}  // namespace

}  // namespace headwise::bindings
