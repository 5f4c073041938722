// Recipe "costs": what layers of given sizes cost, counted. Nothing is computed, so sizes may be those of real models.

import type { Headwise, LayerCost, RandomCaseRequest } from 'headwise';
import { integer, text, type Recipe, type State, type Value } from '../parameters.ts';
import { lazily } from '../results.ts';
import { engineWords } from './common.ts';

/** Curves end at this many heads. */
const mostHeads = 32;

/** Layers of published models. */
export const models: readonly { readonly name: string; readonly sizes: Readonly<Record<string, Value>> }[] = [
  { name: 'Transformer base', sizes: { width: 512, heads: 8, keyValueHeads: 0 } },
  { name: 'GPT-2 small', sizes: { width: 768, heads: 12, keyValueHeads: 0 } },
  { name: 'grouped, 8 billion', sizes: { width: 4096, heads: 32, keyValueHeads: 8 } },
];

type Dims = RandomCaseRequest['dims'];

/** Costs of one layer for each number of heads, or of key/value heads. */
export interface CostPoint {
  readonly heads: number;
  readonly cost: LayerCost;
  /** With every head as wide as the input. */
  readonly full: LayerCost;
}

export interface CostResults {
  readonly cost: LayerCost;
  readonly within: LayerCost;
  readonly full: LayerCost;
  readonly one: LayerCost;
  readonly byHeads: readonly CostPoint[];
  readonly byKeyValueHeads: readonly CostPoint[];
  readonly dims: Dims;
  readonly fullDims: Dims;
  readonly oneDims: Dims;
}

// Curves stay the same while a slider moves along them.
let lastCurve: { readonly engine: Headwise; readonly key: string; readonly points: readonly CostPoint[] } | undefined;
function curve(engine: Headwise, key: string, make: () => readonly CostPoint[]): readonly CostPoint[] {
  if (lastCurve?.engine !== engine || lastCurve.key !== key) lastCurve = { engine, key, points: make() };
  return lastCurve.points;
}

// Every head as wide as the input.
function widened(dims: Dims): Dims {
  return { ...dims, p_q: dims.d_q, p_k: dims.d_q, p_v: dims.d_q };
}

function costsOf(engine: Headwise, state: State) {
  const [width, heads, length] = [integer(state, 'width'), integer(state, 'heads'), integer(state, 'length')];
  const bytesPerNumber = integer(state, 'bytes');
  const dimsOf = (count: number, keyValueHeads = integer(state, 'keyValueHeads')): Dims => ({
    n_q: length,
    n_kv: length,
    d_q: width,
    num_heads: count,
    num_kv_heads: keyValueHeads || count,
  });
  const costOf = (dims: Dims) => engine.layerCost({ dims }, { bytesPerNumber });
  const point = (count: number, dims: Dims): CostPoint => ({
    heads: count,
    cost: costOf(dims),
    full: costOf(widened(dims)),
  });
  const dims = dimsOf(heads);
  const [fullDims, oneDims] = [widened(dims), dimsOf(1, 1)];
  return lazily(
    {
      names: { tokens: [], keyTokens: [] },
      dims,
      fullDims,
      oneDims,
      within: costOf(dims),
      full: costOf(fullDims),
      one: costOf(oneDims),
      cost: costOf(text(state, 'headWidth') === 'full' ? fullDims : dims),
      headWidth: engine.shapes({ dims })['heads[].queries']?.[1] ?? 0,
    },
    {
      byHeads: () => {
        const most = Math.max(mostHeads, heads);
        return curve(engine, ['heads', width, length, bytesPerNumber, most].join(), () =>
          engine
            .divisorsOf(width)
            .filter((count) => count <= most)
            // As many key/value heads as heads: sharing is the other curve.
            .map((count) => point(count, dimsOf(count, count))),
        );
      },
      byKeyValueHeads: () =>
        curve(engine, ['keyValueHeads', width, length, bytesPerNumber, heads].join(), () =>
          engine.divisorsOf(heads).map((count) => point(count, dimsOf(heads, count))),
        ),
    },
  );
}

export const costsRecipe: Recipe = {
  name: 'costs',
  parameters: [
    {
      name: 'width',
      label: 'width d',
      kind: 'integer',
      start: 512,
      min: 1,
      max: 16384,
      usualMax: 4096,
      stands: engineWords.width,
    },
    {
      name: 'heads',
      label: 'heads h',
      kind: 'integer',
      start: 8,
      min: 1,
      max: 128,
      stands: engineWords.heads,
      allowed: (engine, state) => engine.divisorsOf(integer(state, 'width')).filter((heads) => heads <= 128),
    },
    {
      name: 'keyValueHeads',
      label: 'key and value heads',
      kind: 'integer',
      start: 0,
      min: 0,
      max: 128,
      zeroMeans: 'one per head',
      stands: engineWords.keyValueHeads,
      allowed: (engine, state) => [0, ...engine.divisorsOf(integer(state, 'heads'))],
    },
    {
      name: 'headWidth',
      label: 'width of a head',
      kind: 'choice',
      start: 'budget',
      choices: [
        { value: 'budget', label: 'd / h', help: 'all heads together are as wide as the input' },
        { value: 'full', label: 'd', help: 'every head is as wide as the input' },
      ],
    },
    { name: 'length', label: 'tokens n', kind: 'integer', start: 128, min: 1, max: 131072, usualMax: 128 },
    { name: 'bytes', label: 'bytes for a number', kind: 'integer', start: 2, min: 1, max: 8 },
  ],
  publish: costsOf,
};
