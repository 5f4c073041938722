// What is no matrix is refused before the module sees it: the message names the cell, what was wanted and what came.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** The message when attend refuses the small layer after one change. */
function refusal(change, code) {
  const layer = smallLayer();
  return errorOf(() => headwise.attend(change(layer) ?? layer), code).message;
}

describe('entries of matrices', () => {
  it.each([
    ['null', null, 'null'],
    ['text', '7', 'the text "7"'],
    ['a BigInt', 7n, 'the BigInt 7n'],
    ['an array', [1], 'an array of length 1'],
    ['an object', {}, 'an object'],
    ['true', true, 'true'],
    ['undefined', undefined, 'undefined (a hole in the array?)'],
  ])('%s is not a number', (_, value, came) => {
    expect(refusal((layer) => void (layer.weights.W_q[1][2][0] = value), 'invalidArgument')).toBe(
      `weights.W_q[1][2][0] must be a number, but is ${came}.`,
    );
  });

  it.each([NaN, Infinity, -Infinity])('%s is not finite', (value) => {
    expect(refusal((layer) => void (layer.inputs.X[1][2] = value), 'notFinite')).toBe(
      `inputs.X[1][2] must be a finite number, but is ${value}.`,
    );
  });

  it('"-inf" is for additive masks only', () => {
    expect(refusal((layer) => void (layer.inputs.X[0][0] = '-inf'), 'invalidArgument')).toContain(
      'inputs.X[0][0] must be a number',
    );
  });

  it('a hole in a row is named', () => {
    // eslint-disable-next-line no-sparse-arrays
    expect(refusal((layer) => void (layer.inputs.X[0] = [1, , 3]), 'invalidArgument')).toContain(
      'inputs.X[0][1] must be a number, but is undefined (a hole',
    );
  });

  it('a missing row is named', () => {
    expect(refusal((layer) => void (layer.inputs.X = Array(2)), 'invalidArgument')).toContain(
      'inputs.X[0] must be a row of numbers, but is undefined (a hole',
    );
  });

  it('-0 is a number like any other', () => {
    const layer = smallLayer();
    layer.inputs.X[1][2] = -0;
    expect(headwise.attend(layer)).toEqual(headwise.attend(smallLayer()));
  });

  it('a cell of a Matrix is named by its place in the data', () => {
    const X = { rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, 4, NaN, 6) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'notFinite')).toBe(
      'inputs.X.data[4] must be a finite number, but is NaN.',
    );
  });
});

describe('shapes of matrices', () => {
  it('a ragged array is refused with both lengths', () => {
    expect(refusal((layer) => void layer.weights.W_o[1].pop(), 'invalidArgument')).toBe(
      'weights.W_o[1] has 1 numbers, but weights.W_o[0] has 2; all rows must be of one length.',
    );
  });

  it.each([
    ['no rows', [], 'inputs.X is empty'],
    ['an empty row', [[]], 'inputs.X[0] is empty'],
  ])('%s is refused', (_, X, text) => {
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidDimension')).toContain(text);
  });

  it.each([
    ['a number', 3, '3'],
    ['text', 'X', 'the text "X"'],
    ['a Float64Array', Float64Array.of(1, 2), 'a Float64Array'],
    ['nothing', null, 'null'],
  ])('%s in place of a matrix is refused', (_, X, came) => {
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidArgument')).toBe(
      `inputs.X must be rows of numbers, { rows, columns, data } or { shape, data }, but is ${came}.`,
    );
  });

  it('a flat array in place of a matrix is refused at its first row', () => {
    expect(refusal((layer) => void (layer.inputs.X = [1, 2, 3]), 'invalidArgument')).toBe(
      'inputs.X[0] must be a row of numbers, but is 1.',
    );
  });

  it.each([
    ['Int32Array', Int32Array],
    ['BigInt64Array', BigInt64Array],
  ])('data in a %s is refused with a way out', (name, Kind) => {
    const X = { rows: 2, columns: 3, data: new Kind(6) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidArgument')).toBe(
      `inputs.X.data must be a Float64Array, a Float32Array or an array of numbers, but is a ${name}; Float64Array.from(…) converts it.`,
    );
  });

  it('what is no number in a plain array is named', () => {
    expect(
      refusal(
        (layer) => void (layer.inputs.X = { rows: 2, columns: 3, data: [1, 2, 3, 4, '5', 6] }),
        'invalidArgument',
      ),
    ).toBe('inputs.X.data[4] must be a number, but is the text "5".');
  });

  it('a length other than rows · columns is refused', () => {
    const X = { rows: 2, columns: 3, data: new Float64Array(5) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'shapeMismatch')).toBe(
      'inputs.X.data must have 6 entries, as its shape says, but has 5.',
    );
  });

  it('data that was transferred away is refused', () => {
    const data = new Float64Array(6);
    structuredClone(data, { transfer: [data.buffer] });
    expect(refusal((layer) => void (layer.inputs.X = { rows: 2, columns: 3, data }), 'shapeMismatch')).toContain(
      'but has 0',
    );
  });

  it.each([
    ['1.5', 1.5, 'invalidArgument'],
    ['NaN', NaN, 'invalidArgument'],
    ['text', '2', 'invalidArgument'],
    ['null', null, 'invalidArgument'],
    ['zero', 0, 'invalidDimension'],
    ['minus one', -1, 'invalidDimension'],
    ['1e20', 1e20, 'tooLarge'],
  ])('rows of %s are refused', (_, rows, code) => {
    const X = { rows, columns: 3, data: new Float64Array(6) };
    expect(refusal((layer) => void (layer.inputs.X = X), code)).toContain('inputs.X.rows must be');
  });

  it('a vector is checked like a matrix', () => {
    expect(refusal((layer) => void (layer.weights.b_q[1] = 5), 'invalidArgument')).toBe(
      'weights.b_q[1] must be an array of numbers, but is 5.',
    );
    expect(refusal((layer) => void (layer.weights.b_o = new Int32Array(2)), 'invalidArgument')).toBe(
      'weights.b_o must be an array of numbers, but is a Int32Array.',
    );
    expect(refusal((layer) => void (layer.weights.b_o = []), 'invalidDimension')).toContain('weights.b_o is empty');
    expect(refusal((layer) => void (layer.weights.b_o = Float64Array.of(1, NaN)), 'notFinite')).toContain(
      'weights.b_o[1]',
    );
  });
});

describe('numbers as a real model has them', () => {
  const rows = [
    [1, 0.5, -1],
    [0.25, 2, 0],
  ];
  const flat = rows.flat();
  it.each([
    ['rows of Float32Array', rows.map((row) => Float32Array.from(row))],
    ['rows of Float64Array', rows.map((row) => Float64Array.from(row))],
    ['rows, columns and a Float32Array', { rows: 2, columns: 3, data: Float32Array.from(flat) }],
    ['rows, columns and an array', { rows: 2, columns: 3, data: flat }],
    ['a shape and a Float32Array', { shape: [2, 3], data: Float32Array.from(flat) }],
    ['a shape and a Float64Array', { shape: [2, 3], data: Float64Array.from(flat) }],
    ['a shape and an array', { shape: [2, 3], data: flat }],
  ])('a matrix as %s', (_, X) => {
    const layer = smallLayer();
    layer.inputs.X = X;
    expect(headwise.attend(layer)).toEqual(headwise.attend(smallLayer()));
  });

  it('matrices and vectors of all heads as one array with its shape', () => {
    const layer = smallLayer();
    const flattened = (name, shape, Kind) => {
      layer.weights[name] = { shape, data: Kind.from(layer.weights[name].flat(2)) };
    };
    flattened('W_q', [2, 3, 1], Float32Array);
    flattened('W_k', [2, 3, 1], Float64Array);
    flattened('W_v', [2, 3, 1], Array);
    flattened('b_q', [2, 1], Float32Array);
    layer.weights.b_o = { shape: [2], data: Float32Array.from(layer.weights.b_o) };
    expect(headwise.attend(layer)).toEqual(headwise.attend(smallLayer()));
  });

  it('arrays are read, and neither kept nor changed', () => {
    const data = Float32Array.from(flat);
    const layer = headwise.openLayer({ ...smallLayer(), inputs: { X: { shape: [2, 3], data } } });
    data.fill(7);
    expect(layer.attend()).toEqual(headwise.attend(smallLayer()));
    layer.dispose();
  });

  it.each([
    [
      'a shape of three',
      { shape: [1, 2, 3], data: flat },
      'shapeMismatch',
      'inputs.X.shape must have 2 sizes, but has 3 (1 × 2 × 3).',
    ],
    [
      'a shape that the data has not',
      { shape: [2, 2], data: flat },
      'shapeMismatch',
      'inputs.X.data must have 4 entries, as its shape says, but has 6.',
    ],
    [
      'a shape of half a row',
      { shape: [1.5, 4], data: flat },
      'invalidArgument',
      'inputs.X.shape[0] must be a whole number',
    ],
    ['a shape of nothing', { shape: [0, 3], data: [] }, 'invalidDimension', 'inputs.X.shape[0] must be at least 1'],
    ['no shape', { data: flat }, 'invalidArgument', 'inputs.X.rows must be a whole number, but is undefined'],
    [
      'no data',
      { shape: [2, 3] },
      'invalidArgument',
      'inputs.X.data must be a Float64Array, a Float32Array or an array of numbers, but is undefined',
    ],
    [
      'NaN in float32',
      { shape: [1, 3], data: Float32Array.of(1, NaN, 2) },
      'notFinite',
      'inputs.X.data[1] must be a finite number, but is NaN.',
    ],
    ['a shape past all memory', { shape: [2 ** 30, 2 ** 30], data: flat }, 'shapeMismatch', 'but has 6'],
  ])('%s is refused', (_, X, code, text) => {
    expect(refusal((layer) => void (layer.inputs.X = X), code)).toContain(text);
  });
});
