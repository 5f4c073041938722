// Runs the suite, then says how much of the golden data was compared.
#define DOCTEST_CONFIG_IMPLEMENT
#include "golden_report.h"

#include <doctest.h>

#include <iostream>

int main(int argumentCount, char** arguments) {
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
