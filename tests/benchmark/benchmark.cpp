// Times `attend` with its whole trace: headwise_benchmark TOKENS MODEL_SIZE HEADS CALLS prints the microseconds of each call, one a line.
// Not a test: it asserts nothing. benchmark.mjs runs it in turns with the WebAssembly module.
#include "headwise/attention.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argumentCount, char** arguments) {
  if (argumentCount != 5) {
    std::fprintf(stderr, "usage: headwise_benchmark TOKENS MODEL_SIZE HEADS CALLS\n");
    return 2;
  }
  const auto number = [arguments](int i) {
    return static_cast<headwise::Index>(std::strtol(arguments[i], nullptr, 10));
  };
  const headwise::Index tokens = number(1), modelSize = number(2), headCount = number(3), calls = number(4);
  const headwise::Layer layer{
      headwise::Inputs::self(headwise::randomMatrix(tokens, modelSize, headwise::Distribution::normal, 1,
                                                    headwise::streamOf("inputs.query"))),
      headwise::randomWeights(headwise::Dimensions::selfAttention(modelSize, headCount), 1),
      {}};

  headwise::Scalar sum = 0;  // used below, so that no call can be left out
  for (headwise::Index call = 0; call < calls; ++call) {
    const auto start = std::chrono::steady_clock::now();
    const headwise::ForwardTrace trace = headwise::attend(layer);
    const std::chrono::duration<double, std::micro> duration = std::chrono::steady_clock::now() - start;
    sum += trace.output(0, 0);
    std::printf("%.3f\n", duration.count());
  }
  std::fprintf(stderr, "checksum %.12g\n", sum / static_cast<double>(calls));
}
