// What the row draws: one token's query among the keys, its scores on their way to shares, and the values that these pull at.

import type { Matrix } from 'headwise';
import type { Covers } from '../../bench/covers.ts';
import type { BenchLayer, DescribedMatrix } from '../../bench/described.ts';
import { integer } from '../../bench/parameters.ts';
import { farthest } from '../../bench/recipes/head.ts';
import type { Results } from '../../bench/results.ts';

export type Vector = readonly [x: number, y: number];

/** A number of a step; undefined while an exercise asks for it. */
export type Shown = number | undefined;

export interface KeyOfRow {
  readonly name: string;
  readonly key: Vector;
  readonly value: Vector;
  readonly raw: Shown;
  readonly scaled: Shown;
  readonly hidden: boolean;
  /** Of the score less the row's largest; so no more than 1. */
  readonly exponential: Shown;
  readonly share: Shown;
  /** What the keys before it have together. */
  readonly before: number;
}

export interface RowPicture {
  readonly row: number;
  readonly token: string;
  readonly tokens: readonly string[];
  readonly query: Vector;
  readonly keys: readonly KeyOfRow[];
  readonly output: Vector;
  /** Sees nothing at all. */
  readonly empty: boolean;
  /** From which whole score to which the scale goes. */
  readonly from: number;
  readonly to: number;
  /** How far the plane of queries and keys goes, and that of values. */
  readonly reach: number;
  readonly valueReach: number;
  readonly isMoved: boolean;
}

const at = ({ columns, data }: Matrix, row: number, column: number) => data[row * columns + column] ?? 0;
const vector = (matrix: Matrix, row: number): Vector => [at(matrix, row, 0), at(matrix, row, 1)];
const largest = (numbers: Iterable<number>) => [...numbers].reduce((most, value) => Math.max(most, Math.abs(value)), 0);

interface Head {
  readonly queries: DescribedMatrix;
  readonly keys: DescribedMatrix;
  readonly values: DescribedMatrix;
  readonly rawScores: DescribedMatrix;
  readonly scaledScores: DescribedMatrix;
  readonly maskedScores: DescribedMatrix;
  readonly attentionWeights: DescribedMatrix;
  readonly output: DescribedMatrix;
}

/** The row that a bench says, of those there are. */
export function rowIn(results: Results): number {
  return Math.min(integer(results.state, 'row'), results.names.tokens.length) - 1;
}

/** undefined where there is no head to draw. */
export function rowPicture(results: Results, covers: Covers): RowPicture | undefined {
  const { heads, layer, moved } = results as unknown as {
    heads: readonly Head[];
    layer: BenchLayer;
    moved: { arrows: string };
  };
  const [head] = heads;
  const { tokens } = results.names;
  const row = rowIn(results);
  if (!head || row < 0) return undefined;
  const seen = (matrix: DescribedMatrix, key: number): Shown =>
    covers.hidesCell(matrix.id, row, key) ? undefined : at(matrix, row, key);
  // One question for the whole row: its exponentials stand in the arithmetic behind any of its weights.
  const exponentials = layer.explainCell('heads[0].attentionWeights', row, 0).right;
  let before = 0;
  const keys = tokens.map((name, key): KeyOfRow => {
    const share = at(head.attentionWeights, row, key);
    const from = before;
    before += share;
    const scaled = seen(head.scaledScores, key);
    return {
      name,
      key: vector(head.keys, key),
      value: vector(head.values, key),
      raw: seen(head.rawScores, key),
      scaled,
      hidden: at(head.maskedScores, row, key) === -Infinity,
      exponential: scaled === undefined ? undefined : (exponentials[key] ?? 0),
      share: seen(head.attentionWeights, key),
      before: from,
    };
  });
  // Whole numbers, and never fewer, so that the scale stands still under most drags.
  const scores = Array.from(tokens, (_, key) => at(head.rawScores, row, key));
  return {
    row,
    token: tokens[row] ?? '',
    tokens,
    query: vector(head.queries, row),
    keys,
    output: vector(head.output, row),
    empty: keys.every(({ hidden }) => hidden),
    from: Math.min(-2, Math.floor(Math.min(...scores))),
    to: Math.max(2, Math.ceil(Math.max(...scores))),
    reach: Math.min(farthest, Math.max(3, Math.ceil(largest([...head.queries.data, ...head.keys.data])))),
    valueReach: Math.max(1, Math.ceil(2 * largest(head.values.data)) / 2),
    isMoved: moved.arrows !== 'none',
  };
}
