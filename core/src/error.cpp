// Checks shared by every public function, worded once.
#include "headwise/error.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace headwise {

std::string_view nameOf(ErrorCode code) {
  for (const auto& [known, name] : kErrorCodes)
    if (known == code) return name;
  return "unknown";
}

std::string toString(Scalar number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

void checkShape(std::string_view argument, const Shape& actual, const Shape& wanted, std::string_view meaning) {
  if (actual == wanted) return;
  throw Error(ErrorCode::shapeMismatch,
              std::string(argument) + " must be " + toString(wanted) + " (" + std::string(meaning) + "), but is " +
                  toString(actual) + ".",
              argument);
}

void checkFinite(std::string_view argument, const Eigen::Ref<const Matrix>& matrix) {
  if (matrix.size() == 0)
    throw Error(ErrorCode::invalidDimension,
                std::string(argument) + " is empty (" + toString(shapeOf(matrix)) +
                    "); it needs at least one row and one column.",
                argument);
  if (matrix.allFinite()) return;
  for (Index row = 0; row < matrix.rows(); ++row)
    for (Index column = 0; column < matrix.cols(); ++column)
      if (!std::isfinite(matrix(row, column))) {
        // Not by a stream: its locales would be a third of the WebAssembly module.
        const Scalar entry = matrix(row, column);
        throw Error(ErrorCode::notFinite,
                    std::string(argument) + " holds " +
                        (std::isnan(entry) ? "NaN"
                         : entry > 0       ? "+∞"
                                           : "−∞") +
                        " at row " + std::to_string(row) + ", column " + std::to_string(column) +
                        "; every entry must be a finite number.",
                    argument);
      }
}

void checkOverflow(std::string_view name, const Eigen::Ref<const Matrix>& matrix) {
  if (matrix.allFinite()) return;
  throw Error(ErrorCode::notFinite,
              std::string(name) +
                  " overflowed: the numbers that went in are finite but too large to multiply. Make them smaller.");
}

}  // namespace headwise
