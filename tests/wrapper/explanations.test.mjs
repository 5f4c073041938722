// The arithmetic behind a cell: its numbers, and where they stand, in the case's own spelling.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});
const sourcesOf = (layer, path, row, column) => headwise.explainCell(layer, path, row, column).sources;

describe('explainCell', () => {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  it('substitutes numbers that make the cell, for every matrix of a trace', () => {
    const layer = { ...ownGolden('13_additive_multihead') };
    const plain = { ...ownGolden('23_gqa'), mask: { type: 'causal' } };
    for (const given of [layer, plain]) {
      const trace = headwise.attend(given);
      const paths = [
        ...Object.keys(trace.heads[1])
          .filter((name) => !['keys', 'values'].includes(name))
          .map((name) => [`heads[1].${name}`, trace.heads[1][name]]),
        ...Object.entries(trace.keyValueHeads[0]).map(([name, matrix]) => [`keyValueHeads[0].${name}`, matrix]),
        ['concatenated', trace.concatenated],
        ['output', trace.output],
      ];
      for (const [path, matrix] of paths) {
        const { operation, left, right, terms, addend, result, hidden } = headwise.explainCell(given, path, 2, 1);
        expect(result, path).toBe(matrix.data[2 * matrix.columns + 1]);
        expect([left, right, terms].every((numbers) => numbers instanceof Float64Array)).toBe(true);
        if (operation === 'product' || operation === 'additive') {
          expect(sum(terms) + addend, path).toBeCloseTo(result, 12);
          left.forEach((number, i) => expect(terms[i]).toBe(number * right[i]));
        }
        if (operation === 'scale') expect(left[0] * right[0], path).toBe(result);
        if (operation === 'mask') expect(hidden ? -Infinity : left[0] + right[0], path).toBe(result);
        if (operation === 'softmax') expect(right[1] / sum(right), path).toBeCloseTo(result, 12);
        if (operation === 'copy') expect(left[0], path).toBe(result);
      }
    }
  });

  it('tells a hidden cell', () => {
    const layer = { ...smallLayer(), mask: { type: 'causal' } };
    expect(headwise.explainCell(layer, 'heads[0].maskedScores', 0, 1)).toMatchObject({
      operation: 'mask',
      hidden: true,
      result: -Infinity,
    });
    expect(headwise.explainCell(layer, 'heads[0].maskedScores', 1, 1)).toMatchObject({ hidden: false });
  });

  it('names where the numbers stand', () => {
    const { sources } = headwise.explainCell(smallLayer(), 'heads[1].queries', 1, 0);
    expect(sources).toEqual([
      { path: 'inputs.X', row: 1 },
      { path: 'weights.W_q[1]', column: 0 },
      { path: 'weights.b_q[1]', row: 0, column: 0 },
    ]);
  });

  it('explains the scores of a layer without projections, and says what is not computed there', () => {
    const layer = ownGolden('01_sdpa_single_head');
    expect(headwise.explainCell(layer, 'heads[0].rawScores', 1, 2).operation).toBe('product');
    expect(headwise.explainCell(ownGolden('12_additive_single'), 'heads[0].rawScores', 1, 2).operation).toBe(
      'additive',
    );
    expect(headwise.explainCell(layer, 'concatenated', 1, 2).operation).toBe('copy');
    for (const path of ['heads[0].queries', 'keyValueHeads[0].keys', 'keyValueHeads[0].values', 'output'])
      expect(errorOf(() => headwise.explainCell(layer, path, 0, 0), 'invalidOption').message).toContain(path);
  });
});

/** The matrix at a place's path, from the case or from its trace: nested rows, a vector as its one row. */
function matrixAt(layer, trace, path) {
  const [part, ...keys] = path.split(/[.[\]]+/).filter(Boolean);
  const isTrace = ['heads', 'keyValueHeads', 'concatenated', 'output'].includes(part);
  const found = [part, ...keys].reduce((value, key) => value[key], isTrace ? trace : layer);
  if (found.data) return nested(found);
  return Array.isArray(found[0]) ? found : [Array.from(found)];
}
function numbersAt(layer, trace, { path, row, column }) {
  const matrix = matrixAt(layer, trace, path);
  if (column === undefined) return matrix[row];
  return row === undefined ? matrix.map((cells) => cells[column]) : [matrix[row][column]];
}

describe('sources', () => {
  it.each([
    ['self-attention', () => ({ ...ownGolden('03_mha_self_bias'), mask: { type: 'causal' } })],
    ['cross-attention', () => ownGolden('04_mha_cross_kdim_vdim')],
    ['grouped heads', () => ownGolden('23_gqa')],
    ['an additive mask', () => ownGolden('10_mask_additive_float')],
    ['additive pooling', () => ownGolden('13_additive_multihead')],
    ['one head without projections', () => ownGolden('01_sdpa_single_head')],
    ['an additive one without projections', () => ownGolden('12_additive_single')],
  ])('of every matrix, %s: left and right stand where they are said to', (_, given) => {
    const layer = given();
    const trace = headwise.attend(layer);
    const projected = layer.kind.includes('mha');
    let explained = 0;
    for (const { part, owner, path } of headwise.fields) {
      if (part !== 'trace') continue;
      const count = owner === 'layer' ? 1 : trace[owner === 'head' ? 'heads' : 'keyValueHeads'].length;
      const numbered = path.replace('[]', `[${count - 1}]`);
      if (!projected && /queries|keys$|values|^output/.test(path)) continue;
      const matrix = matrixAt(layer, trace, numbered);
      const [row, column] = [matrix.length - 1, matrix[0].length - 1];
      const { operation, sources, left, right, addend, hidden } = headwise.explainCell(layer, numbered, row, column);
      expect(numbersAt(layer, trace, sources[0]), numbered).toEqual(Array.from(left));
      if (operation === 'product') {
        expect(numbersAt(layer, trace, sources[1]), numbered).toEqual(Array.from(right));
        expect(sources.length, numbered).toBe(addend === 0 ? 2 : 3);
        if (sources[2]) expect(numbersAt(layer, trace, sources[2]), numbered).toEqual([addend]);
      }
      if (operation === 'additive')
        expect(sources.slice(1).map((place) => [place.path.split('.')[1], place.row, place.column])).toEqual([
          ['queries', row, undefined],
          ['keys', column, undefined],
        ]);
      if (operation === 'mask' && sources[1] && !hidden)
        expect(numbersAt(layer, trace, sources[1]), numbered).toEqual(Array.from(right));
      if (['scale', 'softmax', 'copy'].includes(operation)) expect(sources.length, numbered).toBe(1);
      ++explained;
    }
    expect(explained).toBe(projected ? 10 : 6);
  });

  it('name inputs as the case does', () => {
    const X = [
      [1, 2],
      [3, 4],
    ];
    const weights = { W_q: [X], W_k: [X], W_v: [X], W_o: X };
    const self = { kind: 'mha', inputs: { X }, weights };
    const cross = { kind: 'mha', inputs: { query: X, key: X, value: X }, weights };
    expect(sourcesOf(self, 'heads[0].queries', 1, 0)[0]).toEqual({ path: 'inputs.X', row: 1 });
    expect(sourcesOf(self, 'keyValueHeads[0].values', 1, 0)[0]).toEqual({ path: 'inputs.X', row: 1 });
    expect(sourcesOf(cross, 'keyValueHeads[0].keys', 1, 0)[0]).toEqual({ path: 'inputs.key', row: 1 });
    expect(sourcesOf(cross, 'keyValueHeads[0].values', 0, 0)[0]).toEqual({ path: 'inputs.value', row: 0 });
  });

  it('name weights as the case does', () => {
    expect(sourcesOf(smallLayer(), 'output', 1, 1)).toEqual([
      { path: 'concatenated', row: 1 },
      { path: 'weights.W_o', column: 1 },
      { path: 'weights.b_o', row: 0, column: 1 },
    ]);
    expect(sourcesOf(ownGolden('13_additive_multihead'), 'heads[1].rawScores', 2, 3)).toEqual([
      { path: 'weights.a_v[1]', row: 0 },
      { path: 'heads[1].queries', row: 2 },
      { path: 'keyValueHeads[1].keys', row: 3 },
    ]);
    expect(sourcesOf(ownGolden('12_additive_single'), 'heads[0].rawScores', 1, 2)[0]).toEqual({
      path: 'weights.w_v',
      row: 0,
    });
  });

  it('name the values of a mask where they stand in it', () => {
    const values = [
      [0.5, 1],
      [2, -1],
    ];
    const under = (mask, path = 'heads[1].maskedScores') => sourcesOf({ ...smallLayer(), mask }, path, 1, 0);
    const score = { path: 'heads[1].scaledScores', row: 1, column: 0 };
    expect(under({ type: 'additive', values })).toEqual([score, { path: 'mask.values', row: 1, column: 0 }]);
    expect(under({ type: 'additive', values: [values, values] })[1].path).toBe('mask.values[1]');
    expect(under([{ type: 'causal' }, { type: 'additive', values }])[1].path).toBe('mask[1].values');
    expect(under([{ type: 'additive', values: [values, values] }])[1].path).toBe('mask[0].values[1]');
    expect(under({ type: 'causal' })).toEqual([score]);
  });

  it('of grouped heads are the keys that the head uses', () => {
    expect(sourcesOf(ownGolden('23_gqa'), 'heads[4].rawScores', 0, 1)).toEqual([
      { path: 'heads[4].queries', row: 0 },
      { path: 'keyValueHeads[1].keys', row: 1 },
    ]);
  });
});

describe('paths', () => {
  it.each([
    ['heads[0].querys', 'path "heads[0].querys" names no matrix of the trace; did you mean heads[].queries?'],
    ['head[0].queries', 'did you mean heads[].queries?'],
    ['weights.W_o', 'names no matrix of the trace'],
    ['heads[2].queries', 'names no matrix of the trace'],
    ['heads[99999999999].queries', 'names no matrix of the trace'],
    ['heads[-1].queries', 'names no matrix of the trace'],
    ['heads[].queries', 'names no matrix of the trace'],
    ['outputs', 'did you mean output?'],
    ['output\0more', 'path "output\\u0000more" names no matrix of the trace'],
    ['', 'path "" names no matrix of the trace'],
  ])('%j is refused', (path, sentence) => {
    const error = errorOf(() => headwise.explainCell(smallLayer(), path, 0, 0), 'invalidOption');
    expect(error.message).toContain(sentence);
    expect(error.message).toMatch(/, with a number in the brackets\.$/);
    expect(error.argument).toBe('path');
  });
});
