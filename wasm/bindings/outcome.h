// The one way out of C++: every bound function takes one request object and answers { value } or { error: { code, message } }.
// No exception crosses: an uncaught one would reach JavaScript as a bare number and never be freed.
#pragma once

#include <emscripten/val.h>

namespace headwise::bindings {

using BoundFunction = emscripten::val (*)(const emscripten::val& request);

emscripten::val outcomeOf(BoundFunction function, const emscripten::val& request);

/// What embind binds: bound<attend>.
template <BoundFunction function>
emscripten::val bound(emscripten::val request) {
  return outcomeOf(function, request);
}

}  // namespace headwise::bindings
