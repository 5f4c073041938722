// What the other functions refuse.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { copy, errorOf, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

describe('arguments of other functions', () => {
  const X = [
    [1, 2],
    [3, 4],
  ];
  it.each([
    [
      'splitSingleHead',
      () => headwise.splitSingleHead(ownGolden('02_mha_self_nobias'), 1.5),
      'invalidArgument',
      'headCount must be a whole number, but is 1.5',
    ],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'gauss', 1), 'invalidOption', 'distribution "gauss" is unknown'],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'normal', -1), 'invalidDimension', 'seed must be at least 0'],
    [
      'randomMatrix',
      () => headwise.randomMatrix(2, 2, 'normal', 2 ** 53),
      'tooLarge',
      'seed must be at most 9007199254740991',
    ],
    [
      'randomMatrix',
      () => headwise.randomMatrix(2, 2, 'normal'),
      'invalidArgument',
      'seed must be a whole number, but is undefined',
    ],
    [
      'tokenEmbeddings',
      () => headwise.tokenEmbeddings(['a', 3], 2, 1),
      'invalidArgument',
      'tokens[1] must be text, but is 3',
    ],
    ['tokenEmbeddings', () => headwise.tokenEmbeddings([], 2, 1), 'invalidDimension', 'tokens is empty'],
    [
      'tokenEmbeddings',
      () => headwise.tokenEmbeddings('a b', 2, 1),
      'invalidArgument',
      'tokens must be an array of words',
    ],
    [
      'explainCell',
      () => headwise.explainCell(smallLayer(), 'output', -1, 0),
      'invalidDimension',
      'row must be at least 0',
    ],
    ['explainCell', () => headwise.explainCell(smallLayer(), 'output', 0, 9), 'shapeMismatch', 'output is 2 × 2'],
    [
      'explainCell',
      () => headwise.explainCell(smallLayer(), 'heads[7].output', 0, 0),
      'invalidOption',
      'heads[7].output',
    ],
    ['explainCell', () => headwise.explainCell(smallLayer(), 3, 0, 0), 'invalidArgument', 'path must be text'],
    ['fuse', () => headwise.fuse(smallLayer(), 'pytorch'), 'invalidOption', 'layout "pytorch" is unknown'],
    [
      'fuse',
      () => headwise.fuse(ownGolden('01_sdpa_single_head'), 'torch'),
      'invalidOption',
      'needs a layer with projections',
    ],
    ['wideMatrix', () => headwise.wideMatrix(smallLayer(), 'queries'), 'invalidOption', 'did you mean query?'],
    [
      'positionIn',
      () => headwise.positionIn('torch', smallLayer().dims, { role: 'key', head: 2, row: 0, column: 0 }),
      'shapeMismatch',
      'cell.head must be from 0 to 1, but is 2',
    ],
    [
      'cellAt',
      () => headwise.cellAt('torch', smallLayer().dims, { row: 0.5, column: 0 }),
      'invalidArgument',
      'position.row must be a whole number',
    ],
    ['splitHeads', () => headwise.splitHeads(X, 2, { transposed: true }), 'invalidOption', 'did you mean transpose?'],
    [
      'splitHeads',
      () => headwise.splitHeads(X, 2, { transpose: 1 }),
      'invalidArgument',
      'options.transpose must be true or false, but is 1',
    ],
    ['splitHeads', () => headwise.splitHeads(X, 3), 'invalidDimension', '3'],
    ['mergeHeads', () => headwise.mergeHeads([]), 'invalidDimension', 'heads is empty'],
    ['mergeHeads', () => headwise.mergeHeads([X, [[1, 2]]]), 'shapeMismatch', ''],
    [
      'forward',
      () => headwise.forward(smallLayer(), { wideProjection: true }),
      'invalidOption',
      'did you mean wideProjections?',
    ],
    ['forward', () => headwise.forward(smallLayer(), 'wide'), 'invalidArgument', 'decisions must be an object'],
    [
      'forward',
      () => headwise.forward(smallLayer(), { split: 'withoutTransposes' }),
      'invalidOption',
      'decisions.split "withoutTransposes" is unknown; did you mean withoutTranspose?',
    ],
    [
      'forward',
      () => headwise.forward(smallLayer(), { addInput: 1 }),
      'invalidArgument',
      'decisions.addInput must be true or false, but is 1',
    ],
    [
      'forward',
      () => headwise.forward(smallLayer(), { fillValue: '0' }),
      'invalidArgument',
      'decisions.fillValue must be a number',
    ],
    ['forward', () => headwise.forward(smallLayer(), { fillValue: NaN }), 'notFinite', 'decisions.fillValue'],
    ['forward', () => headwise.forward(smallLayer(), { addInput: true }), 'invalidOption', 'addInput needs'],
    ['largestCell', () => headwise.largestCell([[NaN]]), 'notFinite', 'matrix[0][0]'],
    ['withEqualOutputBlocks', () => headwise.withEqualOutputBlocks(null), 'invalidArgument', 'The layer must be'],
    ['compareMatrices', () => headwise.compareMatrices(X, [[NaN]]), 'notFinite', 'b[0][0]'],
    ['cosineSimilarity', () => headwise.cosineSimilarity([X, [[1]]]), 'shapeMismatch', ''],
    ['cosineSimilarity', () => headwise.cosineSimilarity([]), 'invalidDimension', 'matrices is empty'],
    [
      'constructEqualPair',
      () => headwise.constructEqualPair('onekey', smallLayer(), 1),
      'invalidOption',
      'did you mean oneKey?',
    ],
    [
      'distanceFrom',
      () => headwise.distanceFrom(1, smallLayer(), smallLayer()),
      'invalidArgument',
      'construction must be one of',
    ],
    ['mayAttend', () => headwise.mayAttend(null, 2, 0), 'invalidDimension', 'keyCount must be at least 1'],
    ['softmaxRows', () => headwise.softmaxRows([[1, Infinity]]), 'notFinite', 'scores[0][1]'],
    ['entropyOfRows', () => headwise.entropyOfRows([[1, -Infinity]]), 'notFinite', 'weights[0][1]'],
    [
      'studyScale',
      () => headwise.studyScale({ keySize: 4, queryCount: 2, keyCount: 2 }),
      'invalidArgument',
      'request.seed',
    ],
    [
      'studyScale',
      () => headwise.studyScale({ keySize: 4, queryCounts: 2, keyCount: 2, seed: 1 }),
      'invalidOption',
      'did you mean queryCount?',
    ],
    ['histogram', () => headwise.histogram(X, 0, NaN, 3), 'notFinite', 'to must be a finite number'],
    ['histogram', () => headwise.histogram(X, 1, 0, 3), 'invalidOption', ''],
    ['divisorsOf', () => headwise.divisorsOf(1.5), 'invalidArgument', 'value must be a whole number'],
    ['shapes', () => headwise.shapes({ dims: { d_q: 4, num_heads: 2 } }), 'invalidDimension', 'dims.n_q is missing'],
    ['shapes', () => headwise.shapes({ dims: { n_q: 4, d_q: 4 } }), 'invalidDimension', 'dims.num_heads is missing'],
    ['shapes', () => headwise.shapes({}), 'invalidArgument', 'dims is missing'],
    [
      'layerCost',
      () => headwise.layerCost({ kind: 'additive_mha', dims: { n_q: 2, d_q: 4, num_heads: 2 } }),
      'invalidDimension',
      'dims.a is missing',
    ],
  ])('%s refuses what it cannot take (%#)', (_, call, code, text) => {
    expect(errorOf(call, code).message).toContain(text);
  });

  it('what is far too large is refused at once', () => {
    const started = performance.now();
    errorOf(() => headwise.randomMatrix(60_000, 60_000, 'normal', 1), 'tooLarge');
    errorOf(() => headwise.tokenEmbeddings(['a'], 2 ** 31 - 1, 1), 'tooLarge');
    errorOf(() => headwise.randomCase({ dims: { n_q: 1_000_000, d_q: 8, num_heads: 2 }, seed: 1 }), 'tooLarge');
    errorOf(() => headwise.mayAttend(null, 1, 2 ** 28), 'tooLarge');
    errorOf(() => headwise.mayAttend({ type: 'causal' }, 2 ** 16, 2 ** 16), 'tooLarge');
    errorOf(
      () => headwise.shapes({ dims: { n_q: 2, d_q: 2 ** 31 - 1, num_heads: 2, p_q: 2 ** 31 - 1, p_v: 1 } }),
      'tooLarge',
    );
    errorOf(() => headwise.randomCase({ dims: { n_q: 2, d_q: 50_000, num_heads: 2 }, seed: 1 }), 'tooLarge');
    errorOf(() => headwise.studyScale({ keySize: 100_000, queryCount: 100_000, keyCount: 2, seed: 1 }), 'tooLarge');
    errorOf(() => headwise.histogram([[1]], 0, 1, 2 ** 31 - 1), 'tooLarge');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('a case is not changed by being refused', () => {
    const layer = smallLayer();
    layer.inputs.X[0][0] = NaN;
    const before = copy(layer);
    errorOf(() => headwise.attend(layer), 'notFinite');
    expect(layer).toEqual(before);
  });
});
