// Times training: headwise_training_benchmark STEPS trains the two-head run of lesson 6 (2 heads of 6, batches of 64, Adam, seed 1) and
// prints the microseconds of each step, drawing its batch included, one a line. Not a test: it asserts nothing. benchmark.mjs runs it in turns
// with the WebAssembly module.
#include "headwise/course/look_up_training.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argumentCount, char** arguments) {
  if (argumentCount != 2) {
    std::fprintf(stderr, "usage: headwise_training_benchmark STEPS\n");
    return 2;
  }
  const long steps = std::strtol(arguments[1], nullptr, 10);
  headwise::LookUpData data;
  headwise::LookUpTraining training(data, {.headCount = 2, .headSize = 6, .seed = 1, .heldOutSize = 1});
  headwise::Trainer& trainer = training.trainer();

  headwise::Scalar loss = 0;
  for (long step = 0; step < steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    loss = trainer.step().loss;
    const std::chrono::duration<double, std::micro> duration = std::chrono::steady_clock::now() - start;
    std::printf("%.3f\n", duration.count());
  }
  std::fprintf(stderr, "checksum %.12g\n", loss);
}
