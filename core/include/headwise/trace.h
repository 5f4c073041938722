// Everything `attend` computed, in the order of computation. What each matrix is stands in computation.h.
#pragma once

#include <vector>

#include "headwise/types.h"

namespace headwise {

/// One query head.
struct HeadTrace {
  Matrix queries;           ///< Q_j = H W_j^q + b_j^q           [n_q × p_q]
  Matrix rawScores;         ///< Q_j K_gᵀ, or additive scores    [n_q × n_kv]
  Matrix scaledScores;      ///< rawScores · scaleFactor         [n_q × n_kv]
  Matrix maskedScores;      ///< + bias, −∞ where hidden         [n_q × n_kv]
  Matrix attentionWeights;  ///< softmax over each row           [n_q × n_kv], rows sum to 1, or 0 if they see nothing
  Matrix output;            ///< attentionWeights V_g            [n_q × p_v]
};

/// One key/value head. Ordinary attention has as many as query heads; grouped attention fewer.
struct KeyValueHeadTrace {
  Matrix keys;    ///< K_g  [n_kv × p_k]
  Matrix values;  ///< V_g  [n_kv × p_v]
};

struct ForwardTrace {
  std::vector<KeyValueHeadTrace> keyValueHeads;
  std::vector<HeadTrace> heads;
  Matrix concatenated;     ///< heads side by side, head j in columns j·p_v … (j+1)·p_v − 1  [n_q × h·p_v]
  Matrix output;           ///< concatenated W^o + b^o                                       [n_q × p_o]
  Scalar scaleFactor = 1;  ///< what rawScores were multiplied by
  std::vector<Index>
      emptyRows;  ///< queries that saw no key in any head; their attentionWeights and head outputs are zero
};

}  // namespace headwise
