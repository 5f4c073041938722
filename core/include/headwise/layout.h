// Where frameworks keep the query, key and value weights: the same cells in other places.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "headwise/weights.h"

namespace headwise {

enum class Layout {
  gpt2,  ///< c_attn.weight [d × 3·h·p], used as x W + b: columns are all queries, all keys, all values, head after head
  torch,  ///< in_proj_weight [3·h·p × d], used as x Wᵀ + b: rows are all queries, all keys, all values
  interleaved,  ///< query_key_value.weight of GPT-NeoX [h·3·p × d], used as x Wᵀ + b: rows are head 0's q, k, v, then head 1's
};
inline constexpr std::array<std::pair<Layout, std::string_view>, 3> kLayouts{{
    {Layout::gpt2, "gpt2"},
    {Layout::torch, "torch"},
    {Layout::interleaved, "interleaved"},
}};

enum class Role { query, key, value };

/// One cell of one head's matrix.
struct WeightCell {
  Role role = Role::query;
  Index head = 0;
  Index row = 0;     ///< input feature
  Index column = 0;  ///< component of the query, key or value
};

/// Where the cell stands in the fused matrix, as a shape-like (row, column).
struct CellPosition {
  Index row = 0;
  Index column = 0;
  friend bool operator==(const CellPosition&, const CellPosition&) = default;
};
CellPosition positionIn(Layout layout, const Dimensions& dimensions, const WeightCell& cell);
WeightCell cellAt(Layout layout, const Dimensions& dimensions, const CellPosition& position);

/// The three roles of all heads as one matrix and one bias. Needs one input width, one head width and as many key/value heads as query heads (invalidDimension otherwise), and biases for
/// all three roles or none (invalidOption).
Projection fuse(const Weights& weights, Layout layout);

/// The inverse of fuse. `output` is taken as it is: W^o [h·p × p_o], applied from the right.
Weights unfuse(const Projection& fused, const Projection& output, const Dimensions& dimensions, Layout layout);

/// All heads' matrices and biases of one role side by side: [d × h·p], head j in columns j·p … (j+1)·p − 1.
/// Throws invalidOption if some heads have a bias and others none.
Projection wideProjection(const Weights& weights, Role role);

/// The inverse: cuts [d × h·p] into h blocks of p columns. Throws invalidDimension if headCount does not divide the columns.
std::vector<Matrix> columnBlocks(const Matrix& wide, Index headCount);

}  // namespace headwise
