// Layers that stay in the module: the same numbers as their cases, nothing computed twice, nothing left behind.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadHeadwise } from 'headwise';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, ownGolden, smallLayer } from './support.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});
const passesOf = (action) => {
  const before = headwise.forwardPasses;
  action();
  return headwise.forwardPasses - before;
};

describe('an open layer', () => {
  it.each(['02_mha_self_nobias', '04_mha_cross_kdim_vdim', '10_mask_additive_float', '12_additive_single', '23_gqa'])(
    '%s: gives the numbers of its case, wherever a case may stand',
    (name) => {
      const given = ownGolden(name);
      const layer = headwise.openLayer(given);
      const trace = headwise.attend(given);
      const G = trace.output;
      expect(layer.case).toBe(given);
      expect(layer.attend()).toEqual(trace);
      const same = {
        attend: (one) => headwise.attend(one),
        forward: (one) => headwise.forward(one, { hide: 'fill', fillValue: -5 }),
        explainCell: (one) => headwise.explainCell(one, 'heads[0].attentionWeights', 1, 0),
        backward: (one) => headwise.backward(one, G),
        shapes: (one) => headwise.shapes(one),
        layerCost: (one) => headwise.layerCost(one),
      };
      for (const [what, call] of Object.entries(same)) expect(call(layer), what).toEqual(call(given));
      layer.dispose();
    },
  );

  it('stands in for its case in functions of weights and of pairs', () => {
    const given = headwise.randomCase({
      dims: { n_q: 3, d_q: 6, num_heads: 1 },
      seed: 3,
      biases: true,
      mask: { type: 'causal' },
      options: { scale: 0.5 },
    });
    const split = headwise.splitSingleHead(given, 3);
    const [layer, parts] = [headwise.openLayer(given), headwise.openLayer(split)];
    expect(headwise.splitSingleHead(layer, 3)).toEqual(split);
    for (const pair of [
      [layer, parts],
      [layer, split],
      [given, parts],
    ]) {
      expect(headwise.decomposeScores(...pair)).toEqual(headwise.decomposeScores(given, split));
      expect(headwise.judgeOwnConstruction(...pair)).toEqual(headwise.judgeOwnConstruction(given, split));
      expect(headwise.distanceFrom('zeroKey', ...pair)).toBe(headwise.distanceFrom('zeroKey', given, split));
    }
    expect(headwise.constructEqualPair('oneKey', layer, 3)).toEqual(headwise.constructEqualPair('oneKey', given, 3));
    const sharing = { sharing: 'all' };
    for (const name of ['outputContributions', 'equivalentSingleHead', 'withEqualOutputBlocks'])
      expect(headwise[name](parts), name).toEqual(headwise[name](split));
    expect(headwise.shareWeights(parts, sharing)).toEqual(headwise.shareWeights(split, sharing));
    expect(headwise.sharingCost(parts, sharing)).toEqual(headwise.sharingCost(split, sharing));
    expect(headwise.fuse(parts, 'gpt2')).toEqual(headwise.fuse(split, 'gpt2'));
    expect(headwise.wideMatrix(parts, 'value')).toEqual(headwise.wideMatrix(split, 'value'));
  });

  it('runs one forward pass, and none for all that is asked of it', () => {
    const layer = headwise.openLayer(smallLayer());
    let trace;
    expect(passesOf(() => (trace = layer.attend()))).toBe(1);
    expect(
      passesOf(() => {
        expect(layer.attend()).toBe(trace);
        expect(headwise.attend(layer)).toBe(trace);
        layer.explainCell('output', 0, 0);
        headwise.explainCell(layer, 'heads[1].rawScores', 1, 1);
        headwise.backward(layer, trace.output);
        headwise.outputContributions(layer);
      }),
    ).toBe(0);
    expect(passesOf(() => headwise.forward(layer, { scale: 'none' }))).toBe(1);
    // A case is computed again each time.
    expect(passesOf(() => headwise.explainCell(smallLayer(), 'output', 0, 0))).toBe(1);
  });

  it('answers a hover over 64 tokens of GPT-2 without a forward pass', () => {
    const given = headwise.randomCase({ dims: { n_q: 64, d_q: 768, num_heads: 12 }, seed: 1 });
    const layer = headwise.openLayer(given);
    const { heads } = layer.attend();
    expect(
      passesOf(() => {
        for (let column = 0; column < 64; ++column) {
          const { result, sources, left } = layer.explainCell('heads[7].rawScores', 63, column);
          expect(result).toBe(heads[7].rawScores.data[63 * 64 + column]);
          expect(sources).toEqual([
            { path: 'heads[7].queries', row: 63 },
            { path: 'keyValueHeads[7].keys', row: column },
          ]);
          expect(left.length).toBe(64);
        }
      }),
    ).toBe(0);
    layer.dispose();
  });

  it('is not changed by what happens to its case', () => {
    const given = smallLayer();
    const layer = headwise.openLayer(given);
    given.inputs.X[0][0] = 100;
    given.mask = { type: 'causal' };
    expect(layer.attend()).toEqual(headwise.attend(smallLayer()));
  });

  it('refuses what is no case, and an open layer, when it is opened', () => {
    errorOf(() => headwise.openLayer({ ...smallLayer(), kind: 'mah' }), 'invalidOption');
    errorOf(() => headwise.openLayer(null), 'invalidArgument');
    expect(errorOf(() => headwise.openLayer(headwise.openLayer(smallLayer())), 'invalidArgument').message).toContain(
      'open already',
    );
  });

  it('tells a large trace when it is asked for, and answers what needs none', () => {
    const X = { rows: 4000, columns: 1, data: new Float64Array(4000) };
    const one = [[[1]]];
    const layer = headwise.openLayer({
      kind: 'mha',
      inputs: { X },
      weights: { W_q: one, W_k: one, W_v: one, W_o: [[1]] },
    });
    expect(errorOf(() => layer.attend(), 'tooLarge').message).toContain('MiB');
    expect(headwise.wideMatrix(layer, 'query')).toEqual({ rows: 1, columns: 1, data: Float64Array.of(1) });
    layer.dispose();
  });

  it('lets its functions be taken out of it', () => {
    const { attend, explainCell, dispose } = headwise.openLayer(smallLayer());
    expect(attend().output.rows).toBe(2);
    expect(explainCell('output', 0, 0).operation).toBe('product');
    dispose();
  });

  it('belongs to its engine', async () => {
    const other = await loadHeadwise();
    const layer = headwise.openLayer(smallLayer());
    expect(errorOf(() => other.attend(layer), 'invalidOption').message).toBe(
      'The layer was opened by another engine; give its case instead.',
    );
    expect(other.attend(layer.case)).toEqual(layer.attend());
  });
});

describe('disposal', () => {
  it('ends with a sentence for whoever goes on, and may be done twice', () => {
    const layer = headwise.openLayer(smallLayer());
    layer.attend();
    layer.dispose();
    layer.dispose();
    const gone = 'The layer has been disposed of; open its case again.';
    for (const use of [
      () => layer.attend(),
      () => layer.explainCell('output', 0, 0),
      () => headwise.attend(layer),
      () => headwise.shapes(layer),
    ])
      expect(errorOf(use, 'invalidOption').message).toBe(gone);
    expect(errorOf(() => headwise.distanceFrom('oneKey', layer, layer), 'invalidOption').message).toContain(
      'single has',
    );
    expect(headwise.attend(layer.case).output.rows).toBe(2);
  });

  it('is under Symbol.dispose, for `using`', () => {
    const layer = headwise.openLayer(smallLayer());
    layer[Symbol.dispose]();
    errorOf(() => layer.attend(), 'invalidOption');
  });

  it('frees all that the layer held', () => {
    const given = headwise.randomCase({ dims: { n_q: 20, d_q: 32, num_heads: 4 }, seed: 1 });
    const round = () => {
      const layer = headwise.openLayer(given);
      layer.attend();
      layer.explainCell('output', 0, 0);
      layer.dispose();
    };
    round();
    const before = headwise.memoryBytes;
    for (let i = 0; i < 100; ++i) round();
    expect(headwise.memoryBytes).toBe(before);
    const layer = headwise.openLayer(given);
    expect(headwise.memoryBytes - before).toBeGreaterThan(8 * (20 * 32 + 4 * 32 * 32));
    layer.dispose();
    expect(headwise.memoryBytes).toBe(before);
  });
});

describe('what nobody holds any more', () => {
  // Finalizers run some time after a collection: the loop gives them turns of the event loop, and a bound.
  async function collected(isDone = () => false, turns = 20) {
    for (let turn = 0; turn < turns && !isDone(); ++turn) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  let engine;
  beforeEach(async () => {
    engine = await loadHeadwise();
  });
  const trainerRequest = { headCount: 2, headSize: 3, seed: 1, batchSize: 4, heldOutSize: 8 };

  it.each([
    ['layers', () => engine.openLayer(smallLayer()).attend()],
    ['trainers', () => engine.createTrainer(trainerRequest).step()],
  ])('%s that were never disposed of are freed', async (_, open) => {
    open();
    await collected();
    const before = engine.memoryBytes;
    for (let i = 0; i < 50; ++i) open();
    expect(engine.memoryBytes).toBeGreaterThan(before + 50 * 500);
    await collected(() => engine.memoryBytes <= before, 200);
    expect(engine.memoryBytes).toBeLessThanOrEqual(before);
  });

  it('a function that was taken out keeps its layer and its trainer alive', async () => {
    const { attend } = engine.openLayer(smallLayer());
    const { step } = engine.createTrainer(trainerRequest);
    const before = engine.memoryBytes;
    await collected();
    expect(engine.memoryBytes).toBe(before);
    expect([attend().output.rows, step().step]).toEqual([2, 1]);
  });

  it('disposed ones are not freed a second time', async () => {
    const kept = engine.openLayer(smallLayer());
    (() => engine.openLayer(smallLayer()).dispose())();
    await collected();
    expect(kept.attend().output.rows).toBe(2);
  });
});
