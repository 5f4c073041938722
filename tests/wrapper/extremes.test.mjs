// The largest and the smallest numbers there are: every result is finite and right, or the call is refused.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectMatrix, nested } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

// Two heads of width 1 over one number, every weight 1.
const twoHeads = (weights = {}, X = [[1]]) => ({
  kind: 'mha',
  inputs: { X },
  weights: {
    W_q: [[[1]], [[1]]],
    W_k: [[[1]], [[1]]],
    W_v: [[[1]], [[1]]],
    W_o: [[1], [1]],
    b_q: [[0], [0]],
    b_k: [[0], [0]],
    b_v: [[0], [0]],
    b_o: [0],
    ...weights,
  },
});
const oneHead = (W_q) => ({
  kind: 'mha',
  inputs: { X: [[1]] },
  weights: { W_q: [W_q], W_k: [[[1, 1]]], W_v: [[[1, 1]]], W_o: [[1], [1]] },
});
const bare = (Q, K, V, mask = null) => ({ kind: 'sdpa', inputs: { Q, K, V }, mask });

describe('what overflows is refused', () => {
  it.each([
    [
      'singular values',
      () =>
        headwise.numericalRank([
          [1e308, 1e308],
          [1e308, 1e308],
        ]),
    ],
    [
      'a gradient summed over the heads that share',
      () => headwise.backward(twoHeads(), [[1e308]], { sharing: 'keysAndValues' }),
    ],
    ['the sum of all blocks of W_o', () => headwise.equivalentSingleHead(twoHeads({ W_o: [[1e308], [1e308]] }))],
    ['a rescaled head', () => headwise.constructEqualPair('rescaledHeads', oneHead([[1.7e308, 1]]), 2)],
    ['an entropy', () => headwise.entropyOfRows([[1e308]])],
    ['a difference', () => headwise.compareMatrices([[1e308]], [[-1e308]])],
    ['scores', () => headwise.attend(bare([[1e200]], [[1e200]], [[1]]))],
    [
      'a score and its bias',
      () => headwise.attend(bare([[1e154]], [[1e154]], [[1]], { type: 'additive', values: [[1.7e308]] })),
    ],
    [
      'the same downwards, which is no hidden cell',
      () => headwise.attend(bare([[-1e154]], [[1e154]], [[1]], { type: 'additive', values: [[-1.7e308]] })),
    ],
    [
      'scores taken as weights',
      () => headwise.forward(bare([[1e154]], [[1e154]], [[10]]), { normaliseOver: 'nothing' }),
    ],
    [
      'what tanh would make 1 of',
      () =>
        headwise.attend({
          kind: 'additive',
          inputs: { Q: [[1e308, 1e308, 1e308]], K: [[1]], V: [[1]] },
          weights: { W_q: [[1], [1], [-1.7]], W_k: [[0]], w_v: [1] },
        }),
    ],
  ])('%s', (_, call) => {
    errorOf(call, 'notFinite');
  });

  it('negative weights have no entropy', () => {
    errorOf(() => headwise.entropyOfRows([[-1, 0.5]]), 'invalidOption');
  });
});

describe('what is large or small but finite is right', () => {
  it('similarities', () => {
    for (const size of [1.7e308, 5e-324]) {
      const row = [[size, size, size, size]];
      expectMatrix(
        headwise.cosineSimilarity([row, [row[0].map((cell) => -cell)]]),
        [
          [1, -1],
          [-1, 1],
        ],
        `of ${size}`,
      );
    }
  });

  it('softmax, histograms and places past 2³¹ cells', () => {
    expect(nested(headwise.softmaxRows([[-1.7e308, 1.7e308]]))).toEqual([[0, 1]]);
    expect([...headwise.histogram([[-1.7e308, 1.7e308]], 0, 1e-300, 2)]).toEqual([1, 1]);
    const dims = { d_q: 2 ** 29, num_heads: 4 };
    expect(headwise.positionIn('gpt2', dims, { role: 'value', head: 3, row: 0, column: 0 })).toEqual({
      row: 0,
      column: 2 * 2 ** 29 + 3 * 2 ** 27,
    });
  });

  it('hidden cells are explained with their infinities', () => {
    const hidden = bare([[1]], [[1]], [[1]], { type: 'keep', keep: [[false]] });
    expect(headwise.explainCell(hidden, 'heads[0].maskedScores', 0, 0).result).toBe(-Infinity);
    expect(headwise.explainCell(hidden, 'heads[0].attentionWeights', 0, 0)).toMatchObject({
      hidden: true,
      result: 0,
    });
  });

  it('the distance of layers whose sizes forbid a construction', () => {
    const single = oneHead([[1, 1]]);
    expect(headwise.distanceFrom('oneHead', single, headwise.splitSingleHead(single, 2))).toBe(Infinity);
  });
});

it('an array that a later argument fills with NaN gives no NaN', () => {
  const data = new Float64Array(64);
  const late = {
    rows: 8,
    columns: 8,
    get data() {
      data[0] = NaN;
      return new Float64Array(64);
    },
  };
  const matrix = { rows: 8, columns: 8, data };
  errorOf(() => headwise.compareMatrices(matrix, late), 'notFinite');
  data[0] = 0;
  errorOf(() => headwise.mergeHeads([matrix, late]), 'notFinite');
});
