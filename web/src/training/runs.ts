// The six runs of lesson 6: one task, one seed, six layers.

import type { TrainerRequest } from 'headwise';

export interface Run {
  readonly name: string;
  readonly label: string;
  /** What the layer is, in a few words. */
  readonly note: string;
  /** Told apart by more than colour, on the chart and in the table: lengths of line and gap. */
  readonly dash: readonly number[];
  readonly layer: Pick<TrainerRequest, 'headCount' | 'headSize' | 'sharing' | 'initialisation'>;
}

export const runs: readonly Run[] = [
  { name: 'single', label: 'one head', note: 'width 12', dash: [], layer: { headCount: 1, headSize: 12 } },
  {
    name: 'unique',
    label: 'two heads',
    note: 'width 6 each',
    dash: [16, 4],
    layer: { headCount: 2, headSize: 6 },
  },
  {
    name: 'shared',
    label: 'shared',
    note: 'one set of query, key and value matrices',
    dash: [8, 4],
    layer: { headCount: 2, headSize: 6, sharing: 'all' },
  },
  {
    name: 'equalStart',
    label: 'equal start',
    note: 'output blocks of their own',
    dash: [4, 4],
    layer: { headCount: 2, headSize: 6, initialisation: 'equalHeads' },
  },
  {
    name: 'equalForever',
    label: 'equal for ever',
    note: 'equal start, equal output blocks',
    dash: [10, 3, 2, 3],
    layer: { headCount: 2, headSize: 6, initialisation: 'equalHeadsAndOutput' },
  },
  { name: 'twelve', label: 'twelve heads', note: 'width 1 each', dash: [2, 4], layer: { headCount: 12, headSize: 1 } },
];

/** The number of W^o, and what is added to it, when a reader nudges the run whose heads nothing else can part. */
export const nudge = { run: 'equalForever', row: 0, column: 0, by: 1e-6 } as const;

/** Positions have no words. */
export const tokenNames: readonly string[] = Array.from({ length: 6 }, (_, token) => `t = ${token}`);

/** Steps of a whole run. */
export const lastStep = 300;
/** Sequences of the held-out set. */
export const heldOutSize = 4096;
/** The held-out set is evaluated this often. */
export const evaluateEvery = 10;
/** The film keeps what the heads look at this often. */
export const frameEvery = 5;
/** From here on two maps count as different: a tenth of a token's attention. */
export const partedAt = 0.1;
