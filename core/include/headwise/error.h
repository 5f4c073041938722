// The one error type of the library. Every message names the argument, what was wanted and what came, and what to try.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "headwise/types.h"

namespace headwise {

enum class ErrorCode { invalidDimension, shapeMismatch, notFinite, invalidOption, tooLarge };

/// Each code with the name it has outside C++. The only list of codes; a test holds the wrapper's against it.
inline constexpr std::array<std::pair<ErrorCode, std::string_view>, 5> kErrorCodes{{
    {ErrorCode::invalidDimension, "invalidDimension"},  // a size that is zero, negative or does not fit the others
    {ErrorCode::shapeMismatch, "shapeMismatch"},        // a matrix whose shape contradicts the dimensions
    {ErrorCode::notFinite, "notFinite"},                // NaN or infinity in, or overflow on the way
    {ErrorCode::invalidOption, "invalidOption"},        // an option that is unknown or does not go with the others
    {ErrorCode::tooLarge,
     "tooLarge"},  // more memory than kMaxTraceBytes, more work than kMostWork, or sizes past kLargestSize
}};

std::string_view nameOf(ErrorCode code);

class Error : public std::runtime_error {
 public:
  /// `argument` is the one at fault, as the message names it ("headCount", "mask.validLengths"); empty if there is no single one.
  Error(ErrorCode code, const std::string& message, std::string_view argument = {})
      : std::runtime_error(message), code_(code), argument_(argument) {}
  ErrorCode code() const { return code_; }
  const std::string& argument() const { return argument_; }

 private:
  ErrorCode code_;
  std::string argument_;
};

/// A number as messages print it, with at most six digits: "0.02", "1e+308", "nan".
std::string toString(Scalar number);

/// Throws shapeMismatch unless `actual` is `wanted`: "weights.W_o must be 6 × 6 (headCount·valueSize × outputSize), but is 6 × 5."
void checkShape(std::string_view argument, const Shape& actual, const Shape& wanted, std::string_view meaning);

/// Throws notFinite if any entry is NaN or infinite, naming the first such entry, and invalidDimension if there is none at all.
void checkFinite(std::string_view argument, const Eigen::Ref<const Matrix>& matrix);

/// Throws notFinite if finite numbers were multiplied or added to something that is not. `name` begins the message.
void checkOverflow(std::string_view name, const Eigen::Ref<const Matrix>& matrix);

}  // namespace headwise
