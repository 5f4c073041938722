// Gradients by the names that golden files give them.
#pragma once

#include "golden_layer.h"
#include "golden_report.h"
#include "headwise/gradients.h"

#include <map>
#include <string>
#include <vector>

namespace headwise::test {

/// "W_q" holds one matrix for each head, "b_q" one [h × p], "b_o" one [1 × p_o]; the inputs by the names of their kind.
using NamedGradients = std::map<std::string, std::vector<Matrix>>;

/// Of Σ output ∘ outputGradient.
NamedGradients gradientsOf(const Layer& layer, const Matrix& outputGradient);
/// The projections of a layer, by name; those of gradients have the same shapes.
NamedGradients namedProjections(const Weights& weights);

/// Every listed name; one that is not a gradient of the layer is a problem.
void compareGradients(GoldenReport& report,
                      const std::string& where,
                      const NamedGradients& gradients,
                      const Json& expected);
/// The Euclidean norm of all entries under a name.
void compareNorms(GoldenReport& report,
                  const std::string& where,
                  const NamedGradients& gradients,
                  const Json& expected);

}  // namespace headwise::test
