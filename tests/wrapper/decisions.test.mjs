// `forward` with decisions taken otherwise: against `attend`, and against the golden files' mistakes, which are PyTorch's numbers.
import { loadHeadwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf, expectMatrix, ownGolden, smallLayer } from './support.mjs';

let headwise;
beforeAll(async () => {
  headwise = await loadHeadwise();
});

describe('forward', () => {
  it.each([
    '02_mha_self_nobias',
    '09_mask_valid_lens_per_query',
    '13_additive_multihead',
    '23_gqa',
    '01_sdpa_single_head',
  ])('%s: without decisions is attend, and with all of them as they are by default too', (name) => {
    const layer = ownGolden(name);
    const trace = headwise.attend(layer);
    expect(headwise.forward(layer)).toEqual(trace);
    expect(headwise.forward(layer, {})).toEqual(trace);
    const usual = {
      scaleAfterSoftmax: false,
      wideProjections: false,
      split: 'blocks',
      merge: 'blocks',
      transposeScores: false,
      hide: 'minusInfinity',
      fillValue: 0,
      normaliseOver: 'keys',
      shareAttention: false,
      transposeWeights: false,
      combine: 'concatenate',
      firstBlockOnly: false,
      projectOutput: true,
      addInput: false,
    };
    expect(headwise.forward(layer, usual)).toEqual(trace);
  });

  /** The golden files' mistakes that are decisions. */
  const mistakes = {
    scale_sqrt_d_model: { scale: 'modelWidth' },
    scale_none: { scale: 'none' },
    scale_d_head_without_sqrt: { scale: 1 / 4 },
    scale_multiplied: { scale: Math.sqrt(4) },
    scale_after_softmax: { scaleAfterSoftmax: true },
    softmax_over_queries: { normaliseOver: 'queries' },
    softmax_over_heads_and_keys_jointly: { normaliseOver: 'headsAndKeys' },
    softmax_over_head_axis: { normaliseOver: 'heads' },
    softmax_omitted: { normaliseOver: 'nothing' },
    split_reshape_no_transpose: { split: 'withoutTranspose' },
    merge_reshape_no_transpose: { merge: 'withoutTranspose' },
    split_and_merge_reshape_no_transpose: { split: 'withoutTranspose', merge: 'withoutTranspose' },
    split_strided_columns: { split: 'strided' },
    split_and_merge_strided_columns: { wideProjections: true, split: 'strided', merge: 'strided' },
    output_projection_missing: { projectOutput: false },
    heads_averaged_first_block: { combine: 'average', firstBlockOnly: true },
    heads_averaged_tiled: { combine: 'average' },
    heads_averaged_raw: { combine: 'average', firstBlockOnly: true, projectOutput: false },
    heads_summed_first_block: { combine: 'sum', firstBlockOnly: true },
    heads_summed_tiled: { combine: 'sum' },
    heads_summed_raw: { combine: 'sum', firstBlockOnly: true, projectOutput: false },
    heads_share_attention: { shareAttention: true },
    residual_added: { addInput: true },
    attention_transposed: { transposeWeights: true },
  };
  const maskMistakes = {
    mask_multiplied_after_softmax: { hide: 'multiplyWeights' },
    mask_multiplied_then_renormalised: { hide: 'multiplyWeightsAndRenormalise' },
    mask_score_zero: { hide: 'fill' },
    'mask_fill_plus_1e-9': { hide: 'fill', fillValue: 1e-9 },
    mask_fill_minus_1e9: { hide: 'fill', fillValue: -1e9 },
  };
  it.each([
    ['25_mistakes_unmasked', mistakes],
    ['26_mistakes_causal', { ...mistakes, ...maskMistakes }],
  ])('%s: makes the golden mistakes, number by number', (name, decisionsOf) => {
    const file = ownGolden(name);
    const layer = { ...file, kind: 'mha' };
    let compared = 0;
    for (const [mistake, decisions] of Object.entries(decisionsOf)) {
      if (!(mistake in file.mistakes)) continue; // under the mask some have no golden numbers
      expectMatrix(headwise.forward(layer, decisions).output, file.mistakes[mistake], mistake);
      ++compared;
    }
    expect(compared).toBeGreaterThan(15);
  });

  it('every decision does what its name says', () => {
    const layer = headwise.randomCase({
      dims: { n_q: 4, d_q: 6, num_heads: 2 },
      seed: 3,
      biases: true,
      mask: { type: 'causal' },
    });
    const trace = headwise.attend(layer);
    const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
    const weightsOf = (decisions) => headwise.forward(layer, decisions).heads.map((head) => head.attentionWeights);
    expect(headwise.forward(layer, { scale: 0.25 }).scaleFactor).toBe(0.25);
    const hidden = trace.heads[0].maskedScores.data.map((score) => (score === -Infinity ? 1 : 0));
    const multiplied = weightsOf({ hide: 'multiplyWeights' })[0].data;
    expect(multiplied.every((weight, i) => (hidden[i] ? weight === 0 : weight > 0))).toBe(true);
    expect(sum(multiplied.subarray(0, 4))).toBeLessThan(0.9);
    const renormalised = weightsOf({ hide: 'multiplyWeightsAndRenormalise' })[0];
    expect(headwise.compareMatrices(renormalised, trace.heads[0].attentionWeights).equal).toBe(true);
    const shared = weightsOf({ shareAttention: true });
    expect(shared[1]).toEqual(shared[0]);
    const jointly = weightsOf({ normaliseOver: 'headsAndKeys' });
    expect(sum(jointly[0].data.subarray(4, 8)) + sum(jointly[1].data.subarray(4, 8))).toBeCloseTo(1, 12);
    const averaged = headwise.forward(layer, { combine: 'average', firstBlockOnly: true });
    expect([averaged.concatenated.rows, averaged.concatenated.columns]).toEqual([4, 3]);
    averaged.concatenated.data.forEach((number, i) =>
      expect(number).toBeCloseTo((trace.heads[0].output.data[i] + trace.heads[1].output.data[i]) / 2, 12),
    );
    const summed = headwise.forward(layer, { combine: 'sum', firstBlockOnly: true }).concatenated;
    summed.data.forEach((number, i) => expect(number).toBeCloseTo(averaged.concatenated.data[i] * 2, 12));
    const bare = headwise.forward(layer, { projectOutput: false });
    expect(bare.output).toEqual(trace.concatenated);
    const residual = headwise.forward(layer, { addInput: true });
    residual.output.data.forEach((number, i) =>
      expect(number).toBeCloseTo(trace.output.data[i] + layer.inputs.X.data[i], 12),
    );
    const { heads: crossed } = headwise.forward(layer, { transposeScores: true });
    expect(crossed[0].rawScores.data[1]).toBe(trace.heads[0].rawScores.data[4]);
    const { heads: turned } = headwise.forward(layer, { transposeWeights: true });
    expect(turned[0].attentionWeights).toEqual(trace.heads[0].attentionWeights);
    expect(turned[0].output).not.toEqual(trace.heads[0].output);
  });

  it.each([
    ['transposeScores', { transposeScores: true }],
    ['transposeWeights', { transposeWeights: true }],
    ['addInput', { addInput: true }],
  ])('refuses %s where sizes do not allow it, and names the decision', (name, decisions) => {
    const layer = headwise.randomCase({ dims: { n_q: 2, n_kv: 3, d_q: 4, num_heads: 2, p_o: 5 }, seed: 1 });
    expect(errorOf(() => headwise.forward(layer, decisions), 'invalidOption').argument).toBe(name);
  });

  it('refuses what goes only with another decision', () => {
    expect(errorOf(() => headwise.forward(smallLayer(), { firstBlockOnly: true }), 'invalidOption').argument).toBe(
      'firstBlockOnly',
    );
    const sdpa = ownGolden('01_sdpa_single_head');
    expect(errorOf(() => headwise.forward(sdpa, { wideProjections: true }), 'invalidOption').message).toContain(
      'a layer with projections',
    );
  });
});
