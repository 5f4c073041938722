// Recipe "layer": one attention layer on the learner's words, and other ways of running it.

import type { CompleteCase, Decisions, Headwise, LayoutName, RandomCaseRequest, Trace, WeightCell } from 'headwise';
import { described, describedList } from '../described.ts';
import { applyEdits, notesOn, parseEdits, type EditedCase } from '../edits.ts';
import { flag, integer, text, words, type Parameter, type Recipe, type State } from '../parameters.ts';
import { lazily, once } from '../results.ts';
import {
  distributionOf,
  distributionParameter,
  editsParameter,
  engineWords,
  maskOf,
  maskParameters,
  optionsOf,
  scaleParameter,
  seedParameter,
  tokensParameter,
} from './common.ts';
import { layoutLinks } from './links.ts';
import { describedTrace, judged, layerTree } from './layer-tree.ts';

const parameters: readonly Parameter[] = [
  tokensParameter,
  { name: 'keyTokens', label: 'tokens of the second sequence', kind: 'words', start: [] },
  {
    name: 'width',
    label: 'width d',
    kind: 'integer',
    start: 12,
    min: 1,
    max: 64,
    usualMax: 24,
    stands: engineWords.width,
  },
  { name: 'heads', label: 'heads', kind: 'integer', start: 3, min: 1, max: 16, usualMax: 8, stands: engineWords.heads },
  { name: 'headWidth', label: 'head width', kind: 'integer', start: 0, min: 0, max: 64, zeroMeans: 'd / heads' },
  { name: 'outputWidth', label: 'output width', kind: 'integer', start: 0, min: 0, max: 64, zeroMeans: 'd' },
  {
    name: 'keyValueHeads',
    label: 'key and value heads',
    kind: 'integer',
    start: 0,
    min: 0,
    max: 16,
    zeroMeans: 'one per head',
    stands: engineWords.keyValueHeads,
  },
  seedParameter,
  ...maskParameters,
  scaleParameter,
  {
    name: 'pooling',
    label: 'pooling',
    kind: 'choice',
    start: 'dot',
    choices: [
      { value: 'dot', label: 'scaled dot product' },
      { value: 'additive', label: 'additive' },
    ],
  },
  { name: 'scoreHidden', label: 'hidden width of the scores', kind: 'integer', start: 4, min: 1, max: 64 },
  { name: 'biases', label: 'biases', kind: 'flag', start: false },
  distributionParameter,
  editsParameter,
  { name: 'nudgeToken', label: 'token to change', kind: 'integer', start: 1, min: 1, max: 12 },
  { name: 'nudgeFeature', label: 'feature to change', kind: 'integer', start: 1, min: 1, max: 64 },
  { name: 'nudge', label: 'change by', kind: 'number', start: 0, min: -4, max: 4, step: 0.5 },
  {
    name: 'notation',
    label: 'notation',
    kind: 'choice',
    start: 'rows',
    choices: [
      { value: 'rows', label: 'rows: H W', help: 'tokens are rows, matrices multiply from the right' },
      { value: 'columns', label: 'columns: W q', help: 'tokens are columns, matrices multiply from the left' },
    ],
  },
];

function request(state: State): RandomCaseRequest {
  const tokens = words(state, 'tokens');
  const keyTokens = words(state, 'keyTokens');
  const headWidth = integer(state, 'headWidth');
  const outputWidth = integer(state, 'outputWidth');
  const keyValueHeads = integer(state, 'keyValueHeads');
  return {
    kind: 'mha',
    dims: {
      d_q: integer(state, 'width'),
      num_heads: integer(state, 'heads'),
      ...(headWidth > 0 && { p_q: headWidth, p_k: headWidth, p_v: headWidth }),
      ...(outputWidth > 0 && { p_o: outputWidth }),
      ...(keyValueHeads > 0 && { num_kv_heads: keyValueHeads }),
    },
    seed: integer(state, 'seed'),
    tokens,
    ...(keyTokens.length > 0 && { keyTokens }),
    weights: distributionOf(state),
    biases: flag(state, 'biases'),
    mask: maskOf(state, keyTokens.length || tokens.length),
    options: optionsOf(state),
  };
}

function edited(engine: Headwise, state: State, asked: RandomCaseRequest): EditedCase {
  return applyEdits(engine.randomCase(asked), parseEdits(text(state, 'edits')), integer(state, 'heads'));
}

// Where lesson 3's cell stands: the last head's W_k, first row, second column.
function layoutTargets(engine: Headwise, layer: CompleteCase) {
  const cell: WeightCell = { role: 'key', head: layer.dims.num_kv_heads - 1, row: 0, column: 1 };
  const at = (layout: LayoutName) => engine.positionIn(layout, layer.dims, cell);
  return lazily({}, { gpt2: () => at('gpt2'), torch: () => at('torch'), interleaved: () => at('interleaved') });
}

function additiveRequest(state: State): RandomCaseRequest {
  const asked = request(state);
  return { ...asked, kind: 'additive_mha', dims: { ...asked.dims, a: integer(state, 'scoreHidden') } };
}

// One number of the input changed. Projections without bias are linear, so what moves is what the change alone gives.
function nudged(engine: Headwise, layer: CompleteCase, state: State) {
  if (!('X' in layer.inputs)) return undefined;
  const input = layer.inputs.X;
  const change = new Float64Array(input.data.length);
  const [token, feature] = [integer(state, 'nudgeToken') - 1, integer(state, 'nudgeFeature') - 1];
  if (token < input.rows && feature < input.columns) change[token * input.columns + feature] = integer(state, 'nudge');
  const weights = { ...layer.weights, b_q: null, b_k: null, b_v: null, b_o: null };
  const moved = engine.attend({ ...layer, inputs: { X: { ...input, data: change } }, weights });
  const queryChanges = describedList(
    moved.heads.map((head) => head.queries),
    'nudged.queryChanges',
    { label: 'ΔQ_{j}', tone: 'query', rows: 'tokens' },
  );
  const changed = queryChanges.filter((matrix) => matrix.data.some((value) => value !== 0)).length;
  return { queryChanges, headsChanged: changed === 0 ? 'none' : changed === moved.heads.length ? 'all' : changed };
}

export const layerRecipe: Recipe = {
  name: 'layer',
  parameters,
  publish(engine, state, open) {
    const asked = text(state, 'pooling') === 'additive' ? additiveRequest(state) : request(state);
    const { layer: made, ignored } = edited(engine, state, asked);
    const layer = open(made);
    const tree = layerTree(engine, layer);
    const tokens = words(state, 'tokens');
    const keyTokens = words(state, 'keyTokens');
    const heads = integer(state, 'heads');

    // As libraries run it: one wide product per role, with or without the transposes that make its views right.
    const wide = (decisions: Decisions = {}) =>
      once(() => engine.forward(layer, { wideProjections: true, ...decisions }));
    const fused = wide();
    const wrongSplit = wide({ split: 'withoutTranspose' });
    const wrongMerge = wide({ merge: 'withoutTranspose' });
    const shown = (name: string, run: () => Trace) => () => describedTrace(engine, run(), name);
    const compared = (run: () => Trace) => () => judged(engine.compareMatrices(run().output, tree.output));
    // What masked_fill(scores, value) does before the softmax.
    const filled = (name: string, value: number) => () =>
      describedList(
        engine.forward(layer, { hide: 'fill', fillValue: value }).heads.map((head) => head.attentionWeights),
        `wrongMasks.${name}`,
        { label: 'A_{j}', tone: 'attention', rows: 'tokens', columns: 'keyTokens', scale: 'probability' },
      );
    const wideQueries = once(() =>
      described(engine.mergeHeads(tree.heads.map((head) => head.queries)), 'wideQueries', {
        label: 'Q',
        tone: 'query',
        rows: 'tokens',
        columnBlocks: heads,
      }),
    );
    const pooling = (name: string, asked: RandomCaseRequest) => () => {
      const other = open(edited(engine, state, asked).layer);
      // Of one head's pooling: as if queries, keys and values were given.
      const { n_q, n_kv, p_q, p_k, p_v } = other.case.dims;
      const sizes = { n_q, n_kv, d_q: p_q, d_k: p_k, d_v: p_v };
      const cost = engine.layerCost(
        asked.kind === 'additive_mha'
          ? { kind: 'additive', dims: { ...sizes, a: integer(state, 'scoreHidden') } }
          : { kind: 'sdpa', dims: sizes },
      );
      return Object.assign(layerTree(engine, other, `poolings.${name}.`), { cost });
    };

    return lazily(
      Object.assign(tree, {
        names: { tokens, keyTokens: keyTokens.length > 0 ? keyTokens : tokens },
        notes: notesOn(ignored),
      }),
      {
        fused: shown('fused', fused),
        wrongSplit: shown('wrongSplit', wrongSplit),
        wrongMerge: shown('wrongMerge', wrongMerge),
        comparison: () =>
          lazily({}, { fused: compared(fused), wrongSplit: compared(wrongSplit), wrongMerge: compared(wrongMerge) }),
        nudged: () => nudged(engine, made, state),
        layoutTargets: () => layoutTargets(engine, made),
        wideQueries,
        wideSplit: () =>
          describedList(engine.splitHeads(wideQueries(), heads), 'wideSplit', {
            label: 'Q_{j}',
            tone: 'query',
            rows: 'tokens',
          }),
        wideSplitWrong: () =>
          describedList(engine.splitHeads(wideQueries(), heads, { transpose: false }), 'wideSplitWrong', {
            label: '“Q_{j}”',
            tone: 'query',
          }),
        wrongMasks: () => lazily({}, { zero: filled('zero', 0), minus1e4: filled('minus1e4', -1e4) }),
        poolings: () =>
          lazily({}, { dot: pooling('dot', request(state)), additive: pooling('additive', additiveRequest(state)) }),
      },
    );
  },
  links: layoutLinks,
};
