// Lists of names that callers read without loading the module. Each mirrors a list in C++; a test holds them together.

/** Trace fields in the order of computation. */
export const traceFields = Object.freeze({
  keyValueHead: Object.freeze(['keys', 'values']),
  head: Object.freeze(['queries', 'rawScores', 'scaledScores', 'maskedScores', 'attentionWeights', 'output']),
  layer: Object.freeze(['concatenated', 'output']),
});

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

/** Golden spelling → the core's Dimensions; n_q and n_kv are no part of a layer. */
export const dimensionNames = Object.freeze({
  d_q: 'queryInputSize',
  d_k: 'keyInputSize',
  d_v: 'valueInputSize',
  num_heads: 'headCount',
  num_kv_heads: 'keyValueHeadCount',
  p_q: 'querySize',
  p_k: 'keySize',
  p_v: 'valueSize',
  p_o: 'outputSize',
  a: 'scoreHiddenSize',
});
export const dimensionKeys = Object.freeze(['n_q', 'n_kv', ...Object.keys(dimensionNames)]);

/** What each kind of case is: with projections or without, and how scores are made. */
export const kinds = Object.freeze({
  sdpa: { projected: false, pooling: 'scaledDotProduct' },
  mha: { projected: true, pooling: 'scaledDotProduct' },
  additive: { projected: false, pooling: 'additive' },
  additive_mha: { projected: true, pooling: 'additive' },
});
