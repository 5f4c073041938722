// Layers of real models: weights by their framework's keys, in float32, must give the output of the plain case. States are put together by
// states.mjs.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, ownGolden, tolerance } from './support.mjs';
import { partsOf, states } from './states.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** The ways in which float32 numbers arrive. */
const forms = {
  'flat with a shape': (value) => {
    const isVector = typeof value[0] === 'number';
    const shape = isVector ? [value.length] : [value.length, value[0].length];
    return { shape, data: Float32Array.from(value.flat()) };
  },
  'rows of Float32Array': (value) =>
    typeof value[0] === 'number' ? Float32Array.from(value) : value.map((row) => Float32Array.from(row)),
  'rows, columns and data': (value) =>
    typeof value[0] === 'number'
      ? Float32Array.from(value)
      : { rows: value.length, columns: value[0].length, data: Float32Array.from(value.flat()) },
  'a flat list of numbers': (value) =>
    typeof value[0] === 'number'
      ? value.map(Math.fround)
      : { shape: [value.length, value[0].length], data: value.flat().map(Math.fround) },
};
const inForm = (state, form, prefix = '') =>
  Object.fromEntries(Object.entries(state).map(([key, value]) => [prefix + key, value && forms[form](value)]));

const groupedLayouts = ['llama', 'separate', 'grouped', 'torch', 'gpt2'];
const cases = Object.keys(states).flatMap((layout, i) => [
  [layout, true, 6, Object.keys(forms)[i % 4], 'layers.3.self_attn.'],
  [layout, false, 6, Object.keys(forms)[(i + 1) % 4], ''],
  ...(groupedLayouts.includes(layout) ? [[layout, true, 2, Object.keys(forms)[(i + 2) % 4], 'h.11.attn.']] : []),
]);

function plainCase(biases, num_kv_heads) {
  return headwise.randomCase({
    dims: { n_q: 5, d_q: 24, num_heads: 6, num_kv_heads },
    seed: 11,
    biases,
    mask: { type: 'causal' },
  });
}
const differenceOf = (a, b) => {
  const { largestDifference, largestMagnitude } = headwise.compareMatrices(
    headwise.attend(a).output,
    headwise.attend(b).output,
  );
  return largestDifference / largestMagnitude;
};

describe('layerFrom', () => {
  it.each(cases)('%s, biases %s, %d key/value heads, as %s', (layout, biases, num_kv_heads, form, prefix) => {
    const plain = plainCase(biases, num_kv_heads);
    const { inputs, mask } = plain;
    const state = inForm(states[layout](partsOf(plain)), form, prefix);
    for (const dims of [{ num_heads: 6 }, { num_heads: 6, num_kv_heads }, plain.dims]) {
      const layer = headwise.layerFrom(state, { layout, dims, inputs, mask });
      expect(layer.dims).toEqual(plain.dims);
      expect(layer.weights.b_v === null).toBe(!biases);
      expect(differenceOf(layer, plain)).toBeLessThan(1e-6);
    }
  });

  it.each([
    ['gpt2', 'gpt2'],
    ['torch', 'torch'],
    ['megatron', 'neox'],
  ])('%s: the golden state of that framework gives the golden output', (layout, framework) => {
    const { weights, dims, inputs, mask, expected } = ownGolden('24_fused_layouts');
    const layer = headwise.layerFrom(weights[framework], { layout, dims: { num_heads: dims.num_heads }, inputs, mask });
    const { largestDifference } = headwise.compareMatrices(headwise.attend(layer).output, expected.output);
    expect(largestDifference).toBeLessThan(tolerance(0));
  });

  it('widths of their own: keys and values from another sequence, of another width', () => {
    const plain = headwise.randomCase({
      dims: { n_q: 3, n_kv: 4, d_q: 6, d_k: 5, d_v: 7, num_heads: 2, p_q: 3, p_v: 4, p_o: 9 },
      seed: 2,
      biases: true,
    });
    const { inputs } = plain;
    const layer = headwise.layerFrom(states.llama(partsOf(plain)), { layout: 'llama', dims: { num_heads: 2 }, inputs });
    expect(layer.dims).toEqual(plain.dims);
    expect(differenceOf(layer, plain)).toBe(0);
  });

  it('without inputs: a layer that has none yet', () => {
    const plain = plainCase(true, 6);
    const { n_q, n_kv, ...dims } = plain.dims;
    const layer = headwise.layerFrom(states.torch(partsOf(plain)), { layout: 'torch', dims: { num_heads: 6 } });
    expect(layer).not.toHaveProperty('inputs');
    expect(layer.dims).toEqual(dims);
    expect([n_q, n_kv]).toEqual([5, 5]);
    const { inputs, mask } = plain;
    expect(headwise.attend({ ...layer, inputs, mask })).toEqual(headwise.attend(plain));
  });

  it.each([
    ['a number that is none', { type: 'additive', values: [[0, NaN]] }, 'notFinite', /values\[0\]\[1\]/],
    ['an unknown type', { type: 'causl' }, 'invalidOption', /causal/],
    ['other queries than dims says', { type: 'keep', keep: [[true, true]] }, 'shapeMismatch', /5 × n_kv/],
  ])('a mask with %s is refused before there are inputs', (_, mask, code, words) => {
    const state = states.torch(partsOf(plainCase(true, 6)));
    const error = errorOf(() => headwise.layerFrom(state, { layout: 'torch', dims: { num_heads: 6, n_q: 5 }, mask }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
  });

  it('takes the scale and the mask along', () => {
    const plain = plainCase(false, 6);
    const { inputs } = plain;
    const [mask, options] = [{ type: 'sliding', window: 2 }, { scale: 0.25 }];
    const layer = headwise.layerFrom(states.timm(partsOf(plain)), {
      layout: 'timm',
      dims: { num_heads: 6 },
      inputs,
      mask,
      options,
    });
    expect(layer).toMatchObject({ mask, options });
    expect(differenceOf(layer, { ...plain, mask, options })).toBe(0);
  });
});

describe('keys of a state', () => {
  const gpt2 = () => states.gpt2(partsOf(plainCase(true, 6)));
  const from = (state, layout = 'gpt2', dims = { num_heads: 6 }) => headwise.layerFrom(state, { layout, dims });
  const prefixed = (state, prefix) =>
    Object.fromEntries(Object.entries(state).map(([key, value]) => [prefix + key, value]));

  it('elsewhere in the model are not read: one block of GPT-2 as it is', () => {
    const block = {
      ...prefixed(gpt2(), 'h.0.attn.'),
      'h.0.attn.bias': { shape: [1, 1, 4, 4], data: new Float32Array(16) },
      'h.0.attn.masked_bias': -1e4,
      'h.0.ln_1.weight': [1],
      'h.0.mlp.c_proj.weight': [[1]],
    };
    expect(from(block)).toEqual(from(gpt2()));
  });

  it.each(['rotary_emb.inv_freq', 'inv_freq', 'masked_bias', 'bias'])('%s is no weight', (key) => {
    expect(from({ ...gpt2(), [key]: [1] })).toEqual(from(gpt2()));
  });

  it('null and undefined are absent', () => {
    const { 'c_attn.bias': bias, ...state } = gpt2();
    expect(bias.length).toBe(72);
    expect(from({ ...state, 'c_attn.bias': null }).weights.b_q).toBeNull();
    expect(from({ ...state, 'c_attn.bias': undefined }).weights.b_k).toBeNull();
  });

  const plain = () => plainCase(true, 6);
  it.each([
    [
      'a missing weight',
      () => from({ ...gpt2(), 'c_proj.weight': undefined }),
      'invalidArgument',
      'c_proj.weight is missing from the state.',
      'c_proj.weight',
    ],
    [
      'a missing weight, with its prefix',
      () => from({ ...prefixed(gpt2(), 'h.2.attn.'), 'h.2.attn.c_proj.weight': null }),
      'invalidArgument',
      'h.2.attn.c_proj.weight is missing from the state.',
      'h.2.attn.c_proj.weight',
    ],
    [
      'the keys of another layout',
      () => from(gpt2(), 'torch'),
      'invalidArgument',
      'in_proj_weight is missing from the state; these keys are those of layout "gpt2".',
      'in_proj_weight',
    ],
    [
      'nothing',
      () => from({}),
      'invalidArgument',
      'c_attn.weight is missing from the state, which layout "gpt2" needs.',
      'c_attn.weight',
    ],
    [
      'two layers',
      () => from({ ...prefixed(gpt2(), 'h.0.attn.'), ...prefixed(gpt2(), 'h.1.attn.') }),
      'invalidArgument',
      'The state holds several layers ("h.0.attn.c_attn.weight", "h.1.attn.c_attn.weight" …); give the keys of one.',
      'state',
    ],
    [
      'a weight that would change what is computed',
      () => from({ ...gpt2(), 'q_norm.weight': [1] }),
      'invalidOption',
      'q_norm.weight is unknown in layout "gpt2"; queries and keys are not normalised here.',
      'q_norm.weight',
    ],
    [
      'a typo',
      () => from({ ...gpt2(), 'c_atn.bias': [1] }),
      'invalidOption',
      'c_atn.bias is unknown in layout "gpt2"; did you mean c_attn.bias? It can be c_attn.weight, c_attn.bias, c_proj.weight or c_proj.bias.',
      'c_atn.bias',
    ],
    [
      'a matrix of another shape',
      () => from({ ...gpt2(), 'c_attn.weight': gpt2()['c_attn.weight'].map((row) => row.slice(1)) }),
      'shapeMismatch',
      'c_attn.weight is 24 × 71; with num_heads 6, num_kv_heads 6 and heads 4 wide, as c_proj.weight (24 × 24) has it, it needs 72 columns.',
      'c_attn.weight',
    ],
    [
      'a bias of another length',
      () => from({ ...gpt2(), 'c_attn.bias': [1, 2] }),
      'shapeMismatch',
      'c_attn.bias must have 72 numbers, but has 2.',
      'c_attn.bias',
    ],
    [
      'heads that do not divide',
      () => from(gpt2(), 'gpt2', { num_heads: 5 }),
      'shapeMismatch',
      'c_proj.weight has 24 rows, which num_heads 5 does not divide.',
      'num_heads',
    ],
    [
      'sizes that contradict',
      () => from(gpt2(), 'gpt2', { num_heads: 6, d_q: 23 }),
      'shapeMismatch',
      'd_q is 23 by options.dims.d_q, but 24 by c_attn.weight (24 × 72); they must agree.',
      'd_q',
    ],
    ['no number of heads', () => from(gpt2(), 'gpt2', {}), 'invalidDimension', 'no shape tells it', 'num_heads'],
    ['no sizes', () => headwise.layerFrom(gpt2(), { layout: 'gpt2' }), 'invalidArgument', 'dims is missing', 'dims'],
    [
      'no layout',
      () => headwise.layerFrom(gpt2(), { dims: {} }),
      'invalidArgument',
      'options.layout must be one of',
      'options.layout',
    ],
    [
      'an unknown layout',
      () => from(gpt2(), 'pytorch'),
      'invalidOption',
      'options.layout "pytorch" is unknown; did you mean torch?',
      'options.layout',
    ],
    ['a list for a state', () => from([]), 'invalidArgument', 'state must be an object of weights by key', undefined],
    [
      'NaN',
      () => from({ ...gpt2(), 'c_proj.bias': [NaN, ...gpt2()['c_proj.bias'].slice(1)] }),
      'notFinite',
      'c_proj.bias[0] must be a finite number, but is NaN.',
      'c_proj.bias[0]',
    ],
    [
      'keys of three heads for queries of six, four wide',
      () => {
        const state = states.llama(partsOf(plain()));
        return from({ ...state, 'k_proj.weight': state['k_proj.weight'].slice(0, 10) }, 'llama');
      },
      'shapeMismatch',
      'k_proj.weight has 10 rows, which the head width 4 does not divide.',
      'k_proj.weight',
    ],
    [
      'an output of another width',
      () => {
        const state = states.llama(partsOf(plain()));
        return from({ ...state, 'o_proj.weight': state['o_proj.weight'].map((row) => row.slice(2)) }, 'llama');
      },
      'shapeMismatch',
      'o_proj.weight must have num_heads · p_v = 24 columns, but is 24 × 22.',
      'o_proj.weight',
    ],
    [
      'inputs of another width',
      () => headwise.layerFrom(gpt2(), { layout: 'gpt2', dims: { num_heads: 6 }, inputs: { X: [[1, 2]] } }),
      'shapeMismatch',
      'd_q is 24 by dims.d_q, but 2 by inputs.X (1 × 2); they must agree.',
      'd_q',
    ],
  ])('%s: refused by name', (_, call, code, sentence, argument) => {
    const error = errorOf(call, code);
    expect(error.message).toContain(sentence);
    expect(error.argument).toBe(argument);
  });
});
