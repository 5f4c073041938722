#include "headwise/error.h"

#include "checks.h"

#include <limits>
#include <set>

namespace headwise::test {

TEST_CASE("error codes: each has one name, and nameOf finds it") {
  std::set<std::string_view> names;
  for (const auto& [code, name] : kErrorCodes) {
    CHECK(nameOf(code) == name);
    names.insert(name);
  }
  CHECK(names ==
        std::set<std::string_view>{"invalidDimension", "shapeMismatch", "notFinite", "invalidOption", "tooLarge"});
  CHECK(kErrorCodes.size() == names.size());
}

TEST_CASE("error: carries its code and its sentence") {
  const Error error(ErrorCode::tooLarge, "A sentence.");
  CHECK(error.code() == ErrorCode::tooLarge);
  CHECK(std::string(error.what()) == "A sentence.");
}

TEST_CASE("checkShape: the sentence names the argument, the wanted shape with its meaning, and what came") {
  CHECK_NOTHROW(checkShape("weight", {6, 5}, {6, 5}, "rows × columns"));
  CHECK(refuses(
      [] {
        checkShape("weights.output.weight", {6, 5}, {6, 6}, "headCount·valueSize × outputSize");
      },
      ErrorCode::shapeMismatch,
      {"weights.output.weight must be 6 × 6 (headCount·valueSize × outputSize), but is 6 × 5."}));
  CHECK(refuses([] { checkShape("m", {5, 6}, {6, 5}, ""); }, ErrorCode::shapeMismatch, {"6 × 5", "5 × 6"}));
}

TEST_CASE("numbers in messages have six digits at most") {
  CHECK(toString(0.02) == "0.02");
  CHECK(toString(-3.0) == "-3");
  CHECK(toString(1.0 / 3) == "0.333333");
  CHECK(toString(1e308) == "1e+308");
}

TEST_CASE("checkOverflow: only what is not finite, by the name that begins the sentence") {
  CHECK_NOTHROW(checkOverflow("The sum", matrixOf({{1e308, -1e308}})));
  CHECK(refuses([] { checkOverflow("The sum", matrixOf({{std::numeric_limits<Scalar>::infinity()}})); },
                ErrorCode::notFinite, {"The sum overflowed"}));
}

TEST_CASE("checkFinite: names the first entry that is not finite, and refuses an empty matrix") {
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  CHECK_NOTHROW(checkFinite("m", matrixOf({{1e308, -1e308}})));
  CHECK(refuses(
      [&] {
        checkFinite("m", matrixOf({{0, 1}, {2, std::numeric_limits<Scalar>::quiet_NaN()}}));
      },
      ErrorCode::notFinite, {"m holds NaN", "row 1", "column 1"}));
  CHECK(refuses(
      [&] {
        checkFinite("m", matrixOf({{0, -infinity}, {infinity, 0}}));
      },
      ErrorCode::notFinite, {"m holds −∞", "row 0", "column 1"}));
  CHECK(refuses([] { checkFinite("m", Matrix(0, 3)); }, ErrorCode::invalidDimension, {"m is empty", "0 × 3"}));
  CHECK(refuses([] { checkFinite("m", Matrix(2, 0)); }, ErrorCode::invalidDimension, {"m is empty", "2 × 0"}));
}

}  // namespace headwise::test
