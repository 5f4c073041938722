// Everything the wrapper refuses before the module sees it: the message names the argument by its path, what was wanted, what came.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { copy, errorOf, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** attend on the small layer after one change. */
function refusal(change, code) {
  const layer = smallLayer();
  return errorOf(() => headwise.attend(change(layer) ?? layer), code).message;
}

describe('entries of matrices', () => {
  it.each([
    ['null', null, 'null'],
    ['text', '7', 'the text "7"'],
    ['a BigInt', 7n, 'the BigInt 7n'],
    ['an array', [1], 'an array of length 1'],
    ['an object', {}, 'an object'],
    ['true', true, 'true'],
    ['undefined', undefined, 'undefined (a hole in the array?)'],
  ])('%s is not a number', (_, value, came) => {
    expect(refusal((layer) => void (layer.weights.W_q[1][2][0] = value), 'invalidArgument')).toBe(
      `weights.W_q[1][2][0] must be a number, but is ${came}.`,
    );
  });

  it.each([NaN, Infinity, -Infinity])('%s is not finite', (value) => {
    expect(refusal((layer) => void (layer.inputs.X[1][2] = value), 'notFinite')).toBe(`inputs.X[1][2] must be a finite number, but is ${value}.`);
  });

  it('"-inf" is for additive masks only', () => {
    expect(refusal((layer) => void (layer.inputs.X[0][0] = '-inf'), 'invalidArgument')).toContain('inputs.X[0][0] must be a number');
  });

  it('a hole in a row is named', () => {
    // eslint-disable-next-line no-sparse-arrays
    expect(refusal((layer) => void (layer.inputs.X[0] = [1, , 3]), 'invalidArgument')).toContain('inputs.X[0][1] must be a number, but is undefined (a hole');
  });

  it('a missing row is named', () => {
    expect(refusal((layer) => void (layer.inputs.X = Array(2)), 'invalidArgument')).toContain('inputs.X[0] must be a row of numbers, but is undefined (a hole');
  });

  it('-0 is a number like any other', () => {
    const layer = smallLayer();
    layer.inputs.X[1][2] = -0;
    expect(headwise.attend(layer)).toEqual(headwise.attend(smallLayer()));
  });

  it('a cell of a Matrix is named by its place in the data', () => {
    const X = { rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, 4, NaN, 6) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'notFinite')).toBe('inputs.X.data[4] must be a finite number, but is NaN.');
  });
});

describe('shapes of matrices', () => {
  it('a ragged array is refused with both lengths', () => {
    expect(refusal((layer) => void layer.weights.W_o[1].pop(), 'invalidArgument')).toBe(
      'weights.W_o[1] has 1 numbers, but weights.W_o[0] has 2; all rows must be of one length.',
    );
  });

  it.each([
    ['no rows', [], 'inputs.X is empty'],
    ['an empty row', [[]], 'inputs.X[0] is empty'],
  ])('%s is refused', (_, X, text) => {
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidDimension')).toContain(text);
  });

  it.each([
    ['a number', 3, '3'],
    ['text', 'X', 'the text "X"'],
    ['a Float64Array', Float64Array.of(1, 2), 'a Float64Array'],
    ['nothing', null, 'null'],
  ])('%s in place of a matrix is refused', (_, X, came) => {
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidArgument')).toBe(
      `inputs.X must be rows of numbers, or { rows, columns, data }, but is ${came}.`,
    );
  });

  it('a flat array in place of a matrix is refused at its first row', () => {
    expect(refusal((layer) => void (layer.inputs.X = [1, 2, 3]), 'invalidArgument')).toBe('inputs.X[0] must be a row of numbers, but is 1.');
  });

  it.each([
    ['Float32Array', Float32Array],
    ['Int32Array', Int32Array],
  ])('data in a %s is refused with a way out', (name, Kind) => {
    const X = { rows: 2, columns: 3, data: new Kind(6) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'invalidArgument')).toBe(
      `inputs.X.data must be a Float64Array, but is a ${name}; Float64Array.from(…) converts it.`,
    );
  });

  it('data in a plain array is refused', () => {
    expect(refusal((layer) => void (layer.inputs.X = { rows: 2, columns: 3, data: [1, 2, 3, 4, 5, 6] }), 'invalidArgument')).toContain('inputs.X.data must be a Float64Array, but is an array of length 6');
  });

  it('a length other than rows · columns is refused', () => {
    const X = { rows: 2, columns: 3, data: new Float64Array(5) };
    expect(refusal((layer) => void (layer.inputs.X = X), 'shapeMismatch')).toBe('inputs.X.data must have rows · columns = 6 entries, but has 5.');
  });

  it('data that was transferred away is refused', () => {
    const data = new Float64Array(6);
    structuredClone(data, { transfer: [data.buffer] });
    expect(refusal((layer) => void (layer.inputs.X = { rows: 2, columns: 3, data }), 'shapeMismatch')).toContain('but has 0');
  });

  it.each([
    ['1.5', 1.5, 'invalidArgument'],
    ['NaN', NaN, 'invalidArgument'],
    ['text', '2', 'invalidArgument'],
    ['null', null, 'invalidArgument'],
    ['zero', 0, 'invalidDimension'],
    ['minus one', -1, 'invalidDimension'],
    ['1e20', 1e20, 'tooLarge'],
  ])('rows of %s are refused', (_, rows, code) => {
    const X = { rows, columns: 3, data: new Float64Array(6) };
    expect(refusal((layer) => void (layer.inputs.X = X), code)).toContain('inputs.X.rows must be');
  });

  it('a vector is checked like a matrix', () => {
    expect(refusal((layer) => void (layer.weights.b_q[1] = 5), 'invalidArgument')).toBe('weights.b_q[1] must be an array of numbers, but is 5.');
    expect(refusal((layer) => void (layer.weights.b_o = new Float32Array(2)), 'invalidArgument')).toBe('weights.b_o must be an array of numbers, but is a Float32Array.');
    expect(refusal((layer) => void (layer.weights.b_o = []), 'invalidDimension')).toContain('weights.b_o is empty');
    expect(refusal((layer) => void (layer.weights.b_o = Float64Array.of(1, NaN)), 'notFinite')).toContain('weights.b_o[1]');
  });
});

describe('sizes', () => {
  it.each([
    ['1.5', 1.5, 'invalidArgument', 'a whole number, but is 1.5'],
    ['NaN', NaN, 'invalidArgument', 'a whole number, but is NaN'],
    ['text', '7', 'invalidArgument', 'a whole number, but is the text "7"'],
    ['null', null, 'invalidArgument', 'a whole number, but is null'],
    ['a BigInt', 2n, 'invalidArgument', 'a whole number, but is the BigInt 2n'],
    ['zero', 0, 'invalidDimension', 'at least 1, but is 0'],
    ['-0', -0, 'invalidDimension', 'at least 1, but is 0'],
    ['below zero', -2, 'invalidDimension', 'at least 1, but is -2'],
    ['2³¹', 2 ** 31, 'tooLarge', 'at most 2147483647'],
  ])('%s is no size', (_, size, code, text) => {
    expect(refusal((layer) => void (layer.dims.num_heads = size), code)).toContain(`dims.num_heads must be ${text}`);
  });

  it('a typo in dims is named, with the name that was meant', () => {
    expect(refusal((layer) => void (layer.dims.num_head = 2), 'invalidOption')).toContain('dims.num_head is unknown; did you mean num_heads?');
  });

  it.each([
    ['dims against an input', (layer) => void (layer.dims.n_q = 3), 'n_q is 3 by dims.n_q, but 2 by inputs.X (2 × 3); they must agree.'],
    ['dims against the number of matrices', (layer) => void (layer.dims.num_heads = 3), 'num_heads is 3 by dims.num_heads, but 2 by weights.W_q (2 matrices)'],
    ['one head against another', (layer) => void (layer.weights.W_q[1] = [[0, 1], [1, 1], [2, 1]]), 'p_q is 1 by dims.p_q, but 2 by weights.W_q[1] (3 × 2)'],
    ['a weight against the input', (layer) => void (delete layer.dims, layer.weights.W_k[0].pop()), 'd_k is 3 by inputs.X (2 × 3), but 2 by weights.W_k[0] (2 × 1)'],
    ['a bias against its matrix', (layer) => void (layer.weights.b_q[0] = [1, 2]), 'p_q is 1 by dims.p_q, but 2 by weights.b_q[0] (2 numbers)'],
    ['the number of biases', (layer) => void layer.weights.b_q.pop(), 'num_heads is 2 by dims.num_heads, but 1 by weights.b_q (1 vectors)'],
    ['rows of W_o', (layer) => void layer.weights.W_o.pop(), 'weights.W_o must have num_heads · p_v = 2 rows, but is 1 × 2.'],
    ['b_o against W_o', (layer) => void layer.weights.b_o.push(1), 'p_o is 2 by dims.p_o, but 3 by weights.b_o (3 numbers)'],
  ])('a contradiction is refused with both sides: %s', (_, change, text) => {
    expect(refusal(change, 'shapeMismatch')).toContain(text);
  });

  it('a key/value sequence of two lengths is refused', () => {
    const layer = ownGolden('04_mha_cross_kdim_vdim');
    layer.inputs.value.pop();
    expect(errorOf(() => headwise.attend(layer), 'shapeMismatch').message).toContain('n_kv is 7 by dims.n_kv, but 6 by inputs.value (6 × 5)');
  });

  it('sizes that do not go together come from the core, with what would do', () => {
    expect(errorOf(() => headwise.shapes({ dims: { n_q: 2, d_q: 12, num_heads: 5 } }), 'invalidDimension').message).toContain('1, 2, 3, 4, 6 or 12');
    const layer = ownGolden('23_gqa');
    layer.weights.W_k.push(layer.weights.W_k[0], layer.weights.W_k[0]);
    layer.weights.W_v.push(layer.weights.W_v[0], layer.weights.W_v[0]);
    layer.weights.b_k = layer.weights.b_v = null;
    layer.dims.num_kv_heads = 4;
    expect(errorOf(() => headwise.attend(layer), 'invalidDimension').message).toContain('keyValueHeadCount 4');
  });
});

describe('the parts of a case', () => {
  it.each([['null', null], ['a number', 1], ['an array', []], ['text', 'case'], ['nothing', undefined]])('%s is no case', (_, layer) => {
    expect(errorOf(() => headwise.attend(layer), 'invalidArgument').message).toContain('The layer must be a case');
  });

  it.each([
    ['a typo', 'mah', 'did you mean mha?'],
    ['something else', 'convolution', 'it can be sdpa, mha, additive or additive_mha'],
    ['a derived kind', 'compare', 'it can be'],
  ])('an unknown kind is refused: %s', (_, kind, text) => {
    expect(refusal((layer) => void (layer.kind = kind), 'invalidOption')).toContain(text);
  });

  it('a missing kind is refused', () => {
    expect(refusal((layer) => void delete layer.kind, 'invalidArgument')).toContain('kind must be one of sdpa, mha, additive or additive_mha, but is undefined');
  });

  it.each([
    ['masks', 'mask'],
    ['weight', 'weights'],
    ['input', 'inputs'],
    ['option', 'options'],
    ['dim', 'dims'],
  ])('a near miss of a key is refused: %s', (typo, meant) => {
    expect(refusal((layer) => ({ ...layer, [typo]: {} }), 'invalidOption')).toBe(`${typo} is unknown; did you mean ${meant}?`);
  });

  it('keys of golden files that attend does not read are let through', () => {
    expect(() => headwise.attend({ ...smallLayer(), source: 'x', notes: 'x', tolerance: {}, verified_against: [], mistakes: {} })).not.toThrow();
  });

  it.each([
    ['nothing', {}, 'inputs must hold either X, or query, key and value.'],
    ['two forms at once', { X: [[1, 2, 3]], query: [[1, 2, 3]], key: [[1, 2, 3]], value: [[1, 2, 3]] }, 'not several of them'],
    ['half a form', { query: [[1, 2, 3]], key: [[1, 2, 3]] }, 'inputs.value is missing; query, key, value go together.'],
  ])('inputs that hold %s are refused', (_, inputs, text) => {
    expect(refusal((layer) => void (layer.inputs = inputs), 'invalidArgument')).toContain(text);
  });

  it('Q, K and V are for layers without projections', () => {
    expect(refusal((layer) => void (layer.inputs = { Q: [[1]], K: [[1]], V: [[1]] }), 'invalidOption')).toContain('inputs.Q is unknown');
  });

  it('a missing weight is named', () => {
    expect(refusal((layer) => void delete layer.weights.W_v, 'invalidArgument')).toBe('weights.W_v is missing; kind "mha" needs it.');
    const additive = ownGolden('13_additive_multihead');
    delete additive.weights.a_v;
    expect(errorOf(() => headwise.attend(additive), 'invalidArgument').message).toBe('weights.a_v is missing; kind "additive_mha" needs it.');
  });

  it('a weight that the kind has no use for is refused', () => {
    expect(refusal((layer) => void (layer.weights.W_Q = layer.weights.W_q), 'invalidOption')).toContain('weights.W_Q is unknown; did you mean W_q?');
    const sdpa = ownGolden('01_sdpa_single_head');
    sdpa.weights.W_q = [[[1]]];
    expect(errorOf(() => headwise.attend(sdpa), 'invalidOption').message).toBe('weights.W_q has no meaning: kind "sdpa" has no weights.');
  });

  it('additive score matrices are held against each other', () => {
    const layer = ownGolden('13_additive_multihead');
    layer.weights.A_k[1] = layer.weights.A_k[1].map((row) => row.slice(1));
    expect(errorOf(() => headwise.attend(layer), 'shapeMismatch').message).toContain('a is 6 by dims.a, but 5 by weights.A_k[1] (4 × 5)');
    const single = ownGolden('12_additive_single');
    single.weights.w_v.pop();
    expect(errorOf(() => headwise.attend(single), 'shapeMismatch').message).toContain('a is 7 by dims.a, but 6 by weights.w_v (6 numbers)');
  });
});

describe('options', () => {
  it('an unknown option is refused with the one that was meant', () => {
    expect(refusal((layer) => void (layer.options = { scal: 'none' }), 'invalidOption')).toContain('options.scal is unknown; did you mean scale?');
  });
  it('an unknown scale is refused with the one that was meant', () => {
    expect(refusal((layer) => void (layer.options = { scale: 'perheadwidth' }), 'invalidOption')).toContain('did you mean perHeadWidth?');
    expect(refusal((layer) => void (layer.options = { scale: 8 }), 'invalidArgument')).toContain('options.scale must be one of perHeadWidth, totalWidth or none, but is 8');
  });
  it('options that are no object are refused', () => {
    expect(refusal((layer) => void (layer.options = 'none'), 'invalidArgument')).toContain('options must be an object');
  });
});

describe('arguments of other functions', () => {
  const X = [[1, 2], [3, 4]];
  it.each([
    ['splitSingleHead', () => headwise.splitSingleHead(ownGolden('02_mha_self_nobias'), 1.5), 'invalidArgument', 'headCount must be a whole number, but is 1.5'],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'gauss', 1), 'invalidOption', 'distribution "gauss" is unknown'],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'normal', -1), 'invalidDimension', 'seed must be at least 0'],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'normal', 2 ** 53), 'tooLarge', 'seed must be at most 9007199254740991'],
    ['randomMatrix', () => headwise.randomMatrix(2, 2, 'normal'), 'invalidArgument', 'seed must be a whole number, but is undefined'],
    ['tokenEmbeddings', () => headwise.tokenEmbeddings(['a', 3], 2, 1), 'invalidArgument', 'tokens[1] must be text, but is 3'],
    ['tokenEmbeddings', () => headwise.tokenEmbeddings([], 2, 1), 'invalidDimension', 'tokens is empty'],
    ['tokenEmbeddings', () => headwise.tokenEmbeddings('a b', 2, 1), 'invalidArgument', 'tokens must be an array of words'],
    ['explainCell', () => headwise.explainCell(smallLayer(), 'output', -1, 0), 'invalidDimension', 'row must be at least 0'],
    ['explainCell', () => headwise.explainCell(smallLayer(), 'output', 0, 9), 'shapeMismatch', 'output is 2 × 2'],
    ['explainCell', () => headwise.explainCell(smallLayer(), 'heads[7].output', 0, 0), 'invalidOption', 'heads[7].output'],
    ['explainCell', () => headwise.explainCell(smallLayer(), 3, 0, 0), 'invalidArgument', 'path must be text'],
    ['fuse', () => headwise.fuse(smallLayer(), 'pytorch'), 'invalidOption', 'layout "pytorch" is unknown'],
    ['fuse', () => headwise.fuse(ownGolden('01_sdpa_single_head'), 'torch'), 'invalidOption', 'needs a layer with projections'],
    ['unfuse', () => headwise.unfuse({ weight: X }, smallLayer(), 'torch'), 'shapeMismatch', '2 × 2'],
    ['unfuse', () => headwise.unfuse(null, smallLayer(), 'torch'), 'invalidArgument', 'fused must be an object'],
    ['wideMatrix', () => headwise.wideMatrix(smallLayer(), 'queries'), 'invalidOption', 'did you mean query?'],
    ['positionIn', () => headwise.positionIn('torch', smallLayer().dims, { role: 'key', head: 2, row: 0, column: 0 }), 'shapeMismatch', 'cell.head must be from 0 to 1, but is 2'],
    ['cellAt', () => headwise.cellAt('torch', smallLayer().dims, { row: 0.5, column: 0 }), 'invalidArgument', 'position.row must be a whole number'],
    ['splitHeads', () => headwise.splitHeads(X, 2, { transposed: true }), 'invalidOption', 'did you mean transpose?'],
    ['splitHeads', () => headwise.splitHeads(X, 2, { transpose: 1 }), 'invalidArgument', 'options.transpose must be true or false, but is 1'],
    ['splitHeads', () => headwise.splitHeads(X, 3), 'invalidDimension', '3'],
    ['mergeHeads', () => headwise.mergeHeads([]), 'invalidDimension', 'heads is empty'],
    ['mergeHeads', () => headwise.mergeHeads([X, [[1, 2]]]), 'shapeMismatch', ''],
    ['attendFused', () => headwise.attendFused(smallLayer(), { transposeOnSlit: true }), 'invalidOption', 'did you mean transposeOnSplit?'],
    ['compareMatrices', () => headwise.compareMatrices(X, [[NaN]]), 'notFinite', 'b[0][0]'],
    ['cosineSimilarity', () => headwise.cosineSimilarity([X, [[1]]]), 'shapeMismatch', ''],
    ['cosineSimilarity', () => headwise.cosineSimilarity([]), 'invalidDimension', 'matrices is empty'],
    ['constructEqualPair', () => headwise.constructEqualPair('onekey', smallLayer(), 1), 'invalidOption', 'did you mean oneKey?'],
    ['distanceFrom', () => headwise.distanceFrom(1, smallLayer(), smallLayer()), 'invalidArgument', 'construction must be one of'],
    ['fillHidden', () => headwise.fillHidden(X, [[true, 1], [true, true]], 0), 'invalidArgument', 'keep[0][1] must be true or false, but is 1'],
    ['fillHidden', () => headwise.fillHidden(X, [[true, true]], 0), 'shapeMismatch', '1 × 2'],
    ['fillHidden', () => headwise.fillHidden(X, [[true, true], [true, true]], '0'), 'invalidArgument', 'value must be a number'],
    ['mayAttend', () => headwise.mayAttend(null, 2, 0), 'invalidDimension', 'keyCount must be at least 1'],
    ['softmaxRows', () => headwise.softmaxRows([[1, Infinity]]), 'notFinite', 'scores[0][1]'],
    ['entropyOfRows', () => headwise.entropyOfRows([[1, -Infinity]]), 'notFinite', 'weights[0][1]'],
    ['studyScale', () => headwise.studyScale({ keySize: 4, queryCount: 2, keyCount: 2 }), 'invalidArgument', 'request.seed'],
    ['studyScale', () => headwise.studyScale({ keySize: 4, queryCounts: 2, keyCount: 2, seed: 1 }), 'invalidOption', 'did you mean queryCount?'],
    ['histogram', () => headwise.histogram(X, 0, NaN, 3), 'notFinite', 'to must be a finite number'],
    ['histogram', () => headwise.histogram(X, 1, 0, 3), 'invalidOption', ''],
    ['divisorsOf', () => headwise.divisorsOf(1.5), 'invalidArgument', 'value must be a whole number'],
    ['shapes', () => headwise.shapes({ dims: { d_q: 4, num_heads: 2 } }), 'invalidDimension', 'dims.n_q is missing'],
    ['shapes', () => headwise.shapes({ dims: { n_q: 4, d_q: 4 } }), 'invalidDimension', 'dims.num_heads is missing'],
    ['shapes', () => headwise.shapes({}), 'invalidArgument', 'dims is missing'],
    ['poolingCost', () => headwise.poolingCost({ kind: 'additive_mha', dims: { n_q: 2, d_q: 4, num_heads: 2 } }), 'invalidDimension', 'dims.a is missing'],
  ])('%s refuses what it cannot take (%#)', (_, call, code, text) => {
    expect(errorOf(call, code).message).toContain(text);
  });

  it('what is far too large is refused at once', () => {
    const started = performance.now();
    errorOf(() => headwise.randomMatrix(60_000, 60_000, 'normal', 1), 'tooLarge');
    errorOf(() => headwise.tokenEmbeddings(['a'], 2 ** 31 - 1, 1), 'tooLarge');
    errorOf(() => headwise.shapes({ dims: { n_q: 1_000_000, d_q: 8, num_heads: 2 } }), 'tooLarge');
    errorOf(() => headwise.shapes({ dims: { n_q: 2, d_q: 2 ** 31 - 1, num_heads: 2, p_q: 2 ** 31 - 1, p_v: 1 } }), 'tooLarge');
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
