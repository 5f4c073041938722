// Where weights are kept and how heads are cut: lesson 3, and layers of real models.
#include "headwise/layout.h"

#include "headwise/reshape.h"
#include "outcome.h"
#include "packing.h"
#include "residents.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

Projection projectionFrom(Request& request) {
  Projection projection{request.matrix(), {}};
  if (request.flag()) projection.bias = request.vector();
  return projection;
}

// Weights that belong to no layer that is here yet.
val packedAlone(Weights weights) { return packed(Layer{{}, std::move(weights), {}}, nullptr); }

// layer, layout
val fuse(Request& request) {
  const LayerArgument layer(request);
  const Projection fused = headwise::fuse(layer->weights, request.named(kLayouts));
  return object({{"weight", toJs(fused.weight)}, {"bias", fused.bias ? toJs(*fused.bias) : val::null()}});
}

// sizes, layout, fused, output → weights
val unfuse(Request& request) {
  const Dimensions dimensions = dimensionsFrom(request);
  const Layout layout = request.named(kLayouts);
  const Projection fused = projectionFrom(request), output = projectionFrom(request);
  return packedAlone(headwise::unfuse(fused, output, dimensions, layout));
}

// sizes, query, key, value, output → weights
val weightsFrom(Request& request) {
  const Dimensions dimensions = dimensionsFrom(request);
  SeparateProjections stored;
  for (Projection* projection : {&stored.query, &stored.key, &stored.value, &stored.output})
    *projection = projectionFrom(request);
  return packedAlone(headwise::weightsFrom(stored, dimensions));
}

// layer, role
val wideMatrix(Request& request) {
  const LayerArgument layer(request);
  return toJs(wideProjection(layer->weights, request.named(kRoles)).weight);
}

// layout, sizes, role, head, row, column
val positionIn(Request& request) {
  const Layout layout = request.named(kLayouts);
  const Dimensions dimensions = dimensionsFrom(request);
  const Role role = request.named(kRoles);
  const Index head = request.integer(), row = request.integer(), column = request.integer();
  return toJs(headwise::positionIn(layout, dimensions, {role, head, row, column}));
}

// layout, sizes, row, column
val cellAt(Request& request) {
  const Layout layout = request.named(kLayouts);
  const Dimensions dimensions = dimensionsFrom(request);
  const Index row = request.integer(), column = request.integer();
  const WeightCell cell = headwise::cellAt(layout, dimensions, {row, column});
  return object({{"role", toJs(nameIn(kRoles, cell.role))},
                 {"head", toJs(cell.head)},
                 {"row", toJs(cell.row)},
                 {"column", toJs(cell.column)}});
}

// wide, headCount, order
val splitHeads(Request& request) {
  const Matrix wide = request.matrix();
  const Index headCount = request.integer();
  return toJs(headwise::splitHeads(wide, headCount, request.named(kHeadOrders)));
}

// heads, order
val mergeHeads(Request& request) {
  const std::vector<Matrix> heads = request.matrices();
  return toJs(headwise::mergeHeads(heads, request.named(kHeadOrders)));
}

EMSCRIPTEN_BINDINGS(layout) {
  using emscripten::function;
  function("fuse", &bound<fuse>);
  function("unfuse", &bound<unfuse>);
  function("weightsFrom", &bound<weightsFrom>);
  function("wideMatrix", &bound<wideMatrix>);
  function("positionIn", &bound<positionIn>);
  function("cellAt", &bound<cellAt>);
  function("splitHeads", &bound<splitHeads>);
  function("mergeHeads", &bound<mergeHeads>);
}

}  // namespace

}  // namespace headwise::bindings
