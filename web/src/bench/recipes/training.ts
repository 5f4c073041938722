// Recipe "training": what lesson 6 trains on and how; the runs themselves are <hw-training>'s, in a worker.

import { integer, type Recipe } from '../parameters.ts';
import { described } from '../described.ts';
import { layerTree } from './layer-tree.ts';
import { seedParameter } from './common.ts';
import { runs, tokenNames } from '../../training/runs.ts';

export const trainingRecipe: Recipe = {
  name: 'training',
  parameters: [
    {
      ...seedParameter,
      start: 1,
      help: 'Start weights and training data are made from it. The held-out set is the same for all seeds.',
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
      target: described(target, 'target', { label: 'target', tone: 'output', rows: 'tokens' }),
    });
  },
};
