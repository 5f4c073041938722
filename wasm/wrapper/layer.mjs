// A case (the golden files' spelling) → the core's form of a layer, and weights back. The shapes of everything given are held
// against each other here, so that a message can speak of the caller's own names.
import { checkKeys, checkList, checkObject, checkOneOf, nearest } from './checks.mjs';
import { refuse } from './errors.mjs';
import { toCoreMask } from './mask.mjs';
import { shapeText, toMatrices, toMatrix, toVector } from './matrices.mjs';
import { dimensionNames, kinds } from './names.mjs';
import { claimUnprojected, Sizes } from './sizes.mjs';

const caseKeys = ['name', 'kind', 'dims', 'inputs', 'weights', 'mask', 'options', 'expected'];
const scales = ['perHeadWidth', 'totalWidth', 'none'];
const weightKeys = {
  sdpa: [],
  additive: ['W_q', 'W_k', 'w_v'],
  mha: ['W_q', 'W_k', 'W_v', 'W_o', 'b_q', 'b_k', 'b_v', 'b_o'],
  additive_mha: ['W_q', 'W_k', 'W_v', 'W_o', 'b_q', 'b_k', 'b_v', 'b_o', 'A_q', 'A_k', 'a_v'],
};

/**
 * @param {(name: string, request: object) => any} call
 * @param {unknown} given a Case
 * @param {string} [path] what the messages call it: 'layer' when it stands alone is left out
 */
export function toLayer(call, given, path = '') {
  const at = (key) => (path === '' ? key : `${path}.${key}`);
  checkObject(path || 'The layer', given, 'a case: { kind, dims, inputs, weights, … }');
  // Golden files carry more keys than these (source, notes …), so only a near miss is refused.
  for (const key of Object.keys(given)) {
    const close = caseKeys.includes(key) || key.length < 3 ? null : nearMiss(key);
    if (close) refuse('invalidOption', `${at(key)} is unknown; did you mean ${close}?`);
  }
  const kind = checkOneOf(at('kind'), given.kind, Object.keys(kinds));
  const { projected, pooling } = kinds[kind];
  const sizes = new Sizes(at('dims'), given.dims);
  const inputs = readInputs(at('inputs'), given.inputs, projected, sizes);
  const weights = readWeights(at('weights'), given.weights ?? {}, kind, sizes);
  const options = readOptions(at('options'), given.options);
  const mask = toCoreMask(call, at('mask'), given.mask, sizes.get('n_q'), sizes.get('n_kv'));
  return {
    kind,
    projected,
    sizes,
    given,
    inputs: inputs.given,
    options: given.options,
    core: {
      projected,
      dimensions: sizes.toCore(pooling),
      inputs: inputs.core,
      options: { pooling, scale: options.scale, mask },
      ...weights,
    },
  };
}

function nearMiss(key) {
  const close = nearest(key, caseKeys);
  return close !== null && Math.abs(close.length - key.length) <= 1 && close[0] === key[0] ? close : null;
}

/** A case of the same input and options with other weights, those that came back from the core. */
export function toCase(
  layer,
  weights,
  { inputs = layer.inputs, mask = layer.given.mask ?? null, options = layer.options } = {},
) {
  const bias = (projections) =>
    projections.every(({ bias: b }) => b === null) ? null : projections.map(({ bias: b }) => b);
  const { heads, keyValueHeads, output, dimensions } = weights;
  const dims = {
    n_q: (inputs.X ?? inputs.query).rows,
    n_kv: (inputs.X ?? inputs.key).rows,
    ...Object.fromEntries(Object.entries(dimensionNames).map(([name, coreName]) => [name, dimensions[coreName]])),
  };
  const additive = layer.kind === 'additive_mha';
  if (!additive) delete dims.a;
  return {
    ...(layer.given.name === undefined ? {} : { name: layer.given.name }),
    kind: layer.kind,
    dims,
    inputs,
    weights: {
      W_q: heads.map(({ query }) => query.weight),
      W_k: keyValueHeads.map(({ key }) => key.weight),
      W_v: keyValueHeads.map(({ value }) => value.weight),
      W_o: output.weight,
      b_q: bias(heads.map(({ query }) => query)),
      b_k: bias(keyValueHeads.map(({ key }) => key)),
      b_v: bias(keyValueHeads.map(({ value }) => value)),
      b_o: output.bias,
      ...(additive
        ? {
            A_q: heads.map((head) => head.additive.scoreQuery),
            A_k: heads.map((head) => head.additive.scoreKey),
            a_v: heads.map((head) => head.additive.scoreVector),
          }
        : {}),
    },
    mask,
    ...(options === undefined ? {} : { options }),
  };
}

export function readOptions(path, options) {
  if (options === undefined) return { scale: scales[0] };
  checkObject(path, options, 'an object of options');
  checkKeys(path, options, ['scale']);
  return { scale: options.scale === undefined ? scales[0] : checkOneOf(`${path}.scale`, options.scale, scales) };
}

// X, query/key/value or Q/K/V. G and Y, of a golden file, are about gradients and training: attend does not read them.
function readInputs(path, inputs, projected, sizes) {
  checkObject(
    path,
    inputs,
    projected ? '{ X } or { query, key, value }' : '{ Q, K, V }, { X } or { query, key, value }',
  );
  checkKeys(path, inputs, ['X', 'query', 'key', 'value', ...(projected ? [] : ['Q', 'K', 'V']), 'G', 'Y']);
  const forms = [
    ['X', 'X', 'X'],
    ['query', 'key', 'value'],
    ['Q', 'K', 'V'],
  ].filter((names) => names.some((name) => inputs[name] !== undefined));
  if (forms.length !== 1)
    refuse(
      'invalidArgument',
      `${path} must hold either X, or query, key and value${projected ? '' : ', or Q, K and V'}${forms.length === 0 ? '' : ', not several of them'}.`,
    );
  const names = forms[0];
  const given = {};
  for (const name of names) {
    if (inputs[name] === undefined)
      refuse('invalidArgument', `${path}.${name} is missing; ${names.join(', ')} go together.`);
    // The same object in two places stays one object.
    const twin = names.find((other) => other in given && inputs[other] === inputs[name]);
    given[name] ??= twin === undefined ? toMatrix(`${path}.${name}`, inputs[name]) : given[twin];
  }
  const [query, key, value] = names.map((name) => given[name]);
  sizes.claimShape(`${path}.${names[0]}`, query, 'n_q', 'd_q');
  sizes.claimShape(`${path}.${names[1]}`, key, 'n_kv', 'd_k');
  sizes.claimShape(`${path}.${names[2]}`, value, 'n_kv', 'd_v');
  return { given, core: { query, key, value } };
}

function readWeights(path, weights, kind, sizes) {
  checkObject(path, weights, 'an object of matrices');
  const known = weightKeys[kind];
  for (const key of Object.keys(weights))
    if (!known.includes(key) && weights[key] !== null && weights[key] !== undefined) {
      if (known.length === 0) refuse('invalidOption', `${path}.${key} has no meaning: kind "${kind}" has no weights.`);
      checkKeys(path, { [key]: null }, known);
    }
  const present = (key) => {
    if (weights[key] === undefined || weights[key] === null)
      refuse('invalidArgument', `${path}.${key} is missing; kind "${kind}" needs it.`);
    return weights[key];
  };
  if (kind === 'sdpa') {
    claimUnprojected(sizes);
    return {};
  }
  if (kind === 'additive') {
    claimUnprojected(sizes);
    return { additive: readUnprojectedScore(path, present, sizes) };
  }
  return { weights: readProjections(path, weights, present, kind === 'additive_mha', sizes) };
}

function readUnprojectedScore(path, present, sizes) {
  const scoreQuery = toMatrix(`${path}.W_q`, present('W_q'));
  const scoreKey = toMatrix(`${path}.W_k`, present('W_k'));
  const scoreVector = toVector(`${path}.w_v`, present('w_v'));
  sizes.claimShape(`${path}.W_q`, scoreQuery, 'd_q', 'a');
  sizes.claimShape(`${path}.W_k`, scoreKey, 'd_k', 'a');
  sizes.claim('a', scoreVector.length, `${path}.w_v (${scoreVector.length} numbers)`);
  return { scoreQuery, scoreKey, scoreVector };
}

function readProjections(path, weights, present, additive, sizes) {
  // One role of all its heads: matrices [heads][rows][columns], biases [heads][columns] or null.
  const role = (suffix, headsName, rowsName, columnsName) => {
    const matrices = toMatrices(`${path}.W_${suffix}`, present(`W_${suffix}`));
    sizes.claim(headsName, matrices.length, `${path}.W_${suffix} (${matrices.length} matrices)`);
    matrices.forEach((matrix, j) => sizes.claimShape(`${path}.W_${suffix}[${j}]`, matrix, rowsName, columnsName));
    const biases = readVectors(`${path}.b_${suffix}`, weights[`b_${suffix}`], headsName, columnsName, sizes);
    return matrices.map((weight, j) => ({ weight, bias: biases?.[j] ?? null }));
  };
  const queries = role('q', 'num_heads', 'd_q', 'p_q');
  const keys = role('k', 'num_kv_heads', 'd_k', 'p_k');
  const values = role('v', 'num_kv_heads', 'd_v', 'p_v');

  const output = { weight: toMatrix(`${path}.W_o`, present('W_o')), bias: null };
  const rows = sizes.get('num_heads') * sizes.get('p_v');
  if (output.weight.rows !== rows)
    refuse(
      'shapeMismatch',
      `${path}.W_o must have num_heads · p_v = ${rows} rows, but is ${shapeText(output.weight)}.`,
    );
  sizes.claim('p_o', output.weight.columns, `${path}.W_o (${shapeText(output.weight)})`);
  if (weights.b_o !== undefined && weights.b_o !== null) {
    output.bias = toVector(`${path}.b_o`, weights.b_o);
    sizes.claim('p_o', output.bias.length, `${path}.b_o (${output.bias.length} numbers)`);
  }
  const scores = additive ? readScores(path, present, sizes) : null;
  return {
    heads: queries.map((query, j) => ({ query, additive: scores?.[j] ?? null })),
    keyValueHeads: keys.map((key, g) => ({ key, value: values[g] })),
    output,
  };
}

function readVectors(path, value, headsName, columnsName, sizes) {
  if (value === undefined || value === null) return null;
  const vectors = Array.from(checkList(path, value, 'an array of vectors, one for each head'), (vector, j) =>
    toVector(`${path}[${j}]`, vector),
  );
  sizes.claim(headsName, vectors.length, `${path} (${vectors.length} vectors)`);
  vectors.forEach((vector, j) => sizes.claim(columnsName, vector.length, `${path}[${j}] (${vector.length} numbers)`));
  return vectors;
}

function readScores(path, present, sizes) {
  const scoreQueries = toMatrices(`${path}.A_q`, present('A_q'));
  const scoreKeys = toMatrices(`${path}.A_k`, present('A_k'));
  sizes.claim('num_heads', scoreQueries.length, `${path}.A_q (${scoreQueries.length} matrices)`);
  sizes.claim('num_heads', scoreKeys.length, `${path}.A_k (${scoreKeys.length} matrices)`);
  scoreQueries.forEach((matrix, j) => sizes.claimShape(`${path}.A_q[${j}]`, matrix, 'p_q', 'a'));
  scoreKeys.forEach((matrix, j) => sizes.claimShape(`${path}.A_k[${j}]`, matrix, 'p_k', 'a'));
  const scoreVectors = readVectors(`${path}.a_v`, present('a_v'), 'num_heads', 'a', sizes);
  return scoreVectors.map((scoreVector, j) => ({ scoreQuery: scoreQueries[j], scoreKey: scoreKeys[j], scoreVector }));
}
