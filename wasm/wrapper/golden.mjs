// The cases in a golden file (tests/golden/README.md describes the files).
import { checkKeys, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { toCase, toLayer } from './layer.mjs';
import { toMatrix, toVector, transposed } from './matrices.mjs';
import { kinds } from './names.mjs';

/** Where each framework's layout keeps the fused matrix, and the output matrix: transposed where it is stored [out × in]. */
const frameworks = {
  gpt2: { layout: 'gpt2', weight: 'c_attn.weight', bias: 'c_attn.bias', output: 'c_proj', isTransposed: false },
  torch: { layout: 'torch', weight: 'in_proj_weight', bias: 'in_proj_bias', output: 'out_proj', isTransposed: true },
  neox: {
    layout: 'interleaved',
    weight: 'query_key_value.weight',
    bias: 'query_key_value.bias',
    output: 'dense',
    isTransposed: true,
  },
};

/** How each kind of file becomes cases. */
const readers = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, (file) => [plain(file)]])),
  mistakes: (file) => [plain({ ...file, kind: 'mha' })],
  compare,
  shared_weights: sharedWeights,
  fused_layouts: fusedLayouts,
};

/**
 * @param {(name: string, request: object) => any} call
 * @param {unknown} file a parsed golden file
 */
export function fromGolden(call, file) {
  checkObject('The file', file, 'a golden file, parsed');
  if (file.kind === 'training')
    refuse(
      'invalidOption',
      'The file\'s kind is "training": it describes whole training runs and has no single layer to attend with.',
    );
  const kind = checkOneOf("The file's kind", file.kind, Object.keys(readers));
  return readers[kind](file, call);
}

function plain({ name, kind, dims, inputs, weights, mask, options, expected }) {
  return {
    ...(name === undefined ? {} : { name }),
    kind,
    dims,
    inputs,
    weights,
    mask: mask ?? null,
    ...(options === undefined ? {} : { options }),
    expected,
  };
}

function part(path, object, key) {
  return checkObject(`${path}.${key}`, checkObject(path, object, 'an object')[key], 'an object');
}

// One input through two layers.
function compare(file) {
  return ['single', 'multi'].map((layer) =>
    plain({
      ...file,
      name: `${file.name}: ${layer}`,
      kind: 'mha',
      dims: part('dims', file.dims, layer),
      weights: part('weights', file.weights, layer),
      expected: part('expected', file.expected, layer),
    }),
  );
}

// One set of projections for all heads, under two output matrices; each again as the one head it amounts to; and heads of their own.
function sharedWeights(file) {
  const { n, d_model, num_heads, p, p_o } = checkObject('dims', file.dims, 'an object of sizes');
  const { W_q, W_k, W_v, W_o, W_o_equal_blocks, unique } = checkObject(
    'weights',
    file.weights,
    'an object of matrices',
  );
  const expected = checkObject('expected', file.expected, 'an object');
  const dimsOf = (heads) => ({
    n_q: n,
    n_kv: n,
    d_q: d_model,
    d_k: d_model,
    d_v: d_model,
    num_heads: heads,
    num_kv_heads: heads,
    p_q: p,
    p_k: p,
    p_v: p,
    p_o,
  });
  const shared = (heads, output) => ({
    W_q: Array(heads).fill(W_q),
    W_k: Array(heads).fill(W_k),
    W_v: Array(heads).fill(W_v),
    W_o: output,
  });
  const layer = (suffix, heads, weights, results) =>
    plain({ ...file, name: `${file.name}: ${suffix}`, kind: 'mha', dims: dimsOf(heads), weights, expected: results });
  const underOutput = (key, words, output) => {
    const results = part('expected', expected, key);
    return [
      layer(`all heads share, ${words}`, num_heads, shared(num_heads, output), results),
      layer(`one head with the sum of the blocks, ${words}`, 1, shared(1, results.W_o_block_sum), {
        output: results.output_of_one_head_with_block_sum,
      }),
    ];
  };
  return [
    ...underOutput('distinct_w_o', 'distinct blocks of W_o', W_o),
    ...underOutput('equal_w_o', 'equal blocks of W_o', W_o_equal_blocks),
    layer(
      'each head its own',
      num_heads,
      { ...checkObject('weights.unique', unique, 'an object of matrices'), W_o },
      part('expected', expected, 'unique'),
    ),
  ];
}

// One layer four times: per head, and as three frameworks keep it.
function fusedLayouts(file, call) {
  const layouts = checkObject('weights', file.weights, 'an object of layouts');
  checkKeys('weights', layouts, ['canonical', ...Object.keys(frameworks)]);
  const canonical = plain({
    ...file,
    name: `${file.name}: canonical`,
    kind: 'mha',
    weights: part('weights', layouts, 'canonical'),
  });
  const layer = toLayer(call, canonical);
  const { name, expected } = canonical;
  return [
    canonical,
    ...Object.entries(frameworks).map(([framework, places]) => {
      const path = `weights.${framework}`;
      const projections = keptProjections(path, part('weights', layouts, framework), places);
      const weights = call('unfuse', { ...projections, dimensions: layer.core.dimensions, layout: places.layout });
      return { ...toCase(layer, weights), name: `${name.replace(/: canonical$/, '')}: ${framework}`, expected };
    }),
  ];
}

function keptProjections(path, kept, { weight, bias, output, isTransposed }) {
  const matrix = (key) => toMatrix(`${path}["${key}"]`, kept[key]);
  const vector = (key) => (kept[key] ? toVector(`${path}["${key}"]`, kept[key]) : null);
  const outputWeight = matrix(`${output}.weight`);
  return {
    fused: { weight: matrix(weight), bias: vector(bias) },
    output: { weight: isTransposed ? transposed(outputWeight) : outputWeight, bias: vector(`${output}.bias`) },
  };
}
