// What is no case is refused by the name of its part; sizes that contradict each other are named with both sides.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, golden, goldenFiles, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** The message when attend refuses the small layer after one change. */
function refusal(change, code) {
  const layer = smallLayer();
  return errorOf(() => headwise.attend(change(layer) ?? layer), code).message;
}

describe('sizes', () => {
  it.each([
    ['1.5', 1.5, 'invalidArgument', 'a whole number, but is 1.5'],
    ['NaN', NaN, 'invalidArgument', 'a whole number, but is NaN'],
    ['text', '7', 'invalidArgument', 'a whole number, but is the text "7"'],
    ['null', null, 'invalidArgument', 'a whole number, but is null'],
    ['a BigInt', 2n, 'invalidArgument', 'a whole number, but is the BigInt 2n'],
    ['zero', 0, 'invalidDimension', 'at least 1, but is 0'],
    ['-0', -0, 'invalidDimension', 'at least 1, but is 0'],
    ['below zero', -2, 'invalidDimension', 'at least 1, but is -2'],
    ['2³¹', 2 ** 31, 'tooLarge', 'at most 2147483647'],
  ])('%s is no size', (_, size, code, text) => {
    expect(refusal((layer) => void (layer.dims.num_heads = size), code)).toContain(`dims.num_heads must be ${text}`);
  });

  it('a typo in dims is named, with the name that was meant', () => {
    expect(refusal((layer) => void (layer.dims.num_head = 2), 'invalidOption')).toContain(
      'dims.num_head is unknown; did you mean num_heads?',
    );
  });

  it.each([
    [
      'dims against an input',
      (layer) => void (layer.dims.n_q = 3),
      'n_q is 3 by dims.n_q, but 2 by inputs.X (2 × 3); they must agree.',
    ],
    [
      'dims against the number of matrices',
      (layer) => void (layer.dims.num_heads = 3),
      'num_heads is 3 by dims.num_heads, but 2 by weights.W_q (2 matrices)',
    ],
    [
      'one head against another',
      (layer) =>
        void (layer.weights.W_q[1] = [
          [0, 1],
          [1, 1],
          [2, 1],
        ]),
      'p_q is 1 by dims.p_q, but 2 by weights.W_q[1] (3 × 2)',
    ],
    [
      'a weight against the input',
      (layer) => void (delete layer.dims, layer.weights.W_k[0].pop()),
      'd_k is 3 by inputs.X (2 × 3), but 2 by weights.W_k[0] (2 × 1)',
    ],
    [
      'a bias against its matrix',
      (layer) => void (layer.weights.b_q[0] = [1, 2]),
      'p_q is 1 by dims.p_q, but 2 by weights.b_q[0] (2 numbers)',
    ],
    [
      'the number of biases',
      (layer) => void layer.weights.b_q.pop(),
      'num_heads is 2 by dims.num_heads, but 1 by weights.b_q (1 vectors)',
    ],
    [
      'rows of W_o',
      (layer) => void layer.weights.W_o.pop(),
      'weights.W_o must have num_heads · p_v = 2 rows, but is 1 × 2.',
    ],
    [
      'b_o against W_o',
      (layer) => void layer.weights.b_o.push(1),
      'p_o is 2 by dims.p_o, but 3 by weights.b_o (3 numbers)',
    ],
  ])('a contradiction is refused with both sides: %s', (_, change, text) => {
    expect(refusal(change, 'shapeMismatch')).toContain(text);
  });

  it('a key/value sequence of two lengths is refused', () => {
    const layer = ownGolden('04_mha_cross_kdim_vdim');
    layer.inputs.value.pop();
    expect(errorOf(() => headwise.attend(layer), 'shapeMismatch').message).toContain(
      'n_kv is 7 by dims.n_kv, but 6 by inputs.value (6 × 5)',
    );
  });

  it('sizes that do not go together come from the core, with what would do', () => {
    expect(
      errorOf(() => headwise.shapes({ dims: { n_q: 2, d_q: 12, num_heads: 5 } }), 'invalidDimension').message,
    ).toContain('1, 2, 3, 4, 6 or 12');
    const layer = ownGolden('23_gqa');
    layer.weights.W_k.push(layer.weights.W_k[0], layer.weights.W_k[0]);
    layer.weights.W_v.push(layer.weights.W_v[0], layer.weights.W_v[0]);
    layer.weights.b_k = layer.weights.b_v = null;
    layer.dims.num_kv_heads = 4;
    expect(errorOf(() => headwise.attend(layer), 'invalidDimension').message).toContain('num_kv_heads 4');
  });
});

describe('the parts of a case', () => {
  it.each([
    ['null', null],
    ['a number', 1],
    ['an array', []],
    ['text', 'case'],
    ['nothing', undefined],
  ])('%s is no case', (_, layer) => {
    expect(errorOf(() => headwise.attend(layer), 'invalidArgument').message).toContain('The layer must be a case');
  });

  it.each([
    ['a typo', 'mah', 'did you mean mha?'],
    ['something else', 'convolution', 'it can be sdpa, mha, additive or additive_mha'],
    ['a derived kind', 'compare', 'it can be'],
  ])('an unknown kind is refused: %s', (_, kind, text) => {
    expect(refusal((layer) => void (layer.kind = kind), 'invalidOption')).toContain(text);
  });

  it('a missing kind is refused', () => {
    expect(refusal((layer) => void delete layer.kind, 'invalidArgument')).toContain(
      'kind must be one of sdpa, mha, additive or additive_mha, but is undefined',
    );
  });

  it.each([
    ['masks', 'mask'],
    ['weight', 'weights'],
    ['input', 'inputs'],
    ['option', 'options'],
    ['dim', 'dims'],
  ])('a near miss of a key is refused: %s', (typo, meant) => {
    expect(refusal((layer) => ({ ...layer, [typo]: {} }), 'invalidOption')).toBe(
      `${typo} is unknown; did you mean ${meant}?`,
    );
  });

  it('keys of golden files that attend does not read are let through', () => {
    expect(() =>
      headwise.attend({ ...smallLayer(), source: 'x', notes: 'x', tolerance: {}, verified_against: [], mistakes: {} }),
    ).not.toThrow();
    for (const name of goldenFiles) {
      const keys = Object.keys(golden(name)).filter(
        (key) => !['kind', 'dims', 'inputs', 'weights', 'mask'].includes(key),
      );
      expect(
        () => headwise.attend({ ...smallLayer(), ...Object.fromEntries(keys.map((key) => [key, null])) }),
        name,
      ).not.toThrow();
    }
  });

  it.each([
    ['nothing', {}, 'inputs must hold either X, or query, key and value.'],
    [
      'two forms at once',
      { X: [[1, 2, 3]], query: [[1, 2, 3]], key: [[1, 2, 3]], value: [[1, 2, 3]] },
      'not several of them',
    ],
    [
      'half a form',
      { query: [[1, 2, 3]], key: [[1, 2, 3]] },
      'inputs.value is missing; query, key, value go together.',
    ],
  ])('inputs that hold %s are refused', (_, inputs, text) => {
    expect(refusal((layer) => void (layer.inputs = inputs), 'invalidArgument')).toContain(text);
  });

  it('Q, K and V are for layers without projections', () => {
    expect(refusal((layer) => void (layer.inputs = { Q: [[1]], K: [[1]], V: [[1]] }), 'invalidOption')).toContain(
      'inputs.Q is unknown',
    );
  });

  it('a missing weight is named', () => {
    expect(refusal((layer) => void delete layer.weights.W_v, 'invalidArgument')).toBe(
      'weights.W_v is missing; kind "mha" needs it.',
    );
    const additive = ownGolden('13_additive_multihead');
    delete additive.weights.a_v;
    expect(errorOf(() => headwise.attend(additive), 'invalidArgument').message).toBe(
      'weights.a_v is missing; kind "additive_mha" needs it.',
    );
  });

  it('a weight that the kind has no use for is refused', () => {
    expect(refusal((layer) => void (layer.weights.W_Q = layer.weights.W_q), 'invalidOption')).toContain(
      'weights.W_Q is unknown; did you mean W_q?',
    );
    const sdpa = ownGolden('01_sdpa_single_head');
    sdpa.weights.W_q = [[[1]]];
    expect(errorOf(() => headwise.attend(sdpa), 'invalidOption').message).toBe(
      'weights.W_q has no meaning: kind "sdpa" has no weights.',
    );
  });

  it('additive score matrices are held against each other', () => {
    const layer = ownGolden('13_additive_multihead');
    layer.weights.A_k[1] = layer.weights.A_k[1].map((row) => row.slice(1));
    expect(errorOf(() => headwise.attend(layer), 'shapeMismatch').message).toContain(
      'a is 6 by dims.a, but 5 by weights.A_k[1] (4 × 5)',
    );
    const single = ownGolden('12_additive_single');
    single.weights.w_v.pop();
    expect(errorOf(() => headwise.attend(single), 'shapeMismatch').message).toContain(
      'a is 7 by dims.a, but 6 by weights.w_v (6 numbers)',
    );
  });
});

describe('options', () => {
  it('an unknown option is refused with the one that was meant', () => {
    expect(refusal((layer) => void (layer.options = { scal: 'none' }), 'invalidOption')).toContain(
      'options.scal is unknown; did you mean scale?',
    );
  });
  it('an unknown scale is refused with the one that was meant', () => {
    expect(refusal((layer) => void (layer.options = { scale: 'perheadwidth' }), 'invalidOption')).toContain(
      'did you mean perHeadWidth?',
    );
    expect(refusal((layer) => void (layer.options = { scale: true }), 'invalidArgument')).toContain(
      'options.scale must be one of perHeadWidth, totalWidth, modelWidth or none, or a factor, but is true',
    );
    expect(refusal((layer) => void (layer.options = { scale: NaN }), 'notFinite')).toContain(
      'options.scale must be a finite number, but is NaN',
    );
  });
  it('options that are no object are refused', () => {
    expect(refusal((layer) => void (layer.options = 'none'), 'invalidArgument')).toContain('options must be an object');
  });
});
