// The worker that trains: holds the trainers and answers one request at a time, so that the page never waits.

import * as Comlink from 'comlink';
import { loadHeadwise, type Evaluation, type Headwise, type Matrix, type StepReport, type Trainer } from 'headwise';
import { evaluateEvery, frameEvery, heldOutSize, nudge, runs } from './runs.ts';

export type EvaluationAt = Evaluation & { readonly step: number };

/** What a run's heads look at after so many steps, on one held-out sequence. */
export interface Frame {
  readonly step: number;
  /** Attention weights of each head, [n × n]. */
  readonly maps: readonly Matrix[];
  /** Largest difference of the first two heads' W_q, W_k and W_v together; undefined for one head. */
  readonly headGap: number | undefined;
}

export interface RunReport {
  readonly steps: readonly StepReport[];
  readonly evaluations: readonly EvaluationAt[];
  /** The last is of the last step. */
  readonly frames: readonly Frame[];
}

/** A run on the held-out set, with each head switched off in turn. */
export interface Without {
  readonly run: number;
  readonly step: number;
  readonly evaluations: readonly EvaluationAt[];
}

export interface Progress {
  readonly reports: readonly RunReport[];
  readonly without: Without;
}

let engine: Headwise | undefined;
let trainers: Trainer[] = [];
let stepsDone = 0;
let without: Without | undefined;

function evaluated(trainer: Trainer, step: number, withoutHeads: readonly number[] = []): EvaluationAt {
  return { ...trainer.evaluate({ withoutHeads }), step };
}

function frameOf(trainer: Trainer): Frame {
  if (!engine) throw new Error('There is nothing to look at yet.');
  const { layer, step } = trainer.probe();
  const { heads } = engine.attend(layer);
  return {
    step,
    maps: heads.map(({ attentionWeights }) => attentionWeights),
    headGap: gapOf(engine, layer.weights),
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

/** Taken when the run was chosen, and anew after each evaluation: it costs as much as the head count times one. */
function withoutHeads(run: number): Without {
  const trainer = trainers[run];
  if (!trainer) throw new Error('There is nothing to look at yet.');
  const lastEvaluated = stepsDone - (stepsDone % evaluateEvery);
  if (without?.run !== run || without.step < lastEvaluated) {
    const heads = trainer.probe().layer.dims.num_heads;
    const each = heads > 1 ? Array.from({ length: heads }, (_, head) => evaluated(trainer, stepsDone, [head])) : [];
    without = { run, step: stepsDone, evaluations: each };
  }
  return without;
}

interface Report {
  readonly steps: StepReport[];
  readonly evaluations: EvaluationAt[];
  readonly frames: Frame[];
}

/** One step of one run, from `done` steps on. */
function stepOnce(trainer: Trainer, done: number, { steps, evaluations, frames }: Report, isLast: boolean): void {
  steps.push(trainer.step());
  const step = done + 1;
  if (step % evaluateEvery === 0) evaluations.push(evaluated(trainer, step));
  if (step % frameEvery === 0 || isLast) frames.push(frameOf(trainer));
}

function started(trainer: Trainer): Report {
  trainer.reset();
  return { steps: [], evaluations: [evaluated(trainer, 0)], frames: [frameOf(trainer)] };
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
    const reports = trainers.map((): Report => ({ steps: [], evaluations: [], frames: [] }));
    for (let i = 1; i <= count; ++i) {
      trainers.forEach((trainer, run) => stepOnce(trainer, stepsDone, reports[run]!, i === count));
      ++stepsDone;
    }
    return { reports, without: withoutHeads(watched) };
  },

  look: withoutHeads,

  /** Trains the run of `nudge` anew, as far as the others are, with the nudge after so many steps; its whole report. */
  nudge(after: number): RunReport {
    const trainer = trainers[runs.findIndex(({ name }) => name === nudge.run)];
    if (!trainer) throw new Error('There is nothing to nudge yet.');
    const report = started(trainer);
    for (let step = 0; step <= stepsDone; ++step) {
      if (step === after) trainer.nudgeOutput(nudge.row, nudge.column, nudge.by);
      if (step < stepsDone) stepOnce(trainer, step, report, step + 1 === stepsDone);
    }
    without = undefined;
    return report;
  },

  /** Back to the same initial weights. */
  reset(watched: number): Progress {
    stepsDone = 0;
    without = undefined;
    return { reports: trainers.map(started), without: withoutHeads(watched) };
  },
};

export type TrainingApi = typeof api;
Comlink.expose(api);
