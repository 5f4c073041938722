// Recipe "head": one head of width 2 on queries, keys and values that are moved by hand. They start as a layer's projections.

import type { CompleteCase, Headwise, Matrix } from 'headwise';
import type { DescribedMatrix } from '../described.ts';
import { integer, text, words, type Parameter, type Recipe, type State } from '../parameters.ts';
import { lazily } from '../results.ts';
import { maskOf, maskParameters, seedParameter, tokensParameter } from './common.ts';
import { layerTree } from './layer-tree.ts';

/** Its vectors are drawn in the plane. */
const headWidth = 2;
/** How far a query or key may be moved along each axis. */
export const farthest = 5;

export type Arrow = 'query' | 'key';

/** An arrow that was moved: its row, from 0, and where it ends. */
export interface Move {
  readonly arrow: Arrow;
  readonly row: number;
  readonly end: readonly [x: number, y: number];
}

const number = String.raw`(-?\d{1,2}(?:\.\d{1,3})?)`;
const movePattern = new RegExp(`^([qk])(\\d{1,2}):${number}:${number}$`);
const letterOf = { query: 'q', key: 'k' } as const;
const clamp = (value: number) => Math.min(farthest, Math.max(-farthest, value));

/** "5,q2:0.5:-1": what was moved among the numbers of seed 5. Under another seed the arrows are others, and nothing was moved. */
export function parseMoves(state: State): Move[] {
  const [seed, ...moves] = text(state, 'moved').split(',');
  if (seed !== String(integer(state, 'seed'))) return [];
  return moves.flatMap((move): Move[] => {
    const [, letter, row, x, y] = movePattern.exec(move) ?? [];
    if (letter === undefined || Number(row) === 0) return [];
    return [
      { arrow: letter === 'q' ? 'query' : 'key', row: Number(row) - 1, end: [clamp(Number(x)), clamp(Number(y))] },
    ];
  });
}

/** What parameter `moved` says after one more move. */
export function withMove(state: State, move: Move): string {
  const others = parseMoves(state).filter(({ arrow, row }) => arrow !== move.arrow || row !== move.row);
  const spelled = [...others, move].map(
    ({ arrow, row, end: [x, y] }) => `${letterOf[arrow]}${row + 1}:${+clamp(x).toFixed(2)}:${+clamp(y).toFixed(2)}`,
  );
  return [integer(state, 'seed'), ...spelled].join(',');
}

function moved(matrix: Matrix, moves: readonly Move[], arrow: Arrow): Matrix {
  const data = Float64Array.from(matrix.data);
  for (const { row, end } of moves.filter((move) => move.arrow === arrow)) data.set(end, row * headWidth);
  return { ...matrix, data };
}

function unit(size: number): Matrix {
  const data = new Float64Array(size * size);
  for (let at = 0; at < size; ++at) data[at * size + at] = 1;
  return { rows: size, columns: size, data };
}

/** A layer whose projections leave queries, keys and values as they are given. */
function bareHead(query: Matrix, key: Matrix, value: Matrix, state: State): CompleteCase {
  const same = unit(headWidth);
  const sizes = { d_q: headWidth, d_k: headWidth, d_v: headWidth, p_q: headWidth, p_k: headWidth, p_v: headWidth };
  return {
    kind: 'mha',
    dims: { n_q: query.rows, n_kv: key.rows, ...sizes, num_heads: 1, num_kv_heads: 1, p_o: headWidth },
    inputs: { query, key, value },
    weights: { W_q: [same], W_k: [same], W_v: [same], W_o: same, b_q: null, b_k: null, b_v: null, b_o: null },
    mask: maskOf(state, key.rows),
  };
}

function projected(engine: Headwise, state: State) {
  const trace = engine.attend(
    engine.randomCase({
      kind: 'mha',
      dims: { d_q: integer(state, 'width'), num_heads: 1, p_q: headWidth, p_k: headWidth, p_v: headWidth },
      seed: integer(state, 'seed'),
      tokens: words(state, 'tokens'),
    }),
  );
  const { keys, values } = trace.keyValueHeads[0]!;
  return { queries: trace.heads[0]!.queries, keys, values };
}

const parameters: readonly Parameter[] = [
  tokensParameter,
  { name: 'width', label: 'width d', kind: 'integer', start: 4, min: 1, max: 64, usualMax: 24 },
  seedParameter,
  ...maskParameters,
  { name: 'row', label: 'who looks', kind: 'integer', start: 1, min: 1, max: 12 },
  { name: 'moved', label: 'arrows moved', kind: 'text', start: '' },
];

export const headRecipe: Recipe = {
  name: 'head',
  parameters,
  publish(engine, state, open) {
    const tokens = words(state, 'tokens');
    const { queries, keys, values } = projected(engine, state);
    const moves = parseMoves(state).filter(({ row }) => row < tokens.length);
    const layer = open(bareHead(moved(queries, moves, 'query'), moved(keys, moves, 'key'), values, state));
    const { heads, keyValueHeads, scaleFactor, emptyRows, dims, shapes, entropies, largest } = layerTree(engine, layer);
    // They are what one starts from: nothing is behind them.
    const given = ({ rows, columns, data, id, look }: DescribedMatrix) => ({ rows, columns, data, id, look });
    const [head, keyValueHead] = [heads[0]!, keyValueHeads[0]!];
    const start = { queries: given(head.queries), keys: given(head.keys), values: given(head.values) };
    return lazily(
      {
        names: { tokens, keyTokens: tokens },
        heads: [{ ...head, ...start }],
        keyValueHeads: [{ ...keyValueHead, keys: start.keys, values: start.values }],
        layer,
        scaleFactor,
        emptyRows,
        dims,
        moved: { arrows: moves.map(({ arrow, row }) => `${letterOf[arrow]}${row + 1}`).join(' ') || 'none' },
      },
      { shapes: () => shapes, entropies: () => entropies, largest: () => largest },
    );
  },
};
