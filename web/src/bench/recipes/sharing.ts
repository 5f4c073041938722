// Recipe "sharing": heads that use each other's matrices, from none to all (lesson 5).

import type { CompleteCase, Gradients, Headwise, Matrix, SharingOptions } from 'headwise';
import { described, describedList } from '../described.ts';
import { integer, text, words, type Recipe, type State } from '../parameters.ts';
import { lazily, once } from '../results.ts';
import { engineWords, lossDirection, seedParameter, tokensParameter } from './common.ts';
import { judged, layerTree } from './layer-tree.ts';

function sharingOf(state: State): SharingOptions {
  const sharing = text(state, 'sharing') as NonNullable<SharingOptions['sharing']>;
  return { sharing, groupSize: sharing === 'keysAndValuesPerGroup' ? integer(state, 'groupSize') : 1 };
}

function layerOf(engine: Headwise, state: State): CompleteCase {
  const heads = integer(state, 'heads');
  const own = engine.randomCase({
    dims: { d_q: integer(state, 'width'), num_heads: heads },
    seed: integer(state, 'seed'),
    tokens: words(state, 'tokens'),
  });
  const shared = engine.shareWeights(own, sharingOf(state));
  return text(state, 'outputBlocks') === 'equal' ? engine.withEqualOutputBlocks(shared) : shared;
}

/** Which query head uses which key/value head, counted from 1. */
export interface Partners {
  /** As the layer was trained: neighbours together. */
  readonly trained: readonly number[];
  /** Handed out round and round: the right shape, other partners. */
  readonly tiled: readonly number[];
  /** As the learner has set them. */
  readonly now: readonly number[];
  readonly keyValueHeads: number;
}

// "1 1 2 2"; what names no key/value head is as trained.
function partnersOf(state: State): Partners {
  const heads = integer(state, 'heads');
  const kind = text(state, 'sharing');
  const group = kind === 'none' ? 1 : kind === 'keysAndValuesPerGroup' ? integer(state, 'groupSize') : heads;
  const each = Array.from({ length: heads }, (_, head) => head);
  const keyValueHeads = new Set(each.map((head) => Math.floor(head / group))).size;
  const trained = each.map((head) => Math.floor(head / group) + 1);
  const tiled = each.map((head) => (head % keyValueHeads) + 1);
  const asked = text(state, 'partners').split(/\s+/).map(Number);
  const now = trained.map((own, head) => {
    const partner = asked[head] ?? 0;
    return Number.isInteger(partner) && partner >= 1 && partner <= keyValueHeads ? partner : own;
  });
  return { trained, tiled, now, keyValueHeads };
}

// The layer with keys and values from other heads than it was trained with.
function rewired(layer: CompleteCase, { trained, now }: Partners): CompleteCase {
  const users = now.map((partner) => trained.indexOf(partner));
  const from = <Item>(list: readonly Item[]): Item[] => users.map((head) => list[head]!);
  const { W_k, W_v } = layer.weights;
  return { ...layer, weights: { ...layer.weights, W_k: from(W_k), W_v: from(W_v) } };
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
    { name: 'partners', label: 'key and value heads of the query heads', kind: 'text', start: '' },
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
  publish(engine, state, open) {
    const layer = open(layerOf(engine, state));
    const tree = layerTree(engine, layer);
    const tokens = words(state, 'tokens');
    const options = sharingOf(state);
    const one = once(() => layerTree(engine, open(engine.equivalentSingleHead(layer)), 'one.'));
    const gradients = () => {
      const direction = lossDirection(engine, tree.output, state);
      const [untied, tied] = [engine.backward(layer, direction), engine.backward(layer, direction, options)];
      const matrices = (of: Gradients, id: string) => {
        const list = (name: 'W_q' | 'W_k' | 'W_v', tone: 'query' | 'key' | 'value') =>
          describedList(of[name] as Matrix[], `gradients.${id}.${name}`, { label: `∂ W_{j}^${name.slice(2)}`, tone });
        return { W_q: list('W_q', 'query'), W_k: list('W_k', 'key'), W_v: list('W_v', 'value') };
      };
      const both = { untied: matrices(untied, 'untied'), tied: matrices(tied, 'tied') };
      const compared = ({ W_q }: { W_q: readonly Matrix[] }) =>
        judged(engine.compareMatrices(W_q[0]!, W_q[1]!), 'numbers');
      return { ...both, comparison: { untied: compared(both.untied), tied: compared(both.tied) } };
    };
    return lazily(Object.assign(tree, { names: { tokens, keyTokens: tokens } }), {
      rank: () => {
        const { rank, singularValues } = engine.numericalRank(tree.concatenated);
        const row = { rows: 1, columns: singularValues.length, data: singularValues };
        return {
          rank,
          most: singularValues.length,
          full: rank === singularValues.length,
          singularValues: described(row, 'rank.singularValues', { label: 'singular values', tone: 'output' }),
        };
      },
      cost: () => engine.sharingCost(layer.case, options),
      one,
      gradients,
      partners: () => partnersOf(state),
      wired: () => {
        const trace = engine.attend(rewired(layer.case, partnersOf(state)));
        const heads = trace.heads.map(
          ({ output }, head) => engine.compareMatrices(output, tree.heads[head]!.output).equal,
        );
        return { comparison: judged(engine.compareMatrices(trace.output, tree.output)), heads };
      },
      comparison: () => ({ one: judged(engine.compareMatrices(one().output, tree.output)) }),
    });
  },
};
