// Recipe "split": one head, and the same matrices cut by columns into several (lesson 4).

import type { ConstructionName, DistributionName, Gradients, Headwise, Matrix } from 'headwise';
import { described } from '../described.ts';
import { applyEdits, notesOn, parseEdits, type EditedCase } from '../edits.ts';
import { integer, text, words, type Choice, type Recipe, type State } from '../parameters.ts';
import { lazily, type RowNames } from '../results.ts';
import {
  distributionOf,
  distributionParameter,
  editsParameter,
  engineWords,
  lossDirection,
  maskOf,
  maskParameters,
  optionsOf,
  scaleParameter,
  seedParameter,
  tokensParameter,
} from './common.ts';
import { pairLinks } from './links.ts';
import { judged, layerTree } from './layer-tree.ts';

const constructionChoices: readonly Choice[] = [
  { value: '', label: 'none', help: 'the matrices as they are, cut into blocks' },
  { value: 'oneHead', label: 'one head', help: 'nothing is cut' },
  { value: 'oneKey', label: 'one key', help: 'its weight is 1, whatever the score' },
  { value: 'constantInput', label: 'constant input', help: 'every mean of equal rows is that row' },
  { value: 'zeroQuery', label: 'W_q = 0', help: 'all scores are 0, all weights alike' },
  { value: 'zeroKey', label: 'W_k = 0', help: 'all scores are 0, all weights alike' },
  { value: 'fullScores', label: 'cut only W_v', help: 'every head keeps all of W_q, W_k and the scale √d' },
  { value: 'equalBlocks', label: 'equal blocks', help: 'W_q = [A … A], W_k = [B … B] against heads √h·A and B' },
  { value: 'rescaledHeads', label: 'rescaled heads', help: 'heads c·W_q and W_k / c at full width' },
];

// Constructions with heads of full width hold heads · d · d numbers several times over: 512 · 512 · 512 would fill the memory.
const wideConstructions: ReadonlySet<string> = new Set(['fullScores', 'equalBlocks', 'rescaledHeads']);
const mostNumbers = 2 ** 20;

function headsFor(engine: Headwise, state: State): readonly number[] {
  const width = integer(state, 'width');
  const divisors = engine.divisorsOf(width);
  if (!wideConstructions.has(text(state, 'construction'))) return divisors;
  return divisors.filter((heads) => heads * width * width <= mostNumbers);
}

function singleLayer(engine: Headwise, state: State): EditedCase {
  const drawn = text(state, 'inputs');
  const tokens = words(state, 'tokens');
  const rows = integer(state, 'rows');
  const width = integer(state, 'width');
  const keyCount = drawn === 'words' ? tokens.length : rows;
  const single = engine.randomCase({
    kind: 'mha',
    dims: { d_q: width, num_heads: 1, ...(drawn !== 'words' && { n_q: rows, n_kv: rows }) },
    seed: integer(state, 'seed'),
    ...(drawn === 'words' ? { tokens } : { inputs: drawn as DistributionName }),
    weights: distributionOf(state),
    mask: maskOf(state, keyCount),
    options: optionsOf(state),
  });
  return applyEdits(single, parseEdits(text(state, 'edits')), integer(state, 'heads'));
}

// A construction may change the input; its rows are then no longer the learner's words.
function namesOf(state: State, construction: string, keyCount: number): RowNames {
  if (text(state, 'inputs') !== 'words') return { tokens: [], keyTokens: [] };
  const tokens = words(state, 'tokens');
  if (construction === 'constantInput') {
    const same = tokens.map(() => tokens[0] ?? '');
    return { tokens: same, keyTokens: same };
  }
  return { tokens, keyTokens: tokens.slice(0, keyCount) };
}

export const splitRecipe: Recipe = {
  name: 'split',
  parameters: [
    tokensParameter,
    {
      name: 'width',
      label: 'width d',
      kind: 'integer',
      start: 6,
      min: 2,
      max: 512,
      usualMax: 16,
      stands: engineWords.width,
    },
    {
      name: 'heads',
      label: 'heads',
      stands: engineWords.heads,
      kind: 'integer',
      start: 2,
      min: 1,
      max: 512,
      allowed: headsFor,
    },
    seedParameter,
    ...maskParameters,
    scaleParameter,
    distributionParameter,
    {
      name: 'inputs',
      label: 'input',
      kind: 'choice',
      start: 'words',
      choices: [
        { value: 'words', label: 'words' },
        { value: 'normal', label: 'normal' },
        { value: 'uniform', label: 'from 0 to 1' },
      ],
    },
    {
      name: 'rows',
      label: 'rows',
      kind: 'integer',
      start: 10,
      min: 1,
      max: 64,
      shownWhen: (state) => state.inputs !== 'words',
    },
    { name: 'construction', label: 'construction', kind: 'choice', start: '', choices: constructionChoices },
    editsParameter,
  ],
  publish(engine, state, open) {
    const heads = integer(state, 'heads');
    const { layer: original, ignored } = singleLayer(engine, state);
    const construction = text(state, 'construction');
    const pair =
      construction === ''
        ? { single: original, multi: engine.splitSingleHead(original, heads) }
        : engine.constructEqualPair(construction as ConstructionName, original, heads);
    const layers = { single: open(pair.single), multi: open(pair.multi) };
    const single = layerTree(engine, layers.single, 'single.');
    const multi = layerTree(engine, layers.multi, 'multi.');
    const compared = (name: 'concatenated' | 'output') => () =>
      judged(engine.compareMatrices(single[name], multi[name]));
    const gradients = () => {
      // The same loss for both.
      const direction = lossDirection(engine, single.output, state);
      const [one, many] = [engine.backward(layers.single, direction), engine.backward(layers.multi, direction)];
      const both = (name: 'W_q' | 'W_k' | 'W_v', tone: 'query' | 'key' | 'value') => {
        const wide = (of: Gradients, which: string, columnBlocks: number) =>
          described(engine.mergeHeads(of[name] as Matrix[]), `gradients.${name}.${which}`, {
            label: `∂ W^${name.slice(2)}`,
            tone,
            columnBlocks,
          });
        return { single: wide(one, 'single', 1), multi: wide(many, 'multi', multi.heads.length) };
      };
      const pairs = { W_q: both('W_q', 'query'), W_k: both('W_k', 'key'), W_v: both('W_v', 'value') };
      const comparison = (of: { single: Matrix; multi: Matrix }) =>
        judged(engine.compareMatrices(of.single, of.multi), 'numbers');
      return {
        ...pairs,
        comparison: { W_q: comparison(pairs.W_q), W_k: comparison(pairs.W_k), W_v: comparison(pairs.W_v) },
      };
    };
    return lazily(
      {
        names: namesOf(state, construction, single.keyInput.rows),
        notes: notesOn(ignored),
        single,
        multi,
        comparison: lazily({}, { concatenated: compared('concatenated'), output: compared('output') }),
      },
      {
        decomposition: () => {
          const { sum, largestDifference } = engine.decomposeScores(layers.single, layers.multi);
          const maps = { tone: 'scores', rows: 'tokens', columns: 'keyTokens' } as const;
          return {
            // The heads' own scores, so that their cells open and light up with them.
            terms: multi.heads.map((head) => head.rawScores),
            sum: described(sum, 'decomposition.sum', { label: 'Σ Q_j K_j^T', ...maps }),
            largestDifference,
          };
        },
        similarity: () => multi.similarity,
        gradients,
        judge: () => engine.judgeOwnConstruction(layers.single, layers.multi),
        distances: () =>
          lazily(
            {},
            Object.fromEntries(
              engine.constructions.map((name) => [name, () => engine.distanceFrom(name, layers.single, layers.multi)]),
            ),
          ),
      },
    );
  },
  links: pairLinks,
};
