// Lesson 4: when one head and several compute exactly the same. Eight constructions, and a judge for a ninth.
#pragma once

#include <optional>

#include "headwise/comparison.h"
#include "headwise/layer.h"
#include "headwise/names.h"

namespace headwise {

/// a–f keep the single head's matrices; g and h change or rescale them.
enum class Construction {
  oneHead,        ///< (a) h = 1
  oneKey,         ///< (b) one key: its weight is 1 whatever the score
  constantInput,  ///< (c) every token the same: all rows of V are equal, any weighted mean is that row
  zeroQuery,      ///< (d) W_q = 0: all scores 0, uniform weights
  zeroKey,        ///< (e) W_k = 0: the same
  fullScores,     ///< (f) every head keeps all of W_q and W_k, only W_v is cut
  equalBlocks,    ///< (g) single W_q = [A … A], W_k = [B … B]; heads √h·A and B
  rescaledHeads,  ///< (h) heads c_j·W_q and W_k / c_j at full width, c_j = 1, −2, 3, −4 …; W_v cut
};
inline constexpr Names<Construction, 8> kConstructions{{
    {Construction::oneHead, "oneHead"},
    {Construction::oneKey, "oneKey"},
    {Construction::constantInput, "constantInput"},
    {Construction::zeroQuery, "zeroQuery"},
    {Construction::zeroKey, "zeroKey"},
    {Construction::fullScores, "fullScores"},
    {Construction::equalBlocks, "equalBlocks"},
    {Construction::rescaledHeads, "rescaledHeads"},
}};

/// Changes the given single-head layer as the construction says and builds its partner of headCount heads.
/// Throws invalidDimension if headCount does not divide the widths that have to be cut, notFinite if rescaled numbers overflow.
LayerPair constructEqualPair(Construction construction, const Layer& single, Index headCount);

/// How far the pair is from meeting the construction's condition: the largest amount by which a matrix would have to change,
/// 0 if it holds exactly, infinity if sizes forbid it or it is past the largest number.
Scalar distanceFrom(Construction construction, const LayerPair& pair);

/// A construction whose condition holds this closely counts as used.
inline constexpr Scalar kConditionTolerance = 1e-6;

/// The concatenated heads of both layers may differ by so much, absolutely: room for a factor like √2 − 1 typed with ten digits.
inline constexpr Scalar kChallengeTolerance = 1e-9;

/// Lesson 4's challenge: make the outputs agree in a way that is none of the constructions.
struct OwnConstruction {
  Scalar largestDifference = 0;  ///< of the concatenated heads of both layers
  bool equal = false;            ///< largestDifference < kChallengeTolerance
  /// Equal too with all queries scaled up until scores reach 1, by a million at most: scores that are nearly 0 make any two layers agree.
  bool equalWithLargerScores = false;
  std::optional<Construction> used;     ///< a construction whose condition holds within kConditionTolerance
  bool outputIsZero = false;            ///< concatenated is zero within kConditionTolerance
  bool outputSameForAllTokens = false;  ///< all rows of concatenated agree within kConditionTolerance
  bool accepted = false;                ///< both kinds of equal, none used, neither zero nor the same for all tokens
};
OwnConstruction judgeOwnConstruction(const LayerPair& pair);

}  // namespace headwise
