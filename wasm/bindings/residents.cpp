#include "residents.h"

#include "headwise/attention.h"
#include "headwise/error.h"
#include "outcome.h"
#include "packing.h"

#include <emscripten/bind.h>

#include <map>

namespace headwise::bindings {

namespace {

std::map<int, Resident>& residents() {
  static std::map<int, Resident> all;
  return all;
}

double forwardPasses = 0;

// layer → its number
val openLayer(Request& request) {
  static int lastNumber = 0;
  Layer layer = layerFrom(request);
  residents().emplace(++lastNumber, std::move(layer));
  return val(lastNumber);
}

val closeLayer(Request& request) {
  residents().erase(static_cast<int>(request.integer()));
  return val::undefined();
}

double forwardPassCount() { return forwardPasses; }

EMSCRIPTEN_BINDINGS(residents) {
  using emscripten::function;
  function("openLayer", &bound<openLayer>);
  function("closeLayer", &bound<closeLayer>);
  function("forwardPasses", &forwardPassCount);
}

}  // namespace

void countForwardPass() { ++forwardPasses; }

const ForwardTrace& Resident::trace() {
  if (!trace_) {
    trace_ = attend(layer_);
    countForwardPass();
  }
  return *trace_;
}

LayerArgument::LayerArgument(Request& request) {
  const auto number = static_cast<int>(request.integer());
  if (number == 0) {
    resident_ = &passing_.emplace(layerFrom(request));
    return;
  }
  const auto found = residents().find(number);
  if (found == residents().end()) throw Error(ErrorCode::invalidOption, "This layer has been disposed of.");
  resident_ = &found->second;
}

}  // namespace headwise::bindings
