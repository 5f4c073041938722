// Recipe "sharing": heads that use each other's matrices, from none to all (lesson 5).

import type { Case, Gradients, Headwise, Matrix, SharingOptions } from 'headwise';
import { asMatrices, asMatrix } from '../edits.ts';
import { integer, text, words, type Recipe, type State } from '../parameters.ts';
import { lazily } from '../results.ts';
import { engineWords, lossDirection, seedParameter, tokensParameter } from './common.ts';
import { judged, layerResults, resultsOf } from './trace.ts';

function sharingOf(state: State): SharingOptions {
  const sharing = text(state, 'sharing') as NonNullable<SharingOptions['sharing']>;
  return { sharing, groupSize: sharing === 'keysAndValuesPerGroup' ? integer(state, 'groupSize') : 1 };
}

/** Every head's block of W_o as the first head's. */
function withEqualOutputBlocks(layer: Case, heads: number): Case {
  const output = asMatrix(layer.weights.W_o as Matrix);
  const blockSize = output.data.length / heads;
  const data = new Float64Array(output.data.length);
  for (let head = 0; head < heads; ++head) data.set(output.data.subarray(0, blockSize), head * blockSize);
  return { ...layer, weights: { ...layer.weights, W_o: { ...output, data } } };
}

function layerOf(engine: Headwise, state: State): Case {
  const heads = integer(state, 'heads');
  const own = engine.randomCase({
    dims: { d_q: integer(state, 'width'), num_heads: heads },
    seed: integer(state, 'seed'),
    tokens: words(state, 'tokens'),
  });
  const shared = engine.shareWeights(own, sharingOf(state));
  return text(state, 'outputBlocks') === 'equal' ? withEqualOutputBlocks(shared, heads) : shared;
}

export const sharingRecipe: Recipe = {
  name: 'sharing',
  parameters: [
    { ...tokensParameter, start: ['the', 'old', 'cat', 'sat', 'on', 'two', 'soft', 'mats'] },
    { name: 'width', label: 'width d', kind: 'integer', start: 12, min: 2, max: 24, stands: engineWords.width },
    {
      name: 'heads',
      label: 'heads',
      stands: engineWords.heads,
      kind: 'integer',
      start: 3,
      min: 2,
      max: 24,
      allowed: (engine, state) => engine.divisorsOf(integer(state, 'width')).filter((heads) => heads > 1),
    },
    {
      name: 'sharing',
      label: 'heads share',
      kind: 'choice',
      start: 'none',
      choices: [
        { value: 'none', label: 'nothing', help: 'every head has its own matrices' },
        { value: 'keysAndValuesPerGroup', label: 'K, V per group', help: 'the heads of a group share keys and values' },
        { value: 'keysAndValues', label: 'K, V', help: 'all heads share keys and values, queries are their own' },
        { value: 'all', label: 'Q, K, V', help: 'all heads share all three' },
      ],
    },
    {
      name: 'groupSize',
      label: 'heads in a group',
      kind: 'integer',
      start: 3,
      min: 1,
      max: 24,
      allowed: (engine, state) => engine.divisorsOf(integer(state, 'heads')),
      shownWhen: (state) => state.sharing === 'keysAndValuesPerGroup',
    },
    seedParameter,
    {
      name: 'outputBlocks',
      label: 'blocks of the output matrix',
      kind: 'choice',
      start: 'own',
      choices: [
        { value: 'own', label: 'one each', help: 'every head meets rows of its own' },
        { value: 'equal', label: 'all equal', help: 'all heads meet the same rows' },
      ],
    },
  ],
  run(engine, state) {
    const layer = layerOf(engine, state);
    const trace = engine.attend(layer);
    const tokens = words(state, 'tokens');
    const options = sharingOf(state);
    const one = () => layerResults(engine, engine.equivalentSingleHead(layer));
    const gradients = () => {
      const direction = lossDirection(engine, trace.output, state);
      const [untied, tied] = [engine.backward(layer, direction), engine.backward(layer, direction, options)];
      const matrices = (of: Gradients) => ({
        W_q: asMatrices(of.W_q),
        W_k: asMatrices(of.W_k),
        W_v: asMatrices(of.W_v),
      });
      const both = { untied: matrices(untied), tied: matrices(tied) };
      const compared = ({ W_q }: { W_q: readonly Matrix[] }) =>
        judged(engine.compareMatrices(W_q[0]!, W_q[1]!), 'numbers');
      return { ...both, comparison: { untied: compared(both.untied), tied: compared(both.tied) } };
    };
    return lazily(
      Object.assign(resultsOf(engine, layer, trace), {
        cases: { '': layer },
        names: { tokens, keyTokens: tokens },
      }),
      {
        rank: () => {
          const { rank, singularValues } = engine.numericalRank(trace.concatenated);
          return {
            rank,
            most: singularValues.length,
            full: rank === singularValues.length,
            singularValues: { rows: 1, columns: singularValues.length, data: singularValues },
          };
        },
        cost: () => engine.sharingCost(layer, options),
        one,
        gradients,
        comparison: () => ({ one: judged(engine.compareMatrices(one().output, trace.output)) }),
      },
    );
  },
};
