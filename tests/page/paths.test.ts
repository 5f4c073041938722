import { describe, expect, it } from 'vitest';
import type { Matrix } from 'headwise';
import { appearanceOf, labelParts, plainLabel, withIndex } from '../../web/src/figures/appearance.ts';
import { conditionHolds, parseShape, valueText } from '../../web/src/bench/conditions.ts';
import { caseOf, lazily, resolvePath, type Results } from '../../web/src/bench/results.ts';
import { canonicalPath, parseSource } from '../../web/src/figures/product/sources.ts';

const matrix = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, i) => i),
});

const results: Results = {
  cases: {},
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

it('a layer is found by the longest prefix', () => {
  const layers = { ...results, cases: { single: { name: 's' }, multi: { name: 'm' } } } as unknown as Results;
  expect(caseOf(layers, 'multi.heads[0].queries')).toMatchObject({
    prefix: 'multi.',
    path: 'heads[0].queries',
    layer: { name: 'm' },
  });
  expect(caseOf(layers, 'comparison.output')).toBeUndefined();
});

describe('sources of a cell', () => {
  it('are read from the names the engine gives', () => {
    expect(parseSource('heads[0].queries[2, :]', 'multi.')).toEqual({ path: 'multi.heads[0].queries', row: 2 });
    expect(parseSource('weights.keyValueHeads[1].value.weight[:, 3]')).toEqual({ path: 'weights.W_v[1]', column: 3 });
    expect(parseSource('inputs.key[0, :]')).toEqual({ path: 'input', row: 0 });
    expect(parseSource('inputs.key[0, :]', '', true)).toEqual({ path: 'keyInput', row: 0 });
    expect(parseSource('heads[1].output[2, 0]')).toEqual({ path: 'heads[1].output', row: 2, column: 0 });
    expect(parseSource('scaleFactor')).toBeUndefined();
  });

  it('have one spelling for the keys that heads share', () => {
    expect(canonicalPath(results, 'heads[3].keys')).toBe('keyValueHeads[1].keys');
    expect(canonicalPath(results, 'keyValueHeads[1].keys')).toBe('keyValueHeads[1].keys');
    expect(canonicalPath(results, 'heads[3].queries')).toBe('heads[3].queries');
  });
});

describe('names', () => {
  it('come with their role', () => {
    expect(appearanceOf('multi.heads[1].attentionWeights')).toMatchObject({ tone: 'attention', scale: 'probability' });
    expect(appearanceOf('weights.W_k[0]').tone).toBe('key');
    expect(appearanceOf('heads[0].output').label).toBe('O_{j}');
    expect(appearanceOf('output').label).toBe('output');
    expect(appearanceOf('unknown')).toMatchObject({ label: '', rows: 'numbers' });
  });

  it('are numbered where there are several heads', () => {
    expect(withIndex('Q_{j}', 'heads[1].queries', results)).toBe('Q_2');
    const one: Results = { ...results, heads: [{}] };
    expect(withIndex('Q_{j}', 'heads[0].queries', one)).toBe('Q');
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
