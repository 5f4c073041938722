// From the core's names of sizes and weights to those of a case. This is the only table of them.

/** Golden spelling → the core's Dimensions, in the order in which they are sent; n_q and n_kv are no part of a layer. */
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

const caseNames = new Map([
  ...Object.entries(dimensionNames).map(([name, coreName]) => [coreName, name]),
  ['modelSize', 'd_q'],
  ['queryCount', 'n_q'],
  ['keyCount', 'n_kv'],
  ['validLengths', 'valid_lens'],
  ['scoreQuery', 'A_q'],
  ['scoreKey', 'A_k'],
  ['scoreVector', 'a_v'],
  ['mask.bias', 'mask.values'],
]);
const coreWord = new RegExp(`\\b(${[...caseNames.keys()].join('|').replace('.', '\\.')})\\b`, 'g');

/** "headCount 5 does not divide modelSize 12" → "num_heads 5 does not divide d_q 12" */
export const inCaseSpelling = (text) => text.replace(coreWord, (word) => caseNames.get(word));
