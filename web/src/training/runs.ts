// The five runs of lesson 6: one task, one seed, five layers.

import type { TrainerRequest } from 'headwise';

export interface Run {
  readonly name: string;
  readonly label: string;
  /** What the layer is, in a few words. */
  readonly note: string;
  readonly layer: Pick<TrainerRequest, 'headCount' | 'headSize' | 'sharing' | 'initialisation'>;
}

export const runs: readonly Run[] = [
  { name: 'single', label: 'one head', note: 'one head of width 12', layer: { headCount: 1, headSize: 12 } },
  {
    name: 'unique',
    label: 'two heads',
    note: 'two heads of width 6, each its own',
    layer: { headCount: 2, headSize: 6 },
  },
  {
    name: 'shared',
    label: 'two heads, shared',
    note: 'two heads that share W_q, W_k and W_v',
    layer: { headCount: 2, headSize: 6, sharing: 'all' },
  },
  {
    name: 'equalStart',
    label: 'equal start',
    note: 'two heads that start equal, with blocks of W^o of their own',
    layer: { headCount: 2, headSize: 6, initialisation: 'equalHeads' },
  },
  {
    name: 'equalForever',
    label: 'equal start, equal W^o',
    note: 'two heads that start equal, blocks of W^o included',
    layer: { headCount: 2, headSize: 6, initialisation: 'equalHeadsAndOutput' },
  },
];

/** Steps of a whole run. */
export const lastStep = 300;
/** The held-out set is evaluated this often. */
export const evaluateEvery = 10;
