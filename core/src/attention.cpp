// The layer as it should be, and each head's share of its output.
#include "headwise/attention.h"

#include "headwise/computation.h"
#include "headwise/forward.h"

namespace headwise {

ForwardTrace attend(const Layer& layer) { return forward(layer); }

std::vector<Matrix> outputContributions(const Layer& layer, const ForwardTrace& trace) {
  checkWeights(layer.weights, layer.options.pooling);
  checkTrace(layer, trace);
  if (!layer.weights.isProjected) return {trace.output};
  const Index valueSize = layer.dimensions().valueSize;
  std::vector<Matrix> contributions;
  for (std::size_t j = 0; j < trace.heads.size(); ++j)
    contributions.push_back(trace.heads[j].output *
                            layer.weights.output.weight.middleRows(static_cast<Index>(j) * valueSize, valueSize));
  return contributions;
}

}  // namespace headwise
