// Every matrix of a layer and its trace under one type, to be read: the way in for the table in computation.h.
#pragma once

#include <optional>

#include "headwise/layer.h"
#include "headwise/trace.h"

namespace headwise::views {

inline MatrixView of(const Matrix& matrix) { return {matrix.data(), matrix.rows(), matrix.cols()}; }
inline MatrixView of(const std::optional<RowVector>& bias) {
  return bias ? MatrixView{bias->data(), 1, bias->size()} : MatrixView{nullptr, 0, 0};
}
inline std::size_t at(Index index) { return static_cast<std::size_t>(index); }

template <Matrix Inputs::*member>
MatrixView input(const Inputs& inputs) {
  return of(inputs.*member);
}
template <Matrix HeadTrace::*member>
MatrixView head(const ForwardTrace& trace, Index j) {
  return of(trace.heads[at(j)].*member);
}
template <Matrix KeyValueHeadTrace::*member>
MatrixView keyValueHead(const ForwardTrace& trace, Index g) {
  return of(trace.keyValueHeads[at(g)].*member);
}
template <Matrix ForwardTrace::*member>
MatrixView layer(const ForwardTrace& trace, Index) {
  return of(trace.*member);
}
template <Projection KeyValueHeadWeights::*member>
MatrixView keyValueWeight(const Weights& weights, Index g) {
  return of((weights.keyValueHeads[at(g)].*member).weight);
}
template <Projection KeyValueHeadWeights::*member>
MatrixView keyValueBias(const Weights& weights, Index g) {
  return of((weights.keyValueHeads[at(g)].*member).bias);
}
inline MatrixView queryWeight(const Weights& weights, Index j) { return of(weights.heads[at(j)].query.weight); }
inline MatrixView queryBias(const Weights& weights, Index j) { return of(weights.heads[at(j)].query.bias); }
template <Matrix AdditiveScore::*member>
MatrixView additive(const Weights& weights, Index j) {
  const auto& score = weights.heads[at(j)].additive;
  return score ? of((*score).*member) : MatrixView{nullptr, 0, 0};
}
inline MatrixView scoreVector(const Weights& weights, Index j) {
  const auto& score = weights.heads[at(j)].additive;
  return score ? MatrixView{score->scoreVector.data(), 1, score->scoreVector.size()} : MatrixView{nullptr, 0, 0};
}
inline MatrixView outputWeight(const Weights& weights, Index) { return of(weights.output.weight); }
inline MatrixView outputBias(const Weights& weights, Index) { return of(weights.output.bias); }

}  // namespace headwise::views
