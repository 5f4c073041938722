// Layers and traces as numbers in a row, in the order of the core's table of fields. wrapper/packing.mjs is the other side.
//
//   a layer: n_q, n_kv, the sizes in the order of kSizes, pooling, scale (its rule, or NaN and then the factor), for each field that is put
//            in whether it is there (Present), the mask, then the cells of every field that is there, matrix by matrix
//   a mask:  its alignment or NaN, its window or NaN, whether there are lengths and they, whether there is a pattern and its cells, the number of biases and their cells
//   a trace: scaleFactor, number of heads and of key/value heads, empty rows, for each field of the trace its rows and columns, then the cells of its matrices
//
// A layer that goes back has no pooling, scale or mask: those are as they were, and the wrapper has them.
#pragma once

#include "answer.h"
#include "headwise/computation.h"
#include "request.h"

#include <array>
#include <string_view>
#include <utility>

namespace headwise::bindings {

/// The sizes of a layer in the order in which they are sent.
inline constexpr std::array<std::pair<std::string_view, Index Dimensions::*>, 10> kSizes{{
    {"queryInputSize", &Dimensions::queryInputSize},
    {"keyInputSize", &Dimensions::keyInputSize},
    {"valueInputSize", &Dimensions::valueInputSize},
    {"headCount", &Dimensions::headCount},
    {"keyValueHeadCount", &Dimensions::keyValueHeadCount},
    {"querySize", &Dimensions::querySize},
    {"keySize", &Dimensions::keySize},
    {"valueSize", &Dimensions::valueSize},
    {"outputSize", &Dimensions::outputSize},
    {"scoreHiddenSize", &Dimensions::scoreHiddenSize},
}};
static_assert(sizeof(Dimensions) == kSizes.size() * sizeof(Index));

/// Whether the cells of a field follow.
enum class Present {
  no,           ///< there is none: a weight that the layer lacks, the inputs of weights that came without a layer
  here,         ///< they do
  asBefore,     ///< an input that is the one before it in the table: one sequence in several places
  asInRequest,  ///< on the way back: an input that is still the one that was sent
};

Dimensions dimensionsFrom(Request& request);
Scale scaleFrom(Request& request);
Mask maskFrom(Request& request, Index queryCount, Index keyCount);
Layer layerFrom(Request& request);

/// `sent` is the layer that the wrapper has already, whose inputs need not go back; null if there is none.
val packed(const Layer& layer, const Layer* sent);
/// Weights alone.
val packed(const Weights& weights, const Layer& sent);
val packed(const ForwardTrace& trace);

}  // namespace headwise::bindings
