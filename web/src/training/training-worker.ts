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
import { evaluateEvery, runs } from './runs.ts';

export interface RunReport {
  readonly steps: readonly StepReport[];
  readonly evaluations: readonly (Evaluation & { readonly step: number })[];
}

export interface Snapshot {
  readonly trace: Trace;
  readonly target: Matrix;
  /** Largest difference of the first two heads' W_q, W_k and W_v together; undefined for one head. */
  readonly headGap: number | undefined;
  /** On the held-out set, with each head switched off in turn. */
  readonly without: readonly Evaluation[];
}

let headwise: Promise<Headwise> | undefined;
let trainers: Trainer[] = [];
let stepsDone = 0;

function evaluated(trainer: Trainer): Evaluation & { step: number } {
  return { ...trainer.evaluate(), step: stepsDone };
}

const api = {
  /** New trainers for all runs; their losses before the first step. */
  async open(seed: number, learningRate: number): Promise<RunReport[]> {
    headwise ??= loadHeadwise();
    const engine = await headwise;
    api.close();
    trainers = runs.map(({ layer }) => engine.createTrainer({ ...layer, seed, learningRate }));
    return trainers.map((trainer) => ({ steps: [], evaluations: [evaluated(trainer)] }));
  },

  /** Trains every run by so many steps. */
  advance(count: number): RunReport[] {
    const reports = trainers.map(() => ({
      steps: [] as StepReport[],
      evaluations: [] as (Evaluation & { step: number })[],
    }));
    for (let i = 0; i < count; ++i) {
      ++stepsDone;
      trainers.forEach((trainer, run) => {
        reports[run]?.steps.push(trainer.step());
        if (stepsDone % evaluateEvery === 0) reports[run]?.evaluations.push(evaluated(trainer));
      });
    }
    return reports;
  },

  async snapshot(run: number): Promise<Snapshot | undefined> {
    const trainer = trainers[run];
    if (!trainer || !headwise) return undefined;
    const engine = await headwise;
    const { layer, target } = trainer.probe();
    const heads = layer.dims.num_heads ?? 1;
    const { W_q, W_k, W_v } = layer.weights as Record<'W_q' | 'W_k' | 'W_v', Matrix[]>;
    const gap = (matrices: readonly Matrix[]) => engine.compareMatrices(matrices[0]!, matrices[1]!).largestDifference;
    return {
      trace: engine.attend(layer),
      target,
      headGap: heads > 1 ? Math.max(gap(W_q), gap(W_k), gap(W_v)) : undefined,
      without: heads > 1 ? Array.from({ length: heads }, (_, head) => trainer.evaluate({ withoutHeads: [head] })) : [],
    };
  },

  /** Back to the same initial weights. */
  reset(): RunReport[] {
    stepsDone = 0;
    return trainers.map((trainer) => {
      trainer.reset();
      return { steps: [], evaluations: [evaluated(trainer)] };
    });
  },

  close(): void {
    for (const trainer of trainers) trainer.dispose();
    trainers = [];
    stepsDone = 0;
  },
};

export type TrainingApi = typeof api;
Comlink.expose(api);
