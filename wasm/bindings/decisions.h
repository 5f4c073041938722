// What `forward` lets one decide, as a table: names and values for JavaScript, and how each is read.
#pragma once

#include "headwise/forward.h"
#include "outcome.h"

namespace headwise::bindings {

/// Every decision in the order of the table, NaN for one that is left as it is.
Decisions decisionsFrom(Request& request);

/// [{ name, values }]: values are the names that would do, or "flag", "number" or "scale".
val decisionList();

}  // namespace headwise::bindings
