// One engine over a long time, and several at once: memory, independence, growth, workers.
import { Worker } from 'node:worker_threads';
import vm from 'node:vm';
import { loadHeadwise } from 'headwise';
import { fromGolden } from 'headwise/golden';
import { describe, expect, it, vi } from 'vitest';
import { loadModule } from '../../wasm/wrapper/loading.mjs';
import { copy, errorOf, expectMatrix, ownGolden, smallLayer } from './support.mjs';

/** Errors that C++ throws: they have passed the wrapper's checks. */
const coreErrors = (headwise) => {
  const single = headwise.randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 1 }, seed: 1 });
  const huge = smallLayer();
  huge.weights.W_q[0] = [[1e308], [1e308], [1e308]];
  huge.inputs.X[0] = [1e308, 1e308, 1e308];
  const large = { kind: 'sdpa', inputs: { X: { rows: 4000, columns: 1, data: new Float64Array(4000) } } };
  return [
    ['invalidDimension', () => headwise.splitSingleHead(single, 3)],
    ['notFinite', () => headwise.attend(huge)],
    ['shapeMismatch', () => headwise.explainCell(single, 'output', 9, 9)],
    ['invalidOption', () => headwise.explainCell(single, 'heads[4].nothing', 0, 0)],
    ['tooLarge', () => headwise.attend(large)],
  ];
};

/** What one module has in use before, in the middle of, and after a call to another (or the same) that holds so many numbers. */
const held = 100_000;
function bytesAround(called, watched) {
  const call = () => {
    const room = called.room(held + 2);
    room[0] = 1;
    room[1] = held;
    const during = watched.allocatedBytes();
    expect(called.softmaxRows().data.length).toBe(held);
    return during;
  };
  call(); // the first allocation makes the allocator's own records
  const before = watched.allocatedBytes();
  return [before, call(), watched.allocatedBytes()];
}

describe('memory', () => {
  it('does not grow over 100,000 traces', async () => {
    const headwise = await loadHeadwise();
    const layer = headwise.randomCase({ dims: { n_q: 2, d_q: 2, num_heads: 2 }, seed: 1, mask: { type: 'causal' } });
    for (let i = 0; i < 1000; ++i) headwise.attend(layer);
    const before = headwise.memoryBytes;
    for (let i = 0; i < 100_000; ++i) headwise.attend(layer);
    expect(headwise.memoryBytes).toBe(before);
  });

  it('does not grow over 10,000 errors, and the engine goes on working', async () => {
    const headwise = await loadHeadwise();
    const errors = coreErrors(headwise);
    for (const [code, call] of errors) errorOf(call, code); // the first exception makes records that stay
    const before = headwise.memoryBytes;
    for (let i = 0; i < 10_000; ++i) {
      const [code, call] = errors[i % errors.length];
      errorOf(call, code);
    }
    expect(headwise.memoryBytes).toBe(before);
    expectMatrix(
      headwise.attend(ownGolden('03_mha_self_bias')).output,
      ownGolden('03_mha_self_bias').expected.output,
      'output',
    );
  });

  it('does not grow over any other function', async () => {
    const headwise = await loadHeadwise();
    const layer = ownGolden('24_fused_layouts');
    const round = () => {
      const single = headwise.randomCase({
        dims: { n_q: 3, d_q: 6, num_heads: 1 },
        tokens: ['a', 'b', 'c'],
        seed: 1,
        biases: true,
        mask: { type: 'valid_lens', valid_lens: [2] },
      });
      const split = headwise.splitSingleHead(single, 2);
      headwise.decomposeScores(single, split);
      headwise.forward(split, { wideProjections: true, merge: 'withoutTranspose' });
      headwise.outputContributions(split);
      headwise.explainCell(split, 'heads[1].attentionWeights', 0, 0);
      const { weight, bias } = headwise.fuse(split, 'gpt2');
      const state = { 'c_attn.weight': weight, 'c_attn.bias': bias, 'c_proj.weight': split.weights.W_o };
      headwise.layerFrom(state, { layout: 'gpt2', dims: { num_heads: 2 }, inputs: split.inputs });
      headwise.mergeHeads(headwise.splitHeads(headwise.wideMatrix(split, 'query'), 2));
      headwise.cellAt(
        'torch',
        split.dims,
        headwise.positionIn('torch', split.dims, { role: 'key', head: 1, row: 2, column: 0 }),
      );
      fromGolden(headwise, layer).forEach((one) => headwise.attend(one));
      const shared = headwise.shareWeights(split, { sharing: 'all' });
      headwise.backward(shared, headwise.attend(shared).output, { sharing: 'all' });
      headwise.equivalentSingleHead(shared);
      headwise.sharingCost(shared, { sharing: 'all' });
      headwise.numericalRank([[1, 2]]);
      headwise.constructions.forEach((name) => headwise.constructEqualPair(name, single, 2));
      headwise.judgeOwnConstruction(single, split);
      headwise.distanceFrom('zeroKey', single, split);
      headwise.histogram(headwise.studyScale({ keySize: 3, queryCount: 2, keyCount: 2, seed: 1 }).rawScores, -1, 1, 3);
      headwise.cosineSimilarity([[[1]], [[2]]]);
      headwise.compareMatrices([[1]], [[2]]);
      headwise.entropyOfRows(headwise.softmaxRows([[1, '-inf']]));
      headwise.largestCell([[1, 2]]);
      headwise.withEqualOutputBlocks(split);
      headwise.mayAttend({ type: 'causal' }, 2, 3);
      headwise.shapes(single);
      headwise.layerCost(single);
      headwise.divisorsOf(12);
      headwise.randomMatrix(2, 2, 'uniform', 1);
      headwise.tokenEmbeddings(['a'], 2, 1);
    };
    round();
    const before = headwise.memoryBytes;
    for (let i = 0; i < 20; ++i) round();
    expect(headwise.memoryBytes).toBe(before);
  });

  it('is told truly: a matrix is counted while the module holds it', async () => {
    const module = await loadModule();
    const [before, during, after] = bytesAround(module, module);
    expect(during - before).toBeGreaterThanOrEqual(8 * held);
    expect(after).toBe(before);
  });

  it('keeps no JavaScript value after a call', async () => {
    const module = await loadModule();
    const softmaxOf = (...numbers) => {
      module.room(numbers.length + 2).set([1, numbers.length, ...numbers]);
      return module.softmaxRows();
    };
    const before = module.count_emval_handles();
    for (let i = 0; i < 100; ++i) {
      expect(softmaxOf(1, 1).data[0]).toBe(0.5);
      expect(softmaxOf(1, NaN).error.code).toBe('notFinite');
    }
    expect(module.count_emval_handles()).toBe(before);
  });
});

describe('growth of the memory', () => {
  it('leaves earlier results as they were', async () => {
    const headwise = await loadHeadwise();
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow');
    const layer = headwise.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 2 }, seed: 1, biases: true });
    const trace = headwise.attend(layer);
    const [layerBefore, traceBefore] = [copy(layer), copy(trace)];
    expect(grow).not.toHaveBeenCalled();

    const large = headwise.attend(headwise.randomCase({ dims: { n_q: 400, d_q: 32, num_heads: 16 }, seed: 2 }));
    expect(grow).toHaveBeenCalled();
    grow.mockRestore();
    expect(trace).toEqual(traceBefore);
    expect(layer).toEqual(layerBefore);
    expect(trace.output.data.length).toBe(18);
    expect(headwise.attend(layer)).toEqual(traceBefore);
    for (const row of [0, 399]) {
      const weights = large.heads[15].attentionWeights.data.subarray(row * 400, (row + 1) * 400);
      expect(weights.reduce((total, weight) => total + weight, 0)).toBeCloseTo(1, 12);
    }
  });

  it('ends with a sentence where there is no more, and the engine goes on working', async () => {
    const headwise = await loadHeadwise();
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError('no memory');
    });
    const refusal = () => errorOf(() => headwise.randomMatrix(5000, 5000, 'normal', 1), 'tooLarge').message;
    expect(refusal()).toContain('not enough memory');
    const before = headwise.memoryBytes;
    for (let i = 0; i < 100; ++i) refusal();
    grow.mockRestore();
    expect(headwise.memoryBytes).toBe(before);
    expectMatrix(
      headwise.attend(ownGolden('03_mha_self_bias')).output,
      ownGolden('03_mha_self_bias').expected.output,
      'output',
    );
  });
});

describe('two engines at once', () => {
  it('answer interleaved calls as each would alone', async () => {
    const [a, b] = await Promise.all([loadHeadwise(), loadHeadwise()]);
    const [one, two] = [ownGolden('02_mha_self_nobias'), ownGolden('13_additive_multihead')];
    const [aloneOne, aloneTwo] = [(await loadHeadwise()).attend(one), (await loadHeadwise()).attend(two)];
    for (let i = 0; i < 50; ++i) {
      expect(a.attend(i % 2 ? one : two)).toEqual(i % 2 ? aloneOne : aloneTwo);
      errorOf(() => b.splitSingleHead(one, 3), 'invalidDimension');
      expect(b.attend(i % 2 ? two : one)).toEqual(i % 2 ? aloneTwo : aloneOne);
    }
  });

  it('have memories of their own', async () => {
    const [a, b] = await Promise.all([loadModule(), loadModule()]);
    const [before, during] = bytesAround(a, b);
    expect(during).toBe(before);
  });

  it('take cases from each other', async () => {
    const [a, b] = await Promise.all([loadHeadwise(), loadHeadwise()]);
    const layer = a.randomCase({ dims: { n_q: 3, d_q: 6, num_heads: 2 }, seed: 3 });
    expect(b.attend(layer)).toEqual(a.attend(layer));
  });
});

describe('other places', () => {
  it('works in a module worker, whose results can be transferred', async () => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url));
    const answer = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage(ownGolden('03_mha_self_bias'));
    });
    await worker.terminate();
    expect(answer.error).toEqual({ name: 'HeadwiseError', code: 'invalidOption' });
    expectMatrix(answer.output, ownGolden('03_mha_self_bias').expected.output, 'output');
  });

  it('takes typed arrays of another realm', async () => {
    const headwise = await loadHeadwise();
    const data = vm.runInNewContext('Float64Array.of(1, 2, 3, 4)');
    expect(data).not.toBeInstanceOf(Float64Array);
    expect(
      headwise.compareMatrices({ rows: 2, columns: 2, data }, [
        [1, 2],
        [3, 4],
      ]).largestDifference,
    ).toBe(0);
  });

  it('lets its functions be taken out of it', async () => {
    const { attend, randomCase } = await loadHeadwise();
    expect(attend(randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1 })).output.rows).toBe(2);
  });
});
