// The usual mistakes by the names that golden files give them: each the right layer with other decisions, or changed first.
#pragma once

#include "headwise/forward.h"

#include <functional>
#include <map>
#include <string>

namespace headwise::test {

struct Mistake {
  Decisions decisions{};
  std::function<void(Layer&)> change{};  ///< empty where the decisions say it all
};

/// Every mistake but attend_over_heads, which is another layer for each token.
const std::map<std::string, Mistake>& knownMistakes();

/// Of the right layer; throws std::runtime_error for a name that is unknown.
ForwardTrace traceOfMistake(const std::string& name, const Layer& right);

}  // namespace headwise::test
