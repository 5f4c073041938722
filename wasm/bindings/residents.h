// Layers that stay in the module: JavaScript holds a number, the wrapper makes it a handle.
#pragma once

#include "headwise/layer.h"
#include "headwise/trace.h"
#include "request.h"

#include <optional>

namespace headwise::bindings {

/// A layer and, once somebody has asked for it, its trace.
class Resident {
 public:
  explicit Resident(Layer layer) : layer_(std::move(layer)) {}
  const Layer& layer() const { return layer_; }
  const ForwardTrace& trace();

 private:
  Layer layer_;
  std::optional<ForwardTrace> trace_;
};

/// A layer among the arguments of a call: the number of one that is here, or 0 and then the layer itself, for as long as the call takes.
class LayerArgument {
 public:
  explicit LayerArgument(Request& request);
  LayerArgument(const LayerArgument&) = delete;
  LayerArgument& operator=(const LayerArgument&) = delete;
  const Layer& operator*() const { return resident_->layer(); }
  const Layer* operator->() const { return &resident_->layer(); }
  const ForwardTrace& trace() { return resident_->trace(); }

 private:
  std::optional<Resident> passing_;
  Resident* resident_;
};

/// How many forward passes of single layers the module has run.
void countForwardPass();

}  // namespace headwise::bindings
