// What the handle draws: one token's row of scores and weights, for one head and for several, at both rests of the handle.

import type { Headwise, Matrix } from 'headwise';
import { rowsOf, type LayerTree } from '../../bench/recipes/layer-tree.ts';
import type { Results } from '../../bench/results.ts';

export interface Piece {
  /** Where it begins while the pieces are added up, and how long it is then and when each head has its own; all in shares of the axis. */
  readonly from: number;
  readonly added: number;
  readonly own: number;
  readonly score: number;
  readonly weight: number;
}

export interface KeyPicture {
  readonly name: string;
  readonly hidden: boolean;
  /** Of the one head. */
  readonly score: number;
  readonly weight: number;
  readonly sum: number;
  readonly pieces: readonly Piece[];
}

export interface OutputCell {
  readonly one: number;
  readonly several: number;
  readonly head: number;
}

export interface HandlePicture {
  readonly row: number;
  readonly token: string;
  readonly tokens: readonly string[];
  readonly heads: number;
  /** Whether the one head's scores are the sum of the heads'. */
  readonly adds: boolean;
  readonly keys: readonly KeyPicture[];
  readonly output: readonly OutputCell[];
  /** Largest magnitude in the output row. */
  readonly outputRange: number;
  readonly largestDifference: number;
  readonly equal: boolean;
}

const at = ({ columns, data }: Matrix, row: number, column: number) => data[row * columns + column] ?? 0;
const finite = (value: number) => (Number.isFinite(value) ? value : 0);

/** undefined if the row is not there. */
export function handlePicture(engine: Headwise, results: Results, wantedRow: number): HandlePicture | undefined {
  const { single, multi, decomposition } = results as unknown as {
    single: LayerTree;
    multi: LayerTree;
    decomposition: { sum: Matrix };
  };
  const one = single.heads[0];
  if (!one || one.attentionWeights.rows === 0) return undefined;
  const row = Math.min(wantedRow, one.attentionWeights.rows - 1);
  const { heads } = multi;
  const adds = engine.compareMatrices(one.rawScores, decomposition.sum).equal;
  const keyCount = one.attentionWeights.columns;
  const scale = single.scaleFactor;

  const keys = Array.from({ length: keyCount }, (_, key): KeyPicture => {
    const score = at(one.maskedScores, row, key);
    const hidden = score === -Infinity;
    let from = 0;
    const pieces = heads.map((head): Piece => {
      // Lengths on the screen: what a head's dot product is in the one head's scale, and in its own.
      const added = adds ? at(head.rawScores, row, key) * scale : finite(score);
      const own = finite(at(head.maskedScores, row, key));
      const piece = { from, added, own, score: own, weight: at(head.attentionWeights, row, key) };
      if (adds) from += added;
      return piece;
    });
    return {
      name: results.names.keyTokens[key] ?? `key ${key + 1}`,
      hidden,
      score: finite(score),
      weight: at(one.attentionWeights, row, key),
      sum: finite(score),
      pieces: hidden ? [] : pieces,
    };
  });
  const reach = Math.max(
    1e-9,
    ...keys.flatMap(({ sum, pieces }) => [
      Math.abs(sum),
      ...pieces.flatMap(({ from, added, own }) => [Math.abs(from), Math.abs(from + added), Math.abs(own)]),
    ]),
  );

  const width = single.concatenated.columns;
  const output = Array.from({ length: width }, (_, column): OutputCell => ({
    one: at(single.concatenated, row, column),
    several: at(multi.concatenated, row, column),
    head: Math.floor((column * heads.length) / width),
  }));
  const comparison = engine.compareMatrices(rowsOf(single.concatenated, row, 1), rowsOf(multi.concatenated, row, 1));
  const { tokens } = results.names;
  const rows = one.attentionWeights.rows;
  return {
    row,
    tokens: Array.from({ length: rows }, (_, index) => tokens[index] ?? `row ${index + 1}`),
    token: tokens[row] ?? `row ${row + 1}`,
    heads: heads.length,
    adds,
    keys: keys.map((key) => ({
      ...key,
      sum: key.sum / reach,
      pieces: key.pieces.map((piece) => ({
        ...piece,
        from: piece.from / reach,
        added: piece.added / reach,
        own: piece.own / reach,
      })),
    })),
    output,
    outputRange: comparison.largestMagnitude || 1,
    largestDifference: comparison.largestDifference,
    equal: comparison.equal,
  };
}
