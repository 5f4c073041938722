// Bytes ↔ layers. One description serves both directions: the fuzzer reads a layer from any bytes, the seeds write the golden layers as bytes.
#pragma once

#include "headwise/attention.h"
#include "headwise/computation.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace headwise::fuzz {

/// No layer is wider or longer: what goes wrong in sizes goes wrong in small ones, and they run a thousand times as often.
inline constexpr Index kMostSize = 24;

inline constexpr std::array<Scalar, 16> kExtremes{0,
                                                  -0.0,
                                                  1,
                                                  -1,
                                                  0.5,
                                                  1e-300,
                                                  5e-324,
                                                  1e154,
                                                  -1e154,
                                                  1e308,
                                                  -1e308,
                                                  std::numeric_limits<Scalar>::max(),
                                                  -std::numeric_limits<Scalar>::max(),
                                                  std::numeric_limits<Scalar>::infinity(),
                                                  -std::numeric_limits<Scalar>::infinity(),
                                                  std::numeric_limits<Scalar>::quiet_NaN()};
inline constexpr std::uint8_t kRaw = 255;

/// Kinds of calls that core_fuzz.cpp makes: the first byte says which.
inline constexpr char kActions = 16;

/// Past the end it goes on with numbers made up, so that few bytes make a whole layer.
class Reader {
 public:
  static constexpr bool isReading = true;
  Reader(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::uint8_t byte() { return at_ == end_ ? static_cast<std::uint8_t>((made_ = made_ * 73 + 41) >> 8) : *at_++; }
  bool isAtEnd() const { return at_ == end_; }
  void flag(bool& value) { value = (byte() & 1) != 0; }
  void size(Index& value) { value = byte() % (kMostSize + 1); }
  template <class Value>
  void count(Value& value) {
    value = byte();
  }
  template <class Value, std::size_t names>
  void named(Value& value, const Names<Value, names>& list) {
    value = list[byte() % names].first;
  }
  void cell(Scalar& value) {
    const std::uint8_t tag = byte();
    if (tag < kExtremes.size())
      value = kExtremes[tag];
    else if (tag == kRaw && end_ - at_ >= 8)
      std::memcpy(&value, at_, 8), at_ += 8;
    else
      value = (tag - 128) / 16.0;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint32_t made_ = 1;
};

class Writer {
 public:
  static constexpr bool isReading = false;
  std::vector<std::uint8_t> bytes;

  void flag(bool& value) { bytes.push_back(value ? 1 : 0); }
  void size(Index& value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
  template <class Value>
  void count(Value& value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  template <class Value, std::size_t names>
  void named(Value& value, const Names<Value, names>& list) {
    for (std::size_t i = 0; i < names; ++i)
      if (list[i].first == value) bytes.push_back(static_cast<std::uint8_t>(i));
  }
  void cell(Scalar& value) {
    std::array<std::uint8_t, 8> raw;
    std::memcpy(raw.data(), &value, 8);
    bytes.push_back(kRaw);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
};

template <class Archive>
void describe(Archive& archive, Matrix& matrix, Index rows, Index columns) {
  if constexpr (Archive::isReading) matrix.resize(rows, columns);
  for (Scalar& cell : matrix.reshaped<Eigen::RowMajor>())
    archive.cell(cell);
}

template <class Archive>
void describe(Archive& archive, RowVector& vector, Index size) {
  if constexpr (Archive::isReading) vector.resize(size);
  for (Scalar& cell : vector)
    archive.cell(cell);
}

template <class Archive>
void describe(Archive& archive, Projection& projection, Index rows, Index columns) {
  bool hasBias = projection.bias.has_value();
  archive.flag(hasBias);
  describe(archive, projection.weight, rows, columns);
  if (!hasBias) return;
  if constexpr (Archive::isReading) projection.bias.emplace();
  describe(archive, *projection.bias, columns);
}

template <class Archive>
void describe(Archive& archive, Mask& mask, Index queryCount, Index keyCount) {
  bool causal = mask.causal.has_value(), window = mask.window.has_value(), lengths = mask.validLengths.has_value(),
       keep = mask.keep.has_value();
  for (bool* part : {&causal, &window, &lengths, &keep})
    archive.flag(*part);
  if constexpr (Archive::isReading) {
    if (causal) mask.causal.emplace();
    if (window) mask.window.emplace();
    if (lengths) mask.validLengths.emplace();
    if (keep) mask.keep.emplace(queryCount, keyCount);
  }
  if (causal) archive.named(*mask.causal, kAlignments);
  if (window) archive.size(*mask.window);
  if (lengths) {
    auto count = static_cast<Index>(mask.validLengths->size());
    archive.size(count);
    mask.validLengths->resize(static_cast<std::size_t>(count));
    for (Index& length : *mask.validLengths)
      archive.size(length);
  }
  if (keep)
    for (bool& visible : mask.keep->reshaped<Eigen::RowMajor>())
      archive.flag(visible);
  auto biases = static_cast<Index>(mask.biases.size());
  archive.size(biases);
  if constexpr (Archive::isReading) mask.biases.resize(static_cast<std::size_t>(biases % 4));
  for (Matrix& bias : mask.biases)
    describe(archive, bias, queryCount, keyCount);
}

/// Sizes that go together, unless `asTheyAre`: most random ones would be refused before anything is computed.
inline void mend(Dimensions& dimensions, Pooling pooling) {
  for (Index Dimensions::*size : {&Dimensions::queryInputSize, &Dimensions::keyInputSize, &Dimensions::valueInputSize,
                                  &Dimensions::headCount, &Dimensions::keyValueHeadCount, &Dimensions::querySize,
                                  &Dimensions::keySize, &Dimensions::valueSize, &Dimensions::outputSize})
    dimensions.*size = std::max<Index>(1, dimensions.*size);
  if (dimensions.headCount % dimensions.keyValueHeadCount != 0) dimensions.keyValueHeadCount = dimensions.headCount;
  if (pooling == Pooling::scaledDotProduct) dimensions.keySize = dimensions.querySize;
  if (pooling == Pooling::additive) dimensions.scoreHiddenSize = std::max<Index>(1, dimensions.scoreHiddenSize);
}

template <class Archive>
void describe(Archive& archive, Layer& layer) {
  Weights& weights = layer.weights;
  Dimensions& dimensions = weights.dimensions;
  bool asTheyAre = false, isSelf = layer.inputs.query.size() != 0 &&
                                   shapeOf(layer.inputs.query) == shapeOf(layer.inputs.key) &&
                                   shapeOf(layer.inputs.key) == shapeOf(layer.inputs.value) &&
                                   layer.inputs.query == layer.inputs.key && layer.inputs.key == layer.inputs.value;
  Index queryCount = layer.queryCount(), keyCount = layer.keyCount();
  archive.flag(asTheyAre);
  archive.flag(isSelf);
  archive.flag(weights.isProjected);
  archive.named(layer.options.pooling, kPoolings);
  bool isFactor = layer.options.scale.rule == Scale::Rule::factor;
  archive.flag(isFactor);
  if (isFactor) {
    layer.options.scale.rule = Scale::Rule::factor;
    archive.cell(layer.options.scale.factor);
  } else {
    archive.named(layer.options.scale.rule, kScaleRules);
  }
  archive.size(queryCount);
  archive.size(keyCount);
  for (Index Dimensions::*size :
       {&Dimensions::queryInputSize, &Dimensions::keyInputSize, &Dimensions::valueInputSize, &Dimensions::headCount,
        &Dimensions::keyValueHeadCount, &Dimensions::querySize, &Dimensions::keySize, &Dimensions::valueSize,
        &Dimensions::outputSize, &Dimensions::scoreHiddenSize})
    archive.size(dimensions.*size);
  if (!asTheyAre) {
    mend(dimensions, layer.options.pooling);
    queryCount = std::max<Index>(1, queryCount);
    keyCount = std::max<Index>(1, keyCount);
    if (isSelf) {
      keyCount = queryCount;
      dimensions.keyInputSize = dimensions.valueInputSize = dimensions.queryInputSize;
    }
    if (!weights.isProjected) {
      dimensions.headCount = dimensions.keyValueHeadCount = 1;
      if (layer.options.pooling == Pooling::scaledDotProduct) dimensions.keyInputSize = dimensions.queryInputSize;
      dimensions.querySize = dimensions.queryInputSize;
      dimensions.keySize = dimensions.keyInputSize;
      dimensions.valueSize = dimensions.outputSize = dimensions.valueInputSize;
    }
  }
  Inputs& inputs = layer.inputs;
  describe(archive, inputs.query, queryCount, dimensions.queryInputSize);
  if (isSelf && Archive::isReading && !asTheyAre)
    inputs.key = inputs.value = inputs.query;
  else if (!isSelf || asTheyAre) {
    describe(archive, inputs.key, keyCount, dimensions.keyInputSize);
    describe(archive, inputs.value, keyCount, dimensions.valueInputSize);
  }
  if constexpr (Archive::isReading) {
    weights.heads.resize(static_cast<std::size_t>(dimensions.headCount));
    weights.keyValueHeads.resize(static_cast<std::size_t>(dimensions.keyValueHeadCount));
  }
  for (HeadWeights& head : weights.heads) {
    if (weights.isProjected) describe(archive, head.query, dimensions.queryInputSize, dimensions.querySize);
    if (layer.options.pooling != Pooling::additive) continue;
    if constexpr (Archive::isReading) head.additive.emplace();
    describe(archive, head.additive->scoreQuery, dimensions.querySize, dimensions.scoreHiddenSize);
    describe(archive, head.additive->scoreKey, dimensions.keySize, dimensions.scoreHiddenSize);
    describe(archive, head.additive->scoreVector, dimensions.scoreHiddenSize);
  }
  if (weights.isProjected) {
    for (KeyValueHeadWeights& head : weights.keyValueHeads) {
      describe(archive, head.key, dimensions.keyInputSize, dimensions.keySize);
      describe(archive, head.value, dimensions.valueInputSize, dimensions.valueSize);
    }
    describe(archive, weights.output, dimensions.concatenatedSize(), dimensions.outputSize);
  }
  describe(archive, layer.options.mask, queryCount, keyCount);
}

}  // namespace headwise::fuzz
