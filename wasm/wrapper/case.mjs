// A case (the golden files' spelling) → what the module is sent, and cases back. The shapes of everything given are held against each other
// here, so that a message can speak of the caller's own names.
import { checkNumber, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { readMask } from './mask.mjs';
import { shapeText, toMatrices, toMatrix, toVector, toVectors } from './matrices.mjs';
import { claimUnprojected, kinds, Sizes } from './sizes.mjs';
import { describe, listOf, short } from './words.mjs';

/** Those of a case, then those that golden files carry besides. */
const caseKeys = ['name', 'kind', 'dims', 'inputs', 'weights', 'mask', 'options', 'expected'];
const goldenKeys = ['source', 'notes', 'tolerance', 'verified_against', 'mistakes'];
const isGolden = (key) => goldenKeys.includes(key) || key.startsWith('mistake_');

/** Refuses keys of a case that nobody reads. */
export function checkCase(path, given) {
  checkObject(path || 'The layer', given, 'a case: { kind, dims, inputs, weights, … }');
  const others = Object.keys(given).filter((key) => !caseKeys.includes(key) && !isGolden(key));
  if (others.length > 0) checkCaseKeys(path, { [others[0]]: null }, caseKeys);
}

/**
 * @param {{ call: Function, lists: object, table: object }} engine
 * @param {unknown} given a Case
 * @param {string} [path] what the messages call it: '' when it stands alone
 */
export function readCase(engine, given, path = '') {
  const at = (key) => (path === '' ? key : `${path}.${key}`);
  checkCase(path, given);
  const { name, kind: givenKind, dims, inputs: givenInputs, weights, mask, options } = given;
  const kind = checkOneOf(at('kind'), givenKind, Object.keys(kinds));
  const { projected, pooling } = kinds[kind];
  const sizes = new Sizes(at('dims'), dims);
  const inputs = readInputs(at('inputs'), givenInputs, projected, sizes);
  const cells = { ...inputs.cells, ...readWeights(engine.table, at('weights'), weights ?? {}, kind, sizes) };
  const { scale } = readOptions(engine.lists, at('options'), options);
  return {
    kind,
    projected,
    pooling,
    sizes,
    /** As they were when they were read: an accessor may answer differently the next time. */
    given: { name, weights, mask },
    inputs: inputs.given,
    /** "query" → "X": what the case calls its inputs */
    inputNames: inputs.names,
    options,
    scale,
    mask: readMask(engine, at('mask'), mask, sizes),
    cells,
  };
}

/** A case of the same input, mask and options with the weights that came back from the core. `inputs` null: a case that has none yet. */
export function toCase(
  layer,
  { dims: sizes, weights },
  { inputs = layer.inputs, mask = layer.given.mask ?? null, options = layer.options } = {},
) {
  const { n_q: _, n_kv: __, a, ...others } = sizes;
  const { name } = layer.given;
  const counts = inputs && {
    n_q: (inputs.X ?? inputs.query ?? inputs.Q).rows,
    n_kv: (inputs.X ?? inputs.key ?? inputs.K).rows,
  };
  return {
    ...(name === undefined ? {} : { name }),
    kind: layer.kind,
    dims: { ...counts, ...others, ...(layer.kind === 'additive_mha' ? { a } : {}) },
    ...(inputs === null ? {} : { inputs }),
    weights,
    mask,
    ...(options === undefined ? {} : { options }),
  };
}

export function readOptions({ scales }, path, options) {
  if (options === undefined) return { scale: scales[0] };
  checkObject(path, options, 'an object of options');
  checkCaseKeys(path, options, ['scale']);
  const { scale = scales[0] } = options;
  return { scale: readScale(`${path}.scale`, scale, scales) };
}

/** A name, or the factor itself. */
export function readScale(path, scale, scales) {
  if (typeof scale === 'number') return checkNumber(path, scale);
  if (typeof scale !== 'string')
    refuse('invalidArgument', `${path} must be one of ${listOf(scales)}, or a factor, but is ${describe(scale)}.`, {
      argument: path,
    });
  return checkOneOf(path, scale, scales);
}

// X, query/key/value or Q/K/V. G and Y, of a golden file, are about gradients and training: attend does not read them.
function readInputs(path, inputs, projected, sizes) {
  checkObject(
    path,
    inputs,
    projected ? '{ X } or { query, key, value }' : '{ Q, K, V }, { X } or { query, key, value }',
  );
  checkCaseKeys(path, inputs, ['X', 'query', 'key', 'value', ...(projected ? [] : ['Q', 'K', 'V']), 'G', 'Y']);
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
  const originals = {};
  for (const name of names) {
    if (name in given) continue;
    const original = inputs[name];
    if (original === undefined)
      refuse('invalidArgument', `${path}.${name} is missing; ${names.join(', ')} go together.`);
    // The same object in two places stays one object.
    const twin = names.find((other) => other in originals && originals[other] === original);
    originals[name] = original;
    given[name] = twin === undefined ? toMatrix(`${path}.${name}`, original) : given[twin];
  }
  const [query, key, value] = names.map((name) => given[name]);
  sizes.claimShape(`${path}.${names[0]}`, query, 'n_q', 'd_q');
  sizes.claimShape(`${path}.${names[1]}`, key, 'n_kv', 'd_k');
  sizes.claimShape(`${path}.${names[2]}`, value, 'n_kv', 'd_v');
  return {
    given,
    names: { query: names[0], key: names[1], value: names[2] },
    cells: { 'inputs.query': query, 'inputs.key': key, 'inputs.value': value },
  };
}

// Without projections the score function of additive pooling is all there is to learn, and has names of its own.
const additiveNames = { W_q: 'weights.A_q[]', W_k: 'weights.A_k[]', w_v: 'weights.a_v[]' };

/** What a case of that kind calls a weight of the core's table: "weights.a_v[0]" → "weights.w_v". */
export function weightPathIn(kind, path) {
  if (kind !== 'additive') return path;
  const field = path.replace(/\[\d+\]$/, '[]');
  const name = Object.keys(additiveNames).find((own) => additiveNames[own] === field);
  return name === undefined ? path : `weights.${name}`;
}

function knownWeights(table, kind) {
  if (kind === 'sdpa') return [];
  if (kind === 'additive') return Object.keys(additiveNames);
  return table.weights.filter(({ isScore }) => kind === 'additive_mha' || !isScore).map(({ key }) => key);
}

function readWeights(table, path, weights, kind, sizes) {
  checkObject(path, weights, 'an object of matrices');
  const known = knownWeights(table, kind);
  const present = {};
  for (const key of Object.keys(weights)) {
    const value = weights[key];
    if (value === null || value === undefined) continue;
    if (known.length === 0)
      refuse('invalidOption', `${path}.${short(key)} has no meaning: kind "${kind}" has no weights.`, {
        argument: key,
      });
    if (!known.includes(key)) checkCaseKeys(path, { [key]: null }, known);
    present[key] = value;
  }
  const needed = (key) =>
    present[key] ?? refuse('invalidArgument', `${path}.${key} is missing; kind "${kind}" needs it.`, { argument: key });
  if (kind === 'sdpa' || kind === 'additive') claimUnprojected(sizes);
  if (kind === 'sdpa') return {};
  if (kind === 'additive') return readUnprojectedScore(path, needed, sizes);

  const cells = {};
  for (const field of table.weights) {
    if (!known.includes(field.key) || (field.isBias && present[field.key] === undefined)) continue;
    cells[field.path] = readWeight(`${path}.${field.key}`, needed(field.key), field, sizes);
  }
  return cells;
}

// One weight of all its heads: matrices [heads][rows][columns], biases [heads][columns]; or the layer's one.
function readWeight(path, value, { owner, rows, columns, isList, isVector }, sizes) {
  const claim = (place, one) => {
    if (isVector) sizes.claim(columns, one.length, () => `${place()} (${one.length} numbers)`);
    else if (rows === 'h·p_v') claimOutput(place, one, sizes);
    else sizes.claimShape(place, one, rows, columns);
    return one;
  };
  if (!isList) return claim(() => path, isVector ? toVector(path, value) : toMatrix(path, value));
  const all = isVector ? toVectors(path, value) : toMatrices(path, value);
  const headsName = owner === 'head' ? 'num_heads' : 'num_kv_heads';
  sizes.claim(headsName, all.length, () => `${path} (${all.length} ${isVector ? 'vectors' : 'matrices'})`);
  all.forEach((one, j) => claim(() => `${path}[${j}]`, one));
  return all;
}

function claimOutput(place, matrix, sizes) {
  const rows = sizes.get('num_heads') * sizes.get('p_v');
  if (matrix.rows !== rows)
    refuse('shapeMismatch', `${place()} must have num_heads · p_v = ${rows} rows, but is ${shapeText(matrix)}.`, {
      argument: 'weights.W_o',
    });
  sizes.claim('p_o', matrix.columns, () => `${place()} (${shapeText(matrix)})`);
}

function readUnprojectedScore(path, needed, sizes) {
  const scoreQuery = toMatrix(`${path}.W_q`, needed('W_q'));
  const scoreKey = toMatrix(`${path}.W_k`, needed('W_k'));
  const scoreVector = toVector(`${path}.w_v`, needed('w_v'));
  sizes.claimShape(`${path}.W_q`, scoreQuery, 'd_q', 'a');
  sizes.claimShape(`${path}.W_k`, scoreKey, 'd_k', 'a');
  sizes.claim('a', scoreVector.length, `${path}.w_v (${scoreVector.length} numbers)`);
  return {
    [additiveNames.W_q]: [scoreQuery],
    [additiveNames.W_k]: [scoreKey],
    [additiveNames.w_v]: [scoreVector],
  };
}
