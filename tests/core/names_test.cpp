#include "headwise/names.h"

#include "checks.h"
#include "headwise/mask.h"

namespace headwise::test {

TEST_CASE("names: a value has one name, and the name leads back") {
  for (const auto& [alignment, name] : kAlignments) {
    CHECK(nameIn(kAlignments, alignment) == name);
    CHECK(namedIn(kAlignments, name) == alignment);
  }
  CHECK(nameIn(kAlignments, static_cast<Alignment>(9)) == "unknown");
}

TEST_CASE("names: an unknown name is refused with those that would do, and repeated only so far") {
  CHECK(refuses([] { namedIn(kAlignments, "topleft"); }, ErrorCode::invalidOption,
                {"\"topleft\" is unknown", "topLeft, bottomRight"}));
  const std::string long_(1000, 'x');
  CHECK(refuses([&] { namedIn(kAlignments, long_); }, ErrorCode::invalidOption,
                {"\"" + std::string(40, 'x') + "\" is unknown"}));
}

}  // namespace headwise::test
