// Runs the suite, then says how much of the golden data was compared.
#define DOCTEST_CONFIG_IMPLEMENT
#include "golden_report.h"

#include <doctest.h>

#include <iostream>

#ifdef __EMSCRIPTEN__
// Ubuntu 24.04's Emscripten 3.1.6 comes with LLVM 15, which renames a main with arguments so that the runtime never calls it, and the suite
// would end at once, green. The symbol is therefore given by hand.
extern "C" int runSuite(int argumentCount, char** arguments) __asm__("main");
int runSuite(int argumentCount, char** arguments) {
#else
int main(int argumentCount, char** arguments) {
#endif
  doctest::Context context;
#ifdef __EMSCRIPTEN__
  context.setOption("no-colors",
                    true);  // isatty says yes to a pipe there, and whoever counts tests would read colour codes
#endif
  context.applyCommandLine(argumentCount, arguments);
  const int status = context.run();
  if (!context.shouldExit()) std::cout << headwise::test::goldenSummary() << std::endl;
  return status;
}
