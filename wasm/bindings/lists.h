// The names of an enumeration's values, for JavaScript.
#pragma once

#include "answer.h"
#include "headwise/names.h"

namespace headwise::bindings {

template <class Value, std::size_t count>
val namesOf(const Names<Value, count>& names) {
  val list = val::array();
  for (std::size_t i = 0; i < count; ++i)
    list.set(i, toJs(names[i].second));
  return list;
}

}  // namespace headwise::bindings
