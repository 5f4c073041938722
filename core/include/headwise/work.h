// How long a call may take: bounds on memory alone let some of them run for an hour.
#pragma once

#include <string_view>

#include "headwise/dimensions.h"
#include "headwise/types.h"

namespace headwise {

/// A call that would take more multiply-adds than this is refused before it begins: about 6 s in WebAssembly on a desktop machine.
inline constexpr double kMostWork = 20e9;

/// What a tanh or an exponential counts as: 20 ns in WebAssembly, where a multiply-add of a large product takes 0.3 ns.
inline constexpr double kTranscendentalWork = 60;

/// Multiply-adds of one forward pass. A double, since the product of absurd sizes overflows an integer.
double attendWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount);

/// Of a forward and a backward pass, which takes each product of the former twice: by either factor.
double backwardWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount);

/// Throws tooLarge for more than kMostWork: "<what> would take about 31 billion multiply-adds; the limit is 20 billion. <remedy>"
void checkWork(std::string_view what, double work, std::string_view remedy);

/// checkWork of a forward pass.
void checkAttendWork(const Dimensions& dimensions, Pooling pooling, Index queryCount, Index keyCount);

/// What is returned matrix by matrix may have so many of them: each is an object in JavaScript, which takes far more than a few cells.
inline constexpr double kMostMatrices = 1 << 20;

/// Throws tooLarge for results of more than kMaxTraceBytes or kMostMatrices together. `what` begins the message, `remedy` ends it.
void checkResultSize(std::string_view what, double matrices, double cells, std::string_view remedy);

}  // namespace headwise
