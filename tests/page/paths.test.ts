import { describe, expect, it } from 'vitest';
import type { Matrix } from 'headwise';
import { labelParts, plainLabel, withNumbers } from '../../web/src/figures/label.ts';
import { conditionHolds, parseShape, valueText } from '../../web/src/bench/conditions.ts';
import { lazily, once, resolvePath, type Results } from '../../web/src/bench/results.ts';

const matrix = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, i) => i),
});

const results: Results = {
  layers: [],
  notes: [],
  names: { tokens: ['the', 'cat', 'the'], keyTokens: ['the', 'cat', 'the'] },
  state: { heads: 4, mask: 'none', tokens: ['the', 'cat'] },
  heads: Array.from({ length: 4 }, () => ({ attentionWeights: matrix(3, 3) })),
  keyValueHeads: [{ keys: matrix(3, 2) }, { keys: matrix(3, 2) }],
  comparison: { output: { equal: true, largestDifference: 0.5 } },
  judge: { used: null },
  shapes: { W_q: [12, 4] },
  emptyRows: [0, 2],
};

describe('a path', () => {
  it.each([
    ['heads[1].attentionWeights(2, 1)', 7],
    ['heads[1].attentionWeights(cat, the)', 3],
    ['heads[1].attentionWeights.shape', [3, 3]],
    ['heads[1].attentionWeights.rows', 3],
    ['heads.length', 4],
    ['state.heads', 4],
    ['comparison.output.equal', true],
    ['heads[7].attentionWeights', undefined],
    ['heads[0].attentionWeights(9, 0)', undefined],
    ['heads[0].attentionWeights(dog, the)', undefined],
    ['constructor', undefined],
    ['heads.constructor', undefined],
    ['', results],
  ])('%s', (path, value) => expect(resolvePath(results, path)).toEqual(value));
});

describe('a condition', () => {
  it.each([
    ['comparison.output.equal=true', true],
    ['comparison.output.equal=false', false],
    ['state.mask=none', true],
    ['state.mask!=none', false],
    ['heads.length>1', true],
    ['heads.length<4', false],
    ['comparison.output.largestDifference<1e-9', false],
    ['judge.used=none', true],
    ['shapes.W_q=12 × 4', true],
    ['shapes.W_q=12 x 4', true],
    ['shapes.W_q=4 × 12', false],
    ['heads.length=4 and state.mask=none', true],
    ['heads.length=4 and state.mask=causal', false],
    ['emptyRows.length>0', true],
    ['nothing.here=true', false],
    ['nothing.here!=true', true],
    ['comparison.output.equal', true],
  ])('%s', (condition, holds) => expect(conditionHolds(results, condition)).toBe(holds));
});

it('results are spelled for sentences', () => {
  expect(valueText([12, 4])).toBe('12 × 4');
  expect(valueText(matrix(5, 6))).toBe('5 × 6');
  expect(valueText(['a', 'b'])).toBe('a, b');
  expect(valueText(12345)).toBe('12,345');
  expect(valueText(null)).toBe('none');
});

it.each(['5 3', '5 × 3', '5x3', ' 5,3 '])('“%s” is the shape 5 × 3', (text) =>
  expect(parseShape(text)).toEqual([5, 3]),
);
it.each(['5', '5 3 1', '-5 3', 'a b'])('“%s” is no shape', (text) => expect(parseShape(text)).toBeUndefined());

it('lazy members are computed when read, once', () => {
  let count = 0;
  const object = lazily({}, { value: () => ++count });
  expect(count).toBe(0);
  expect([object.value, object.value]).toEqual([1, 1]);
});

it('what is computed once is computed when asked for', () => {
  let count = 0;
  const value = once(() => ++count);
  expect(count).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

describe('names', () => {
  it('are numbered where there are several heads', () => {
    expect(withNumbers('Q_{j} K_{g}^T', { j: 2, g: 1 })).toBe('Q_2 K_1^T');
    expect(withNumbers('W_{j}^q', { j: 12 })).toBe('W_12^q');
    expect(withNumbers('head {j}', { j: 2 })).toBe('head 2');
    expect(withNumbers('Q_{j} K_{g}^T', {})).toBe('Q K^T');
  });

  it('are read apart', () => {
    expect(labelParts('Q_1 K_{12}^T')).toEqual([
      { level: 'base', text: 'Q' },
      { level: 'sub', text: '1' },
      { level: 'base', text: ' K' },
      { level: 'sub', text: '12' },
      { level: 'sup', text: 'T' },
    ]);
    expect(labelParts('c_attn.weight')).toEqual([{ level: 'base', text: 'c_attn.weight' }]);
    expect(plainLabel('Q_1 K_1^T')).toBe('Q 1 K 1 transposed');
  });
});
