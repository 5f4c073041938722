#include "outcome.h"

#include "conversion.h"
#include "headwise/error.h"

#include <exception>
#include <new>

namespace headwise::bindings {

namespace {

val failure(std::string_view code, std::string_view message) {
  val error = val::object();
  error.set("code", toJs(code));
  error.set("message", toJs(message));
  val outcome = val::object();
  outcome.set("error", error);
  return outcome;
}

}  // namespace

val outcomeOf(BoundFunction function, const val& request) {
  try {
    val outcome = val::object();
    outcome.set("value", function(request));
    return outcome;
  } catch (const Error& error) {
    return failure(nameOf(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return failure(nameOf(ErrorCode::tooLarge), "There is not enough memory for this computation; try smaller sizes.");
  } catch (const std::exception& error) {
    return failure("internal", error.what());
  }
}

}  // namespace headwise::bindings
