// What a trace looks like from JavaScript.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** Names of the trace's matrices, by owner. */
const traceFields = () => {
  const names = { head: [], keyValueHead: [], layer: [] };
  for (const { part, owner, path } of headwise.fields)
    if (part === 'trace') names[owner].push(path.split('[].').at(-1));
  return names;
};

describe('a trace', () => {
  it('has the fields of the list, each a matrix of plain numbers', () => {
    const trace = headwise.attend(smallLayer());
    const { head, keyValueHead, layer } = traceFields();
    expect(Object.keys(trace.heads[0]).sort()).toEqual([...head, ...keyValueHead].sort());
    expect(Object.keys(trace.keyValueHeads[0]).sort()).toEqual([...keyValueHead].sort());
    for (const field of layer) expect(trace).toHaveProperty(field);
    for (const matrix of [trace.output, ...Object.values(trace.heads[0])]) {
      expect(matrix.data).toBeInstanceOf(Float64Array);
      expect(matrix.data.length).toBe(matrix.rows * matrix.columns);
      // A view of the trace's own buffer, never of the module's memory, which would change under it.
      expect(matrix.data.buffer).toBe(trace.output.data.buffer);
    }
    const cells = [trace, ...trace.heads, ...trace.keyValueHeads]
      .flatMap(Object.values)
      .filter((value) => value?.data)
      .filter((matrix, i, all) => all.indexOf(matrix) === i)
      .reduce((sum, { data }) => sum + data.length, 0);
    expect(trace.output.data.buffer.byteLength).toBeLessThan(8 * (cells + 40));
  });

  it('gives a head the same objects as its key/value head, consecutive heads sharing one', () => {
    const { heads, keyValueHeads } = headwise.attend(ownGolden('23_gqa'));
    expect(heads.length).toBe(6);
    expect(keyValueHeads.length).toBe(2);
    heads.forEach((head, j) => {
      expect(head.keys).toBe(keyValueHeads[j < 3 ? 0 : 1].keys);
      expect(head.values).toBe(keyValueHeads[j < 3 ? 0 : 1].values);
    });
  });

  it('without projections has one head, whose queries, keys and values are the inputs', () => {
    const layer = ownGolden('01_sdpa_single_head');
    const trace = headwise.attend(layer);
    expect(trace.heads.length).toBe(1);
    expect(Array.from(trace.heads[0].queries.data)).toEqual(layer.inputs.Q.flat());
    expect(Array.from(trace.heads[0].keys.data)).toEqual(layer.inputs.K.flat());
    expect(Array.from(trace.heads[0].values.data)).toEqual(layer.inputs.V.flat());
    expect(trace.output.data).toEqual(trace.heads[0].output.data);
  });

  it('tells the scale factor, which follows options.scale', () => {
    const layer = ownGolden('02_mha_self_nobias'); // 2 heads of 4
    expect(headwise.attend(layer).scaleFactor).toBe(1 / Math.sqrt(4));
    expect(headwise.attend({ ...layer, options: { scale: 'totalWidth' } }).scaleFactor).toBe(1 / Math.sqrt(8));
    expect(headwise.attend({ ...layer, options: { scale: 'none' } }).scaleFactor).toBe(1);
    expect(headwise.attend({ ...layer, options: { scale: 'modelWidth' } }).scaleFactor).toBe(
      1 / Math.sqrt(layer.dims.d_q),
    );
    expect(headwise.attend({ ...layer, options: { scale: 0.125 } }).scaleFactor).toBe(0.125);
    const { rawScores, scaledScores } = headwise.attend({ ...layer, options: { scale: -3 } }).heads[1];
    expect(Array.from(scaledScores.data)).toEqual(Array.from(rawScores.data, (score) => score * -3));
  });

  it('has −Infinity where the mask hides, 0 behind it, and names the rows that see nothing', () => {
    const trace = headwise.attend({
      ...smallLayer(),
      mask: {
        type: 'keep',
        keep: [
          [true, false],
          [false, false],
        ],
      },
    });
    expect(Array.from(trace.heads[1].maskedScores.data).slice(1)).toEqual([-Infinity, -Infinity, -Infinity]);
    expect(Array.from(trace.heads[1].attentionWeights.data)).toEqual([1, 0, 0, 0]);
    expect(trace.emptyRows).toEqual([1]);
  });

  it('is the same for nested arrays and for matrices', () => {
    const layer = smallLayer();
    const matrix = (rows) => ({ rows: rows.length, columns: rows[0].length, data: Float64Array.from(rows.flat()) });
    const byMatrices = {
      ...layer,
      inputs: { X: matrix(layer.inputs.X) },
      weights: {
        ...layer.weights,
        ...Object.fromEntries(['W_q', 'W_k', 'W_v'].map((key) => [key, layer.weights[key].map(matrix)])),
        W_o: matrix(layer.weights.W_o),
        b_o: Float64Array.from(layer.weights.b_o),
      },
    };
    expect(headwise.attend(byMatrices)).toEqual(headwise.attend(layer));
  });

  it('reads off the matrices what dims leaves out', () => {
    const { dims, ...layer } = smallLayer();
    expect(headwise.attend(layer)).toEqual(headwise.attend({ ...layer, dims }));
    expect(headwise.attend({ ...layer, dims: { num_heads: 2 } })).toEqual(headwise.attend({ ...layer, dims }));
  });

  it('leaves the case as it was', () => {
    const layer = smallLayer();
    headwise.attend(layer);
    expect(layer).toEqual(smallLayer());
  });
});

describe('shapes', () => {
  it.each([
    '02_mha_self_nobias',
    '05_mha_general_dims',
    '13_additive_multihead',
    '23_gqa',
    '01_sdpa_single_head',
    '12_additive_single',
  ])('of %s are those that attend computes, for every trace field', (name) => {
    const layer = ownGolden(name);
    const trace = headwise.attend(layer);
    const shapes = headwise.shapes({ kind: layer.kind, dims: layer.dims });
    const shape = ({ rows, columns }) => [rows, columns];
    const fields = traceFields();
    for (const field of fields.head) expect(shapes[`heads[].${field}`], field).toEqual(shape(trace.heads[0][field]));
    for (const field of fields.keyValueHead)
      expect(shapes[`keyValueHeads[].${field}`], field).toEqual(shape(trace.keyValueHeads[0][field]));
    for (const field of fields.layer) expect(shapes[field], field).toEqual(shape(trace[field]));
  });

  it('name the weights of one head as a case does', () => {
    const layer = ownGolden('05_mha_general_dims');
    const shapes = headwise.shapes(layer);
    for (const key of ['W_q', 'W_k', 'W_v'])
      expect(shapes[`weights.${key}[]`]).toEqual([layer.weights[key][0].length, layer.weights[key][0][0].length]);
    expect(shapes['weights.W_o']).toEqual([layer.weights.W_o.length, layer.weights.W_o[0].length]);
    const unprojected = headwise.shapes({ kind: 'sdpa', dims: { n_q: 2, n_kv: 3, d_k: 4, d_v: 5 } });
    expect(Object.keys(unprojected).filter((path) => path.startsWith('weights.'))).toEqual([]);
  });

  it('are those of the table of fields, path by path', () => {
    const paths = (kind, dims) =>
      Object.keys(headwise.shapes({ kind, dims: { n_q: 2, d_q: 4, num_heads: 2, ...dims } }));
    const isBias = ({ path }) => /\.b_/.test(path);
    const isScore = ({ path }) => /\.[Aa]_/.test(path);
    const all = headwise.fields.filter((field) => !isBias(field));
    expect(paths('additive_mha', { a: 3 })).toEqual(all.map(({ path }) => path));
    expect(paths('mha', {})).toEqual(all.filter((field) => !isScore(field)).map(({ path }) => path));
  });

  it('have no limit: nothing is computed', () => {
    expect(headwise.shapes({ dims: { n_q: 1024, d_q: 768, num_heads: 12 } })).toMatchObject({
      'heads[].rawScores': [1024, 1024],
      output: [1024, 768],
    });
    expect(headwise.shapes({ dims: { n_q: 1_000_000, d_q: 16_384, num_heads: 128, num_kv_heads: 8 } })).toMatchObject({
      'heads[].rawScores': [1_000_000, 1_000_000],
      'keyValueHeads[].keys': [1_000_000, 128],
    });
  });

  it('fill in the usual sizes', () => {
    expect(headwise.shapes({ dims: { n_q: 5, d_q: 12, num_heads: 3 } })).toMatchObject({
      'weights.W_q[]': [12, 4],
      'keyValueHeads[].values': [5, 4],
      concatenated: [5, 12],
      output: [5, 12],
    });
  });
});
