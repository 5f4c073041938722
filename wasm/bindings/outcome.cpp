#include "outcome.h"

#include "headwise/error.h"

#include <exception>
#include <new>

namespace headwise::bindings {

namespace {

val failure(std::string_view code, std::string_view message, std::string_view argument = {}) {
  val error = object({{"code", toJs(code)}, {"message", toJs(message)}});
  if (!argument.empty()) error.set("argument", toJs(argument));
  return object({{"error", error}});
}

}  // namespace

val outcomeOf(BoundFunction function) {
  try {
    Request request;
    return function(request);
  } catch (const Error& error) {
    return failure(nameOf(error.code()), error.what(), error.argument());
  } catch (const std::bad_alloc&) {
    return failure(nameOf(ErrorCode::tooLarge), "There is not enough memory for this computation; try smaller sizes.");
  } catch (const std::exception& error) {
    return failure("internal", error.what());
  }
}

}  // namespace headwise::bindings
