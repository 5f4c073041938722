// One layer: its trace, the arithmetic behind a cell, and the steps that lessons show by themselves.
#include "headwise/attention.h"

#include "decisions.h"
#include "headwise/error.h"
#include "headwise/explanation.h"
#include "headwise/softmax.h"
#include "outcome.h"
#include "packing.h"
#include "residents.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// layer → trace
val attend(Request& request) { return packed(LayerArgument(request).trace()); }

// layer, decisions → trace
val forward(Request& request) {
  const LayerArgument layer(request);
  countForwardPass();
  return packed(headwise::forward(*layer, decisionsFrom(request)));
}

// layer
val outputContributions(Request& request) {
  LayerArgument layer(request);
  return toJs(headwise::outputContributions(*layer, layer.trace()));
}

val placeToJs(const Place& place) {
  val result = object({{"path", toJs(place.path)}});
  if (place.row) result.set("row", toJs(*place.row));
  if (place.column) result.set("column", toJs(*place.column));
  return result;
}

// layer, number of the field, number of its matrix, row, column
val explainCell(Request& request) {
  LayerArgument layer(request);
  const Field& field = kFields.at(static_cast<std::size_t>(request.integer()));
  const Index index = request.integer(), row = request.integer(), column = request.integer();
  const Explanation explanation = headwise::explainCell(*layer, layer.trace(), pathOf(field, index), row, column);
  val sources = val::array();
  for (std::size_t i = 0; i < explanation.sources.size(); ++i)
    sources.set(i, placeToJs(explanation.sources[i]));
  return object({{"operation", toJs(nameIn(kOperations, explanation.operation))},
                 {"sources", sources},
                 {"left", toJs(explanation.left)},
                 {"right", toJs(explanation.right)},
                 {"terms", toJs(explanation.terms)},
                 {"addend", val(explanation.addend)},  // of a row that sees nothing −∞, as
                 {"result", val(explanation.result)},  // of a hidden cell
                 {"hidden", toJs(explanation.hidden)}});
}

// queryCount, keyCount, mask, head
val mayAttend(Request& request) {
  const Index queryCount = request.integer(), keyCount = request.integer();
  const Mask mask = maskFrom(request, queryCount, keyCount);
  return toJs(headwise::mayAttend(mask, queryCount, keyCount, request.integer()));
}

// queryCount, keyCount, mask, pattern → whether the mask hides what the pattern does
val isPatternOf(Request& request) {
  const Index queryCount = request.integer(), keyCount = request.integer();
  const Mask mask = maskFrom(request, queryCount, keyCount);
  const BoolMatrix pattern = request.cells({queryCount, keyCount}).array() != 0;
  return toJs(bool(headwise::mayAttend(mask, queryCount, keyCount) == pattern));
}

// scores
val softmaxRows(Request& request) { return toJs(headwise::softmaxRows(request.matrix())); }

// weights
val entropyOfRows(Request& request) { return toJs(headwise::entropyOfRows(request.matrix())); }

EMSCRIPTEN_BINDINGS(attention) {
  using emscripten::function;
  function("attend", &bound<attend>);
  function("forward", &bound<forward>);
  function("outputContributions", &bound<outputContributions>);
  function("explainCell", &bound<explainCell>);
  function("mayAttend", &bound<mayAttend>);
  function("isPatternOf", &bound<isPatternOf>);
  function("softmaxRows", &bound<softmaxRows>);
  function("entropyOfRows", &bound<entropyOfRows>);
}

}  // namespace

}  // namespace headwise::bindings
