// Steps that the per-head form, the fused form and training have in common.
//
// Training runs many short sequences at once, stacked by rows: [count·n × width]. Projections are then one product for all; scores
// are taken sequence by sequence. With one sequence this is plain attention.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/attention.h"
#include "headwise/gradients.h"

namespace headwise {

/// Everything `attend` refuses in its arguments, but for the mask.
void checkArguments(const Inputs& inputs, const Weights& weights, const Options& options);

/// Everything `attendUnprojected` refuses in its arguments, but for the mask; the sizes of its one head.
Dimensions checkUnprojected(const Inputs& inputs, const Options& options, const AdditiveScore* additive);

/// The mask of one sequence, repeated for each of `sequenceCount`.
struct StackedMask {
  Mask mask;
  BoolMatrix visible;  ///< [count·n_q × n_kv]
  Index sequenceCount = 1;
};
StackedMask stackMask(const Mask& mask, Index queryCount, Index keyCount, Index sequenceCount);

/// From one head's queries, keys and values to its output. `additive` is null for dot products; `name` goes into errors.
HeadTrace poolHead(std::string_view name,
                   Matrix queries,
                   const KeyValueHeadTrace& keyValue,
                   const AdditiveScore* additive,
                   Scalar factor,
                   const StackedMask& mask);

struct PooledHeadGradient {
  Matrix queries;
  KeyValueHeadTrace keyValue;  ///< gradients by keys and values
  std::optional<AdditiveScore> additive;
};
/// Zeros of the same shapes.
AdditiveScore zeroLike(const AdditiveScore& score);
/// poolHead in reverse; outputGradient is by the head's output.
PooledHeadGradient poolHeadBackward(const HeadTrace& head,
                                    const KeyValueHeadTrace& keyValue,
                                    const AdditiveScore* additive,
                                    Scalar factor,
                                    const Matrix& outputGradient,
                                    Index sequenceCount);

/// `attend` for stacked sequences, without checks of the arguments.
ForwardTrace attendStacked(const Inputs& inputs, const Weights& weights, const Options& options, Index sequenceCount);

/// What training needs of `backward`, for stacked sequences; the gradients by the inputs follow from those by Q_j, K_g and V_g.
struct StackedGradients {
  Weights weights;
  std::vector<Matrix> queries;                   ///< by Q_j, [count·n_q × p_q] for each head
  std::vector<KeyValueHeadTrace> keyValueHeads;  ///< by K_g and V_g
};
StackedGradients weightGradients(const Inputs& inputs,
                                 const Weights& weights,
                                 const Options& options,
                                 const ForwardTrace& trace,
                                 const Matrix& outputGradient,
                                 Index sequenceCount);

/// Throws notFinite if finite numbers multiplied to something that is not.
void checkOverflow(std::string_view name, const Matrix& matrix);

}  // namespace headwise
