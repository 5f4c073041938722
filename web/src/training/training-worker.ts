// The worker that trains: holds the trainers and answers one request at a time, so that the page never waits.

import * as Comlink from 'comlink';
import {
  loadHeadwise,
  type Evaluation,
  type Headwise,
  type Matrix,
  type StepReport,
  type Trace,
  type Trainer,
} from 'headwise';
import { evaluateEvery, heldOutSize, runs } from './runs.ts';

export type EvaluationAt = Evaluation & { readonly step: number };

export interface RunReport {
  readonly steps: readonly StepReport[];
  readonly evaluations: readonly EvaluationAt[];
}

/** One run's layer as it is, on one held-out sequence. */
export interface Snapshot {
  readonly run: number;
  readonly step: number;
  readonly trace: Trace;
  /** Largest difference of the first two heads' W_q, W_k and W_v together; undefined for one head. */
  readonly headGap: number | undefined;
  /** On the held-out set, with each head switched off in turn: taken when the run was chosen, and anew after each evaluation. */
  readonly without: readonly EvaluationAt[];
}

export interface Progress {
  readonly reports: readonly RunReport[];
  readonly snapshot: Snapshot;
}

let engine: Headwise | undefined;
let trainers: Trainer[] = [];
let stepsDone = 0;
let without: { run: number; step: number; evaluations: EvaluationAt[] } | undefined;

function evaluated(trainer: Trainer, withoutHeads: readonly number[] = []): EvaluationAt {
  return { ...trainer.evaluate({ withoutHeads }), step: stepsDone };
}

function snapshotOf(run: number): Snapshot {
  const trainer = trainers[run];
  if (!trainer || !engine) throw new Error('There is nothing to look at yet.');
  const { layer } = trainer.probe();
  const heads = layer.dims.num_heads;
  const lastEvaluated = stepsDone - (stepsDone % evaluateEvery);
  if (without?.run !== run || without.step < lastEvaluated) {
    const each = heads > 1 ? Array.from({ length: heads }, (_, head) => evaluated(trainer, [head])) : [];
    without = { run, step: stepsDone, evaluations: each };
  }
  return {
    run,
    step: stepsDone,
    trace: engine.attend(layer),
    headGap: gapOf(engine, layer.weights),
    without: without.evaluations,
  };
}

function gapOf(engine: Headwise, weights: object): number | undefined {
  const { W_q, W_k, W_v } = weights as Record<'W_q' | 'W_k' | 'W_v', readonly Matrix[]>;
  const gaps = [W_q, W_k, W_v].map(([first, second]) =>
    first && second ? engine.compareMatrices(first, second).largestDifference : undefined,
  );
  return gaps.reduce((largest, gap) =>
    gap === undefined || largest === undefined ? undefined : Math.max(largest, gap),
  );
}

const api = {
  /** New trainers for all runs, and their losses before the first step. */
  async open(seed: number, learningRate: number, watched: number): Promise<Progress> {
    engine = await loadHeadwise();
    const { createTrainer } = engine;
    trainers = runs.map(({ layer }) => createTrainer({ ...layer, seed, learningRate, heldOutSize }));
    return api.reset(watched);
  },

  /** Trains every run by so many steps. */
  advance(count: number, watched: number): Progress {
    const reports = trainers.map(() => ({ steps: [] as StepReport[], evaluations: [] as EvaluationAt[] }));
    for (let i = 0; i < count; ++i) {
      ++stepsDone;
      trainers.forEach((trainer, run) => {
        reports[run]!.steps.push(trainer.step());
        if (stepsDone % evaluateEvery === 0) reports[run]!.evaluations.push(evaluated(trainer));
      });
    }
    return { reports, snapshot: snapshotOf(watched) };
  },

  look: snapshotOf,

  /** Back to the same initial weights. */
  reset(watched: number): Progress {
    stepsDone = 0;
    without = undefined;
    for (const trainer of trainers) trainer.reset();
    return {
      reports: trainers.map((trainer) => ({ steps: [], evaluations: [evaluated(trainer)] })),
      snapshot: snapshotOf(watched),
    };
  },
};

export type TrainingApi = typeof api;
Comlink.expose(api);
