// What an error says: sizes in the case's own spelling, the argument at fault by name, and no result that is infinite without one.
import { HeadwiseError, loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});
const random = (dims, more) => headwise.randomCase({ dims: { n_q: 2, ...dims }, seed: 1, ...more });

describe('errors of the core', () => {
  it.each([
    [
      'a number of heads',
      () => headwise.shapes({ dims: { n_q: 1, d_q: 12, num_heads: 5 } }),
      'num_heads 5 does not divide d_q 12; it can be 1, 2, 3, 4, 6 or 12.',
      'num_heads',
    ],
    [
      'a number of key/value heads',
      () => headwise.shapes({ dims: { n_q: 1, d_q: 12, num_heads: 6, num_kv_heads: 4 } }),
      'num_kv_heads 4 does not divide num_heads 6; it can be 1, 2, 3 or 6.',
      'num_kv_heads',
    ],
    [
      'widths of queries and keys',
      () => headwise.layerCost({ dims: { n_q: 1, d_q: 12, num_heads: 2, p_q: 3, p_k: 4 } }),
      'Dot products need p_q = p_k, but p_q is 3 and p_k is 4',
      'p_k',
    ],
    [
      'a split',
      () => headwise.splitSingleHead(random({ d_q: 4, num_heads: 1 }), 3),
      "num_heads 3 does not divide the single head's widths, p_q 4 and p_v 4; it can be one of 1, 2, 4.",
      'num_heads',
    ],
    [
      'a split of several heads',
      () => headwise.splitSingleHead(random({ d_q: 4, num_heads: 2 }), 2),
      'Only a layer of one head can be cut, but num_heads is 2.',
      'num_heads',
    ],
    [
      'a construction',
      () => headwise.constructEqualPair('fullScores', random({ d_q: 4, num_heads: 1 }), 3),
      'num_heads 3 does not divide p_v 4; only divisors can cut W_v.',
      undefined,
    ],
    [
      'widths that cannot be fused',
      () => headwise.fuse(random({ d_q: 4, num_heads: 2, p_v: 3 }), 'torch'),
      'A fused matrix needs one head width, but p_q is 2, p_k 2 and p_v 3.',
      undefined,
    ],
    [
      'groups that cannot be interleaved',
      () => headwise.fuse(random({ d_q: 4, num_heads: 2, num_kv_heads: 1 }), 'interleaved'),
      'but num_kv_heads is 1 and num_heads is 2.',
      'num_kv_heads',
    ],
    [
      'sizes past what is counted',
      () => headwise.shapes({ dims: { n_q: 2, d_q: 8, num_heads: 2 ** 20, p_q: 2 ** 20, p_v: 1 } }),
      'num_heads · p_q is 1048576 · 1048576, and can be at most 715827882.',
      'p_q',
    ],
    [
      'a trace',
      () => random({ n_q: 10_000, d_q: 8, num_heads: 2 }),
      'The trace of 10000 queries, 10000 keys and 2 heads would take',
      undefined,
    ],
    [
      'a grouped layer with a sharing plan',
      () => headwise.shareWeights(random({ d_q: 4, num_heads: 2, num_kv_heads: 1 }), { sharing: 'all' }),
      'num_kv_heads is 1 and num_heads is 2; the plan itself says who shares.',
      'num_kv_heads',
    ],
    [
      'a cell that is not there',
      () => headwise.positionIn('torch', { d_q: 4, num_heads: 2 }, { role: 'key', head: 2, row: 0, column: 0 }),
      'cell.head must be from 0 to 1, but is 2.',
      'cell.head',
    ],
    [
      'a trainer, whose request has names of its own',
      () =>
        headwise.createTrainer({ headCount: 4, headSize: 2, seed: 1, sharing: 'keysAndValuesPerGroup', groupSize: 3 }),
      'groupSize 3 does not divide headCount 4.',
      'groupSize',
    ],
    [
      'heads to split, a parameter of that name',
      () => headwise.splitHeads([[1, 2, 3]], 2),
      'headCount 2 does not cut 1 × 3',
      'headCount',
    ],
  ])('%s: in the words of a case', (_, call, sentence, argument) => {
    const error = errorOf(call);
    expect(error.message).toContain(sentence);
    expect(error.argument).toBe(argument);
  });
});

describe('the argument at fault', () => {
  const refusal = (change) => {
    const layer = smallLayer();
    change(layer);
    return errorOf(() => headwise.attend(layer)).argument;
  };
  it.each([
    ['a size', (layer) => void (layer.dims.num_heads = 1.5), 'num_heads'],
    ['a size that contradicts a matrix', (layer) => void (layer.dims.d_q = 4), 'd_q'],
    ['a cell', (layer) => void (layer.weights.W_q[1][2][0] = null), 'weights.W_q[1][2][0]'],
    ['a missing weight', (layer) => void delete layer.weights.W_v, 'W_v'],
    ['the scale', (layer) => void (layer.options = { scale: 'perhead' }), 'options.scale'],
    ['a mask', (layer) => void (layer.mask = { type: 'valid_lens', valid_lens: [9] }), 'mask.valid_lens'],
    ['a mask’s pattern', (layer) => void (layer.mask = { type: 'keep', keep: [[true]] }), 'mask.keep'],
    ['the kind', (layer) => void (layer.kind = 'mah'), 'kind'],
  ])('is named: %s', (_, change, argument) => expect(refusal(change)).toBe(argument));

  it('is named without the request it stands in', () => {
    expect(errorOf(() => random({ d_q: 4, num_heads: 0 })).argument).toBe('num_heads');
    expect(errorOf(() => random({ d_q: 4, num_heads: 2 }, { seed: -1 })).argument).toBe('seed');
    expect(errorOf(() => headwise.createTrainer({ headCount: 0, headSize: 1, seed: 1 })).argument).toBe('headCount');
  });

  it('is absent where there is no single one', () => {
    const error = errorOf(() => headwise.attend(null));
    expect('argument' in error).toBe(false);
    expect('reason' in error).toBe(false);
    expect(error).toBeInstanceOf(HeadwiseError);
  });
});

describe('what is not computed', () => {
  it('additive layers are not cut, whose score matrices belong to heads of one width', () => {
    const layer = headwise.randomCase({ kind: 'additive_mha', dims: { n_q: 2, d_q: 4, num_heads: 1, a: 2 }, seed: 1 });
    expect(errorOf(() => headwise.splitSingleHead(layer, 2), 'invalidOption').message).toContain(
      'Only dot products can be cut',
    );
  });

  it.each([
    [
      'numericalRank',
      // The singular value itself is beyond what doubles hold.
      () =>
        headwise.numericalRank([
          [1e308, 1e308],
          [1e308, 1e308],
        ]),
    ],
    ['compareMatrices', () => headwise.compareMatrices([[1e308]], [[-1e308]])],
    ['entropyOfRows', () => headwise.entropyOfRows([[1e308]])],
    [
      'equivalentSingleHead',
      () => {
        const one = [[1]];
        const weights = { W_q: [one, one], W_k: [one, one], W_v: [one, one], W_o: [[1e308], [1e308]] };
        headwise.equivalentSingleHead({ kind: 'mha', inputs: { X: one }, weights });
      },
    ],
    [
      'constructEqualPair',
      () => {
        const W_q = [[[1.7e308, 0, 0, 0]]];
        const weights = { W_q, W_k: [[[1, 1, 1, 1]]], W_v: [[[1, 1, 1, 1]]], W_o: [[1], [1], [1], [1]] };
        headwise.constructEqualPair('rescaledHeads', { kind: 'mha', inputs: { X: [[1]] }, weights }, 4);
      },
    ],
    [
      'backward, summed over the users of a matrix',
      () => {
        const [one, zero] = [[[1]], [0]];
        const weights = { W_q: [one, one], W_k: [one, one], W_v: [one, one], W_o: [[1], [1]] };
        const biases = { b_q: [zero, zero], b_k: [zero, zero], b_v: [zero, zero], b_o: zero };
        const layer = { kind: 'mha', inputs: { X: [[0]] }, weights: { ...weights, ...biases } };
        headwise.backward(layer, [[1e308]], { sharing: 'keysAndValues' });
      },
    ],
    [
      'backward, summed over the places of one input',
      () => {
        // Each of the three is below 1e308 here, and the largest double is 1.8e308.
        const inputs = { X: [[0.8], [-0.8]] };
        headwise.backward({ kind: 'sdpa', inputs }, [[1.4e308], [-1.4e308]]);
      },
    ],
  ])('an infinity is never a result: %s', (_, call) => {
    errorOf(call, 'notFinite');
  });

  it('counts have sizes past 32 bits refused, never wrapped round', () => {
    const started = performance.now();
    expect(headwise.divisorsOf(2 ** 31 - 1)).toEqual([1, 2 ** 31 - 1]);
    const divisors = headwise.divisorsOf(2147395600); // 46340²
    expect([divisors.length, new Set(divisors).size]).toEqual([135, 135]);
    for (const call of [
      () => headwise.positionIn('gpt2', { d_q: 2 ** 30, num_heads: 4 }, { role: 'value', head: 3, row: 0, column: 0 }),
      () =>
        headwise.cellAt(
          'torch',
          { d_q: 4, num_heads: 1, p_q: 1_200_000_000, p_v: 1_200_000_000 },
          { row: 0, column: 0 },
        ),
    ])
      errorOf(call, 'tooLarge');
    expect(errorOf(() => headwise.shapes({ dims: { n_q: 1, d_q: 2 ** 31 - 1, num_heads: 2 } })).code).toBe(
      'invalidDimension',
    );
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('a histogram says what it needs in a short sentence', () => {
    const { message } = errorOf(() => headwise.histogram([[0]], -1e308, 1e308, 4), 'invalidOption');
    expect(message).toBe(
      'histogram needs from < to, both finite and their difference too, but got -1e+308 and 1e+308.',
    );
  });

  it('a file of golden data is checked before it is believed', async () => {
    const { fromGolden } = await import('headwise/golden');
    const file = (dims, name = 'x') => ({
      kind: 'shared_weights',
      name,
      dims,
      weights: { unique: {} },
      expected: { distinct_w_o: {}, equal_w_o: {}, unique: {} },
    });
    for (const [num_heads, code] of [
      [4294967295, 'tooLarge'],
      [3e7, 'tooLarge'],
      [-1, 'invalidDimension'],
      [1.5, 'invalidArgument'],
      ['a', 'invalidArgument'],
    ])
      expect(errorOf(() => fromGolden(headwise, file({ num_heads })), code).message).toContain('num_heads');
    expect(
      errorOf(() => fromGolden(headwise, file({ num_heads: 2 }, Symbol('x'))), 'invalidArgument').message,
    ).toContain("The file's name must be text");
  });
});

describe('withEqualOutputBlocks', () => {
  it('gives every head the block of the first, and keeps everything else', () => {
    const layer = headwise.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 3, p_v: 2 }, seed: 1, biases: true });
    const equal = headwise.withEqualOutputBlocks(layer);
    const rows = nested(layer.weights.W_o).slice(0, 2);
    expect(nested(equal.weights.W_o)).toEqual([...rows, ...rows, ...rows]);
    const { W_o, ...others } = layer.weights;
    expect(W_o.rows).toBe(6);
    expect(equal.weights).toMatchObject(others);
    expect(equal.inputs.X.data).toBe(layer.inputs.X.data);
    errorOf(() => headwise.withEqualOutputBlocks(ownGolden('01_sdpa_single_head')), 'invalidOption');
  });
});
