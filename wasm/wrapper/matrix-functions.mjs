// The engine's functions of matrices that belong to no layer, and of numbers made up.
import {
  checkBoolean,
  checkIndex,
  checkInteger,
  checkKeys,
  checkNumber,
  checkObject,
  checkOneOf,
  checkSeed,
  checkWords,
} from './checks.mjs';
import { readMask } from './mask.mjs';
import { fromBoolMatrix, toMatrices, toMatrix } from './matrices.mjs';
import { writeMask } from './packing.mjs';
import { Request } from './request.mjs';

export function matrixFunctions(engine) {
  const { call, lists } = engine;
  const order = (path, options) => {
    checkObject(path, options, 'an object: { transpose? }');
    checkKeys(path, options, ['transpose']);
    const { transpose = true } = options;
    return checkBoolean(`${path}.transpose`, transpose) ? 'blocks' : 'withoutTranspose';
  };

  return {
    compareMatrices: (a, b) => call('compareMatrices', new Request().matrix(toMatrix('a', a)).matrix(toMatrix('b', b))),
    cosineSimilarity: (matrices) => call('cosineSimilarity', new Request().matrices(toMatrices('matrices', matrices))),
    largestCell: (matrix) => call('largestCell', new Request().matrix(toMatrix('matrix', matrix))),
    numericalRank: (matrix) => call('numericalRank', new Request().matrix(toMatrix('matrix', matrix))),
    softmaxRows: (scores) => call('softmaxRows', new Request().matrix(toMatrix('scores', scores, { mayHide: true }))),
    entropyOfRows: (weights) => call('entropyOfRows', new Request().matrix(toMatrix('weights', weights))),
    histogram: (values, from, to, binCount) =>
      call(
        'histogram',
        new Request()
          .matrix(toMatrix('values', values))
          .number(checkNumber('from', from))
          .number(checkNumber('to', to))
          .number(checkInteger('binCount', binCount)),
      ),
    mayAttend: (mask, queryCount, keyCount, head = 0) => {
      const sizes = new Map([
        ['n_q', checkInteger('queryCount', queryCount)],
        ['n_kv', checkInteger('keyCount', keyCount)],
      ]);
      const request = new Request().numbers(sizes.values());
      writeMask(request, lists, readMask(engine, 'mask', mask, sizes));
      return fromBoolMatrix(call('mayAttend', request.number(checkIndex('head', head))));
    },
    splitHeads: (wide, headCount, options = {}) =>
      call(
        'splitHeads',
        new Request()
          .matrix(toMatrix('wide', wide))
          .number(checkInteger('headCount', headCount))
          .name(lists.headOrders, order('options', options)),
      ),
    mergeHeads: (heads, options = {}) =>
      call(
        'mergeHeads',
        new Request().matrices(toMatrices('heads', heads)).name(lists.headOrders, order('options', options)),
      ),
    randomMatrix: (rows, columns, distribution, seed) =>
      call(
        'randomMatrix',
        new Request()
          .number(checkInteger('rows', rows))
          .number(checkInteger('columns', columns))
          .name(lists.distributions, checkOneOf('distribution', distribution, lists.distributions))
          .number(checkSeed('seed', seed))
          .text('matrix'),
      ),
    tokenEmbeddings: (tokens, modelSize, seed) =>
      call(
        'tokenEmbeddings',
        new Request()
          .texts(checkWords('tokens', tokens))
          .number(checkInteger('modelSize', modelSize))
          .number(checkSeed('seed', seed)),
      ),
    studyScale: (given) => {
      checkObject('The request', given, 'an object: { keySize, queryCount, keyCount, seed }');
      const counts = ['keySize', 'queryCount', 'keyCount'];
      checkKeys('request', given, [...counts, 'seed']);
      const request = new Request();
      for (const name of counts) request.number(checkInteger(`request.${name}`, given[name]));
      return call('studyScale', request.number(checkSeed('request.seed', given.seed)));
    },
  };
}
