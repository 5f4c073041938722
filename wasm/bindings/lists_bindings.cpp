// Every list of names that the core keeps, and its table of fields: for the wrapper's checks, for callers, and for the test that holds
// headwise.d.ts against them.
#include "decisions.h"
#include "headwise/course/equality.h"
#include "headwise/forward.h"
#include "headwise/layout.h"
#include "headwise/trainer.h"
#include "lists.h"
#include "outcome.h"
#include "packing.h"

#include <emscripten/bind.h>

#include <malloc.h>

namespace headwise::bindings {

namespace {

val fieldToJs(const Field& field) {
  val operands = val::array();
  for (std::size_t i = 0; i < field.operands.size() && !field.operands[i].path.empty(); ++i)
    operands.set(
        i, object({{"path", toJs(field.operands[i].path)}, {"slice", toJs(nameIn(kSlices, field.operands[i].slice))}}));
  return object({{"path", toJs(field.path)},
                 {"part", toJs(nameIn(kParts, field.part()))},
                 {"owner", toJs(nameIn(kOwners, field.owner))},
                 {"symbol", toJs(field.symbol)},
                 {"rows", toJs(nameIn(kAxes, field.rows))},
                 {"columns", toJs(nameIn(kAxes, field.columns))},
                 {"role", toJs(nameIn(kFieldRoles, field.role))},
                 {"operation", toJs(nameIn(kOperations, field.operation))},
                 {"operands", operands},
                 {"formula", toJs(field.formula)}});
}

val fieldList() {
  val list = val::array();
  for (std::size_t i = 0; i < kFields.size(); ++i)
    list.set(i, fieldToJs(kFields[i]));
  return list;
}

val sizeNames() {
  val list = val::array();
  for (std::size_t i = 0; i < kSizes.size(); ++i)
    list.set(i, toJs(kSizes[i].first));
  return list;
}

val lists(Request&) {
  return object({{"version", toJs(std::string_view(HEADWISE_VERSION))},
                 {"fields", fieldList()},
                 {"sizes", sizeNames()},
                 {"decisions", decisionList()},
                 {"alignments", namesOf(kAlignments)},
                 {"axes", namesOf(kAxes)},
                 {"constructions", namesOf(kConstructions)},
                 {"distributions", namesOf(kDistributions)},
                 {"errorCodes", namesOf(kErrorCodes)},
                 {"headOrders", namesOf(kHeadOrders)},
                 {"initialisations", namesOf(kInitialisations)},
                 {"layouts", namesOf(kLayouts)},
                 {"operations", namesOf(kOperations)},
                 {"optimizers", namesOf(kOptimizers)},
                 {"owners", namesOf(kOwners)},
                 {"parts", namesOf(kParts)},
                 {"fieldRoles", namesOf(kFieldRoles)},
                 {"poolings", namesOf(kPoolings)},
                 {"roles", namesOf(kRoles)},
                 {"scales", namesOf(kScaleRules)},
                 {"sharings", namesOf(kSharings)},
                 {"slices", namesOf(kSlices)}});
}

// Bytes handed out by malloc and not given back.
double allocatedBytes() { return static_cast<double>(static_cast<std::size_t>(mallinfo().uordblks)); }

EMSCRIPTEN_BINDINGS(lists) {
  emscripten::function("lists", &bound<lists>);
  emscripten::function("allocatedBytes", &allocatedBytes);
}

}  // namespace

}  // namespace headwise::bindings
