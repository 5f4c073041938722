// What comparing golden files came to: numbers that agree, problems, and what belongs to later work.
#pragma once

#include "golden_json.h"
#include "headwise/types.h"

#include <map>
#include <string>
#include <vector>

namespace headwise::test {

class GoldenReport {
 public:
  std::vector<std::string> problems;   ///< each a text that names the field and, for numbers, holds both matrices
  std::size_t numbers = 0;             ///< compared
  std::size_t fields = 0;              ///< with at least one number
  std::size_t files = 0;               ///< with at least one field
  std::map<std::string, int> pending;  ///< by name

  /// Every cell within 1e-10 + 1e-10·|expected|, and of the same shape.
  void compare(const std::string& field, const Matrix& actual, const Matrix& expected);
  /// One for one; a single expected matrix stands for all.
  void compare(const std::string& field, const std::vector<Matrix>& actual, const std::vector<Matrix>& expected);
  void compare(const std::string& field, const std::vector<Index>& actual, const std::vector<Index>& expected);
  void compare(const std::string& field, Scalar actual, Scalar expected);
  void require(bool holds, const std::string& problem);

  void add(const GoldenReport& other);
};

/// "golden: 1234 numbers in 57 fields of 28 files compared; pending: gradients 31, training 1", or that none were.
std::string goldenSummary();
/// Makes the report the one that goldenSummary speaks of.
void summarise(const GoldenReport& report);

}  // namespace headwise::test
