// Matrices and layers side by side: lesson 4.
#include "headwise/comparison.h"

#include "headwise/course/equality.h"
#include "headwise/split.h"
#include "outcome.h"
#include "packing.h"
#include "residents.h"

#include <emscripten/bind.h>

namespace headwise::bindings {

namespace {

// a, b
val compareMatrices(Request& request) {
  const Matrix a = request.matrix(), b = request.matrix();
  const Comparison comparison = headwise::compareMatrices(a, b);
  return object({{"sameShape", toJs(comparison.sameShape)},
                 {"equal", toJs(comparison.equal)},
                 {"largestDifference", toJs(comparison.largestDifference)},
                 {"row", toJs(comparison.row)},
                 {"column", toJs(comparison.column)},
                 {"largestMagnitude", toJs(comparison.largestMagnitude)},
                 {"tolerance", toJs(comparison.tolerance)}});
}

// matrix
val largestCell(Request& request) { return toJs(headwise::largestCell(request.matrix())); }

// matrices
val cosineSimilarity(Request& request) { return toJs(headwise::cosineSimilarity(request.matrices())); }

// layer, headCount → weights
val splitSingleHead(Request& request) {
  const LayerArgument layer(request);
  return packed(headwise::splitSingleHead(layer->weights, request.integer()), *layer);
}

// Two layers over one input, under one mask and one scale.
LayerPair pairFrom(const LayerArgument& single, const LayerArgument& multi) { return {*single, *multi}; }

// single, split
val decomposeScores(Request& request) {
  LayerArgument single(request), split(request);
  // Raw scores know no mask and no scale: only the inputs have to be the same.
  LayerPair pair = pairFrom(single, split);
  pair.multi.options = pair.single.options;
  checkPair(pair);
  const ScoreDecomposition decomposition = headwise::decomposeScores(single.trace(), split.trace());
  return object({{"terms", toJs(decomposition.terms)},
                 {"sum", toJs(decomposition.sum)},
                 {"largestDifference", toJs(decomposition.largestDifference)}});
}

// construction, single, headCount → two layers, and what became of mask and scale
val constructEqualPair(Request& request) {
  const Construction construction = request.named(kConstructions);
  const LayerArgument single(request);
  const LayerPair pair = headwise::constructEqualPair(construction, *single, request.integer());
  const Options &before = single->options, &after = pair.single.options;
  return object({{"single", packed(pair.single, &*single)},
                 {"multi", packed(pair.multi, &*single)},
                 {"keepsMask", toJs(after.mask.isNone() == before.mask.isNone())},
                 {"keepsScale", toJs(after.scale == before.scale)}});
}

// construction, single, multi
val distanceFrom(Request& request) {
  const Construction construction = request.named(kConstructions);
  const LayerArgument single(request), multi(request);
  return val(headwise::distanceFrom(construction, pairFrom(single, multi)));  // ∞ where sizes forbid it
}

// single, multi
val judgeOwnConstruction(Request& request) {
  const LayerArgument single(request), multi(request);
  const OwnConstruction judgement = headwise::judgeOwnConstruction(pairFrom(single, multi));
  return object({{"largestDifference", toJs(judgement.largestDifference)},
                 {"equal", toJs(judgement.equal)},
                 {"equalWithLargerScores", toJs(judgement.equalWithLargerScores)},
                 {"used", judgement.used ? toJs(nameIn(kConstructions, *judgement.used)) : val::null()},
                 {"outputIsZero", toJs(judgement.outputIsZero)},
                 {"outputSameForAllTokens", toJs(judgement.outputSameForAllTokens)},
                 {"accepted", toJs(judgement.accepted)}});
}

EMSCRIPTEN_BINDINGS(comparison) {
  using emscripten::function;
  function("compareMatrices", &bound<compareMatrices>);
  function("largestCell", &bound<largestCell>);
  function("cosineSimilarity", &bound<cosineSimilarity>);
  function("splitSingleHead", &bound<splitSingleHead>);
  function("decomposeScores", &bound<decomposeScores>);
  function("constructEqualPair", &bound<constructEqualPair>);
  function("distanceFrom", &bound<distanceFrom>);
  function("judgeOwnConstruction", &bound<judgeOwnConstruction>);
}

}  // namespace

}  // namespace headwise::bindings
