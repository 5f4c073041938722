// Masks of more than one condition, or of more than one matrix.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const t = true;
const f = false;

describe('a sliding window', () => {
  it.each([
    [
      1,
      [
        [t, f, f, f],
        [f, t, f, f],
        [f, f, t, f],
      ],
    ],
    [
      2,
      [
        [t, f, f, f],
        [t, t, f, f],
        [f, t, t, f],
      ],
    ],
    [
      9,
      [
        [t, f, f, f],
        [t, t, f, f],
        [t, t, t, f],
      ],
    ],
  ])('of %d keys, itself among them', (window, expected) => {
    expect(headwise.mayAttend({ type: 'sliding', window }, 3, 4)).toEqual(expected);
  });

  it('ends at the last key, if so aligned', () => {
    expect(headwise.mayAttend({ type: 'sliding', window: 2, alignment: 'bottomRight' }, 2, 4)).toEqual([
      [f, t, t, f],
      [f, f, t, t],
    ]);
  });

  it('gives the weights of the pattern written out', () => {
    const layer = headwise.randomCase({ dims: { n_q: 5, d_q: 6, num_heads: 2 }, seed: 1 });
    const keep = headwise.mayAttend({ type: 'sliding', window: 3 }, 5, 5);
    expect(headwise.attend({ ...layer, mask: { type: 'sliding', window: 3 } })).toEqual(
      headwise.attend({ ...layer, mask: { type: 'keep', keep } }),
    );
  });
});

describe('several masks', () => {
  const causal = { type: 'causal' };
  const lengths = { type: 'valid_lens', valid_lens: [1, 3, 2] };
  const pattern = {
    type: 'keep',
    keep: [
      [t, t, t],
      [f, t, t],
      [t, f, t],
    ],
  };
  const values = [
    [0, 0, 0],
    [1, '-inf', 0],
    [0, 0, 2],
  ];

  it('all hold: causal and padding together', () => {
    expect(headwise.mayAttend([causal, lengths], 3, 3)).toEqual([
      [t, f, f],
      [t, t, f],
      [t, t, f],
    ]);
    expect(headwise.mayAttend([causal, lengths, pattern, { type: 'additive', values }], 3, 3)).toEqual([
      [t, f, f],
      [f, f, f],
      [t, f, f],
    ]);
  });

  it('are the mask that they amount to', () => {
    const layer = headwise.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 2 }, seed: 1 });
    const keep = headwise.mayAttend([causal, lengths, pattern], 3, 3);
    expect(headwise.attend({ ...layer, mask: [causal, lengths, pattern] })).toEqual(
      headwise.attend({ ...layer, mask: { type: 'keep', keep } }),
    );
    expect(headwise.attend({ ...layer, mask: [] })).toEqual(headwise.attend(layer));
    expect(headwise.attend({ ...layer, mask: [causal] })).toEqual(headwise.attend({ ...layer, mask: causal }));
    const window = { type: 'sliding', window: 2 };
    expect(headwise.attend({ ...layer, mask: [causal, window] })).toEqual(headwise.attend({ ...layer, mask: window }));
  });

  it('go through everything that keeps the mask', () => {
    const mask = [causal, lengths];
    const single = headwise.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 1 }, seed: 1, mask });
    expect(single.mask).toBe(mask);
    expect(headwise.splitSingleHead(single, 2).mask).toBe(mask);
    expect(headwise.constructEqualPair('zeroQuery', single, 2).multi.mask).toBe(mask);
    expect(headwise.constructEqualPair('oneKey', single, 2).multi.mask).toBeNull();
  });

  it.each([
    [
      'two causal ones',
      [causal, { ...causal, alignment: 'bottomRight' }],
      'mask[1] says again',
      'leave one of them out',
    ],
    ['two of lengths', [lengths, lengths], 'mask[1] says again', 'leave one of them out'],
    ['two patterns', [pattern, causal, pattern], 'mask[2] says again', 'make one pattern of the two'],
    [
      'two windows',
      [
        { type: 'sliding', window: 1 },
        { type: 'sliding', window: 2 },
      ],
      'mask[1] says again',
      '',
    ],
    ['a fault in the second', [causal, { type: 'casual' }], 'mask[1].type "casual"', 'did you mean causal?'],
    ['a list in a list', [causal, [lengths]], 'mask[1] must be', ''],
  ])('are refused: %s', (_, mask, ...parts) => {
    const { message } = errorOf(() => headwise.mayAttend(mask, 3, 3));
    for (const part of parts) expect(message).toContain(part);
  });
});

describe('additive values for each head', () => {
  const layer = () => headwise.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 2 }, seed: 1 });
  // Linear biases by distance (ALiBi), of another slope in each head.
  const slopes = [0.5, 0.25];
  const biases = slopes.map((slope) =>
    Array.from({ length: 3 }, (_, i) => Array.from({ length: 3 }, (__, j) => slope * Math.min(0, j - i))),
  );

  it.each([
    ['nested arrays', biases],
    ['matrices', biases.map((rows) => ({ rows: 3, columns: 3, data: Float64Array.from(rows.flat()) }))],
    ['rows of Float32Array', biases.map((rows) => rows.map((row) => Float32Array.from(row)))],
    ['one array with its shape', { shape: [2, 3, 3], data: biases.flat(2) }],
  ])('are added to its scores: %s', (_, values) => {
    const { heads } = headwise.attend({ ...layer(), mask: { type: 'additive', values } });
    heads.forEach(({ scaledScores, maskedScores }, j) =>
      maskedScores.data.forEach((score, i) =>
        expect(score).toBe(scaledScores.data[i] + biases[j][Math.floor(i / 3)][i % 3]),
      ),
    );
  });

  it('hold together with a causal mask', () => {
    const mask = [{ type: 'causal' }, { type: 'additive', values: biases }];
    const { heads, emptyRows } = headwise.attend({ ...layer(), mask });
    expect(emptyRows).toEqual([]);
    expect(Array.from(heads[1].attentionWeights.data).map((weight) => weight > 0)).toEqual([t, f, f, t, t, f, t, t, t]);
  });

  it('hide by head', () => {
    const values = [
      [
        [0, '-inf'],
        [0, 0],
      ],
      [
        [0, 0],
        ['-inf', 0],
      ],
    ];
    const mask = { type: 'additive', values };
    expect(headwise.mayAttend(mask, 2, 2)).toEqual([
      [t, f],
      [t, t],
    ]);
    expect(headwise.mayAttend(mask, 2, 2, 1)).toEqual([
      [t, t],
      [f, t],
    ]);
    errorOf(() => headwise.mayAttend(mask, 2, 2, 2), 'invalidOption');
    const shaped = { shape: [2, 2, 2], data: [0, -Infinity, 0, 0, 0, 0, -Infinity, 0] };
    expect(headwise.mayAttend({ type: 'additive', values: shaped }, 2, 2, 1)).toEqual(
      headwise.mayAttend(mask, 2, 2, 1),
    );
  });

  it('must be one for all heads or one for each', () => {
    const mask = { type: 'additive', values: [...biases, biases[0]] };
    expect(errorOf(() => headwise.attend({ ...layer(), mask }), 'shapeMismatch').message).toBe(
      'mask.values must be one matrix for all heads or one for each of the 2, but has 3.',
    );
    const wrong = { type: 'additive', values: [biases[0], [[0]]] };
    expect(errorOf(() => headwise.attend({ ...layer(), mask: wrong }), 'shapeMismatch').message).toBe(
      'mask.values[1] must be 3 × 3 (queries × keys), but is 1 × 1.',
    );
  });
});
