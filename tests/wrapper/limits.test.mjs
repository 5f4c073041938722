// Calls that fit into memory but would hold a page for minutes, and sizes that would allocate before anybody looks at them: refused at once, with
// a sentence that says what to make smaller.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const random = (rows, columns) => headwise.randomMatrix(rows, columns, 'zeros', 1);
const additive = (tokens, hidden) => ({
  kind: 'additive',
  inputs: { X: random(tokens, 2) },
  weights: { W_q: random(2, hidden), W_k: random(2, hidden), w_v: random(1, hidden).data },
});

/** Refused with what was asked, an estimate, the limit and a way out. */
function expectTooMuchWork(call, ...parts) {
  const { message } = errorOf(call, 'tooLarge');
  for (const part of [/would take about [\d.e+]+ billion multiply-adds; the limit is 20 billion\. \w/, ...parts])
    expect(message).toMatch(part);
}

describe('work', () => {
  it('attention', () => {
    expectTooMuchWork(() => headwise.attend(additive(450, 2000)), /450 queries, 450 keys/, /smaller a/);
    expectTooMuchWork(() => headwise.forward(additive(450, 2000), { hide: 'fill' }));
    expectTooMuchWork(() => headwise.explainCell(additive(450, 2000), 'output', 0, 0));
    const layer = headwise.openLayer(additive(450, 2000));
    expectTooMuchWork(() => layer.attend());
    layer.dispose();
  });

  it('a layer that would only be drawn', () => {
    const dims = { n_q: 400, d_q: 4096, num_heads: 1 };
    expectTooMuchWork(() => headwise.randomCase({ dims, seed: 1 }), /400 queries, 400 keys and 1 head/);
    expect(headwise.shapes({ dims })).toHaveProperty('output');
  });

  it('gradients, three times as much', () => {
    const given = additive(300, 2000);
    expectTooMuchWork(() => headwise.backward(given, random(300, 2)), /gradients/);
  });

  it('the study of scores', () => {
    expectTooMuchWork(
      () => headwise.studyScale({ keySize: 4096, queryCount: 4000, keyCount: 4000, seed: 1 }),
      /4000 queries and 4000 keys of width 4096/,
    );
  });

  it('similarities', () => {
    const matrices = Array.from({ length: 1000 }, () => random(1, 30_000));
    expectTooMuchWork(() => headwise.cosineSimilarity(matrices), /1000 matrices/);
  });

  it('training: steps in one call, a step, an evaluation', () => {
    const request = { headCount: 8, headSize: 16, batchSize: 2000, heldOutSize: 8, seed: 1 };
    const trainer = headwise.createTrainer(request);
    expectTooMuchWork(() => trainer.step(10_000), /10000 steps/, /fewer steps/);
    expect(trainer.step().step).toBe(1);
    trainer.dispose();
    const wide = { ...request, headCount: 64, headSize: 64, batchSize: 1 };
    expectTooMuchWork(() => headwise.createTrainer({ ...wide, heldOutSize: 100_000 }), /heldOutSize/);
    expect(errorOf(() => headwise.createTrainer({ ...wide, headSize: 2 ** 30 }), 'tooLarge')).toMatchObject({
      message: expect.stringContaining('headCount · headSize is 64 · 1073741824'),
      argument: 'headSize',
    });
  });
});

describe('results', () => {
  it.each([
    ['a histogram of a billion bins', () => headwise.histogram([[1]], 0, 1, 2 ** 27)],
    ['two million heads of one column', () => headwise.splitHeads(random(1, 2 ** 21), 2 ** 21)],
    [
      'a layer of two million heads',
      () => headwise.randomCase({ dims: { n_q: 1, d_q: 1, num_heads: 2e6, p_q: 1, p_k: 1, p_v: 1 }, seed: 1 }),
    ],
    [
      'heads that each keep all of W_q and W_k',
      () =>
        headwise.constructEqualPair(
          'fullScores',
          headwise.randomCase({ dims: { n_q: 1, d_q: 600, num_heads: 1 }, seed: 1 }),
          600,
        ),
    ],
    [
      'the contribution of each head',
      () =>
        headwise.outputContributions(
          headwise.randomCase({
            dims: { n_q: 64, d_q: 1, num_heads: 1024, p_q: 1, p_k: 1, p_v: 1, p_o: 1024 },
            seed: 1,
          }),
        ),
    ],
    ['an array that says it has many rows', () => headwise.softmaxRows(Object.assign([[1]], { length: 2 ** 31 }))],
  ])('%s', (_, call) => {
    errorOf(call, 'tooLarge');
  });

  it('a list of masks that says it has billions is read no further than its first hole', () => {
    const masks = Object.assign([{ type: 'causal' }], { length: 2 ** 32 - 1 });
    expect(errorOf(() => headwise.mayAttend(masks, 2, 2), 'invalidArgument').message).toContain('mask[1]');
  });
});

describe('sentences', () => {
  const long = 'x'.repeat(1_000_000);
  const layer = () => headwise.randomCase({ dims: { n_q: 2, d_q: 2, num_heads: 1 }, seed: 1 });

  it.each([
    ['a path', () => headwise.explainCell(layer(), long, 0, 0)],
    ['a name', () => headwise.fuse(layer(), long)],
    ['a key', () => headwise.attend({ ...layer(), [long]: 1 })],
    [
      'a key of a state',
      () => headwise.layerFrom({ [`${long}.in_proj_weight`]: 3 }, { layout: 'torch', dims: { num_heads: 1 } }),
    ],
    [
      'a bias in a state',
      () =>
        headwise.layerFrom(
          { [`${long}.q_proj.weight`]: [[1]], [`${long}.q_proj.bias`]: 'none' },
          { layout: 'separate', dims: { num_heads: 1 } },
        ),
    ],
    [
      'the name of an array',
      () => headwise.softmaxRows(Object.defineProperty(new Int8Array(1), Symbol.toStringTag, { value: long })),
    ],
    ['a number', () => headwise.divisorsOf(BigInt(`1${'0'.repeat(1000)}`))],
  ])('repeat no more than the beginning of %s', (_, call) => {
    const error = errorOf(call);
    expect(error.message.length).toBeLessThan(500);
    expect(error.argument?.length ?? 0).toBeLessThan(60);
  });

  it('of many divisors name a few', () => {
    const { message } = errorOf(() => headwise.shapes({ dims: { n_q: 1, d_q: 46340 ** 2, num_heads: 6 } }));
    expect(message).toMatch(/^num_heads 6 does not divide d_q 2147395600; it can be 1, 2, 4, [\d, ]+… 2147395600\.$/);
  });

  it('do not end at a NUL', () => {
    const { message } = errorOf(() => headwise.explainCell(layer(), 'output\0', 0, 0), 'invalidOption');
    expect(message).toContain('did you mean output?');
  });

  it('do not cut a character in two', () => {
    for (const before of [38, 39, 40])
      expect(errorOf(() => headwise.fuse(layer(), `${'x'.repeat(before)}😀😀😀`)).message.isWellFormed()).toBe(true);
  });
});
