// Every documented call, for types.test.mjs: this file is compiled and never run. What the types must refuse stands under @ts-expect-error,
// which is an error itself where nothing is refused.
import {
  errorCodes,
  HeadwiseError,
  loadFailures,
  loadHeadwise,
  nearestName,
  type Case,
  type CaseMask,
  type CompleteCase,
  type Decisions,
  type ErrorCode,
  type Explanation,
  type Field,
  type Gradients,
  type Headwise,
  type Layer,
  type LoadFailure,
  type Matrix,
  type Place,
  type Shapes,
  type Trace,
} from 'headwise';
import { fromGolden, goldenNames } from 'headwise/golden';

export async function loading(bytes: Uint8Array): Promise<Headwise> {
  await loadHeadwise();
  await loadHeadwise({ locateFile: (file) => `/assets/${file}` });
  await loadHeadwise({ locateFile: (file) => new URL(file, 'https://lessons.example/') });
  // @ts-expect-error an address is given by a function
  await loadHeadwise({ locateFile: '/assets/' });
  return loadHeadwise({ wasmBinary: bytes });
}

export function errors(error: unknown): string | undefined {
  if (!(error instanceof HeadwiseError)) return undefined;
  const code: ErrorCode = error.code;
  const reason: LoadFailure | undefined = error.reason;
  const known: boolean = errorCodes.includes(code) && (reason === undefined || loadFailures.includes(reason));
  return known ? error.argument : (nearestName(code, errorCodes) ?? undefined);
}

export function cases(headwise: Headwise): Case[] {
  const X = [
    [1, 2],
    [3, 4],
  ];
  const float32: Case = {
    kind: 'mha',
    inputs: { X: { shape: [2, 2], data: new Float32Array(4) } },
    weights: {
      W_q: { shape: [1, 2, 2], data: new Float32Array(4) },
      W_k: [X],
      W_v: [[Float32Array.of(1, 2), Float64Array.of(3, 4)]],
      W_o: { rows: 2, columns: 2, data: [1, 0, 0, 1] },
      b_q: [Float32Array.of(1, 2)],
      b_k: null,
      b_o: { shape: [2], data: [1, 2] },
    },
    mask: [{ type: 'causal' }, { type: 'valid_lens', valid_lens: [1] }],
    options: { scale: 0.5 },
  };
  const masks: CaseMask[] = [
    { type: 'sliding', window: 2, alignment: 'bottomRight' },
    { type: 'keep', keep: [[true, false]] },
    { type: 'additive', values: X },
    { type: 'additive', values: [X, X] },
    { type: 'additive', values: [[0, '-inf']] },
    { type: 'additive', values: { shape: [2, 2, 2], data: new Float32Array(8) } },
  ];
  // No dims, and no weights where there are none.
  const bare: Case = { kind: 'sdpa', inputs: { Q: X, K: X, V: X } };
  // @ts-expect-error a case has inputs
  headwise.attend({ kind: 'sdpa' });
  // @ts-expect-error a key that nobody reads
  headwise.attend({ ...bare, causal: true });
  // @ts-expect-error a scale that is none
  headwise.attend({ ...bare, options: { scale: 'perHead' } });
  return [float32, bare, ...masks.map((mask) => ({ ...bare, mask }))];
}

export function layers(headwise: Headwise, given: Case): CompleteCase {
  using layer: Layer = headwise.openLayer(given);
  const trace: Trace = layer.attend();
  const places: Place[] = layer.explainCell('output', 0, 0).sources;
  const same: Case = layer.case;
  for (const one of [given, layer, same]) {
    headwise.attend(one);
    headwise.forward(one);
    headwise.outputContributions(one);
    headwise.equivalentSingleHead(one);
    headwise.withEqualOutputBlocks(one);
    headwise.shareWeights(one, { sharing: 'keysAndValuesPerGroup', groupSize: 2 });
    headwise.fuse(one, 'gpt2').bias?.length;
    headwise.wideMatrix(one, 'query').rows;
    headwise.splitSingleHead(one, 2).dims.num_heads.toFixed();
    headwise.decomposeScores(one, layer).terms.length;
    headwise.constructEqualPair('oneHead', one, 1).single.dims.n_kv.toFixed();
    headwise.distanceFrom('oneKey', one, given).toFixed();
    headwise.judgeOwnConstruction(one, layer).used?.length;
  }
  const decisions: Decisions = { scale: 'modelWidth', hide: 'fill', fillValue: -1e4, split: 'withoutTranspose' };
  headwise.forward(given, { ...decisions, scale: 2, normaliseOver: 'heads', combine: 'average', merge: 'strided' });
  // @ts-expect-error no such decision
  headwise.forward(given, { wideProjection: true });
  const explanation: Explanation = headwise.explainCell(layer, 'heads[0].rawScores', 0, places.length);
  const gradients: Gradients = headwise.backward(given, trace.output, { sharing: 'all' });
  const [field]: readonly Field[] = headwise.fields;
  field?.operands.map(({ path, slice }) => path + slice);
  layer.dispose();
  gradients.b_q?.[0]?.at(explanation.sources.length);
  return headwise.randomCase({
    kind: 'additive_mha',
    dims: { d_q: 4, num_heads: 2, a: 3 },
    seed: 1,
    tokens: ['a', 'b'],
    keyTokens: ['c'],
    inputs: 'uniform',
    weights: 'zeros',
    biases: true,
    mask: [{ type: 'causal' }],
    options: { scale: 'none' },
  });
}

export function complete(given: CompleteCase): number {
  const [first]: Matrix[] = given.weights.W_q;
  return given.dims.n_q + given.dims.num_kv_heads + (given.weights.b_q?.[0]?.length ?? 0) + (first?.data.length ?? 0);
}

export function models(headwise: Headwise, state: Record<string, { shape: number[]; data: Float32Array }>): Trace {
  const weights = headwise.layerFrom(state, { layout: 'llama', dims: { num_heads: 32, num_kv_heads: 8 } });
  // @ts-expect-error it has no inputs yet
  headwise.attend(weights);
  const inputs = { X: state['hidden'] ?? [[1]] };
  // @ts-expect-error the number of heads is told by no shape
  headwise.layerFrom(state, { layout: 'gpt2', dims: {} });
  headwise.attend({ ...weights, inputs });
  return headwise.attend(headwise.layerFrom(state, { layout: 'gpt2', dims: { num_heads: 12 }, inputs }));
}

export function sizes(headwise: Headwise, given: CompleteCase, layer: Layer): number {
  const shapes: Shapes = headwise.shapes({ dims: { n_q: 1024, d_q: 768, num_heads: 12, num_kv_heads: 4 } });
  headwise.shapes({ kind: 'sdpa', dims: { n_q: 2, n_kv: 3, d_k: 4, d_v: 5 } });
  headwise.shapes(given);
  headwise.shapes(layer);
  headwise.layerCost({ kind: 'additive', dims: { n_q: 2, d_q: 2, a: 3 } });
  headwise.layerCost(layer, { sharing: 'keysAndValues', bytesPerNumber: 2 });
  headwise.sharingCost(given, {});
  headwise.sharingCost({ dims: { n_q: 1, d_q: 4, num_heads: 2 }, weights: {} }, { sharing: 'all' });
  headwise.cellAt('torch', { d_q: 4, num_heads: 2 }, { row: 1, column: 2 }).role;
  headwise.positionIn('interleaved', { d_q: 4, num_heads: 2 }, { role: 'key', head: 0, row: 0, column: 0 }).row;
  const [rows, columns] = shapes['weights.W_q[]'] ?? [0, 0];
  return rows + columns + headwise.divisorsOf(12).length + headwise.forwardPasses + headwise.memoryBytes;
}

export function matrices(headwise: Headwise, matrix: Matrix): boolean {
  const comparison = headwise.compareMatrices(matrix, [[1, 2]]);
  headwise.cosineSimilarity([matrix, [Float32Array.of(1)]]);
  headwise.cosineSimilarity({ shape: [2, 1, 1], data: [1, 2] });
  headwise.largestCell(matrix).row.toFixed();
  headwise.numericalRank(matrix).singularValues.at(0);
  headwise.softmaxRows([[0, '-inf']]).data.at(0);
  headwise.entropyOfRows(matrix).at(0);
  headwise.histogram(matrix, 0, 1, 4).at(0);
  headwise.mayAttend({ type: 'causal' }, 2, 3)[0]?.[0];
  headwise.mayAttend(null, 2, 3, 1);
  headwise.mergeHeads(headwise.splitHeads(matrix, 2), { transpose: false });
  headwise.splitHeads(matrix, 2, { transpose: true });
  headwise.randomMatrix(2, 2, 'scaledNormal', 1);
  headwise.tokenEmbeddings(['the', 'cat'], 4, 1);
  headwise.studyScale({ keySize: 2, queryCount: 2, keyCount: 2, seed: 1 }).rawEntropy.toFixed();
  return comparison.equal && comparison.tolerance < 1 && headwise.constructions.includes('oneKey');
}

export function training(headwise: Headwise): number {
  using trainer = headwise.createTrainer({
    headCount: 2,
    headSize: 6,
    seed: 1,
    sharing: 'none',
    groupSize: 1,
    initialisation: 'equalHeads',
    batchSize: 64,
    heldOutSize: 4096,
    optimizer: 'adam',
    learningRate: 0.02,
  });
  trainer.step(300).loss.toFixed();
  trainer.evaluate({ withoutHeads: [0] }).previousLoss.toFixed();
  const { layer, target, step } = trainer.probe();
  headwise.attend(layer);
  trainer.nudgeOutput(0, 0, 1e-6);
  trainer.reset();
  trainer.dispose();
  return target.rows + step + headwise.version.length;
}

export const goldenCases = (headwise: Headwise, file: unknown): Case[] =>
  fromGolden(headwise, file).filter(({ name }) => name !== goldenNames['Q']);
