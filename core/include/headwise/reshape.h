// Splitting a wide matrix into heads and merging heads again: the right way, and the ways that only get the shape right.
#pragma once

#include <vector>

#include "headwise/types.h"

namespace headwise {

/// wide [n × h·p] → h matrices [n × p]: x.reshape(n, h, p).transpose(0, 1). Head j gets columns j·p … (j+1)·p − 1 of every token.
std::vector<Matrix> splitHeads(const Matrix& wide, Index headCount);

/// The mistake x.reshape(h, n, p): same shapes, but memory is cut in reading order, so a "head" holds pieces of different tokens.
std::vector<Matrix> splitHeadsWithoutTranspose(const Matrix& wide, Index headCount);

/// h matrices [n × p] → [n × h·p]: x.transpose(0, 1).reshape(n, h·p). The inverse of splitHeads.
Matrix mergeHeads(const std::vector<Matrix>& heads);

/// The mistake x.reshape(n, h·p) on [h, n, p]: token 0 gets head 0 of the first h tokens.
Matrix mergeHeadsWithoutTranspose(const std::vector<Matrix>& heads);

}  // namespace headwise
