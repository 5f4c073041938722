// Every list of names that C++ keeps, for the wrapper's checks and for the test that holds its own lists against them.
#include "headwise/explanation.h"
#include "headwise/trace.h"
#include "headwise/trainer.h"
#include "names.h"
#include "outcome.h"

#include <emscripten/bind.h>

#include <malloc.h>

namespace headwise::bindings {

namespace {

template <class Value, std::size_t count>
val namesOf(const Names<Value, count>& names) {
  val list = val::array();
  for (std::size_t i = 0; i < count; ++i)
    list.set(i, toJs(names[i].second));
  return list;
}

template <class Fields>
val fieldNamesOf(const Fields& fields) {
  val list = val::array();
  for (std::size_t i = 0; i < fields.size(); ++i)
    list.set(i, toJs(fields[i].name));
  return list;
}

val lists(const val&) {
  val traceFields = val::object();
  traceFields.set("keyValueHead", fieldNamesOf(kKeyValueHeadFields));
  traceFields.set("head", fieldNamesOf(kHeadFields));
  traceFields.set("layer", fieldNamesOf(kLayerFields));

  val operations = val::array();
  for (int i = 0; nameOf(static_cast<Operation>(i)) != "unknown"; ++i)
    operations.set(i, toJs(nameOf(static_cast<Operation>(i))));

  val result = val::object();
  result.set("version", toJs(std::string_view(HEADWISE_VERSION)));
  result.set("errorCodes", namesOf(kErrorCodes));
  result.set("traceFields", traceFields);
  result.set("operations", operations);
  result.set("constructions", namesOf(kConstructions));
  result.set("layouts", namesOf(kLayouts));
  result.set("roles", namesOf(kRoles));
  result.set("distributions", namesOf(kDistributions));
  result.set("poolings", namesOf(kPoolings));
  result.set("scales", namesOf(kScales));
  result.set("sharings", namesOf(kSharings));
  result.set("initialisations", namesOf(kInitialisations));
  result.set("optimizers", namesOf(kOptimizers));
  result.set("maskKinds", namesOf(kMaskKinds));
  return result;
}

// Bytes handed out by malloc and not given back.
double allocatedBytes() { return static_cast<double>(static_cast<std::size_t>(mallinfo().uordblks)); }

EMSCRIPTEN_BINDINGS(lists) {
  emscripten::function("lists", &bound<lists>);
  emscripten::function("allocatedBytes", &allocatedBytes);
}

}  // namespace

}  // namespace headwise::bindings
