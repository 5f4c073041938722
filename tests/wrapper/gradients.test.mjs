// The backward pass through the wrapper: golden gradients, their names and shapes, and what is refused.
import { loadHeadwise } from 'headwise';
import { fromGolden } from 'headwise/golden';
import { beforeAll, describe, expect, it } from 'vitest';
import { copy, errorOf, expectNumbers, golden, goldenFiles, nested, ownGolden, plain, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));
const add = (a, b) => (Array.isArray(a) ? a.map((part, i) => add(part, b[i])) : a + b);
const largestGap = (matrices) =>
  Math.max(...matrices.flatMap((a) => matrices.map((b) => headwise.compareMatrices(a, b).largestDifference)));

/** Every listed gradient; names the layer has and the file does not list are no matter here. */
function expectGradients(gradients, listed, where) {
  for (const [name, expected] of Object.entries(listed)) {
    expect(gradients[name], `${where} has no gradient by ${name}`).toBeDefined();
    expectNumbers(gradients[name], expected, `${where}: gradient by ${name}`);
  }
}

/** What a layer has: its inputs but G, and its weights that are there. */
const partsOf = ({ inputs, weights }) => [
  ...Object.keys(inputs).filter((name) => name !== 'G'),
  ...Object.keys(weights).filter((name) => weights[name] !== null),
];

describe('golden gradients', () => {
  const files = goldenFiles.filter((name) => JSON.stringify(golden(name).expected).includes('"gradients":'));
  it('are there', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)('%s: every gradient agrees, by everything that the layer has and nothing else', (name) => {
    const file = golden(name);
    const layers = fromGolden(headwise, file).filter(({ expected }) => expected.gradients);
    expect(layers.length, `${name} lists no gradients`).toBeGreaterThan(0);
    for (const layer of layers) {
      const gradients = headwise.backward(layer, file.inputs.G);
      expectGradients(gradients, layer.expected.gradients, layer.name);
      expect(Object.keys(gradients).sort(), layer.name).toEqual(partsOf(layer).sort());
    }
  });

  it('28_gpt2_like: their norms agree where the matrices are too large to list', () => {
    const file = ownGolden('28_gpt2_like');
    const gradients = headwise.backward(file, file.inputs.G);
    const norm = (value) => Math.hypot(...plain(value).flat(Infinity));
    for (const [name, expected] of Object.entries(file.expected.gradient_norms))
      expectNumbers(norm(gradients[name]), expected, `norm of the gradient by ${name}`);
  });

  it('24_fused_layouts: fused like weights they are the gradients by the frameworks’ wide matrices', () => {
    const file = ownGolden('24_fused_layouts');
    const [layer] = fromGolden(headwise, file);
    const gradients = headwise.backward(layer, file.inputs.G);
    const names = Object.keys(layer.weights);
    const asWeights = { ...layer, weights: Object.fromEntries(names.map((name) => [name, gradients[name]])) };
    const gpt2 = headwise.fuse(asWeights, 'gpt2');
    const torch = headwise.fuse(asWeights, 'torch');
    const neox = headwise.fuse(asWeights, 'interleaved');
    const output = { weight: nested(gradients.W_o), bias: gradients.b_o };
    const listed = file.expected.gradients_by_layout;
    expectNumbers(gpt2.weight, listed.gpt2['c_attn.weight'], 'c_attn.weight');
    expectNumbers(gpt2.bias, listed.gpt2['c_attn.bias'], 'c_attn.bias');
    expectNumbers(output.weight, listed.gpt2['c_proj.weight'], 'c_proj.weight');
    expectNumbers(output.bias, listed.gpt2['c_proj.bias'], 'c_proj.bias');
    expectNumbers(torch.weight, listed.torch.in_proj_weight, 'in_proj_weight');
    expectNumbers(torch.bias, listed.torch.in_proj_bias, 'in_proj_bias');
    expectNumbers(transposed(output.weight), listed.torch['out_proj.weight'], 'out_proj.weight');
    expectNumbers(neox.weight, listed.neox['query_key_value.weight'], 'query_key_value.weight');
    expectNumbers(neox.bias, listed.neox['query_key_value.bias'], 'query_key_value.bias');
    expectNumbers(transposed(output.weight), listed.neox['dense.weight'], 'dense.weight');
  });
});

describe('shared matrices', () => {
  const file = ownGolden('21_shared_weights_pitfall');
  const direction = file.inputs.G;

  it.each([
    ['distinct', 'distinct_w_o', 0],
    ['equal', 'equal_w_o', 2],
  ])('under %s blocks of W_o: tied and untied gradients are the golden ones', (_, key, index) => {
    const layer = fromGolden(headwise, file)[index];
    const expected = file.expected[key];
    const untied = headwise.backward(layer, direction);
    expectGradients(untied, expected.gradients_untied, 'untied');
    for (const [name, gap] of Object.entries(expected.max_abs_difference_between_head_gradients))
      expectNumbers(largestGap(untied[name]), gap, `difference of the heads’ gradients by ${name}`);

    // The file has one matrix where all heads have the same one.
    const tied = headwise.backward(layer, direction, { sharing: 'all' });
    for (const name of ['W_q', 'W_k', 'W_v'])
      for (const matrix of tied[name]) expectNumbers(matrix, expected.gradients_tied[name], `tied gradient by ${name}`);
    expectNumbers(tied.W_o, expected.gradients_tied.W_o, 'tied gradient by W_o');
    expectNumbers(tied.X, expected.gradients_tied.X, 'tied gradient by X');
  });

  const all = [0, 1, 2, 3];
  const none = all.map((head) => [head]);
  const pairs = [all.slice(0, 2), all.slice(2)];
  it.each([
    [{}, none, none],
    [{ sharing: 'none' }, none, none],
    [{ sharing: 'keysAndValuesPerGroup', groupSize: 2 }, none, pairs],
    [{ sharing: 'keysAndValuesPerGroup' }, none, none],
    [{ sharing: 'keysAndValues' }, none, [all]],
    [{ sharing: 'all' }, [all], [all]],
  ])('%o: the users of one matrix all get the sum of their gradients', (options, queryUsers, keyValueUsers) => {
    const layer = headwise.randomCase({ dims: { n_q: 3, d_q: 8, num_heads: 4 }, seed: 5, biases: true });
    const G = headwise.randomMatrix(3, 8, 'normal', 6);
    const own = headwise.backward(layer, G);
    const shared = headwise.backward(layer, G, options);
    for (const name of ['W_q', 'b_q', 'W_k', 'b_k', 'W_v', 'b_v']) {
      for (const users of name.endsWith('q') ? queryUsers : keyValueUsers) {
        const sum = users.map((head) => plain(own[name][head])).reduce(add);
        for (const head of users) expectNumbers(shared[name][head], sum, `${name} of head ${head}`);
      }
    }
    for (const name of ['X', 'W_o', 'b_o']) expect(shared[name], name).toEqual(own[name]);
  });

  it('are refused in a layer that has none, and in one whose heads are grouped already', () => {
    const sdpa = ownGolden('01_sdpa_single_head');
    const additive = ownGolden('12_additive_single');
    for (const layer of [sdpa, additive]) {
      const error = errorOf(() => headwise.backward(layer, layer.inputs.G, { sharing: 'all' }), 'invalidOption');
      expect(error.message).toContain('projections');
      expect(headwise.backward(layer, layer.inputs.G, { sharing: 'none' })).toEqual(
        headwise.backward(layer, layer.inputs.G),
      );
    }
    const grouped = ownGolden('23_gqa');
    const error = errorOf(
      () => headwise.backward(grouped, grouped.inputs.G, { sharing: 'keysAndValues' }),
      'invalidDimension',
    );
    expect(error.message).toContain('as many key/value heads as query heads');
  });
});

describe('five steps down the gradient by hand', () => {
  const file = ownGolden('29_training_sgd');
  const { n, d_model, num_heads, p, p_o, learning_rate: rate, steps } = file.dims;
  const { X, Y } = file.inputs;
  const down = (weights, gradient) => add(weights, scaled(gradient, -rate));
  const scaled = (value, factor) => (Array.isArray(value) ? value.map((part) => scaled(part, factor)) : value * factor);

  it.each(Object.keys(file.expected))('29_training_sgd: %s ends at the golden weights', (run) => {
    const listed = file.weights[run];
    const expected = file.expected[run];
    // One matrix in place of a stack says that the heads share it.
    const tied = !Array.isArray(listed.W_q[0][0]);
    const stack = (matrix) => (tied ? Array(num_heads).fill(matrix) : matrix);
    let weights = { W_q: stack(listed.W_q), W_k: stack(listed.W_k), W_v: stack(listed.W_v), W_o: listed.W_o };
    const inHeads = (values) => ({
      W_q: stack(values.W_q),
      W_k: stack(values.W_k),
      W_v: stack(values.W_v),
      W_o: values.W_o,
    });

    const layer = () => ({
      kind: 'mha',
      dims: { n_q: n, n_kv: n, d_q: d_model, num_heads, p_q: p, p_k: p, p_v: p, p_o },
      inputs: { X },
      weights,
    });
    const errorNow = () => add(nested(headwise.attend(layer()).output), scaled(Y, -1));
    const lossOf = (error) => error.flat().reduce((sum, gap) => sum + gap * gap, 0) / (n * p_o);
    const losses = [];
    for (let step = 0; step < steps; ++step) {
      const error = errorNow();
      losses.push(lossOf(error));
      const gradients = headwise.backward(layer(), scaled(error, 2 / (n * p_o)), { sharing: tied ? 'all' : 'none' });
      if (step === 0) expectGradients(gradients, inHeads(expected.gradients_first_step), 'first step');
      weights = Object.fromEntries(
        Object.entries(weights).map(([name, matrices]) => [name, down(matrices, plain(gradients[name]))]),
      );
    }
    losses.push(lossOf(errorNow()));
    expectNumbers(losses, expected.loss_before_each_step_and_after_last, 'losses');
    for (const [name, after] of Object.entries(inHeads(expected.weights_after)))
      expectNumbers(weights[name], after, `${name} after ${steps} steps`);
    expectNumbers(headwise.attend(layer()).output, expected.output_after, 'output after training');
  });
});

describe('names and shapes', () => {
  it('a bias that is absent is absent, and the others are there', () => {
    const layer = smallLayer();
    const names = Object.keys(
      headwise.backward(
        layer,
        layer.inputs.X.map((row) => row.slice(0, 2)),
      ),
    );
    expect(names.sort()).toEqual(['W_k', 'W_o', 'W_q', 'W_v', 'X', 'b_o', 'b_q']);
  });

  it('are those of what they are taken by', () => {
    const file = ownGolden('05_mha_general_dims');
    const gradients = headwise.backward(file, file.inputs.G);
    const shapeOf = (value) => (Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : []);
    const given = { ...file.inputs, ...file.weights };
    for (const [name, gradient] of Object.entries(gradients))
      expect(shapeOf(plain(gradient)), name).toEqual(shapeOf(given[name]));
  });

  const { X } = smallLayer().inputs;
  const score = { W_q: [[1], [0.5], [-1]], W_k: [[0.25], [2], [1]], w_v: [3] };
  it.each([
    ['mha', smallLayer(), ['query', 'key', 'value'], 2],
    ['sdpa', { kind: 'sdpa', inputs: { X } }, ['Q', 'K', 'V'], 3],
    ['additive', { kind: 'additive', inputs: { X }, weights: score }, ['query', 'key', 'value'], 3],
    ['additive, as Q, K, V', { kind: 'additive', inputs: { X }, weights: score }, ['Q', 'K', 'V'], 3],
  ])('%s: by the one input X they are the sum over its three places', (_, layer, places, width) => {
    const G = headwise.randomMatrix(2, width, 'normal', 3);
    const one = headwise.backward(layer, G);
    const inputs = Object.fromEntries(places.map((place) => [place, X]));
    const apart = headwise.backward({ ...layer, inputs }, G);
    expect(Object.keys(apart).slice(0, 3)).toEqual(places);
    expectNumbers(one.X, places.map((place) => nested(apart[place])).reduce(add), 'X');
  });

  it('leave the layer and the direction as they were', () => {
    const file = ownGolden('13_additive_multihead');
    const before = copy(file);
    headwise.backward(file, file.inputs.G, { sharing: 'all' });
    expect(file).toEqual(before);
  });
});

describe('refusals', () => {
  const G = [
    [1, 2],
    [3, 4],
  ];
  const groupsOf = (groupSize) => ({ sharing: 'keysAndValuesPerGroup', groupSize });
  it.each([
    ['a direction of another shape', [[1, 2, 3]], {}, 'shapeMismatch', ['outputGradient', '2 × 2', '1 × 3']],
    ['no direction', undefined, {}, 'invalidArgument', ['outputGradient', 'undefined']],
    ['a direction with NaN', [G[0], [3, NaN]], {}, 'notFinite', ['outputGradient[1][1]', 'NaN']],
    ['a ragged direction', [G[0], [3]], {}, 'invalidArgument', ['outputGradient[1]', '1']],
    ['an unknown sharing', G, { sharing: 'keyAndValues' }, 'invalidOption', ['options.sharing', 'mean keysAndValues?']],
    ['a sharing that is no text', G, { sharing: true }, 'invalidArgument', ['options.sharing', 'true']],
    ['an unknown option', G, { shared: 'all' }, 'invalidOption', ['options.shared', 'did you mean sharing?']],
    ['options that are no object', G, 'all', 'invalidArgument', ['options', '"all"']],
    ['a group of half a head', G, groupsOf(0.5), 'invalidArgument', ['options.groupSize', '0.5']],
    ['a group of no heads', G, groupsOf(0), 'invalidDimension', ['options.groupSize', '0']],
    ['groups that do not divide the heads', G, groupsOf(3), 'invalidDimension', ['groupSize 3', 'headCount 2']],
  ])('%s', (_, direction, options, code, parts) => {
    const { message } = errorOf(() => headwise.backward(smallLayer(), direction, options), code);
    for (const part of parts) expect(message).toContain(part);
  });

  it('a direction of another shape, without projections too', () => {
    const file = ownGolden('01_sdpa_single_head');
    const { message } = errorOf(() => headwise.backward(file, [[1]]), 'shapeMismatch');
    for (const part of ['outputGradient', `${file.inputs.Q.length} × ${file.inputs.V[0].length}`, '1 × 1'])
      expect(message).toContain(part);
  });
});
