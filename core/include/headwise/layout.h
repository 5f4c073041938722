// Where frameworks keep the query, key and value weights: the same cells in other places.
#pragma once

#include "headwise/comparison.h"
#include "headwise/names.h"
#include "headwise/weights.h"

namespace headwise {

/// With grouped keys and values (h_kv < h) the first two have h·p query columns, then h_kv·p of keys and h_kv·p of values.
enum class Layout {
  gpt2,  ///< c_attn.weight [d × (h + 2h_kv)·p], used as x W + b: columns are all queries, all keys, all values, head after head
  torch,  ///< in_proj_weight [(h + 2h_kv)·p × d], used as x Wᵀ + b: rows are all queries, all keys, all values: (3, h, p)
  interleaved,  ///< query_key_value.weight of GPT-NeoX and Megatron [h·3·p × d], used as x Wᵀ + b: head 0's q, k, v, then head 1's: (h, 3, p)
};
inline constexpr Names<Layout, 3> kLayouts{{
    {Layout::gpt2, "gpt2"},
    {Layout::torch, "torch"},
    {Layout::interleaved, "interleaved"},
}};

enum class Role { query, key, value };
inline constexpr Names<Role, 3> kRoles{{
    {Role::query, "query"},
    {Role::key, "key"},
    {Role::value, "value"},
}};

/// One cell of one head's matrix.
struct WeightCell {
  Role role = Role::query;
  Index head = 0;
  Index row = 0;     ///< input feature
  Index column = 0;  ///< component of the query, key or value
};

/// Where the cell stands in the fused matrix, and back. Throws as `fuse`, and shapeMismatch for a cell or position that is not there.
CellPosition positionIn(Layout layout, const Dimensions& dimensions, const WeightCell& cell);
WeightCell cellAt(Layout layout, const Dimensions& dimensions, const CellPosition& position);

/// The three roles of all heads as one matrix and one bias. Needs one input width and one head width, and for `interleaved` as many key/value
/// heads as query heads (invalidDimension otherwise), and biases for all three roles or none (invalidOption).
Projection fuse(const Weights& weights, Layout layout);

/// The inverse of fuse. `output` is stored as the layout stores matrices: W^o [h·p × p_o] for gpt2, transposed for the others.
Weights unfuse(const Projection& fused, const Projection& output, const Dimensions& dimensions, Layout layout);

/// Separate matrices, as Llama and most others keep them: q_proj.weight [h·p_q × d_q], k_proj.weight [h_kv·p_k × d_k], v_proj.weight, o_proj.weight
/// [p_o × h·p_v], all used as x Wᵀ + b.
struct SeparateProjections {
  Projection query;
  Projection key;
  Projection value;
  Projection output;
};
Weights weightsFrom(const SeparateProjections& stored, const Dimensions& dimensions);

/// How many heads have a matrix of that role, and one head's.
Index headCountOf(const Weights& weights, Role role);
const Projection& projectionOf(const Weights& weights, Role role, Index head);

/// All heads' matrices and biases of one role side by side: [d × h·p], head j in columns j·p … (j+1)·p − 1.
/// Throws invalidOption if some heads have a bias and others none.
Projection wideProjection(const Weights& weights, Role role);

}  // namespace headwise
