// A whole case from a seed.
import { readOptions, toCase } from './case.mjs';
import { checkBoolean, checkObject, checkOneOf, checkSeed, checkWords } from './checks.mjs';
import { refuse } from './errors.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { readMask } from './mask.mjs';
import { readLayer } from './packing.mjs';
import { Request } from './request.mjs';
import { completeSizes, Sizes } from './sizes.mjs';

const requestKeys = ['kind', 'dims', 'seed', 'tokens', 'keyTokens', 'inputs', 'weights', 'biases', 'mask', 'options'];

/**
 * @param {{ call: Function, lists: object, table: object }} engine
 * @param {unknown} given RandomCaseRequest
 */
export function randomCase(engine, given) {
  const { call, lists, table } = engine;
  checkObject('The request', given, 'an object: { dims, seed, … }');
  checkCaseKeys('request', given, requestKeys);
  const kind = checkOneOf('request.kind', given.kind ?? 'mha', ['mha', 'additive_mha']);
  const seed = checkSeed('request.seed', given.seed);
  const tokens = given.tokens === undefined ? null : checkWords('request.tokens', given.tokens);
  const keyTokens = given.keyTokens === undefined ? null : checkWords('request.keyTokens', given.keyTokens);
  if (keyTokens && !tokens)
    refuse('invalidOption', 'request.keyTokens needs request.tokens beside it, for the queries.', {
      argument: 'keyTokens',
    });
  const inputDistribution = checkOneOf('request.inputs', given.inputs ?? 'normal', lists.distributions);
  const weightDistribution = checkOneOf('request.weights', given.weights ?? 'scaledNormal', lists.distributions);
  const biases = checkBoolean('request.biases', given.biases ?? false);
  const { mask, options } = given;
  readOptions(lists, 'request.options', options);

  const { sizes, pooling } = withTokenCounts(engine, kind, given.dims, tokens, keyTokens);
  const [queryCount, keyCount] = [sizes.get('n_q'), sizes.get('n_kv')];
  const dimensions = sizes.toCore(pooling);
  // Before anything is drawn: what attend would refuse.
  call(
    'checkSizes',
    new Request().numbers(dimensions).name(lists.poolings, pooling).number(queryCount).number(keyCount),
  );
  readMask(engine, 'request.mask', mask, sizes);
  const weights = call(
    'randomWeights',
    new Request().numbers(dimensions).number(seed).name(lists.distributions, weightDistribution).flag(biases),
  );

  // Streams of their own, so that no input repeats a weight's numbers.
  const rows = (words, count, columns, stream) =>
    words
      ? call('tokenEmbeddings', new Request().texts(words).number(columns).number(seed))
      : call(
          'randomMatrix',
          new Request()
            .number(count)
            .number(columns)
            .name(lists.distributions, inputDistribution)
            .number(seed)
            .text(stream),
        );
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
  return toCase({ kind, inputs, given: { mask }, options }, readLayer(table, weights));
}

function withTokenCounts(engine, kind, dims, tokens, keyTokens) {
  const path = 'request.dims';
  if (dims === undefined)
    refuse('invalidArgument', `${path} is missing; it must be an object of sizes.`, { argument: 'dims' });
  const given = new Sizes(path, dims);
  if (tokens) given.claim('n_q', tokens.length, `request.tokens (${tokens.length} words)`);
  if (given.get('n_q') === undefined)
    refuse('invalidDimension', `${path}.n_q is missing; give it, or tokens.`, { argument: 'n_q' });
  const others = keyTokens ?? tokens;
  if (others)
    given.claim('n_kv', others.length, `request.${keyTokens ? 'keyTokens' : 'tokens'} (${others.length} words)`);
  return completeSizes(engine, path, kind, given);
}
