// The cases in a golden file (tests/golden/README.md describes the files): for those who hold an implementation of their own against them.
import { checkInteger, checkKeys, checkObject, checkOneOf, checkText } from './wrapper/checks.mjs';
import { refuse } from './wrapper/errors.mjs';
import { kinds } from './wrapper/sizes.mjs';

/** Golden spelling → trace path. */
export const goldenNames = Object.freeze({
  Q: 'heads[].queries',
  K: 'keyValueHeads[].keys',
  V: 'keyValueHeads[].values',
  scores: 'heads[].scaledScores',
  attention: 'heads[].attentionWeights',
  heads: 'heads[].output',
  concat: 'concatenated',
  output: 'output',
});

/** Which layout of layerFrom each framework of a file is. */
const frameworks = { gpt2: 'gpt2', torch: 'torch', neox: 'megatron' };

// More heads than any file has, and few enough for a list of them.
const mostHeads = 1 << 16;

/** How each kind of file becomes cases. */
const readers = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, (file) => [plain(file)]])),
  mistakes: (file) => [plain({ ...file, kind: 'mha' })],
  compare,
  shared_weights: sharedWeights,
  fused_layouts: fusedLayouts,
};

/** @type {import('./golden.d.ts').fromGolden} */
export function fromGolden(headwise, file) {
  checkObject('The file', file, 'a golden file, parsed');
  if (file.kind === 'training')
    refuse(
      'invalidOption',
      'The file\'s kind is "training": it describes whole training runs and has no single layer to attend with.',
    );
  if (file.name !== undefined) checkText("The file's name", file.name);
  const kind = checkOneOf("The file's kind", file.kind, Object.keys(readers));
  return readers[kind](file, headwise);
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
  checkInteger('dims.num_heads', num_heads, { to: mostHeads });
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
function fusedLayouts(file, headwise) {
  const layouts = checkObject('weights', file.weights, 'an object of layouts');
  checkKeys('weights', layouts, ['canonical', ...Object.keys(frameworks)]);
  const { name, dims, inputs, mask, options, expected } = file;
  const named = (layout) => ({ name: `${name}: ${layout}`, expected });
  return [
    plain({ ...file, ...named('canonical'), kind: 'mha', weights: part('weights', layouts, 'canonical') }),
    ...Object.entries(frameworks).map(([framework, layout]) => ({
      ...headwise.layerFrom(part('weights', layouts, framework), { layout, dims, inputs, mask, options }),
      ...named(framework),
    })),
  ];
}
