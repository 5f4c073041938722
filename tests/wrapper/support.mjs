// What several test files need: the engine on the real module, golden files, and comparisons that print what differs.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HeadwiseError } from 'headwise';
import { expect } from 'vitest';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const wasmFolder = here('../../wasm/');
export const wasmPath = here('../../wasm/dist/headwise-module.wasm');
export const wasmBytes = () => readFileSync(wasmPath);

/** An outside set in the same form may take the place of tests/golden. */
export const goldenFolder = process.env.HEADWISE_GOLDEN_DIR || here('../golden');
export const goldenFiles = readdirSync(goldenFolder)
  .filter((name) => name.endsWith('.json'))
  .sort();
export const golden = (name) => JSON.parse(readFileSync(`${goldenFolder}/${name}`, 'utf8'));
/** A file of the set beside these tests, for tests about one particular case. */
export const ownGolden = (name) => JSON.parse(readFileSync(here(`../golden/${name}.json`), 'utf8'));

/** { rows, columns, data } → nested arrays */
export const nested = ({ rows, columns, data }) =>
  Array.from({ length: rows }, (_, row) => Array.from(data.slice(row * columns, (row + 1) * columns)));

/** Float64 results rounded to 12 digits: the tolerance the golden set asks for. */
export const tolerance = (expected) => 1e-10 + 1e-10 * Math.abs(expected);

/** Matrices, vectors and lists of them → arrays as the golden files have them. */
export function plain(value) {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Float64Array ? Array.from(value) : nested(value);
}

const agree = (actual, expected) =>
  Array.isArray(expected)
    ? Array.isArray(actual) && actual.length === expected.length && expected.every((part, i) => agree(actual[i], part))
    : Math.abs(actual - expected) <= tolerance(expected);

/** Compares numbers, matrices, vectors or lists of them with numbers or arrays of them. */
export function expectNumbers(actual, expected, what) {
  if (!agree(plain(actual), expected)) expect(plain(actual), what).toEqual(expected);
}

/** Compares a Matrix with nested arrays, cell by cell. */
export function expectMatrix(actual, expected, what, allowed = tolerance) {
  expect([actual.rows, actual.columns], `shape of ${what}`).toEqual([expected.length, expected[0].length]);
  const cells = nested(actual);
  const differs = cells.some((row, i) =>
    row.some((cell, j) => !(Math.abs(cell - expected[i][j]) <= allowed(expected[i][j]))),
  );
  if (differs) expect(cells, what).toEqual(expected);
}

/** The error of a call, which must be a HeadwiseError, with this code if one is given; for looking at its message. */
export function errorOf(call, code) {
  let error;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(error, 'nothing was thrown').toBeInstanceOf(HeadwiseError);
  if (code !== undefined) expect(error.code, error.message).toBe(code);
  return error;
}

export const copy = (value) => structuredClone(value);

/** A layer short enough to read: 2 tokens of width 3, 2 heads of width 1, output width 2. */
export function smallLayer() {
  return {
    kind: 'mha',
    dims: { n_q: 2, n_kv: 2, d_q: 3, d_k: 3, d_v: 3, num_heads: 2, num_kv_heads: 2, p_q: 1, p_k: 1, p_v: 1, p_o: 2 },
    inputs: {
      X: [
        [1, 0.5, -1],
        [0.25, 2, 0],
      ],
    },
    weights: {
      W_q: [
        [[1], [0], [0.5]],
        [[0], [1], [2]],
      ],
      W_k: [
        [[0.5], [1], [0]],
        [[1], [1], [1]],
      ],
      W_v: [
        [[1], [2], [3]],
        [[-1], [0], [1]],
      ],
      W_o: [
        [1, 2],
        [3, 4],
      ],
      b_q: [[0.5], [1]],
      b_k: null,
      b_v: null,
      b_o: [0, 1],
    },
    mask: null,
  };
}
