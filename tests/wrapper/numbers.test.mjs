// Functions of a few numbers, against results short enough to work out by hand.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, nested } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

describe('matrices compared', () => {
  it('compareMatrices finds the largest difference and where it is', () => {
    const comparison = headwise.compareMatrices(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [1, 2, 3],
        [4, 7.5, 6],
      ],
    );
    expect(comparison).toEqual({
      sameShape: true,
      equal: false,
      largestDifference: 2.5,
      row: 1,
      column: 1,
      largestMagnitude: 7.5,
      tolerance: 1e-12 * 7.5,
    });
  });
  it('compareMatrices says when shapes differ', () => {
    expect(headwise.compareMatrices([[1, 2]], [[1], [2]])).toMatchObject({ sameShape: false, equal: false });
  });
  it.each([
    [1, 1 + 2e-13, true],
    [1, 1 + 2e-12, false],
    [1000, 1000 + 2e-10, true],
    [1000, 1000 + 2e-9, false],
    [0, 1e-11, false],
  ])('compareMatrices calls %d and %d equal: %s, which is relative above 1', (a, b, equal) => {
    expect(headwise.compareMatrices([[a]], [[b]])).toMatchObject({
      equal,
      tolerance: 1e-12 * Math.max(1, Math.abs(a), Math.abs(b)),
    });
  });
  it('largestCell is where the largest magnitude stands, the first of several', () => {
    expect(
      headwise.largestCell([
        [1, -7, 3],
        [7, 0, 2],
      ]),
    ).toEqual({ row: 0, column: 1 });
    expect(headwise.largestCell([[0, 0]])).toEqual({ row: 0, column: 0 });
  });
  it('cosineSimilarity is 1 for one direction, 0 for a right angle', () => {
    const similarity = nested(headwise.cosineSimilarity([[[1, 0]], [[3, 0]], [[0, 2]]]));
    expect(similarity).toEqual([
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ]);
  });
});

describe('softmax', () => {
  it('softmaxRows makes each row sum to 1, hides −∞ exactly, and a row of −∞ is zeros', () => {
    const weights = nested(
      headwise.softmaxRows([
        [0, Math.log(3), -Infinity],
        ['-inf', '-inf', '-inf'],
        [1000, 1000, -1000],
      ]),
    );
    expect(weights[0][0]).toBeCloseTo(0.25, 15);
    expect(weights[0][2]).toBe(0);
    expect(weights[1]).toEqual([0, 0, 0]);
    expect(weights[2]).toEqual([0.5, 0.5, 0]);
  });
  it('entropyOfRows is ln n for uniform weights and 0 for one-hot', () => {
    const entropy = headwise.entropyOfRows([
      [0.25, 0.25, 0.25, 0.25],
      [0, 1, 0, 0],
    ]);
    expect(entropy).toBeInstanceOf(Float64Array);
    expect(entropy[0]).toBeCloseTo(Math.log(4), 15);
    expect(entropy[1]).toBe(0);
  });
});

describe('counts', () => {
  it('divisorsOf 12', () => expect(headwise.divisorsOf(12)).toEqual([1, 2, 3, 4, 6, 12]));

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  it('layerCost: terms are products of sizes by their letters, and counts their sums', () => {
    const dims = {
      n_q: 3,
      n_kv: 5,
      d_q: 8,
      d_k: 6,
      d_v: 7,
      num_heads: 4,
      num_kv_heads: 2,
      p_q: 2,
      p_v: 3,
      p_o: 9,
      a: 11,
    };
    const biased = { b_q: [[0]], b_k: [[0]], b_v: [[0]], b_o: [0] };
    for (const given of [{ dims }, { kind: 'additive_mha', dims }, { dims, weights: biased }]) {
      const cost = headwise.layerCost(given, { bytesPerNumber: 2 });
      const sizes = { ...dims, p_k: 2, h: 4, h_kv: 2 };
      for (const { factors, value } of cost.terms) {
        for (const { symbol, size } of factors) expect(size, symbol).toBe(sizes[symbol]);
        expect(value).toBe(factors.reduce((product, { size }) => product * size, 1));
      }
      for (const count of [
        'parameters',
        'multiplyAdds',
        'softmaxTerms',
        'tanhTerms',
        'mapNumbers',
        'cacheNumbersPerToken',
      ])
        expect(cost[count], count).toBe(
          sum(cost.terms.filter((term) => term.count === count).map(({ value }) => value)),
        );
      expect([cost.mapBytes, cost.cacheBytesPerToken]).toEqual([2 * cost.mapNumbers, 2 * cost.cacheNumbersPerToken]);
    }
    expect(headwise.layerCost({ dims, weights: biased }).parameters - headwise.layerCost({ dims }).parameters).toBe(
      4 * 2 + 2 * 2 + 2 * 3 + 9,
    );
  });
  it('layerCost: parameters are as many as the weights that are stored', () => {
    for (const kind of ['mha', 'additive_mha']) {
      const layer = headwise.randomCase({
        kind,
        dims: { n_q: 3, d_q: 8, num_heads: 4, num_kv_heads: 2, a: 5 },
        seed: 1,
        biases: true,
      });
      const stored = Object.values(layer.weights)
        .flat()
        .map((matrix) => matrix?.data?.length ?? matrix?.length ?? 0);
      expect(headwise.layerCost(layer).parameters).toBe(sum(stored));
    }
  });
  it('layerCost of one head without projections: scores and weighted sum', () => {
    const cost = headwise.layerCost({ kind: 'sdpa', dims: { n_q: 3, n_kv: 5, d_k: 4, d_v: 3 } });
    expect(cost).toMatchObject({ multiplyAdds: 3 * 5 * (4 + 3), tanhTerms: 0, softmaxTerms: 15, parameters: 0 });
    const additive = headwise.layerCost({ kind: 'additive', dims: { n_q: 3, n_kv: 5, d_q: 4, a: 7 } });
    expect(additive.tanhTerms).toBe(3 * 5 * 7);
    expect(additive.parameters).toBe((4 + 4 + 1) * 7);
  });
  it('layerCost: what heads share is kept once', () => {
    const dims = { n_q: 1, d_q: 4096, num_heads: 32 };
    const cacheOf = (options) => headwise.layerCost({ dims }, options).cacheNumbersPerToken;
    expect(cacheOf({})).toBe(2 * 32 * 128);
    expect(cacheOf({ sharing: 'keysAndValuesPerGroup', groupSize: 4 })).toBe(2 * 8 * 128);
    expect(cacheOf({ sharing: 'keysAndValues' })).toBe(2 * 128);
    expect(headwise.layerCost({ dims: { ...dims, num_kv_heads: 8 } }).cacheNumbersPerToken).toBe(2 * 8 * 128);
    const { message } = errorOf(
      () => headwise.layerCost({ dims: { ...dims, num_kv_heads: 8 } }, { sharing: 'keysAndValues' }),
      'invalidDimension',
    );
    expect(message).toBe(
      'Sharing is said twice: by num_kv_heads 8 for num_heads 32, and by sharing "keysAndValues". Say it once.',
    );
    expect(errorOf(() => headwise.layerCost({ dims }, { bytesPerNumber: 17 }), 'invalidOption').argument).toBe(
      'bytesPerNumber',
    );
    expect(errorOf(() => headwise.layerCost({ dims: { ...dims, n_q: 2 ** 30 } }), 'tooLarge').message).toContain(
      '2^53',
    );
  });
  it('histogram counts into equal bins, the outermost taking what lies outside', () => {
    expect(
      Array.from(
        headwise.histogram(
          [
            [-9, 0.1, 0.6],
            [1.4, 1.6, 9],
          ],
          0,
          2,
          4,
        ),
      ),
    ).toEqual([2, 1, 1, 2]);
  });
});

describe('studyScale', () => {
  it('shows variance growing with the width without the scale, and staying at 1 with it', () => {
    const narrow = headwise.studyScale({ keySize: 4, queryCount: 64, keyCount: 64, seed: 3 });
    const wide = headwise.studyScale({ keySize: 256, queryCount: 64, keyCount: 64, seed: 3 });
    expect(wide.rawVariance / narrow.rawVariance).toBeGreaterThan(30);
    expect(Math.abs(wide.scaledVariance - 1)).toBeLessThan(0.3);
    expect(wide.rawEntropy).toBeLessThan(narrow.rawEntropy);
    expect(wide.largestEntropy).toBeCloseTo(Math.log(64), 12);
    expect([wide.rawScores.rows, wide.rawScores.columns]).toEqual([64, 64]);
    expect(wide.rawLargestWeight).toBeGreaterThan(wide.scaledLargestWeight);
    expect(wide.scaledEntropy).toBeGreaterThan(wide.rawEntropy);
  });
});

describe('random numbers', () => {
  it('randomMatrix depends on the seed alone, and growing it keeps the cells it had', () => {
    const small = nested(headwise.randomMatrix(2, 3, 'normal', 11));
    const large = nested(headwise.randomMatrix(4, 5, 'normal', 11));
    expect(large.slice(0, 2).map((row) => row.slice(0, 3))).toEqual(small);
    expect(nested(headwise.randomMatrix(2, 3, 'normal', 12))).not.toEqual(small);
  });
  it.each([0, 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER])(
    'seed %d gives numbers of its own',
    (seed) => {
      const others = [0, 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER].filter(
        (other) => other !== seed,
      );
      const numbers = headwise.randomMatrix(1, 4, 'normal', seed);
      for (const other of others) expect(headwise.randomMatrix(1, 4, 'normal', other)).not.toEqual(numbers);
    },
  );
  it('randomMatrix knows the distributions', () => {
    const data = (distribution) => headwise.randomMatrix(100, 50, distribution, 1).data;
    const mean = (numbers) => numbers.reduce((total, number) => total + number, 0) / numbers.length;
    const variance = (numbers) => mean(numbers.map((number) => number ** 2)) - mean(numbers) ** 2;
    expect(variance(data('normal'))).toBeCloseTo(1, 1);
    expect(variance(data('scaledNormal')) * 100).toBeCloseTo(1, 1);
    expect(mean(data('uniform'))).toBeCloseTo(0.5, 1);
    expect(data('uniform').every((number) => number >= 0 && number < 1)).toBe(true);
    expect(data('zeros').every((number) => number === 0)).toBe(true);
  });
  it('tokenEmbeddings give a word the same row wherever it stands, in any script', () => {
    const rows = nested(headwise.tokenEmbeddings(['λόγος', 'cat', '🐈', 'λόγος', 'λόγοσ'], 4, 1));
    expect(rows[3]).toEqual(rows[0]);
    expect(new Set(rows.map(String)).size).toBe(4);
    expect(nested(headwise.tokenEmbeddings(['🐈'], 4, 1))[0]).toEqual(rows[2]);
  });
});
