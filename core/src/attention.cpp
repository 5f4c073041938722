// The layer as it should be, and each head's share of its output.
#include "headwise/attention.h"

#include "headwise/computation.h"
#include "headwise/error.h"
#include "headwise/forward.h"
#include "headwise/work.h"

namespace headwise {

ForwardTrace attend(const Layer& layer) { return forward(layer); }

std::vector<Matrix> outputContributions(const Layer& layer, const ForwardTrace& trace) {
  checkWeights(layer.weights, layer.options.pooling);
  checkTrace(layer, trace);
  if (!layer.weights.isProjected) return {trace.output};
  const Index valueSize = layer.dimensions().valueSize;
  checkResultSize("The contributions of all heads", static_cast<double>(layer.dimensions().headCount),
                  static_cast<double>(layer.dimensions().headCount) * static_cast<double>(trace.output.size()),
                  "Use fewer tokens, heads or columns.");
  std::vector<Matrix> contributions;
  for (std::size_t j = 0; j < trace.heads.size(); ++j)
    contributions.push_back(trace.heads[j].output *
                            layer.weights.output.weight.middleRows(static_cast<Index>(j) * valueSize, valueSize));
  for (std::size_t j = 0; j < contributions.size(); ++j)
    checkOverflow("The contribution of head " + std::to_string(j), contributions[j]);
  return contributions;
}

}  // namespace headwise
