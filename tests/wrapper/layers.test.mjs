// Functions about whole layers: two of them compared, one in other layouts, one cell explained.
import { loadHeadwise } from 'headwise';
import { fromGolden } from 'headwise/golden';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectMatrix, nested, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

const singleLayer = (overrides = {}) =>
  headwise.randomCase({ dims: { n_q: 5, d_q: 6, num_heads: 1 }, seed: 7, biases: true, ...overrides });
const rounding = () => 1e-12;

describe('splitSingleHead', () => {
  it('cuts the golden single head into the golden multi-head layer', () => {
    const [single, multi] = fromGolden(headwise, ownGolden('14_split_of_single_head'));
    const split = headwise.splitSingleHead(single, 2);
    for (const key of ['W_q', 'W_k', 'W_v']) expect(split.weights[key].map(nested)).toEqual(multi.weights[key]);
    expect(nested(split.weights.W_o)).toEqual(multi.weights.W_o);
    expect(split.dims).toEqual(multi.dims);
    expectMatrix(headwise.attend(split).output, multi.expected.output, 'output');
  });

  it('cuts biases the same way, and keeps input, mask and options', () => {
    const single = singleLayer({ mask: { type: 'causal' }, options: { scale: 'totalWidth' } });
    const split = headwise.splitSingleHead(single, 3);
    expect(split.weights.b_q.map((bias) => Array.from(bias)).flat()).toEqual(Array.from(single.weights.b_q[0]));
    expect(split.inputs.X.data).toEqual(single.inputs.X.data);
    expect(split.mask).toEqual({ type: 'causal' });
    expect(split.options).toEqual({ scale: 'totalWidth' });
  });

  it('refuses a number of heads that does not divide the widths', () => {
    expect(errorOf(() => headwise.splitSingleHead(singleLayer(), 4), 'invalidDimension').message).toContain('4');
    errorOf(() => headwise.splitSingleHead(smallLayer(), 1), 'invalidDimension');
  });
});

describe('decomposeScores', () => {
  it('adds the heads up to the single head', () => {
    const single = singleLayer();
    const split = headwise.splitSingleHead(single, 3);
    const { terms, sum, largestDifference } = headwise.decomposeScores(single, split);
    expect(terms.length).toBe(3);
    expect(largestDifference).toBeLessThan(1e-12);
    terms.forEach((term, j) => expect(term).toEqual(headwise.attend(split).heads[j].rawScores));
    expectMatrix(sum, nested(headwise.attend(single).heads[0].rawScores), 'sum', rounding);
  });

  it('needs one input for both layers', () => {
    const single = singleLayer();
    const other = headwise.splitSingleHead(singleLayer({ seed: 8 }), 3);
    expect(errorOf(() => headwise.decomposeScores(single, other), 'invalidOption').message).toContain(
      'one query input, but theirs differ',
    );
    expect(
      errorOf(() => headwise.decomposeScores(single, { ...other, kind: 'mah' }), 'invalidOption').message,
    ).toContain('split.kind "mah"');
  });
});

describe('the eight constructions', () => {
  it('are in order', () => {
    expect(headwise.constructions).toEqual([
      'oneHead',
      'oneKey',
      'constantInput',
      'zeroQuery',
      'zeroKey',
      'fullScores',
      'equalBlocks',
      'rescaledHeads',
    ]);
  });

  const names = [
    'oneHead',
    'oneKey',
    'constantInput',
    'zeroQuery',
    'zeroKey',
    'fullScores',
    'equalBlocks',
    'rescaledHeads',
  ];
  it.each(names)(
    '%s makes both layers equal, its condition holds, and it does not count as one of your own',
    (construction) => {
      const { single, multi } = headwise.constructEqualPair(construction, singleLayer(), 3);
      const [a, b] = [headwise.attend(single), headwise.attend(multi)];
      expect(headwise.compareMatrices(a.concatenated, b.concatenated).largestDifference).toBeLessThan(1e-12);
      expect(headwise.compareMatrices(a.output, b.output).largestDifference).toBeLessThan(1e-12);
      expect(headwise.distanceFrom(construction, single, multi)).toBeLessThan(1e-12);
      expect(headwise.judgeOwnConstruction(single, multi)).toMatchObject({
        equal: true,
        used: construction,
        accepted: false,
      });
    },
  );

  it('keep the form of the input where they do not change it, and a self-attention input as X where they do', () => {
    const layer = singleLayer();
    expect(headwise.constructEqualPair('fullScores', layer, 3).multi.inputs.X.data).toEqual(layer.inputs.X.data);
    const constant = headwise.constructEqualPair('constantInput', layer, 3).single.inputs;
    expect(Object.keys(constant)).toEqual(['X']);
    expect(nested(constant.X)[4]).toEqual(nested(layer.inputs.X)[0]);
    const oneKey = headwise.constructEqualPair('oneKey', layer, 3);
    expect([oneKey.single.inputs.query.rows, oneKey.single.inputs.key.rows, oneKey.single.dims.n_kv]).toEqual([
      5, 1, 1,
    ]);
  });

  it('give back the one key that is left, even where it is the query', () => {
    const { weights } = singleLayer({ dims: { n_q: 1, d_q: 2, num_heads: 1 } });
    const [query, other] = [
      [1, 2],
      [3, 4],
    ];
    const layer = { kind: 'mha', inputs: { query: [query], key: [query, other], value: [other, query] }, weights };
    const { inputs, dims } = headwise.constructEqualPair('oneKey', layer, 2).multi;
    expect(Object.entries(inputs).map(([name, matrix]) => [name, nested(matrix)])).toEqual([
      ['query', [query]],
      ['key', [query]],
      ['value', [other]],
    ]);
    expect(dims.n_kv).toBe(1);
  });

  it('take the mask along, except where one key is left', () => {
    const layer = singleLayer({ mask: { type: 'valid_lens', valid_lens: [2] } });
    expect(headwise.constructEqualPair('zeroQuery', layer, 3).multi.mask).toEqual(layer.mask);
    expect(headwise.constructEqualPair('oneKey', layer, 3).multi.mask).toBeNull();
  });

  it('take the scale back to the usual one where they need it', () => {
    const layer = singleLayer({ options: { scale: 'none' } });
    const { single, multi } = headwise.constructEqualPair('equalBlocks', layer, 3);
    expect(
      headwise.compareMatrices(headwise.attend(single).output, headwise.attend(multi).output).largestDifference,
    ).toBeLessThan(1e-12);
    expect([single.options, multi.options]).toEqual([{ scale: 'perHeadWidth' }, { scale: 'perHeadWidth' }]);
  });

  it('do not hold for a plain split, which is not equal', () => {
    const single = singleLayer();
    const multi = headwise.splitSingleHead(single, 3);
    expect(headwise.distanceFrom('oneHead', single, multi)).toBe(Infinity);
    expect(headwise.distanceFrom('zeroQuery', single, multi)).toBeGreaterThan(0.1);
    const judgement = headwise.judgeOwnConstruction(single, multi);
    expect(judgement).toMatchObject({
      equal: false,
      used: null,
      accepted: false,
      outputIsZero: false,
      outputSameForAllTokens: false,
    });
    expect(judgement.largestDifference).toBe(
      headwise.compareMatrices(headwise.attend(single).concatenated, headwise.attend(multi).concatenated)
        .largestDifference,
    );
  });
});

describe('a pair of layers', () => {
  it('must be under one mask and one scale, however the mask is spelt', () => {
    const single = singleLayer({ dims: { n_q: 2, d_q: 6, num_heads: 1 }, mask: { type: 'causal' } });
    const multi = headwise.splitSingleHead(single, 3);
    const judge = (changes) => headwise.judgeOwnConstruction(single, { ...multi, ...changes });
    expect(
      judge({
        mask: {
          type: 'keep',
          keep: [
            [true, false],
            [true, true],
          ],
        },
      }),
    ).toEqual(judge({}));
    const values = [
      [0, '-inf'],
      [0, 0],
    ];
    for (const changes of [{ mask: null }, { mask: { type: 'additive', values } }])
      expect(errorOf(() => judge(changes), 'invalidOption').message).toContain('one mask, but theirs differ');
    expect(errorOf(() => judge({ options: { scale: 'none' } }), 'invalidOption').message).toContain(
      'one scale, but theirs differ',
    );
  });
});

describe('the fused form', () => {
  it('gives the numbers of the per-head form with both transposes, and others without', () => {
    const layer = ownGolden('03_mha_self_bias');
    const perHead = headwise.attend(layer);
    const difference = (decisions) =>
      headwise.compareMatrices(perHead.output, headwise.forward(layer, { wideProjections: true, ...decisions }).output)
        .largestDifference;
    expect(difference()).toBeLessThan(1e-12);
    expect(difference({ split: 'blocks', merge: 'blocks' })).toBeLessThan(1e-12);
    expect(difference({ split: 'withoutTranspose' })).toBeGreaterThan(0.01);
    expect(difference({ merge: 'withoutTranspose' })).toBeGreaterThan(0.01);
    expect(difference({ merge: 'withoutTranspose' })).not.toBe(difference({ split: 'withoutTranspose' }));
  });

  it('outputContributions add up to the output', () => {
    const layer = { ...ownGolden('02_mha_self_nobias') };
    const parts = headwise.outputContributions(layer).map(({ data }) => data);
    const sum = Array.from(parts[0], (_, i) => parts.reduce((total, part) => total + part[i], 0));
    const { output } = headwise.attend(layer);
    sum.forEach((entry, i) => expect(entry).toBeCloseTo(output.data[i], 12));
  });
});

describe('layouts', () => {
  it.each(['gpt2', 'torch', 'interleaved'])(
    '%s: fuse and layerFrom are inverse, and match the golden spelling',
    (layout) => {
      const file = ownGolden('24_fused_layouts');
      const [canonical] = fromGolden(headwise, file);
      const kept = {
        gpt2: [file.weights.gpt2['c_attn.weight'], file.weights.gpt2['c_attn.bias']],
        torch: [file.weights.torch.in_proj_weight, file.weights.torch.in_proj_bias],
        interleaved: [file.weights.neox['query_key_value.weight'], file.weights.neox['query_key_value.bias']],
      }[layout];
      const fused = headwise.fuse(canonical, layout);
      expect(nested(fused.weight)).toEqual(kept[0]);
      expect(Array.from(fused.bias)).toEqual(kept[1]);
      const names = {
        gpt2: ['gpt2', 'c_attn.weight', 'c_attn.bias', 'c_proj'],
        torch: ['torch', 'in_proj_weight', 'in_proj_bias', 'out_proj'],
        interleaved: ['megatron', 'query_key_value.weight', 'query_key_value.bias', 'dense'],
      }[layout];
      const { W_o, b_o } = canonical.weights;
      const stored = layout === 'gpt2' ? W_o : W_o[0].map((_, column) => W_o.map((row) => row[column]));
      const stateOf = ({ weight, bias }) => ({
        [names[1]]: weight,
        [names[2]]: bias,
        [`${names[3]}.weight`]: stored,
        [`${names[3]}.bias`]: b_o,
      });
      const { inputs, mask, dims } = canonical;
      const from = (projection) => headwise.layerFrom(stateOf(projection), { layout: names[0], dims, inputs, mask });
      const back = from(fused);
      expect(back.weights.W_k.map(nested)).toEqual(canonical.weights.W_k);
      expect(back.weights.b_v.map((bias) => Array.from(bias))).toEqual(canonical.weights.b_v);
      expect(headwise.attend(back).output).toEqual(headwise.attend(canonical).output);
      expect(from({ weight: nested(fused.weight) }).weights.b_q).toBeNull();
    },
  );

  it.each(['gpt2', 'torch', 'interleaved'])('%s: positionIn finds each cell, and cellAt finds it back', (layout) => {
    const layer = headwise.randomCase({ dims: { n_q: 2, d_q: 6, num_heads: 3 }, seed: 5 });
    const fused = nested(headwise.fuse(layer, layout).weight);
    for (const [role, key] of [
      ['query', 'W_q'],
      ['key', 'W_k'],
      ['value', 'W_v'],
    ])
      for (let head = 0; head < 3; ++head)
        for (let row = 0; row < 6; ++row)
          for (let column = 0; column < 2; ++column) {
            const cell = { role, head, row, column };
            const position = headwise.positionIn(layout, layer.dims, cell);
            expect(fused[position.row][position.column]).toBe(nested(layer.weights[key][head])[row][column]);
            expect(headwise.cellAt(layout, layer.dims, position)).toEqual(cell);
          }
  });

  it('wideMatrix sets the heads side by side', () => {
    const layer = smallLayer();
    expect(nested(headwise.wideMatrix(layer, 'query'))).toEqual([
      [1, 0],
      [0, 1],
      [0.5, 2],
    ]);
    expect(nested(headwise.wideMatrix(layer, 'value'))).toEqual([
      [1, -1],
      [2, 0],
      [3, 1],
    ]);
  });

  it('splitHeads and mergeHeads are inverse with the transpose, and cut memory in reading order without', () => {
    const wide = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ];
    expect(headwise.splitHeads(wide, 2).map(nested)).toEqual([
      [
        [1, 2],
        [5, 6],
      ],
      [
        [3, 4],
        [7, 8],
      ],
    ]);
    expect(headwise.splitHeads(wide, 2, { transpose: false }).map(nested)).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ]);
    const heads = headwise.splitHeads(wide, 2);
    expect(nested(headwise.mergeHeads(heads))).toEqual(wide);
    expect(nested(headwise.mergeHeads(heads, { transpose: false }))).toEqual([
      [1, 2, 5, 6],
      [3, 4, 7, 8],
    ]);
  });
});
