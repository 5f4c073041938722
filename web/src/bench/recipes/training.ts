// Recipe "training": what lesson 6 trains on and how; the runs themselves are <hw-training>'s, in a worker.

import { integer, type Recipe } from '../parameters.ts';
import { described } from '../described.ts';
import { layerTree } from './layer-tree.ts';
import { seedParameter } from './common.ts';
import { lastStep, runs, tokenNames } from '../../training/runs.ts';

/** What exercises may ask of the film; <hw-training> puts the real one in its place. */
export interface Film {
  /** Steps that all runs have done. */
  readonly trained: number;
  /** The step that is looked at. */
  readonly step: number;
  /** Largest difference of the first two heads' maps there, and a frame before; 0 for one head. */
  readonly apart: number;
  readonly apartBefore: number;
  readonly nudged: boolean;
}

const notTrained: Film = { trained: 0, step: 0, apart: 0, apartBefore: 0, nudged: false };

export const trainingRecipe: Recipe = {
  name: 'training',
  parameters: [
    {
      ...seedParameter,
      start: 1,
      help: 'Start weights and training data are made from it. The held-out set is the same for all seeds.',
    },
    {
      name: 'run',
      label: 'run',
      kind: 'choice',
      start: 'unique',
      choices: runs.map(({ name, label }) => ({ value: name, label })),
      help: 'The run whose heads are looked at.',
    },
    { name: 'step', label: 'step', kind: 'integer', start: 0, min: 0, max: lastStep, help: 'What the film shows.' },
    {
      name: 'nudge',
      label: 'nudged after',
      kind: 'integer',
      start: -1,
      min: -1,
      max: lastStep,
      help: 'The step after which one number of the output matrix of “equal for ever” was nudged; −1: it was not.',
    },
    { name: 'learningRate', label: 'learning rate', kind: 'number', start: 0.02, min: 0.01, max: 0.05, step: 0.005 },
  ],
  publish(engine, state, open) {
    // One sequence of the held-out set, and the weights of the two heads before the first step.
    const twoHeads = runs.find(({ name }) => name === 'unique')!.layer;
    const trainer = engine.createTrainer({ ...twoHeads, seed: integer(state, 'seed'), heldOutSize: 1 });
    const { layer, target } = trainer.probe();
    trainer.dispose();
    return Object.assign(layerTree(engine, open(layer)), {
      names: { tokens: tokenNames, keyTokens: tokenNames },
      film: notTrained,
      target: described(target, 'target', { label: 'target', tone: 'output', rows: 'tokens' }),
    });
  },
};
