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
