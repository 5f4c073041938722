// Every forward number of the golden files, through the wrapper.
import { loadHeadwise } from 'headwise';
import { fromGolden, goldenNames } from 'headwise/golden';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectMatrix, golden, goldenFiles, nested, ownGolden } from './support.mjs';

/** Expected results that are no part of a forward trace: compared below, in gradients.test.mjs or in sharing.test.mjs. */
const elsewhere =
  /^fully_masked_rows$|^equal$|^max_abs_diff$|gradient|^W_o_block_sum$|^output_of_one_head_with_block_sum$/;
/** About other libraries, or about steps that only the core's suite can take apart. */
const ofTheCore = /^other_conventions$|^naive_softmax_nonfinite_rows$|^shapes_equal$|^identities$/;

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

/** The matrices a golden name stands for, one for each head where it has heads. */
function traced(trace, name) {
  const [owner, field] = goldenNames[name].split('[].');
  return field ? trace[owner].map((head) => head[field]) : trace[owner];
}

function compareWithExpected(layer) {
  const trace = headwise.attend(layer);
  let compared = 0;
  for (const [name, expected] of Object.entries(layer.expected)) {
    if (!(name in goldenNames)) {
      expect(elsewhere.test(name) || ofTheCore.test(name), `${layer.name} expects ${name}, which no test knows`).toBe(
        true,
      );
      continue;
    }
    const actual = traced(trace, name);
    const matrices = Array.isArray(actual) ? actual : [actual];
    const hasHeads = Array.isArray(expected[0][0]);
    const wanted = hasHeads ? expected : [expected];
    expect(matrices.length, `${layer.name}: heads of ${name}`).toBe(wanted.length);
    matrices.forEach((matrix, j) =>
      expectMatrix(matrix, wanted[j], `${layer.name}: ${goldenNames[name]} of head ${j}`),
    );
    ++compared;
  }
  expect(compared, `${layer.name} was compared with nothing`).toBeGreaterThan(0);
  if (layer.expected.fully_masked_rows) expect(trace.emptyRows).toEqual(layer.expected.fully_masked_rows);
  return trace;
}

describe('golden files', () => {
  it('are there', () => expect(goldenFiles.length).toBeGreaterThan(0));

  for (const name of goldenFiles) {
    const file = golden(name);
    if (file.kind === 'training') {
      it(`${name} is refused with a sentence: it has no single layer`, () => {
        expect(errorOf(() => fromGolden(headwise, file), 'invalidOption').message).toContain('no single layer');
      });
      continue;
    }
    it(`${name}: every forward number agrees`, () => {
      for (const layer of fromGolden(headwise, file)) compareWithExpected(layer);
    });
  }

  it('attend takes a file of a plain kind as it is', () => {
    expectMatrix(
      headwise.attend(ownGolden('03_mha_self_bias')).output,
      ownGolden('03_mha_self_bias').expected.output,
      'output',
    );
  });
});

describe('derived kinds', () => {
  const compareFiles = goldenFiles.filter((name) => golden(name).kind === 'compare');

  it.each(compareFiles)('%s: the two layers differ by as much as the file says', (name) => {
    const file = golden(name);
    const [single, multi] = fromGolden(headwise, file).map((layer) => headwise.attend(layer));
    for (const [goldenName, wanted] of Object.entries(file.expected.max_abs_diff)) {
      const field = goldenNames[goldenName];
      const { largestDifference, sameShape } = headwise.compareMatrices(single[field], multi[field]);
      expect(sameShape).toBe(true);
      expect(largestDifference, field).toBeCloseTo(wanted, 9);
    }
    expect(headwise.compareMatrices(single.concatenated, multi.concatenated).largestDifference < 1e-9).toBe(
      file.expected.equal,
    );
  });

  it('a compare file gives its single layer, then its multi-head layer', () => {
    const cases = fromGolden(headwise, ownGolden('14_split_of_single_head'));
    expect(cases.map(({ name, dims }) => [name, dims.num_heads])).toEqual([
      ['split_of_single_head: single', 1],
      ['split_of_single_head: multi', 2],
    ]);
  });

  it('shared weights give five layers, and heads as similar as the file says', () => {
    const file = ownGolden('21_shared_weights_pitfall');
    const cases = fromGolden(headwise, file);
    expect(cases.map(({ dims }) => dims.num_heads)).toEqual([3, 1, 3, 1, 3]);
    const similarity = (layer) => headwise.cosineSimilarity(headwise.attend(layer).heads.map((head) => head.output));
    expectMatrix(similarity(cases[0]), file.expected.cosine_similarity_of_heads_shared, 'similarity of shared heads');
    expectMatrix(similarity(cases[4]), file.expected.cosine_similarity_of_heads_unique, 'similarity of unique heads');
  });

  it('fused layouts give the same weights in all four spellings', () => {
    const cases = fromGolden(headwise, ownGolden('24_fused_layouts'));
    expect(cases.map(({ name }) => name.split(': ')[1])).toEqual(['canonical', 'gpt2', 'torch', 'neox']);
    const canonical = cases[0].weights;
    for (const { name, weights } of cases.slice(1)) {
      for (const key of ['W_q', 'W_k', 'W_v'])
        expect(weights[key].map(nested), `${name} ${key}`).toEqual(canonical[key]);
      expect(nested(weights.W_o), `${name} W_o`).toEqual(canonical.W_o);
      for (const key of ['b_q', 'b_k', 'b_v'])
        expect(
          weights[key].map((b) => Array.from(b)),
          `${name} ${key}`,
        ).toEqual(canonical[key]);
      expect(Array.from(weights.b_o), `${name} b_o`).toEqual(canonical.b_o);
    }
  });

  it('an unknown kind is refused with the nearest known one', () => {
    const error = errorOf(
      () => fromGolden(headwise, { ...ownGolden('02_mha_self_nobias'), kind: 'compared' }),
      'invalidOption',
    );
    expect(error.message).toContain('did you mean compare?');
  });

  it('a file without its parts is refused by the name of the part', () => {
    expect(errorOf(() => fromGolden(headwise, { kind: 'compare', dims: {} }), 'invalidArgument').message).toContain(
      'dims.single',
    );
    expect(errorOf(() => fromGolden(headwise, 'text'), 'invalidArgument').message).toContain('golden file');
  });
});
