// Objects that answer differently each time, arrays that change while they are read, memory that runs out in JavaScript: an error or the right
// numbers, and an engine that goes on working.
import { loadHeadwise } from 'headwise';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { errorOf, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
let expected;
beforeAll(async () => {
  headwise = await loadHeadwise();
  expected = headwise.attend(ownGolden('03_mha_self_bias'));
});
afterEach(() => {
  vi.restoreAllMocks();
  // Whatever happened, nothing in the module has changed.
  expect(headwise.attend(ownGolden('03_mha_self_bias'))).toEqual(expected);
});

/** Its entries change between one look and the next. */
const changing = (values) => {
  let look = 0;
  return () => values[Math.min(look++, values.length - 1)];
};

describe('objects that change their answers', () => {
  it('a length of its own does not make an array longer or shorter', () => {
    const data = new Float64Array(40_000).fill(1e77);
    Object.defineProperty(data, 'length', { value: 4 });
    expect(errorOf(() => headwise.softmaxRows({ rows: 2, columns: 2, data }), 'shapeMismatch').message).toContain(
      'has 40000',
    );
    const short = Float64Array.of(1, 2);
    Object.defineProperty(short, 'length', { value: 40_000 });
    errorOf(() => headwise.softmaxRows({ rows: 200, columns: 200, data: short }), 'shapeMismatch');
  });

  it('an array whose length shrinks or grows', () => {
    const rows = (lengths) => {
      const length = changing(lengths);
      return new Proxy(
        [
          [1, 2],
          [3, 4],
        ],
        {
          get: (target, key) => (key === 'length' ? length() : Reflect.get(target, key)),
        },
      );
    };
    expect(nested(headwise.softmaxRows(rows([2, 1, 0])))).toEqual(
      nested(
        headwise.softmaxRows([
          [1, 2],
          [3, 4],
        ]),
      ),
    );
    errorOf(() => headwise.softmaxRows(rows([3, 2])), 'invalidArgument');
    errorOf(() => headwise.cosineSimilarity(rows([2, 0])), 'invalidArgument');
  });

  it('rows whose length changes', () => {
    const row = new Proxy([1, 2], { get: (target, key) => (key === 'length' ? 3 : Reflect.get(target, key)) });
    errorOf(() => headwise.softmaxRows([[1, 2], row]), 'invalidArgument');
  });

  it.each([
    ['data, then nothing', [Float64Array.of(1, 2), undefined]],
    ['nothing, then data', [undefined, Float64Array.of(1, 2)]],
    ['two lengths', [Float64Array.of(1, 2), new Float64Array(2_000)]],
  ])('%s', (_, values) => {
    const data = changing(values);
    const matrix = {
      rows: 1,
      columns: 2,
      get data() {
        return data();
      },
    };
    try {
      expect(headwise.softmaxRows(matrix).data.length).toBe(2);
    } catch (error) {
      expect(error.name).toBe('HeadwiseError');
    }
  });

  it('parts of a case that are there once', () => {
    const layer = smallLayer();
    for (const part of ['kind', 'dims', 'inputs', 'weights', 'mask', 'options']) {
      const given = { ...layer };
      const answer = changing([layer[part], undefined, null, 7]);
      Object.defineProperty(given, part, { get: answer, enumerable: true });
      expect(headwise.attend(given), part).toEqual(headwise.attend(layer));
    }
    const masked = { ...layer };
    const mask = changing([null, 7]);
    Object.defineProperty(masked, 'mask', { get: mask, enumerable: true });
    expect(headwise.withEqualOutputBlocks(masked).mask).toBe(null);
    const inputs = {};
    const X = changing([layer.inputs.X, layer.inputs.X, undefined]);
    Object.defineProperty(inputs, 'X', { get: X, enumerable: true });
    try {
      headwise.attend({ ...layer, inputs });
    } catch (error) {
      expect(error.name).toBe('HeadwiseError');
    }
  });

  it.each([
    ['shrinks', (buffer) => buffer.resize(8)],
    ['grows', (buffer) => buffer.resize(400)],
    ['is transferred away', (buffer) => structuredClone(buffer, { transfer: [buffer] })],
  ])('a buffer that a later getter %s', (_, change) => {
    const buffer = new ArrayBuffer(32, { maxByteLength: 400 });
    const data = new Float64Array(buffer);
    const a = { rows: 2, columns: 2, data };
    const b = {
      rows: 1,
      columns: 1,
      get data() {
        change(buffer);
        return Float64Array.of(1);
      },
    };
    expect(errorOf(() => headwise.compareMatrices(a, b)).message).toBe('An array was changed while it was being read.');
  });

  it('exceptions of the caller’s own come through as they are', () => {
    const own = new Error('mine');
    const X = {
      get rows() {
        throw own;
      },
    };
    expect(() => headwise.attend({ ...smallLayer(), inputs: { X } })).toThrow(own);
  });

  it('the end of the caller’s stack is told as such, and leaves nothing', () => {
    const before = headwise.memoryBytes;
    const codes = new Set();
    const dive = (depth) => {
      try {
        if (depth % 3 === 0) headwise.softmaxRows([[1, 2]]);
      } catch (error) {
        codes.add(error.code ?? error.name);
      }
      return dive(depth + 1);
    };
    expect(() => dive(0)).toThrow(RangeError);
    expect(codes.has('tooLarge')).toBe(false);
    for (let i = 0; i < 3; ++i) expect(() => dive(0)).toThrow(RangeError);
    expect(headwise.memoryBytes - before).toBeLessThan(2000);
  });
});

describe('memory that JavaScript does not have', () => {
  const layer = () => headwise.randomCase({ dims: { n_q: 20, d_q: 16, num_heads: 4 }, seed: 1 });
  const withoutMemory = (call) => {
    const slice = vi.spyOn(Float64Array.prototype, 'slice').mockImplementation(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    const error = errorOf(call, 'tooLarge');
    slice.mockRestore();
    return error;
  };

  it.each([
    ['a trace', (given) => headwise.attend(given)],
    ['weights', (given) => headwise.shareWeights(given, { sharing: 'all' })],
    ['a list of matrices', (given) => headwise.outputContributions(given)],
    ['gradients', (given, G) => headwise.backward(given, G)],
    ['two layers', (given, _, one) => headwise.constructEqualPair('zeroKey', one, 4)],
    ['matrices among other things', (given, _, one) => headwise.decomposeScores(one, headwise.splitSingleHead(one, 4))],
  ])('for %s: is told, and what C++ held for it is given back', (_, call) => {
    const given = layer();
    const single = headwise.randomCase({ dims: { n_q: 20, d_q: 16, num_heads: 1 }, seed: 1 });
    const G = headwise.randomMatrix(20, 16, 'normal', 1);
    const use = () => call(given, G, single);
    withoutMemory(use);
    const before = headwise.memoryBytes;
    for (let i = 0; i < 5; ++i) expect(withoutMemory(use).message).toContain('not enough memory');
    expect(headwise.memoryBytes).toBe(before);
    expect(use).not.toThrow();
  });

  it('an open layer keeps what it has', () => {
    const open = headwise.openLayer(layer());
    withoutMemory(() => open.attend());
    expect(open.attend()).toEqual(headwise.attend(open.case));
    open.dispose();
  });

  it('for the request: is told', () => {
    vi.spyOn(globalThis, 'Float64Array').mockImplementation(function () {
      throw new RangeError('Array buffer allocation failed');
    });
    expect(errorOf(() => headwise.softmaxRows([[1, 2]]), 'tooLarge').message).toContain('not enough memory');
  });
});
