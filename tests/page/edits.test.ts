import { describe, expect, it } from 'vitest';
import type { CompleteCase, Matrix } from 'headwise';
import {
  applyEdits,
  formatEdits,
  mostEdits,
  parseEdit,
  parseEdits,
  readEdits,
  withEdit,
} from '../../web/src/bench/edits.ts';

const matrix = (rows: number, columns: number, start: number): Matrix => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, index) => start + index),
});

/** One head, width 2 → 4, output 4 → 2: q is 1 … 8, k 11 … 18, v 21 … 28, o 31 … 38, the input 41 … 44. */
const single = (): CompleteCase => ({
  kind: 'mha',
  dims: { n_q: 2, n_kv: 2, d_q: 2, d_k: 2, d_v: 2, num_heads: 1, num_kv_heads: 1, p_q: 4, p_k: 4, p_v: 4, p_o: 2 },
  inputs: { X: matrix(2, 2, 41) },
  weights: {
    W_q: [matrix(2, 4, 1)],
    W_k: [matrix(2, 4, 11)],
    W_v: [matrix(2, 4, 21)],
    W_o: matrix(4, 2, 31),
    b_q: null,
    b_k: null,
    b_v: null,
    b_o: null,
  },
  mask: null,
});

const edited = (text: string, blocks = 2) => applyEdits(single(), parseEdits(text), blocks);
const numbers = (layer: CompleteCase, name: 'W_q' | 'W_k' | 'W_o') =>
  [layer.weights[name]].flat().map(({ data }) => [...data]);

describe('edits', () => {
  it('are so many at most, since an address has no end', () => {
    const { edits, wrong } = readEdits(`q.0.0:7,`.repeat(mostEdits) + 'k/0:0');
    expect(edits).toHaveLength(mostEdits);
    expect(wrong).toEqual(['k/0:0']);
  });

  it('set a cell', () => {
    expect(numbers(edited('q.1.2:-0.5').layer, 'W_q')).toEqual([[1, 2, 3, 4, 5, 6, -0.5, 8]]);
  });

  it('set a block of columns to 0', () => {
    expect(numbers(edited('k/1:0').layer, 'W_k')).toEqual([[11, 12, 0, 0, 15, 16, 0, 0]]);
  });

  it('copy a block, also from another matrix', () => {
    expect(numbers(edited('q/1:q/0').layer, 'W_q')).toEqual([[1, 2, 1, 2, 5, 6, 5, 6]]);
    expect(numbers(edited('q/0:k/1').layer, 'W_q')).toEqual([[13, 14, 3, 4, 17, 18, 7, 8]]);
  });

  it('multiply a block', () => {
    expect(numbers(edited('q/0*0.5').layer, 'W_q')).toEqual([[0.5, 1, 3, 4, 2.5, 3, 7, 8]]);
  });

  it('take rows for a block of the output matrix', () => {
    expect(numbers(edited('o/1:0').layer, 'W_o')).toEqual([[31, 32, 33, 34, 0, 0, 0, 0]]);
  });

  it('reach the input', () => {
    const { inputs } = edited('x.0.1:7').layer;
    expect('X' in inputs && [...inputs.X.data]).toEqual([41, 7, 43, 44]);
  });

  it('are made in order', () => {
    expect(numbers(edited('q/0:0,q.0.0:9,q/1:q/0').layer, 'W_q')).toEqual([[9, 0, 9, 0, 0, 0, 0, 0]]);
  });

  it('count columns over all heads where a layer has several', () => {
    const two: Case = { ...single(), weights: { ...single().weights, W_q: [matrix(2, 2, 1), matrix(2, 2, 5)] } };
    const { layer } = applyEdits(two, parseEdits('q.0.3:9,q/0:0'), 2);
    expect(numbers(layer, 'W_q')).toEqual([
      [0, 0, 0, 0],
      [5, 9, 7, 8],
    ]);
  });

  it('leave the layer they are given alone', () => {
    const layer = single();
    applyEdits(layer, parseEdits('q/0:0'), 2);
    expect(numbers(layer, 'W_q')).toEqual(numbers(single(), 'W_q'));
  });

  it('that name what is not there are reported and do nothing', () => {
    const { layer, ignored } = edited('q.5.0:1,q/2:0');
    expect(formatEdits(ignored)).toBe('q.5.0:1,q/2:0');
    expect(numbers(layer, 'W_q')).toEqual(numbers(single(), 'W_q'));
  });

  it('survive being written and read', () => {
    const text = 'q.0.2:1.5,q/1:0,k/0:k/1,v/0*0.41421356237,x.3.1:-2';
    expect(formatEdits(parseEdits(text))).toBe(text);
  });

  it.each(['', 'q', 'q.1:2', 'z/0:0', 'q/0:1', 'q/0*', 'q/0*x', 'q.0.0:1e99', 'q.0.0:NaN', '__proto__/0:0'])(
    '“%s” is none',
    (text) => {
      expect(parseEdit(text)).toBeUndefined();
    },
  );

  it('of the same cell twice in a row count once', () => {
    const [first, second] = parseEdits('q.0.0:1,q.0.0:2');
    expect(formatEdits(withEdit([first!], second!))).toBe('q.0.0:2');
  });
});
