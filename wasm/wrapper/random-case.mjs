// A whole case from a seed.
import { checkBoolean, checkKeys, checkObject, checkOneOf, checkSeed, checkWords } from './checks.mjs';
import { refuse } from './errors.mjs';
import { readOptions, toCase } from './layer.mjs';
import { toCoreMask } from './mask.mjs';
import { completeSizes, Sizes } from './sizes.mjs';

const requestKeys = ['kind', 'dims', 'seed', 'tokens', 'keyTokens', 'inputs', 'weights', 'biases', 'mask', 'options'];

/**
 * @param {(name: string, request: object) => any} call
 * @param {{ distributions: string[] }} lists
 * @param {unknown} request RandomCaseRequest
 */
export function randomCase(call, { distributions }, request) {
  checkObject('The request', request, 'an object: { dims, seed, … }');
  checkKeys('request', request, requestKeys);
  const kind = checkOneOf('request.kind', request.kind ?? 'mha', ['mha', 'additive_mha']);
  const seed = checkSeed('request.seed', request.seed);
  const tokens = request.tokens === undefined ? null : checkWords('request.tokens', request.tokens);
  const keyTokens = request.keyTokens === undefined ? null : checkWords('request.keyTokens', request.keyTokens);
  if (keyTokens && !tokens)
    refuse('invalidOption', 'request.keyTokens needs request.tokens beside it, for the queries.');
  const inputDistribution = checkOneOf('request.inputs', request.inputs ?? 'normal', distributions);
  const weightDistribution = checkOneOf('request.weights', request.weights ?? 'scaledNormal', distributions);
  const biases = checkBoolean('request.biases', request.biases ?? false);
  readOptions('request.options', request.options);

  const sizes = withTokenCounts(call, kind, request.dims, tokens, keyTokens);
  const dimensions = sizes.toCore(kind === 'mha' ? 'scaledDotProduct' : 'additive');
  const queryCount = sizes.get('n_q');
  const keyCount = sizes.get('n_kv');
  call('shapes', { dimensions, pooling: kind === 'mha' ? 'scaledDotProduct' : 'additive', queryCount, keyCount }); // refuses what is too large
  toCoreMask(call, 'request.mask', request.mask, queryCount, keyCount);

  // Streams of their own, so that no input repeats a weight's numbers.
  const rows = (words, count, columns, stream) =>
    words
      ? call('tokenEmbeddings', { tokens: words, modelSize: columns, seed })
      : call('randomMatrix', { rows: count, columns, distribution: inputDistribution, seed, stream });
  const [d_q, d_k, d_v] = ['d_q', 'd_k', 'd_v'].map((name) => sizes.get(name));
  const query = rows(tokens, queryCount, d_q, 'inputs.query');
  const isSelf = !keyTokens && queryCount === keyCount;
  let inputs = { X: query };
  if (!isSelf || d_k !== d_q || d_v !== d_q) {
    const others = isSelf ? tokens : keyTokens;
    const stream = isSelf ? 'inputs.query' : 'inputs.key';
    const key = rows(others, keyCount, d_k, stream);
    inputs = { query, key, value: d_v === d_k ? key : rows(others, keyCount, d_v, stream) };
  }
  const weights = call('randomWeights', { dimensions, seed, distribution: weightDistribution, biases });
  return toCase({ kind, inputs, given: { mask: request.mask }, options: request.options }, weights);
}

function withTokenCounts(call, kind, dims, tokens, keyTokens) {
  const path = 'request.dims';
  if (dims === undefined) refuse('invalidArgument', `${path} is missing; it must be an object of sizes.`);
  const given = new Sizes(path, dims);
  if (tokens) given.claim('n_q', tokens.length, `request.tokens (${tokens.length} words)`);
  if (given.get('n_q') === undefined) refuse('invalidDimension', `${path}.n_q is missing; give it, or tokens.`);
  const others = keyTokens ?? tokens;
  if (others)
    given.claim('n_kv', others.length, `request.${keyTokens ? 'keyTokens' : 'tokens'} (${others.length} words)`);
  return completeSizes(call, path, kind, given.toDims()).sizes;
}
