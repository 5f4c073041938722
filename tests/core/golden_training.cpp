// Golden kind "training": a few steps of SGD on one sequence, run by the library's own trainer.
#include "golden_check.h"
#include "golden_gradients.h"
#include "headwise/comparison.h"
#include "headwise/gradients.h"
#include "headwise/loss.h"
#include "headwise/trainer.h"

namespace headwise::test {

namespace {

// The largest difference of any head's projections from head 0's.
Scalar headGap(const Weights& weights) {
  const NamedGradients named = namedProjections(weights);
  Scalar gap = 0;
  for (const char* name : {"W_q", "W_k", "W_v"})
    for (const Matrix& matrix : named.at(name))
      gap = std::max(gap, compareMatrices(matrix, named.at(name)[0]).largestDifference);
  return gap;
}

Matrix columnOf(const std::vector<Scalar>& numbers) {
  Matrix column(static_cast<Index>(numbers.size()), 1);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    column(static_cast<Index>(i), 0) = numbers[i];
  return column;
}

void checkRun(GoldenReport& report, const std::string& name, const Json& file, const Json& expected) {
  const Json& listed = at(at(file, "weights"), name);
  // One matrix in place of a stack says that the heads share it.
  const bool tied = depthOf(at(listed, "W_q")) == 2;
  const Weights initial = tied ? sharedWeightsFrom(listed) : weightsFrom(listed, Pooling::scaledDotProduct);
  const SharingPlan plan = sharingPlan(tied ? Sharing::all : Sharing::none, initial.dimensions.headCount);

  const Inputs inputs = inputsFrom(at(file, "inputs"));
  const Options options{.mask = maskFrom(report, file, inputs.query.rows(), inputs.key.rows())};
  const Batch batch{inputs, matrixFrom(at(at(file, "inputs"), "Y")), 1};
  const Json& dims = at(file, "dims");
  Trainer trainer(initial, options, plan,
                  {.kind = OptimizerOptions::Kind::sgd, .learningRate = numberFrom(at(dims, "learning_rate"))},
                  [&](std::uint64_t) { return batch; });

  const std::string where = "expected." + name + ".";
  const Layer layer{inputs, initial, options};
  const ForwardTrace first = attend(layer);
  const Gradients gradients = backward(layer, first, meanSquaredError(first.output, batch.target).gradient);
  std::vector<Scalar> losses, gaps{headGap(trainer.weights())};
  for (Index step = 0; step < indicesFrom(at(dims, "steps")).at(0); ++step) {
    losses.push_back(trainer.step().loss);
    gaps.push_back(headGap(trainer.weights()));
  }
  losses.push_back(batchLoss(trainer.weights(), options, batch));

  for (const std::string& field : keysOf(expected)) {
    const Json& numbers = at(expected, field);
    if (field == "loss_before_each_step_and_after_last")
      report.compare(where + field, columnOf(losses), Matrix(rowFrom(numbers).transpose()));
    else if (field == "gradients_first_step")
      compareGradients(report, where + field, namedProjections(sumOverUsers(gradients.weights, plan)), numbers);
    else if (field == "weights_after")
      compareGradients(report, where + field, namedProjections(trainer.weights()), numbers);
    else if (field == "output_after")
      report.compare(where + field, attend({inputs, trainer.weights(), options}).output, matrixFrom(numbers));
    else if (field == "max_abs_weight_gap_between_heads")
      report.compare(where + field, columnOf(gaps), Matrix(rowFrom(numbers).transpose()));
    else if (!countPending(report, field))
      report.problems.push_back(where + field + " is unknown");
  }
}

}  // namespace

void checkTraining(GoldenReport& report, const Json& file) {
  for (const std::string& name : keysOf(at(file, "expected")))
    checkRun(report, name, file, at(at(file, "expected"), name));
}

}  // namespace headwise::test
