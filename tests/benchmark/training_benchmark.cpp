// Times training: headwise_training_benchmark STEPS trains the two-head run of lesson 6 (2 heads of 6, batches of 64, Adam, seed 1) and
// prints the microseconds of each step, drawing its batch included, one a line. Not a test: it asserts nothing. benchmark.mjs runs it in turns
// with the WebAssembly module.
#include "headwise/trainer.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argumentCount, char** arguments) {
  if (argumentCount != 2) {
    std::fprintf(stderr, "usage: headwise_training_benchmark STEPS\n");
    return 2;
  }
  const long steps = std::strtol(arguments[1], nullptr, 10);
  constexpr std::uint64_t kSeed = 1;
  const headwise::TwoLookUps task;
  const headwise::SharingPlan plan = headwise::sharingPlan(headwise::Sharing::none, 2);
  headwise::Trainer trainer(
      headwise::initialWeights(task.dimensions(2, 6), kSeed, headwise::Initialisation::independent, plan), {}, plan, {},
      [&task](std::uint64_t number) { return task.batch(64, kSeed, number); });

  headwise::Scalar loss = 0;
  for (long step = 0; step < steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    loss = trainer.step().loss;
    const std::chrono::duration<double, std::micro> duration = std::chrono::steady_clock::now() - start;
    std::printf("%.3f\n", duration.count());
  }
  std::fprintf(stderr, "checksum %.12g\n", loss);
}
