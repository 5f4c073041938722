// Where weights are kept and how heads are cut: lesson 3.
#include "headwise/layout.h"

#include "headwise/reshape.h"
#include "layer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// { layer, layout }
val fuse(const val& request) {
  return toJs(headwise::fuse(layerFrom(request["layer"]).weights, namedIn(kLayouts, request["layout"])));
}

// { fused: { weight, bias }, output: { weight, bias }, dimensions, layout } → weights
val unfuse(const val& request) {
  return toJs(headwise::unfuse(projectionFrom(request["fused"]), projectionFrom(request["output"]),
                               dimensionsFrom(request["dimensions"]), namedIn(kLayouts, request["layout"])));
}

// { layer, role }
val wideMatrix(const val& request) {
  return toJs(wideProjection(layerFrom(request["layer"]).weights, namedIn(kRoles, request["role"])).weight);
}

// { layout, dimensions, cell: { role, head, row, column } }
val positionIn(const val& request) {
  const val cell = request["cell"];
  const CellPosition position =
      headwise::positionIn(namedIn(kLayouts, request["layout"]), dimensionsFrom(request["dimensions"]),
                           {namedIn(kRoles, cell["role"]), integerFrom(cell["head"]), integerFrom(cell["row"]),
                            integerFrom(cell["column"])});
  val result = val::object();
  result.set("row", toJs(position.row));
  result.set("column", toJs(position.column));
  return result;
}

// { layout, dimensions, position: { row, column } }
val cellAt(const val& request) {
  const val position = request["position"];
  const WeightCell cell = headwise::cellAt(namedIn(kLayouts, request["layout"]), dimensionsFrom(request["dimensions"]),
                                           {integerFrom(position["row"]), integerFrom(position["column"])});
  val result = val::object();
  result.set("role", toJs(nameIn(kRoles, cell.role)));
  result.set("head", toJs(cell.head));
  result.set("row", toJs(cell.row));
  result.set("column", toJs(cell.column));
  return result;
}

// { wide, headCount, transpose }
val splitHeads(const val& request) {
  const Matrix wide = matrixFrom(request["wide"]);
  const Index headCount = integerFrom(request["headCount"]);
  return toJs(request["transpose"].isTrue() ? headwise::splitHeads(wide, headCount)
                                            : splitHeadsWithoutTranspose(wide, headCount));
}

// { heads, transpose }
val mergeHeads(const val& request) {
  const std::vector<Matrix> heads = matricesFrom(request["heads"]);
  return toJs(request["transpose"].isTrue() ? headwise::mergeHeads(heads) : mergeHeadsWithoutTranspose(heads));
}

EMSCRIPTEN_BINDINGS(layout) {
  using emscripten::function;
  function("fuse", &bound<fuse>);
  function("unfuse", &bound<unfuse>);
  function("wideMatrix", &bound<wideMatrix>);
  function("positionIn", &bound<positionIn>);
  function("cellAt", &bound<cellAt>);
  function("splitHeads", &bound<splitHeads>);
  function("mergeHeads", &bound<mergeHeads>);
}

}  // namespace

}  // namespace headwise::bindings
