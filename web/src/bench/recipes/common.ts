// Parameters that several recipes share, and what they mean to the engine.

import type { CaseMask, CaseOptions, DistributionName, Headwise, Matrix } from 'headwise';
import { integer, text, type Parameter, type State } from '../parameters.ts';

/** What the engine calls sizes that several recipes have. */
export const engineWords = {
  length: ['valid_lens'],
  width: ['d_q', 'modelSize'],
  heads: ['num_heads', 'headCount'],
  keyValueHeads: ['num_kv_heads', 'keyValueHeadCount'],
} as const;

export const tokensParameter: Parameter = {
  name: 'tokens',
  label: 'tokens',
  kind: 'words',
  start: ['the', 'cat', 'sat', 'on', 'mats'],
  help: 'One word, one row. The rows are made up: they depend on the word and the seed and mean nothing.',
};

export const seedParameter: Parameter = {
  name: 'seed',
  label: 'seed',
  kind: 'seed',
  start: 7,
  min: 0,
  max: 9999,
  help: 'Inputs and weights are made from it: the same seed, the same numbers.',
};

export const maskParameters: readonly Parameter[] = [
  {
    name: 'mask',
    label: 'mask',
    kind: 'choice',
    start: 'none',
    choices: [
      { value: 'none', label: 'none', help: 'every token sees every token' },
      { value: 'causal', label: 'causal', help: 'a token sees itself and what came before' },
      { value: 'causalEnd', label: 'causal, from the end', help: 'the last query sees the last key' },
      { value: 'padding', label: 'padding', help: 'only the first keys are there' },
    ],
  },
  {
    name: 'length',
    label: 'keys under padding',
    kind: 'integer',
    start: 3,
    min: 0,
    max: 12,
    shownWhen: (state) => state.mask === 'padding',
    stands: engineWords.length,
  },
];

export const scaleParameter: Parameter = {
  name: 'scale',
  label: 'divide scores by',
  kind: 'choice',
  start: 'perHeadWidth',
  choices: [
    { value: 'perHeadWidth', label: '√ head width' },
    { value: 'totalWidth', label: '√ total width' },
    { value: 'none', label: 'nothing' },
  ],
};

export const distributionParameter: Parameter = {
  name: 'distribution',
  label: 'weights',
  kind: 'choice',
  start: 'scaledNormal',
  choices: [
    { value: 'scaledNormal', label: 'normal, variance 1/d' },
    { value: 'normal', label: 'normal' },
    { value: 'uniform', label: 'from 0 to 1' },
    { value: 'zeros', label: 'zeros' },
  ],
};

export const editsParameter: Parameter = { name: 'edits', label: 'edits', kind: 'edits', start: '' };

export function maskOf(state: State, keyCount: number): CaseMask | null {
  switch (text(state, 'mask')) {
    case 'causal':
      return { type: 'causal', alignment: 'topLeft' };
    case 'causalEnd':
      return { type: 'causal', alignment: 'bottomRight' };
    case 'padding':
      return { type: 'valid_lens', valid_lens: [Math.min(integer(state, 'length'), keyCount)] };
    default:
      return null;
  }
}

export function optionsOf(state: State): CaseOptions {
  return { scale: (text(state, 'scale') || 'perHeadWidth') as NonNullable<CaseOptions['scale']> };
}

export function distributionOf(state: State): DistributionName {
  return (text(state, 'distribution') || 'scaledNormal') as DistributionName;
}

/** G of the loss Σ output∘G that gradients are shown for, drawn from the bench's seed. */
export function lossDirection(engine: Headwise, output: Matrix, state: State): Matrix {
  return engine.randomMatrix(output.rows, output.columns, 'normal', integer(state, 'seed'));
}
