// The one way out of C++: every bound function takes one request and answers with a value, or { error: { code, message, argument? } }.
// No exception crosses: an uncaught one would reach JavaScript as a bare number and never be freed.
#pragma once

#include "answer.h"
#include "request.h"

namespace headwise::bindings {

using BoundFunction = val (*)(Request& request);

val outcomeOf(BoundFunction function);

/// What embind binds: bound<attend>.
template <BoundFunction function>
val bound() {
  return outcomeOf(function);
}

}  // namespace headwise::bindings
