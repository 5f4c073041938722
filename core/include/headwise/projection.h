// A linear map with an optional bias: what turns the input into a head's queries, keys or values, and heads into the output.
#pragma once

#include <optional>

#include "headwise/types.h"

namespace headwise {

struct Projection {
  Matrix weight;  ///< [width in × width out]; empty in a layer without projections, where it is the identity
  std::optional<RowVector> bias;  ///< [width out]

  bool isIdentity() const { return weight.size() == 0; }
};

/// input [n × width in] → [n × width out]: Q_j = H W_j^q + b_j^q. Rows are tokens, matrices multiply from the right
/// ("Attention Is All You Need" 3.2.2; Dive into Deep Learning 11.5.1 writes the transpose, W_j q).
Matrix project(const Matrix& input, const Projection& projection);

/// Columns first … first + count − 1 of weight and bias: one head's part of a wide projection. Throws shapeMismatch if there are no such columns.
Projection columnsOf(const Projection& wide, Index first, Index count);

}  // namespace headwise
