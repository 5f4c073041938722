// One attention layer and what goes into it: the noun that everything else here is about.
#pragma once

#include "headwise/mask.h"
#include "headwise/pooling.h"
#include "headwise/types.h"
#include "headwise/weights.h"

namespace headwise {

/// What queries, keys and values are made from. Rows are tokens.
struct Inputs {
  Matrix query;  ///< [n_q × d_q]
  Matrix key;    ///< [n_kv × d_k]
  Matrix value;  ///< [n_kv × d_v]

  /// Self-attention: one sequence [n × d] in all three places.
  static Inputs self(const Matrix& input) { return {input, input, input}; }
};

struct Options {
  Pooling pooling = Pooling::scaledDotProduct;
  Scale scale;  ///< ignored by additive pooling
  Mask mask;
};

struct Layer {
  Inputs inputs;
  Weights weights;
  Options options;

  Index queryCount() const { return inputs.query.rows(); }
  Index keyCount() const { return inputs.key.rows(); }
  const Dimensions& dimensions() const { return weights.dimensions; }
  /// Where head j finds its keys and values.
  std::size_t keyValueHeadOf(std::size_t head) const {
    return static_cast<std::size_t>(dimensions().keyValueHeadOf(static_cast<Index>(head)));
  }
  /// The head's score matrices; null for dot products.
  const AdditiveScore* additiveOf(std::size_t head) const {
    return options.pooling == Pooling::additive ? &*weights.heads[head].additive : nullptr;
  }
};

/// One input through a layer of one head and a layer of several, under one mask and one scale.
struct LayerPair {
  Layer single;
  Layer multi;
};

/// One head on queries, keys and values as they are; `additive` is for Pooling::additive. Nothing is checked yet.
Layer unprojectedLayer(Inputs inputs, Options options = {}, std::optional<AdditiveScore> additive = {});

/// Throws for whatever `attend` refuses: shapes that contradict weights.dimensions (shapeMismatch), NaN or infinity (notFinite), sizes of zero or
/// that do not fit together (invalidDimension), a bad mask (invalidOption), a trace above kMaxTraceBytes or work above kMostWork (tooLarge).
void checkLayer(const Layer& layer);

/// The part of it that looks at shapes and not at numbers: cheap, for what is asked again and again of a layer.
void checkShapes(const Layer& layer);

/// Throws unless the pair has one input, one pooling, one scale and one mask (invalidOption), and both layers pass checkLayer.
void checkPair(const LayerPair& pair);

}  // namespace headwise
