// Splitting a wide matrix into heads and merging heads again: the right way, and the ways that only get the shape right.
#pragma once

#include <vector>

#include "headwise/names.h"
#include "headwise/types.h"

namespace headwise {

/// Which cells of a wide matrix [n × h·p] are head j's [n × p].
enum class HeadOrder {
  blocks,  ///< columns j·p … (j+1)·p − 1 of every token: x.reshape(n, h, p).transpose(0, 1)
  withoutTranspose,  ///< the mistake x.reshape(h, n, p): memory cut in reading order, so a "head" holds pieces of different tokens
  strided,  ///< columns j, j + h, j + 2h …: x.reshape(n, p, h), another order than the usual, consistent if merged the same way
};
inline constexpr Names<HeadOrder, 3> kHeadOrders{{
    {HeadOrder::blocks, "blocks"},
    {HeadOrder::withoutTranspose, "withoutTranspose"},
    {HeadOrder::strided, "strided"},
}};

/// wide [n × h·p] → h matrices [n × p]. Throws invalidDimension if headCount does not divide the columns.
std::vector<Matrix> splitHeads(const Matrix& wide, Index headCount, HeadOrder order = HeadOrder::blocks);

/// h matrices [n × p] → [n × h·p], the inverse of splitHeads in the same order.
Matrix mergeHeads(const std::vector<Matrix>& heads, HeadOrder order = HeadOrder::blocks);

}  // namespace headwise
