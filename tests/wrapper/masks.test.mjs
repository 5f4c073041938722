// Masks as callers write them.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectMatrix, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const t = true;
const f = false;
const topLeft = [
  [t, f, f, f],
  [t, t, f, f],
];
const bottomRight = [
  [t, t, t, f],
  [t, t, t, t],
];

describe('mayAttend', () => {
  it.each([
    [
      'no mask',
      null,
      [
        [t, t, t, t],
        [t, t, t, t],
      ],
    ],
    ['causal, from the first key', { type: 'causal' }, topLeft],
    ['causal, named alignment', { type: 'causal', alignment: 'topLeft' }, topLeft],
    ['causal, up to the last key', { type: 'causal', alignment: 'bottomRight' }, bottomRight],
    [
      'one length',
      { type: 'valid_lens', valid_lens: [3] },
      [
        [t, t, t, f],
        [t, t, t, f],
      ],
    ],
    [
      'a length each',
      { type: 'valid_lens', valid_lens: [1, 0] },
      [
        [t, f, f, f],
        [f, f, f, f],
      ],
    ],
    [
      'a pattern',
      {
        type: 'keep',
        keep: [
          [f, t, f, t],
          [t, f, f, f],
        ],
      },
      [
        [f, t, f, t],
        [t, f, f, f],
      ],
    ],
    [
      'additive',
      {
        type: 'additive',
        values: [
          [0, -1, '-inf', 2],
          [-Infinity, 0, 0, 0],
        ],
      },
      [
        [t, t, f, t],
        [f, t, t, t],
      ],
    ],
  ])('%s', (_, mask, expected) => {
    expect(headwise.mayAttend(mask, 2, 4)).toEqual(expected);
  });
});

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

describe('a listed pattern beside a type', () => {
  it('decides, whichever causal alignment it is', () => {
    for (const keep of [topLeft, bottomRight]) expect(headwise.mayAttend({ type: 'causal', keep }, 2, 4)).toEqual(keep);
  });

  it('must be the alignment that is named', () => {
    expect(headwise.mayAttend({ type: 'causal', alignment: 'bottomRight', keep: bottomRight }, 2, 4)).toEqual(
      bottomRight,
    );
    errorOf(
      () => headwise.mayAttend({ type: 'causal', alignment: 'bottomRight', keep: topLeft }, 2, 4),
      'invalidOption',
    );
  });

  it('must be causal in one of the alignments', () => {
    const { message } = errorOf(
      () =>
        headwise.mayAttend(
          {
            type: 'causal',
            keep: [
              [t, t, t, t],
              [t, t, t, t],
            ],
          },
          2,
          4,
        ),
      'invalidOption',
    );
    expect(message).toBe(
      'mask.keep is not the pattern of mask.type "causal"; leave one of them out, or set type to "keep".',
    );
  });

  it('must agree with the lengths', () => {
    const { message } = errorOf(
      () => headwise.mayAttend({ type: 'valid_lens', valid_lens: [2], keep: topLeft }, 2, 4),
      'invalidOption',
    );
    expect(message).toContain('mask.type "valid_lens"');
  });
});

describe('masks that are refused', () => {
  it.each([
    [
      'a window of nothing',
      { type: 'sliding', window: 0 },
      'invalidDimension',
      'mask.window must be at least 1, but is 0',
    ],
    ['no window', { type: 'sliding' }, 'invalidArgument', 'mask.window must be a whole number, but is undefined'],
    ['an unknown type', { type: 'casual' }, 'invalidOption', 'did you mean causal?'],
    [
      'no type',
      {},
      'invalidArgument',
      'mask.type must be one of causal, sliding, valid_lens, keep or additive, but is undefined',
    ],
    ['text', 'causal', 'invalidArgument', 'mask must be null, { type, … } or a list of such masks'],
    [
      'an unknown key',
      { type: 'valid_lens', valid_len: [1] },
      'invalidOption',
      'mask.valid_len is unknown; did you mean valid_lens?',
    ],
    [
      'a key of another type',
      { type: 'keep', keep: topLeft, values: [[0]] },
      'invalidOption',
      'mask.values is unknown',
    ],
    [
      'an unknown alignment',
      { type: 'causal', alignment: 'bottomright' },
      'invalidOption',
      'did you mean bottomRight?',
    ],
    [
      'a length that is no integer',
      { type: 'valid_lens', valid_lens: [1.5] },
      'invalidArgument',
      'mask.valid_lens[0] must be a whole number, but is 1.5',
    ],
    [
      'a length below 0',
      { type: 'valid_lens', valid_lens: [-1] },
      'invalidDimension',
      'mask.valid_lens[0] must be at least 0',
    ],
    [
      'a length above the number of keys',
      { type: 'valid_lens', valid_lens: [2, 5] },
      'invalidOption',
      'mask.valid_lens[1] must be at most the number of keys, 4, but is 5',
    ],
    [
      'a number in place of lengths',
      { type: 'valid_lens', valid_lens: 3 },
      'invalidArgument',
      'mask.valid_lens must be an array of lengths, but is 3',
    ],
    ['a hole among lengths', { type: 'valid_lens', valid_lens: Array(2) }, 'invalidArgument', 'mask.valid_lens[0]'],
    [
      'too many lengths',
      { type: 'valid_lens', valid_lens: [1, 1, 1] },
      'shapeMismatch',
      'one for each of the 2, but has 3',
    ],
    [
      'a pattern of the wrong shape',
      { type: 'keep', keep: [[t, t]] },
      'shapeMismatch',
      'mask.keep must be 2 × 4 (queries × keys), but is 1 × 2',
    ],
    ['a ragged pattern', { type: 'keep', keep: [[t, t, t, t], [t]] }, 'invalidArgument', 'mask.keep[1] has 1 entries'],
    [
      '0 and 1 for false and true',
      {
        type: 'keep',
        keep: [
          [1, 0, 0, 0],
          [1, 1, 0, 0],
        ],
      },
      'invalidArgument',
      'mask.keep[0][0] must be true or false, but is 1',
    ],
    [
      'a missing pattern',
      { type: 'keep' },
      'invalidArgument',
      'mask.keep must be rows of true and false, but is undefined',
    ],
    [
      'additive values of the wrong shape',
      { type: 'additive', values: [[0]] },
      'shapeMismatch',
      'mask.values must be 2 × 4',
    ],
    [
      '+∞ in additive values',
      {
        type: 'additive',
        values: [
          [0, 0, 0, 0],
          [0, Infinity, 0, 0],
        ],
      },
      'notFinite',
      'mask.values[1][1]',
    ],
    [
      'text other than -inf',
      {
        type: 'additive',
        values: [
          [0, 0, 0, 0],
          [0, '-Inf', 0, 0],
        ],
      },
      'invalidArgument',
      'mask.values[1][1] must be a number or "-inf", but is the text "-Inf"',
    ],
  ])('%s', (_, mask, code, text) => {
    expect(errorOf(() => headwise.mayAttend(mask, 2, 4), code).message).toContain(text);
  });

  it('are refused by attend in the same words', () => {
    const layer = { ...smallLayer(), mask: { type: 'casual' } };
    expect(errorOf(() => headwise.attend(layer), 'invalidOption').message).toBe(
      errorOf(() => headwise.mayAttend({ type: 'casual' }, 2, 2), 'invalidOption').message,
    );
  });
});

describe('filling hidden scores with a number', () => {
  const hidden = (keep) => ({ ...smallLayer(), mask: { type: 'keep', keep } });
  const filled = (layer, fillValue) => headwise.forward(layer, { hide: 'fill', fillValue });

  it('puts the value where the pattern is false', () => {
    const layer = hidden([
      [t, f],
      [f, t],
    ]);
    for (const [j, { scaledScores, maskedScores }] of filled(layer, -1e4).heads.entries()) {
      const [[a], [, d]] = nested(scaledScores);
      expect(nested(maskedScores), `head ${j}`).toEqual([
        [a, -1e4],
        [-1e4, d],
      ]);
    }
  });

  it('makes a row that sees nothing uniform, where attend makes it zero', () => {
    const layer = hidden([
      [t, f],
      [f, f],
    ]);
    for (const { attentionWeights } of filled(layer, -1e6).heads)
      expect(nested(attentionWeights)).toEqual([
        [1, 0],
        [0.5, 0.5],
      ]);
  });

  it('gives the numbers of the libraries that fill with -1e6', () => {
    const file = ownGolden('11_mask_fully_masked_row');
    const { emptyRows, heads } = headwise.attend(file);
    filled(file, -1e6).heads.forEach(({ attentionWeights }, j) => {
      const wanted = nested(heads[j].attentionWeights).map((row, i) =>
        emptyRows.includes(i) ? row.map(() => 1 / row.length) : row,
      );
      expectMatrix(attentionWeights, wanted, 'weights after filling');
    });
  });
});
