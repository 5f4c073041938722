// A case with a key that nobody reads is refused, everywhere, and words of other libraries are told where they belong: a number computed
// without them would look right.
import { loadHeadwise, nearestName } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const causal = "causal is unknown; write mask: { type: 'causal' }.";
const mistakes = [
  [{ causal: true }, causal],
  [{ is_causal: true }, "is_causal is unknown; write mask: { type: 'causal' }."],
  [{ scale: 0.1 }, 'scale is unknown; write options: { scale: … }.'],
  [
    { attn_mask: [[true]] },
    "attn_mask is unknown; write mask: { type: 'keep', keep: … } with true where a query may see a key, or mask: { type: 'additive', values: … } for numbers to be added to the scores.",
  ],
  [{ attention_mask: [[1]] }, "attention_mask is unknown; write mask: { type: 'keep', keep: … } with true"],
  [
    { key_padding_mask: [false] },
    "key_padding_mask is unknown; write mask: { type: 'valid_lens', valid_lens: [ … ] }, or mask: { type: 'keep', keep: … } with true where a key may be seen.",
  ],
  [{ valid_lens: [1] }, "valid_lens is unknown; write mask: { type: 'valid_lens', valid_lens: [ … ] }."],
  [{ keep: [[true]] }, "keep is unknown; write mask: { type: 'keep', keep: … }."],
  [{ Mask: { type: 'causal' } }, 'Mask is unknown; did you mean mask?'],
  [{ masks: { type: 'causal' } }, 'masks is unknown; did you mean mask?'],
  [{ opts: { scale: 'none' } }, 'opts is unknown; write options: { … }.'],
  [{ option: { scale: 'none' } }, 'option is unknown; did you mean options?'],
  [{ weight: {} }, 'weight is unknown; did you mean weights?'],
  [{ dropout: 0.1 }, 'dropout is unknown; nothing is dropped here, as in evaluation; leave it out.'],
  [{ softcap: 50 }, 'softcap is unknown; scores are not capped here; leave it out if the model does not cap them.'],
  [{ rope: true }, 'rope is unknown; positions are not rotated here; leave it out if the model does not rotate them.'],
  [{ num_heads: 2 }, 'num_heads is unknown; write dims: { …, num_heads: … }.'],
  [{ n_head: 2 }, 'n_head is unknown; write dims: { …, num_heads: … }.'],
  [{ embed_dim: 3 }, 'embed_dim is unknown; write dims: { …, d_q: … }.'],
  [{ window_size: 2 }, "window_size is unknown; write mask: { type: 'sliding', window: … }."],
  [
    { alibi_slopes: [1] },
    "alibi_slopes is unknown; write mask: { type: 'additive', values: … }, one matrix, or one for each head.",
  ],
  [{ batch_size: 1 }, 'batch_size is unknown; a case is one sequence, there is no batch axis; leave it out.'],
  [{ X: [[1]] }, 'X is unknown; write inputs: { …, X: … }.'],
  [{ W_q: [[[1]]] }, 'W_q is unknown; write weights: { …, W_q: … }.'],
  [{ need_weights: true }, 'need_weights is unknown; a trace has the weights of every head; leave it out.'],
  [{ nonsense: 1 }, 'nonsense is unknown; it can be name, kind, dims, inputs, weights, mask, options or expected.'],
];

describe('a word that belongs elsewhere, in one line', () => {
  it.each(mistakes)('%o', (mistake, sentence) => {
    const error = errorOf(() => headwise.attend({ ...smallLayer(), ...mistake }), 'invalidOption');
    expect(error.message).toContain(sentence);
    expect(error.argument).toBe(Object.keys(mistake)[0]);
  });

  it('is told by every function that takes a case', () => {
    const layer = { ...smallLayer(), causal: true };
    const single = headwise.randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 1 }, seed: 1 });
    const calls = {
      attend: () => headwise.attend(layer),
      openLayer: () => headwise.openLayer(layer),
      forward: () => headwise.forward(layer),
      outputContributions: () => headwise.outputContributions(layer),
      explainCell: () => headwise.explainCell(layer, 'output', 0, 0),
      backward: () => headwise.backward(layer, [[1]]),
      shareWeights: () => headwise.shareWeights(layer, {}),
      equivalentSingleHead: () => headwise.equivalentSingleHead(layer),
      withEqualOutputBlocks: () => headwise.withEqualOutputBlocks(layer),
      splitSingleHead: () => headwise.splitSingleHead(layer, 1),
      fuse: () => headwise.fuse(layer, 'torch'),
      wideMatrix: () => headwise.wideMatrix(layer, 'query'),
      shapes: () => headwise.shapes(layer),
      layerCost: () => headwise.layerCost(layer),
      sharingCost: () => headwise.sharingCost(layer, {}),
    };
    for (const [name, call] of Object.entries(calls)) expect(errorOf(call, 'invalidOption').message, name).toBe(causal);
    const pairs = {
      decomposeScores: [() => headwise.decomposeScores(single, layer), 'split'],
      constructEqualPair: [() => headwise.constructEqualPair('oneKey', layer, 1), 'single'],
      distanceFrom: [() => headwise.distanceFrom('oneKey', single, layer), 'multi'],
      judgeOwnConstruction: [() => headwise.judgeOwnConstruction(layer, single), 'single'],
    };
    for (const [name, [call, path]] of Object.entries(pairs)) {
      const error = errorOf(call, 'invalidOption');
      expect(error.message, name).toBe(`${path}.${causal}`);
      expect(error.argument, name).toBe('causal');
    }
  });

  it.each([
    ['dims', { heads: 2 }, 'dims.heads is unknown; write num_heads.'],
    ['dims', { num_key_value_heads: 2 }, 'dims.num_key_value_heads is unknown; write num_kv_heads.'],
    ['dims', { head_dim: 2 }, 'dims.head_dim is unknown; write p_q.'],
    ['dims', { num_haeds: 2 }, 'dims.num_haeds is unknown; did you mean num_heads?'],
    ['inputs', { x: [[1]] }, 'inputs.x is unknown; did you mean X?'],
    ['inputs', { keys: [[1]] }, 'inputs.keys is unknown; did you mean key?'],
    ['weights', { wq: [[1]] }, 'weights.wq is unknown; did you mean W_q?'],
    ['weights', { bias: true }, 'weights.bias is unknown; write weights: { …, b_q: …, b_k: …, b_v: …, b_o: … }'],
    ['options', { causal: true }, "options.causal is unknown; write mask: { type: 'causal' }."],
    ['options', { dropout: 0 }, 'options.dropout is unknown; nothing is dropped here'],
    ['options', { softmax_scale: 1 }, 'options.softmax_scale is unknown; write options: { scale: … }.'],
    ['mask', { type: 'causal', window: 2 }, "mask.window is unknown; write mask: { type: 'sliding', window: … }."],
    ['mask', { type: 'causal', aligment: 'topLeft' }, 'mask.aligment is unknown; did you mean alignment?'],
  ])('is told inside %s too: %o', (part, keys, sentence) => {
    const layer = smallLayer();
    layer[part] = { ...layer[part], ...keys };
    expect(errorOf(() => headwise.attend(layer), 'invalidOption').message).toContain(sentence);
  });

  it.each([
    [
      'randomCase',
      () => headwise.randomCase({ dims: { n_q: 2, d_q: 4, num_heads: 2 }, seed: 1, causal: true }),
      'request.',
    ],
    ['layerFrom', () => headwise.layerFrom({}, { layout: 'torch', dims: { num_heads: 2 }, causal: true }), 'options.'],
    ['forward', () => headwise.forward(smallLayer(), { causal: true }), 'decisions.'],
  ])('is told in the request of %s', (_, call, path) => {
    expect(errorOf(call, 'invalidOption').message).toBe(`${path}${causal}`);
  });

  it('does not keep keys of golden files out', () => {
    for (const name of ['23_gqa', '02_mha_self_nobias']) expect(() => headwise.attend(ownGolden(name))).not.toThrow();
    for (const near of ['note', 'sources', 'tolerances', 'mistake'])
      errorOf(() => headwise.attend({ ...smallLayer(), [near]: 1 }), 'invalidOption');
  });

  it('is repeated so far that one recognises it', () => {
    const long = 'x'.repeat(1_000_000);
    const layer = smallLayer();
    for (const call of [
      () => headwise.attend({ ...layer, [long]: 1 }),
      () => headwise.attend({ ...layer, kind: long }),
      () => headwise.attend({ ...layer, weights: { ...layer.weights, [long]: [1] } }),
      () => headwise.attend({ ...layer, mask: { type: long } }),
      () => headwise.attend({ kind: 'sdpa', inputs: { X: [[1]] }, weights: { [long]: [1] } }),
      () => headwise.explainCell(layer, long, 0, 0),
      () => headwise.fuse(layer, long),
      () => headwise.shareWeights(layer, { [long]: 1 }),
      () => headwise.forward(layer, { [long]: 1 }),
      () => headwise.layerFrom({ [long]: [[1]] }, { layout: 'torch', dims: { num_heads: 1 } }),
      () => headwise.attend({ ...layer, dims: { num_heads: 10n ** 4000n } }),
    ])
      expect(errorOf(call).message.length).toBeLessThan(500);
  });
});

describe('nearestName', () => {
  const known = ['mask', 'weights', 'num_heads'];
  it.each([
    ['mask', 'mask'],
    ['Mask', 'mask'],
    ['msak', 'mask'],
    ['weigths', 'weights'],
    ['kead', null], // two of four letters are as many as may differ: "mask" needs three
    ['convolution', null],
    ['', null],
  ])('of %o is %o', (word, nearest) => expect(nearestName(word, known)).toBe(nearest));
  it('is null where nothing is known', () => expect(nearestName('mask', [])).toBeNull());
  it('is quick for a word of a million letters', () => expect(nearestName('m'.repeat(1e6), known)).toBeNull());
});
