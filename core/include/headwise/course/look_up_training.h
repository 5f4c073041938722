// Lesson 6: layers trained side by side on two look-ups at once, with a held-out set to evaluate them on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "headwise/course/two_look_ups.h"
#include "headwise/trainer.h"

namespace headwise {

/// What trainers side by side have in common: each batch is drawn once and kept while they step in turns, each held-out set once for all that use it.
/// It must outlive them.
class LookUpData {
 public:
  const TwoLookUps& task() const { return task_; }
  /// The batch of that number; kept until another is asked for.
  Batch batch(Index sequenceCount, std::uint64_t seed, std::uint64_t number);
  /// Of a seed of its own, so that no run has seen it. It lives as long as somebody holds it.
  std::shared_ptr<const Batch> heldOut(Index sequenceCount);
  /// Lets go of what nobody uses any more.
  void forgetUnused(bool alsoLastBatch);

 private:
  using Key = std::tuple<Index, std::uint64_t, std::uint64_t>;
  TwoLookUps task_;
  std::optional<std::pair<Key, Batch>> last_;
  std::map<Index, std::weak_ptr<const Batch>> heldOut_;
};

struct LookUpTrainingRequest {
  Index headCount = 1;
  Index headSize = 1;
  Sharing sharing = Sharing::none;
  Index groupSize = 1;
  Initialisation initialisation = Initialisation::independent;
  std::uint64_t seed = 0;
  Index batchSize = 64;      ///< sequences in a step's batch
  Index heldOutSize = 4096;  ///< sequences of the held-out set
  OptimizerOptions optimizer;
};

class LookUpTraining {
 public:
  /// Throws as sharingPlan and Optimizer do, and tooLarge if weights, a step's trace or the held-out set would pass kMaxTraceBytes,
  /// or an evaluation kMostWork.
  LookUpTraining(LookUpData& data, const LookUpTrainingRequest& request);

  Trainer& trainer() { return trainer_; }

  /// As Trainer::step. Throws tooLarge for more steps than kMostWork allows in one call.
  StepReport step(Index count = 1);

  struct Evaluation {
    TwoLookUps::Losses losses;
    Scalar loss = 0;          ///< of both together
    Scalar oneHeadBound = 0;  ///< what no single head gets below
  };
  /// On the held-out set, as if the heads named had blocks of 0 in W^o.
  Evaluation evaluate(const std::vector<Index>& withoutHeads) const;

  /// The weights as they are, and the first held-out sequence as input [n × …] and target [n × p_o]: a layer to look at.
  struct Probe {
    Layer layer;
    Matrix target;
    Index step = 0;
  };
  Probe probe() const;

 private:
  TwoLookUps task_;
  Index batchSize_;
  std::shared_ptr<const Batch> heldOut_;
  Trainer trainer_;
};

}  // namespace headwise
