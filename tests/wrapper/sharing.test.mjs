// Heads that use each other's matrices: who shares, what the layer then amounts to, what it costs, and how many directions are left.
import { loadHeadwise } from 'headwise';
import { fromGolden } from 'headwise/golden';
import { beforeAll, describe, expect, it } from 'vitest';
import { copy, errorOf, expectMatrix, expectNumbers, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const differenceOf = (a, b) => headwise.compareMatrices(headwise.attend(a).output, headwise.attend(b).output);
/** Equal but for rounding, at numbers about 1. */
const rounding = 1e-12;

describe('shareWeights', () => {
  const own = [0, 1, 2, 3];
  const pairs = [0, 0, 2, 2];
  const first = [0, 0, 0, 0];

  it.each([
    [{}, own, own],
    [{ sharing: 'none' }, own, own],
    [{ sharing: 'none', groupSize: 3 }, own, own],
    [{ sharing: 'keysAndValuesPerGroup' }, own, own],
    [{ sharing: 'keysAndValuesPerGroup', groupSize: 2 }, own, pairs],
    [{ sharing: 'keysAndValuesPerGroup', groupSize: 4 }, own, first],
    [{ sharing: 'keysAndValues' }, own, first],
    [{ sharing: 'all' }, first, first],
  ])('%o: each head has the matrices and biases of the head it should', (options, queryOf, keyValueOf) => {
    const layer = headwise.randomCase({ dims: { n_q: 3, d_q: 8, num_heads: 4 }, seed: 1, biases: true });
    const before = copy(layer);
    const { weights } = headwise.shareWeights(layer, options);
    for (const name of ['W_q', 'b_q', 'W_k', 'b_k', 'W_v', 'b_v'])
      expect(weights[name], name).toEqual(
        (name.endsWith('q') ? queryOf : keyValueOf).map((head) => layer.weights[name][head]),
      );
    expect([weights.W_o, weights.b_o]).toEqual([layer.weights.W_o, layer.weights.b_o]);
    expect(layer).toEqual(before);
  });

  it('gives a case of the same input, mask and options', () => {
    const layer = headwise.randomCase({
      dims: { n_q: 3, d_q: 4, num_heads: 2 },
      seed: 1,
      mask: { type: 'causal' },
      options: { scale: 'totalWidth' },
    });
    const shared = headwise.shareWeights(layer, { sharing: 'all' });
    for (const key of ['kind', 'dims', 'inputs', 'mask', 'options']) expect(shared[key], key).toEqual(layer[key]);
  });

  it('of additive pooling: heads that share queries share the score too', () => {
    const layer = headwise.randomCase({ kind: 'additive_mha', dims: { n_q: 2, d_q: 4, num_heads: 2, a: 3 }, seed: 1 });
    const { weights } = headwise.shareWeights(layer, { sharing: 'all' });
    for (const name of ['A_q', 'A_k', 'a_v']) expect(weights[name][1], name).toEqual(layer.weights[name][0]);
  });

  it('by groups is grouped-query attention', () => {
    const grouped = ownGolden('23_gqa');
    const size = grouped.dims.num_heads / grouped.dims.num_kv_heads;
    const spread = (matrices) => matrices?.flatMap((matrix) => Array(size).fill(matrix)) ?? null;
    const { W_k, W_v, b_k, b_v } = grouped.weights;
    const layer = {
      ...grouped,
      dims: { ...grouped.dims, num_kv_heads: grouped.dims.num_heads },
      weights: { ...grouped.weights, W_k: spread(W_k), W_v: spread(W_v), b_k: spread(b_k), b_v: spread(b_v) },
    };
    const shared = headwise.shareWeights(layer, { sharing: 'keysAndValuesPerGroup', groupSize: size });
    expectMatrix(headwise.attend(shared).output, grouped.expected.output, 'output');
  });

  it.each([
    [
      'groups that do not divide the heads',
      smallLayer,
      { sharing: 'keysAndValuesPerGroup', groupSize: 3 },
      'invalidDimension',
      ['groupSize 3', 'num_heads 2'],
    ],
    ['no options', smallLayer, undefined, 'invalidArgument', ['options', 'undefined']],
    ['an unknown sharing', smallLayer, { sharing: 'queries' }, 'invalidOption', ['options.sharing', '"queries"']],
    [
      'an unknown option',
      smallLayer,
      { groupsize: 2 },
      'invalidOption',
      ['options.groupsize', 'did you mean groupSize?'],
    ],
    [
      'a layer without projections',
      () => ownGolden('01_sdpa_single_head'),
      { sharing: 'all' },
      'invalidOption',
      ['projections', 'sdpa'],
    ],
    [
      'a layer that is grouped already',
      () => ownGolden('23_gqa'),
      { sharing: 'all' },
      'invalidDimension',
      ['as many key/value heads as query heads'],
    ],
  ])('refuses %s', (_, layer, options, code, parts) => {
    const { message } = errorOf(() => headwise.shareWeights(layer(), options), code);
    for (const part of parts) expect(message).toContain(part);
  });
});

describe('equivalentSingleHead', () => {
  const file = ownGolden('21_shared_weights_pitfall');

  it.each([
    ['distinct_w_o', 0],
    ['equal_w_o', 2],
  ])('of the golden shared heads under %s is the golden one head', (key, index) => {
    const single = headwise.equivalentSingleHead(fromGolden(headwise, file)[index]);
    const expected = file.expected[key];
    expect([single.dims.num_heads, single.dims.num_kv_heads, single.dims.p_v]).toEqual([1, 1, file.dims.p]);
    expectMatrix(single.weights.W_o, expected.W_o_block_sum, 'W_o');
    expectMatrix(headwise.attend(single).output, expected.output_of_one_head_with_block_sum, 'output');
  });

  it.each([
    ['with biases', { biases: true }],
    ['under a mask', { mask: { type: 'causal' } }],
    ['with another scale', { options: { scale: 'none' } }],
    ['scaled by the width of all heads', { biases: true, options: { scale: 'totalWidth' } }],
    ['with additive scores', { kind: 'additive_mha', a: 3 }],
    ['across sequences', { n_kv: 5 }],
  ])('%s: is the same function', (_, { a, n_kv, ...more }) => {
    const dims = { n_q: 4, d_q: 6, num_heads: 3, ...(a && { a }), ...(n_kv && { n_kv }) };
    const shared = headwise.shareWeights(headwise.randomCase({ dims, seed: 2, ...more }), { sharing: 'all' });
    const single = headwise.equivalentSingleHead(shared);
    expect(headwise.attend(single).heads.length).toBe(1);
    expect(differenceOf(single, shared).largestDifference).toBeLessThan(rounding);
  });

  it('of heads that are not one function is another', () => {
    const layer = headwise.randomCase({ dims: { n_q: 4, d_q: 6, num_heads: 3 }, seed: 2 });
    expect(differenceOf(headwise.equivalentSingleHead(layer), layer).largestDifference).toBeGreaterThan(0.1);
  });

  it('refuses a layer without projections', () => {
    expect(
      errorOf(() => headwise.equivalentSingleHead(ownGolden('01_sdpa_single_head')), 'invalidOption').message,
    ).toContain('projections');
  });
});

describe('sharingCost', () => {
  // W_q 6·2 = 12, W_k 5·2 = 10 and W_v 3·3 = 9 for each head; W_o 12·7 = 84. Biases: 2, 2, 3 for each head, and 7.
  const dims = { n_q: 8, n_kv: 5, d_q: 6, d_k: 5, d_v: 3, num_heads: 4, p_q: 2, p_k: 2, p_v: 3, p_o: 7 };
  const biased = { b_q: [[1, 1]], b_k: [[1, 1]], b_v: [[1, 1, 1]], b_o: [1, 1, 1, 1, 1, 1, 1] };
  // For each head: queries 8·6·2 = 96, keys 5·5·2 = 50, values 5·3·3 = 45, scores 8·5·2 = 80, means 8·5·3 = 120, output 8·3·7 = 168.
  const run = 4 * 559;
  it.each([
    [{ sharing: 'none' }, 4 * 31 + 84, 4 * 38 + 91, 4 * 559, 1],
    [
      { sharing: 'keysAndValuesPerGroup', groupSize: 2 },
      4 * 12 + 2 * 19 + 84,
      4 * 14 + 2 * 24 + 91,
      4 * 464 + 2 * 95,
      2,
    ],
    [{ sharing: 'keysAndValuesPerGroup', groupSize: 1 }, 4 * 31 + 84, 4 * 38 + 91, 4 * 559, 1],
    [{ sharing: 'keysAndValues' }, 4 * 12 + 19 + 84, 4 * 14 + 24 + 91, 4 * 464 + 95, 4],
  ])('%o: counted by hand', (options, parameters, withBiases, multiplyAddsMerged, users) => {
    const multiplyAdds = { multiplyAdds: run, multiplyAddsMerged };
    // Of each pair of keys and values: W_q W_kᵀ [6 users × 5] of rank 2, W_v W_o [3 × 7 users] of rank 3.
    const scores = (inputs) => 2 * (inputs * users + 5 - 2);
    const outputs = 3 * (3 + 7 * users - 3);
    expect(headwise.sharingCost({ dims }, options)).toEqual({
      parametersUnshared: 208,
      parameters,
      parametersMerged: parameters,
      parametersThatMatter: (4 / users) * (scores(6) + outputs),
      ...multiplyAdds,
    });
    expect(headwise.sharingCost({ dims, weights: biased }, options)).toEqual({
      parametersUnshared: 243,
      parameters: withBiases,
      parametersMerged: withBiases,
      // A query bias is one more input; of the others only b_o matters.
      parametersThatMatter: (4 / users) * (scores(7) + outputs) + 7,
      ...multiplyAdds,
    });
  });

  it('all: merged it is one head with one block of W_o', () => {
    expect(headwise.sharingCost({ dims }, { sharing: 'all' })).toEqual({
      parametersUnshared: 208,
      parameters: 31 + 84,
      parametersMerged: 31 + 3 * 7,
      parametersThatMatter: 2 * (6 + 5 - 2) + 3 * (3 + 7 - 3),
      multiplyAdds: run,
      multiplyAddsMerged: 559,
    });
    const { parameters, parametersMerged } = headwise.sharingCost({ dims, weights: biased }, { sharing: 'all' });
    expect([parameters, parametersMerged]).toEqual([38 + 91, 38 + 4 * 7]);
  });

  it('with fewer key/value heads than heads: they are shared already, as if by groups', () => {
    const grouped = headwise.sharingCost({ dims: { ...dims, num_kv_heads: 2 } }, {});
    expect(grouped).toEqual(headwise.sharingCost({ dims }, { sharing: 'keysAndValuesPerGroup', groupSize: 2 }));
    expect(grouped.parameters).toBe(4 * 12 + 2 * 19 + 84);
    expect(headwise.sharingCost({ dims: { ...dims, num_kv_heads: 2 } }, { sharing: 'keysAndValues' }).parameters).toBe(
      4 * 12 + 19 + 84,
    );
  });

  it('counts models of any size', () => {
    // Llama 2 70B: 64 heads of 128, 8 of keys and values, width 8192.
    const { parameters } = headwise.sharingCost({ dims: { n_q: 4096, d_q: 8192, num_heads: 64, num_kv_heads: 8 } }, {});
    expect(parameters).toBe(2 * 8192 * 8192 + 2 * 8192 * 8 * 128);
    const wide = { n_q: 8, d_q: 4096, num_heads: 32 };
    expect(
      headwise.sharingCost({ dims: wide }, { sharing: 'keysAndValuesPerGroup', groupSize: 4 }).parametersUnshared,
    ).toBe(4 * 4096 * 4096);
  });

  it('reads the sizes of a case', () => {
    const layer = headwise.randomCase({ dims: { n_q: 5, d_q: 12, num_heads: 3 }, seed: 1, biases: true });
    // Three heads of 12·4 + 4 each for W_q, W_k and W_v; W_o 12·12 + 12.
    expect(headwise.sharingCost(layer, {}).parameters).toBe(9 * 52 + 156);
  });

  it.each([
    ['no sizes', {}, {}, 'invalidArgument', ['dims is missing']],
    ['no layer', null, {}, 'invalidArgument', ['The layer', 'null']],
    ['no options', { dims }, undefined, 'invalidArgument', ['options', 'undefined']],
    [
      'additive layers',
      { kind: 'additive_mha', dims: { ...dims, a: 2 } },
      {},
      'invalidOption',
      ['mha', 'additive_mha'],
    ],
    ['layers without projections', { kind: 'sdpa', dims: { n_q: 2, d_q: 2 } }, {}, 'invalidOption', ['mha', 'sdpa']],
    [
      'some biases without the others',
      { dims, weights: { ...biased, b_k: null } },
      {},
      'invalidOption',
      ['b_q, b_k, b_v, b_o', 'b_q, b_v, b_o'],
    ],
    [
      'groups that do not divide the heads',
      { dims },
      { sharing: 'keysAndValuesPerGroup', groupSize: 3 },
      'invalidDimension',
      ['groupSize 3', 'num_heads 4'],
    ],
    [
      'heads by the million',
      { dims: { n_q: 1, d_q: 12, num_heads: 1e8, p_q: 1, p_v: 1 } },
      {},
      'tooLarge',
      ['num_heads is 100000000', '1048576'],
    ],
  ])('refuses %s', (_, layer, options, code, parts) => {
    const { message } = errorOf(() => headwise.sharingCost(layer, options), code);
    for (const part of parts) expect(message).toContain(part);
  });
});

describe('numericalRank', () => {
  it('counts directions, with the singular values of a matrix worked by hand', () => {
    // Columns at right angles, of lengths 5 and 3: those are the singular values.
    const { rank, singularValues, threshold } = headwise.numericalRank([
      [3, 0],
      [4, 0],
      [0, 3],
    ]);
    expect(rank).toBe(2);
    expectNumbers(singularValues, [5, 3], 'singular values');
    expect(threshold).toBe(3 * 2 ** -52 * singularValues[0]);
  });

  it.each([
    [
      'one direction',
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
      1,
      2,
    ],
    [
      'a wide matrix',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      2,
      2,
    ],
    ['nothing', [[0, 0, 0]], 0, 1],
    [
      'less than rounding',
      [
        [1, 0],
        [0, 1e-17],
      ],
      1,
      2,
    ],
    [
      'more than rounding',
      [
        [1, 0],
        [0, 1e-15],
      ],
      2,
      2,
    ],
  ])('of %s', (_, matrix, rank, count) => {
    const found = headwise.numericalRank(matrix);
    expect([found.rank, found.singularValues.length]).toEqual([rank, count]);
    expect(Array.from(found.singularValues)).toEqual(Array.from(found.singularValues).sort((a, b) => b - a));
  });

  it.each([
    ['rank_shared', 0],
    ['rank_unique', 4],
  ])('21_shared_weights_pitfall: %s', (key, index) => {
    const file = ownGolden('21_shared_weights_pitfall');
    const { concatenated } = headwise.attend(fromGolden(headwise, file)[index]);
    const { rank, singularValues } = headwise.numericalRank(concatenated);
    expect(rank).toBe(file.expected[key].numerical_rank);
    const listed = file.expected[key]['singular_values_above_1e-12'];
    expectNumbers(singularValues.slice(0, rank), listed, 'singular values');
  });

  it('of heads that share all is at most the head width; keys and values alone leave it full', () => {
    const layer = headwise.randomCase({ dims: { n_q: 8, d_q: 12, num_heads: 3 }, seed: 4 });
    const rankUnder = (sharing) =>
      headwise.numericalRank(headwise.attend(headwise.shareWeights(layer, { sharing })).concatenated).rank;
    expect(['none', 'keysAndValues', 'all'].map(rankUnder)).toEqual([8, 8, 4]);
  });

  it('leaves its matrix as it was', () => {
    const matrix = headwise.randomMatrix(3, 4, 'normal', 1);
    const before = nested(matrix);
    headwise.numericalRank(matrix);
    expect(nested(matrix)).toEqual(before);
  });

  it.each([
    ['no matrix', undefined, 'invalidArgument', ['matrix', 'undefined']],
    ['no rows', [], 'invalidDimension', ['matrix is empty']],
    ['NaN', [[1, NaN]], 'notFinite', ['matrix[0][1]', 'NaN']],
    [
      'more rows than can be done in time',
      { rows: 513, columns: 1, data: new Float64Array(513) },
      'tooLarge',
      ['512', '513 × 1'],
    ],
  ])('refuses %s', (_, matrix, code, parts) => {
    const { message } = errorOf(() => headwise.numericalRank(matrix), code);
    for (const part of parts) expect(message).toContain(part);
  });
});
