// Whole layers from a seed.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, nested } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const words = ['the', 'cat', 'sat', 'on', 'the', 'mat'];

describe('randomCase', () => {
  it('fills in the usual sizes and gives a case that attend takes', () => {
    const layer = headwise.randomCase({ dims: { d_q: 12, num_heads: 3 }, tokens: words, seed: 1 });
    expect(layer.dims).toEqual({
      n_q: 6,
      n_kv: 6,
      d_q: 12,
      d_k: 12,
      d_v: 12,
      num_heads: 3,
      num_kv_heads: 3,
      p_q: 4,
      p_k: 4,
      p_v: 4,
      p_o: 12,
    });
    expect(layer.weights.W_q[2].data).toBeInstanceOf(Float64Array);
    expect(layer.weights.b_q).toBeNull();
    expect(layer.weights.b_o).toBeNull();
    const { output } = headwise.attend(layer);
    expect([output.rows, output.columns]).toEqual([6, 12]);
  });

  it('is the same for the same request, and another for another seed', () => {
    const request = { dims: { d_q: 6, num_heads: 2 }, tokens: words, seed: 4, biases: true };
    expect(headwise.randomCase(request)).toEqual(headwise.randomCase(request));
    expect(headwise.randomCase({ ...request, seed: 5 }).weights.W_q[0]).not.toEqual(
      headwise.randomCase(request).weights.W_q[0],
    );
  });

  it('makes an input row of each word: the same word, the same row', () => {
    const X = nested(headwise.randomCase({ dims: { d_q: 6, num_heads: 2 }, tokens: words, seed: 4 }).inputs.X);
    expect(X[0]).toEqual(X[4]);
    expect(X[0]).not.toEqual(X[1]);
    expect(X).toEqual(nested(headwise.tokenEmbeddings(words, 6, 4)));
  });

  it('cuts the same weights differently for another number of heads', () => {
    const wide = (num_heads) =>
      headwise.wideMatrix(headwise.randomCase({ dims: { n_q: 2, d_q: 12, num_heads }, seed: 4 }), 'key');
    expect(wide(3)).toEqual(wide(4));
  });

  it('draws input rows that are none of the weights', () => {
    const layer = headwise.randomCase({ dims: { n_q: 6, d_q: 6, num_heads: 1 }, seed: 4, weights: 'normal' });
    for (const key of ['W_q', 'W_k', 'W_v']) expect(nested(layer.weights[key][0])).not.toEqual(nested(layer.inputs.X));
  });

  it('knows the distributions of inputs and weights', () => {
    const layer = headwise.randomCase({
      dims: { n_q: 4, d_q: 6, num_heads: 1 },
      seed: 4,
      inputs: 'uniform',
      weights: 'zeros',
    });
    expect(layer.inputs.X.data.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(layer.weights.W_q[0].data.every((number) => number === 0)).toBe(true);
  });

  it('makes cross-attention of two sequences of words', () => {
    const layer = headwise.randomCase({
      dims: { d_q: 6, num_heads: 2 },
      tokens: ['a', 'b'],
      keyTokens: words,
      seed: 1,
      mask: { type: 'causal', alignment: 'bottomRight' },
    });
    expect([layer.dims.n_q, layer.dims.n_kv]).toEqual([2, 6]);
    expect(Object.keys(layer.inputs)).toEqual(['query', 'key', 'value']);
    expect(layer.inputs.value).toBe(layer.inputs.key);
    expect(layer.mask).toEqual({ type: 'causal', alignment: 'bottomRight' });
    expect(headwise.attend(layer).heads[0].attentionWeights.columns).toBe(6);
  });

  it('makes cross-attention of two numbers of rows, and of different widths', () => {
    const layer = headwise.randomCase({
      dims: { n_q: 2, n_kv: 5, d_q: 6, d_k: 4, d_v: 3, num_heads: 3, num_kv_heads: 1, p_o: 7 },
      seed: 1,
    });
    expect([layer.inputs.query.columns, layer.inputs.key.columns, layer.inputs.value.columns]).toEqual([6, 4, 3]);
    const { output, keyValueHeads } = headwise.attend(layer);
    expect([output.rows, output.columns, keyValueHeads.length]).toEqual([2, 7, 1]);
  });

  it('of one sequence with other key and value widths reads it three times', () => {
    const layer = headwise.randomCase({ dims: { d_q: 6, d_k: 4, d_v: 6, num_heads: 2 }, tokens: words, seed: 1 });
    expect(nested(layer.inputs.key).map((row) => row)).toEqual(
      nested(layer.inputs.query).map((row) => row.slice(0, 4)),
    );
    expect(nested(layer.inputs.value)).toEqual(nested(layer.inputs.query));
  });

  it('makes additive layers', () => {
    const layer = headwise.randomCase({
      kind: 'additive_mha',
      dims: { n_q: 3, d_q: 6, num_heads: 2, a: 5 },
      seed: 1,
      biases: true,
    });
    expect([layer.weights.A_q[1].rows, layer.weights.A_q[1].columns, layer.weights.a_v[1].length]).toEqual([3, 5, 5]);
    expect(layer.weights.b_k[1].length).toBe(3);
    expect(headwise.attend(layer).scaleFactor).toBe(1);
  });

  it('goes there and back in time for a page at d 512, 8 heads and 10 tokens', () => {
    // Processor time, and the best of three: other work may share the machine.
    const roundTrip = () => {
      const started = process.cpuUsage();
      const single = headwise.randomCase({
        dims: { n_q: 10, d_q: 512, num_heads: 1 },
        seed: 1,
        inputs: 'uniform',
        weights: 'uniform',
      });
      headwise.attend(headwise.splitSingleHead(single, 8));
      return process.cpuUsage(started).user / 1000;
    };
    expect(Math.min(roundTrip(), roundTrip(), roundTrip())).toBeLessThan(200);
  });

  it.each([
    [
      'no seed',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 } },
      'invalidArgument',
      'request.seed must be a whole number, but is undefined',
    ],
    [
      'a seed of 1.5',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1.5 },
      'invalidArgument',
      'request.seed must be a whole number, but is 1.5',
    ],
    [
      'no rows',
      { dims: { d_q: 4, num_heads: 2 }, seed: 1 },
      'invalidDimension',
      'request.dims.n_q is missing; give it, or tokens',
    ],
    ['no width', { dims: { n_q: 4, num_heads: 2 }, seed: 1 }, 'invalidDimension', 'request.dims.d_q is missing'],
    ['no dims', { seed: 1 }, 'invalidArgument', 'request.dims is missing'],
    [
      'words that contradict n_q',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 }, tokens: words, seed: 1 },
      'shapeMismatch',
      'n_q is 2 by request.dims.n_q, but 6 by request.tokens (6 words)',
    ],
    [
      'heads that do not divide',
      { dims: { n_q: 2, d_q: 12, num_heads: 5 }, seed: 1 },
      'invalidDimension',
      'num_heads 5 does not divide d_q 12; it can be 1, 2, 3, 4, 6 or 12',
    ],
    [
      'an unknown key',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 }, sed: 1, seed: 1 },
      'invalidOption',
      'request.sed is unknown; did you mean seed?',
    ],
    [
      'an unknown kind',
      { kind: 'sdpa', dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1 },
      'invalidOption',
      'request.kind "sdpa" is unknown',
    ],
    [
      'an unknown distribution',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1, weights: 'rand' },
      'invalidOption',
      'request.weights "rand" is unknown',
    ],
    [
      'key words alone',
      { dims: { d_q: 4, num_heads: 2 }, keyTokens: words, seed: 1 },
      'invalidOption',
      'request.keyTokens needs request.tokens',
    ],
    [
      'a mask that does not fit',
      { dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1, mask: { type: 'keep', keep: [[true]] } },
      'shapeMismatch',
      'request.mask.keep must be 2 × 2',
    ],
    [
      'additive without its width',
      { kind: 'additive_mha', dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1 },
      'invalidDimension',
      'request.dims.a is missing',
    ],
    ['nothing', undefined, 'invalidArgument', 'The request must be an object'],
  ])('refuses %s', (_, request, code, text) => {
    expect(errorOf(() => headwise.randomCase(request), code).message).toContain(text);
  });
});
