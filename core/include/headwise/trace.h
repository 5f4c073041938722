// Everything `attend` computed, in the order of computation, and the one list of its fields.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/dimensions.h"
#include "headwise/types.h"

namespace headwise {

/// One query head.
struct HeadTrace {
  Matrix queries;           ///< Q_j = H W_j^q + b_j^q           [n_q × p_q]
  Matrix rawScores;         ///< Q_j K_jᵀ, or additive scores    [n_q × n_kv]
  Matrix scaledScores;      ///< rawScores · scaleFactor         [n_q × n_kv]
  Matrix maskedScores;      ///< + bias, −∞ where hidden         [n_q × n_kv]
  Matrix attentionWeights;  ///< softmax over each row           [n_q × n_kv], rows sum to 1, or 0 if they see nothing
  Matrix output;            ///< attentionWeights V_j            [n_q × p_v]
};

/// One key/value head. Ordinary attention has as many as query heads; grouped attention fewer.
struct KeyValueHeadTrace {
  Matrix keys;    ///< K_g  [n_kv × p_k]
  Matrix values;  ///< V_g  [n_kv × p_v]
};

struct ForwardTrace {
  std::vector<KeyValueHeadTrace> keyValueHeads;
  std::vector<HeadTrace> heads;
  Matrix concatenated;           ///< heads side by side, head j in columns j·p_v … (j+1)·p_v − 1  [n_q × h·p_v]
  Matrix output;                 ///< concatenated W^o + b^o                                       [n_q × p_o]
  Scalar scaleFactor = 1;        ///< what rawScores were multiplied by
  std::vector<Index> emptyRows;  ///< queries that saw no key; their attentionWeights and head outputs are zero
};

template <class Owner>
struct TraceField {
  std::string_view name;
  Matrix Owner::*matrix;
};

// The one list of fields: bindings, golden tests, figures and code export walk these tables. A member without an entry does not compile.
inline constexpr std::array<TraceField<KeyValueHeadTrace>, 2> kKeyValueHeadFields{{
    {"keys", &KeyValueHeadTrace::keys},
    {"values", &KeyValueHeadTrace::values},
}};
inline constexpr std::array<TraceField<HeadTrace>, 6> kHeadFields{{
    {"queries", &HeadTrace::queries},
    {"rawScores", &HeadTrace::rawScores},
    {"scaledScores", &HeadTrace::scaledScores},
    {"maskedScores", &HeadTrace::maskedScores},
    {"attentionWeights", &HeadTrace::attentionWeights},
    {"output", &HeadTrace::output},
}};
inline constexpr std::array<TraceField<ForwardTrace>, 2> kLayerFields{{
    {"concatenated", &ForwardTrace::concatenated},
    {"output", &ForwardTrace::output},
}};
static_assert(sizeof(KeyValueHeadTrace) == kKeyValueHeadFields.size() * sizeof(Matrix));
static_assert(sizeof(HeadTrace) == kHeadFields.size() * sizeof(Matrix));

/// Calls visit(path, matrix) for every matrix of the trace in the order of computation, with paths such as "heads[1].queries".
template <class Visitor>
void forEachMatrix(const ForwardTrace& trace, Visitor&& visit) {
  const auto walk = [&](const auto& owners, const auto& fields, const std::string& name) {
    for (std::size_t i = 0; i < owners.size(); ++i)
      for (const auto& field : fields)
        visit(name + "[" + std::to_string(i) + "]." + std::string(field.name), owners[i].*field.matrix);
  };
  walk(trace.keyValueHeads, kKeyValueHeadFields, "keyValueHeads");
  walk(trace.heads, kHeadFields, "heads");
  for (const auto& field : kLayerFields)
    visit(std::string(field.name), trace.*field.matrix);
}

/// A trace larger than this is refused before anything is allocated: 256 MiB, what a phone's browser tab can still give.
inline constexpr double kMaxTraceBytes = 256.0 * 1024 * 1024;

/// Bytes of all matrices of a trace; a double, since the product of absurd sizes overflows an integer.
double traceBytes(const Dimensions& dimensions, Index queryCount, Index keyCount);

/// Throws tooLarge, with both numbers, if the trace would pass kMaxTraceBytes.
void checkTraceSize(const Dimensions& dimensions, Index queryCount, Index keyCount);

}  // namespace headwise
