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
      'their query inputs differ',
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
    for (const changes of [{ mask: null }, { mask: { type: 'additive', values } }, { options: { scale: 'none' } }])
      expect(errorOf(() => judge(changes), 'invalidOption').message).toContain('one mask and one scale');
  });
});

describe('the fused form', () => {
  it('gives the numbers of the per-head form with both transposes, and others without', () => {
    const layer = ownGolden('03_mha_self_bias');
    const perHead = headwise.attend(layer);
    const difference = (reshape) =>
      headwise.compareMatrices(perHead.output, headwise.attendFused(layer, reshape).output).largestDifference;
    expect(difference()).toBeLessThan(1e-12);
    expect(difference({ transposeOnSplit: true })).toBeLessThan(1e-12);
    expect(difference({ transposeOnSplit: false })).toBeGreaterThan(0.01);
    expect(difference({ transposeOnMerge: false })).toBeGreaterThan(0.01);
    expect(difference({ transposeOnMerge: false })).not.toBe(difference({ transposeOnSplit: false }));
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
    '%s: fuse and unfuse are inverse, and match the golden spelling',
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
      const back = headwise.unfuse(fused, canonical, layout);
      expect(back.weights.W_k.map(nested)).toEqual(canonical.weights.W_k);
      expect(back.weights.b_v.map((bias) => Array.from(bias))).toEqual(canonical.weights.b_v);
      expect(headwise.attend(back).output).toEqual(headwise.attend(canonical).output);
      expect(headwise.unfuse({ weight: nested(fused.weight) }, canonical, layout).weights.b_q).toBeNull();
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

describe('explainCell', () => {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  it('substitutes numbers that make the cell, for every matrix of a trace', () => {
    const layer = { ...ownGolden('13_additive_multihead') };
    const plain = { ...ownGolden('23_gqa'), mask: { type: 'causal' } };
    for (const given of [layer, plain]) {
      const trace = headwise.attend(given);
      const paths = [
        ...Object.keys(trace.heads[1])
          .filter((name) => !['keys', 'values'].includes(name))
          .map((name) => [`heads[1].${name}`, trace.heads[1][name]]),
        ...Object.entries(trace.keyValueHeads[0]).map(([name, matrix]) => [`keyValueHeads[0].${name}`, matrix]),
        ['concatenated', trace.concatenated],
        ['output', trace.output],
      ];
      for (const [path, matrix] of paths) {
        const { operation, left, right, terms, addend, result, hidden } = headwise.explainCell(given, path, 2, 1);
        expect(result, path).toBe(matrix.data[2 * matrix.columns + 1]);
        expect([left, right, terms].every((numbers) => numbers instanceof Float64Array)).toBe(true);
        if (operation === 'product' || operation === 'additive') {
          expect(sum(terms) + addend, path).toBeCloseTo(result, 12);
          left.forEach((number, i) => expect(terms[i]).toBe(number * right[i]));
        }
        if (operation === 'scale') expect(left[0] * right[0], path).toBe(result);
        if (operation === 'mask') expect(hidden ? -Infinity : left[0] + right[0], path).toBe(result);
        if (operation === 'softmax') expect(right[1] / sum(right), path).toBeCloseTo(result, 12);
        if (operation === 'copy') expect(left[0], path).toBe(result);
      }
    }
  });

  it('tells a hidden cell', () => {
    const layer = { ...smallLayer(), mask: { type: 'causal' } };
    expect(headwise.explainCell(layer, 'heads[0].maskedScores', 0, 1)).toMatchObject({
      operation: 'mask',
      hidden: true,
      result: -Infinity,
    });
    expect(headwise.explainCell(layer, 'heads[0].maskedScores', 1, 1)).toMatchObject({ hidden: false });
  });

  it('names where the numbers stand', () => {
    const { leftName, rightName } = headwise.explainCell(smallLayer(), 'heads[1].queries', 1, 0);
    expect(leftName).toContain('inputs.query');
    expect(rightName).toContain('weights.heads[1].query.weight');
  });

  it('explains the scores of a layer without projections, and says what is not computed there', () => {
    const layer = ownGolden('01_sdpa_single_head');
    expect(headwise.explainCell(layer, 'heads[0].rawScores', 1, 2).operation).toBe('product');
    expect(headwise.explainCell(ownGolden('12_additive_single'), 'heads[0].rawScores', 1, 2).operation).toBe(
      'additive',
    );
    expect(headwise.explainCell(layer, 'concatenated', 1, 2).operation).toBe('copy');
    for (const path of ['heads[0].queries', 'keyValueHeads[0].keys', 'keyValueHeads[0].values', 'output'])
      expect(errorOf(() => headwise.explainCell(layer, path, 0, 0), 'invalidOption').message).toContain(path);
  });
});
