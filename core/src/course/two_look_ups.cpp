// Batches, the bound for one head, and the two losses.
#include "headwise/course/two_look_ups.h"

#include <cmath>
#include <string>

#include "../batch_parts.h"
#include "headwise/error.h"
#include "headwise/random.h"

namespace headwise {

namespace {

Index previous(Index token, Index tokenCount) { return (token + tokenCount - 1) % tokenCount; }

}  // namespace

Dimensions TwoLookUps::dimensions(Index headCount, Index headSize) const {
  return {.queryInputSize = contentSize + tokenCount,
          .keyInputSize = contentSize + tokenCount,
          .valueInputSize = contentSize,
          .headCount = headCount,
          .keyValueHeadCount = headCount,
          .querySize = headSize,
          .keySize = headSize,
          .valueSize = headSize,
          .outputSize = 2 * contentSize};
}

Batch TwoLookUps::batch(Index sequenceCount, std::uint64_t seed, std::uint64_t number) const {
  if (sequenceCount < 1)
    throw Error(ErrorCode::invalidDimension,
                "sequenceCount must be at least 1, but is " + std::to_string(sequenceCount) + ".");
  if (sequenceCount > kLargestSize / tokenCount)
    throw Error(ErrorCode::tooLarge,
                "sequenceCount must be at most " + std::to_string(kLargestSize / tokenCount) + ", but is " +
                    std::to_string(sequenceCount) + ".",
                "sequenceCount");
  // Each batch a stream of its own: step 300 has the same batch however one got there.
  Random random(Random(seed ^ streamOf("two look-ups")).next() + number * 0x9E3779B97F4A7C15);
  Random scrambled(random.next());
  Batch batch{{}, Matrix(sequenceCount * tokenCount, 2 * contentSize), sequenceCount};
  batch.inputs.value.resize(sequenceCount * tokenCount, contentSize);
  for (Scalar& number_ : batch.inputs.value.reshaped<Eigen::RowMajor>())
    number_ = scrambled.normal();
  batch.inputs.query = Matrix::Zero(sequenceCount * tokenCount, contentSize + tokenCount);
  batch.inputs.query.leftCols(contentSize) = batch.inputs.value;
  for (Index sequence = 0; sequence < sequenceCount; ++sequence)
    for (Index token = 0; token < tokenCount; ++token) {
      const Index first = sequence * tokenCount, row = first + token;
      batch.inputs.query(row, contentSize + token) = 1;
      batch.target.row(row) << batch.inputs.value.row(first + previous(token, tokenCount)),
          batch.inputs.value.row(first);
    }
  batch.inputs.key = batch.inputs.query;
  return batch;
}

Scalar TwoLookUps::oneHeadBound(const Batch& batch) const {
  // Wanted are two vectors, offered is one subspace of half the directions: the best is their mean in both places, at a cost of half the squared gap.
  checkShape("batch.target", shapeOf(batch.target), {batch.target.rows(), 2 * contentSize}, "tokens × 2 · contentSize");
  const Matrix gap = batch.target.leftCols(contentSize) - batch.target.rightCols(contentSize);
  return gap.squaredNorm() / 2 / static_cast<Scalar>(batch.target.size());
}

TwoLookUps::Losses TwoLookUps::losses(const Weights& weights, const Options& options, const Batch& batch) const {
  checkWeights(weights, options.pooling);
  checkBatch(batch, weights.dimensions);
  Losses squares;
  forEachPart(batch, [&](const Batch& part) {
    const Matrix error = attendBatch(part.inputs, weights, options, part.sequenceCount).output - part.target;
    squares.previous += error.leftCols(contentSize).squaredNorm();
    squares.first += error.rightCols(contentSize).squaredNorm();
  });
  if (!std::isfinite(squares.previous + squares.first))
    throw Error(ErrorCode::notFinite, "The loss overflowed: the layer's output is too far from the target.");
  const Scalar count = static_cast<Scalar>(batch.target.size()) / 2;
  return {squares.previous / count, squares.first / count};
}

}  // namespace headwise
