// The wrapper's contract: what a page, a worker or Node may rely on. tests/wrapper holds it against the module.

/** Row-major: entry (r, c) is data[r * columns + c]. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

/** A matrix on the way in: nested arrays, as in the golden files, or a Matrix. "-inf" stands for −∞ in an additive mask. */
export type MatrixLike = Matrix | readonly (readonly (number | '-inf')[] | Float64Array)[];
export type VectorLike = Float64Array | readonly number[];

export type Kind = 'sdpa' | 'mha' | 'additive' | 'additive_mha';

/** Sizes in the golden files' spelling; docs/notation.md says what each is in the core. In a case, what is left out is read off the
 *  matrices, and what is given must agree with them. Where there are no matrices (`shapes`, `randomCase` …), left out means:
 *  d_k, d_v, p_o as d_q; num_kv_heads as num_heads; p_q, p_k, p_v as d_q / num_heads; n_kv as n_q. */
export interface CaseDimensions {
  n_q: number;
  n_kv: number;
  d_q?: number;
  d_k?: number;
  d_v?: number;
  num_heads?: number;
  num_kv_heads?: number;
  p_q?: number;
  p_k?: number;
  p_v?: number;
  p_o?: number;
  /** hidden width of additive pooling */
  a?: number;
}

export type CaseInputs =
  | { X: MatrixLike }
  | { query: MatrixLike; key: MatrixLike; value: MatrixLike }
  | { Q: MatrixLike; K: MatrixLike; V: MatrixLike };

/** mha: W_q [h][d_q][p_q], W_k, W_v [h_kv][…][…], W_o [h·p_v][p_o], biases b_q [h][p_q] … b_o [p_o] or null.
 *  additive_mha: also A_q [h][p_q][a], A_k [h][p_k][a], a_v [h][a]. additive: W_q [d_q][a], W_k [d_k][a], w_v [a]. sdpa: {}. */
export interface CaseWeights {
  W_q?: readonly MatrixLike[] | MatrixLike;
  W_k?: readonly MatrixLike[] | MatrixLike;
  W_v?: readonly MatrixLike[];
  W_o?: MatrixLike;
  b_q?: readonly VectorLike[] | null;
  b_k?: readonly VectorLike[] | null;
  b_v?: readonly VectorLike[] | null;
  b_o?: VectorLike | null;
  A_q?: readonly MatrixLike[];
  A_k?: readonly MatrixLike[];
  a_v?: readonly VectorLike[];
  w_v?: VectorLike;
}

/** A pattern listed as `keep` decides; beside a type it must be that type's pattern, of either alignment if none is named. */
export type CaseMask =
  /** default topLeft */
  | { type: 'causal'; alignment?: 'topLeft' | 'bottomRight'; keep?: readonly (readonly boolean[])[] }
  | { type: 'valid_lens'; valid_lens: readonly number[]; keep?: readonly (readonly boolean[])[] }
  | { type: 'keep'; keep: readonly (readonly boolean[])[] }
  | { type: 'additive'; values: MatrixLike };

export interface CaseOptions {
  /** default perHeadWidth, 1/√p_q */
  scale?: 'perHeadWidth' | 'totalWidth' | 'none';
}

/** One layer and its input, in the golden files' spelling. Unknown keys in dims, inputs, weights, mask and options are refused, and
 *  a near miss of a key of the case itself; other keys of golden files (source, notes …) are not read. */
export interface Case {
  name?: string;
  kind: Kind;
  dims: CaseDimensions;
  inputs: CaseInputs;
  weights: CaseWeights;
  mask?: CaseMask | null;
  options?: CaseOptions;
  /** from a golden file; `attend` does not read it */
  expected?: unknown;
}

export interface KeyValueHeadTrace {
  keys: Matrix;
  values: Matrix;
}
export interface HeadTrace {
  queries: Matrix;
  rawScores: Matrix;
  scaledScores: Matrix;
  /** −Infinity where hidden */
  maskedScores: Matrix;
  attentionWeights: Matrix;
  output: Matrix;
  /** the keys and values this head uses: the same objects as those of its keyValueHeads entry */
  keys: Matrix;
  values: Matrix;
}
export interface Trace {
  heads: HeadTrace[];
  keyValueHeads: KeyValueHeadTrace[];
  concatenated: Matrix;
  output: Matrix;
  scaleFactor: number;
  /** queries that saw no key */
  emptyRows: number[];
}

export interface Comparison {
  sameShape: boolean;
  largestDifference: number;
  row: number;
  column: number;
  largestMagnitude: number;
}

export type DistributionName = 'normal' | 'scaledNormal' | 'uniform' | 'zeros';

export interface RandomCaseRequest {
  kind?: 'mha' | 'additive_mha';
  /** n_q, n_kv default to the number of tokens; d_k, d_v to d_q; num_kv_heads to num_heads; p_* to d_q / num_heads; p_o to d_q */
  dims: Partial<CaseDimensions> & { d_q: number; num_heads: number };
  seed: number;
  /** Words: one input row each, a made-up embedding. Without them rows are drawn from `inputs`. */
  tokens?: readonly string[];
  /** Words of the key and value sequence; makes it cross-attention. */
  keyTokens?: readonly string[];
  /** default normal */
  inputs?: DistributionName;
  /** default scaledNormal */
  weights?: DistributionName;
  biases?: boolean;
  mask?: CaseMask | null;
  options?: CaseOptions;
}

export type ConstructionName =
  'oneHead' | 'oneKey' | 'constantInput' | 'zeroQuery' | 'zeroKey' | 'fullScores' | 'equalBlocks' | 'rescaledHeads';

export interface OwnConstruction {
  largestDifference: number;
  equal: boolean;
  used: ConstructionName | null;
  outputIsZero: boolean;
  outputSameForAllTokens: boolean;
  accepted: boolean;
}

export interface Explanation {
  operation: 'product' | 'additive' | 'scale' | 'mask' | 'softmax' | 'copy';
  leftName: string;
  rightName: string;
  left: Float64Array;
  right: Float64Array;
  terms: Float64Array;
  addend: number;
  result: number;
  hidden: boolean;
}

export type LayoutName = 'gpt2' | 'torch' | 'interleaved';
export type RoleName = 'query' | 'key' | 'value';
export interface WeightCell {
  role: RoleName;
  head: number;
  row: number;
  column: number;
}

export interface ScaleStudy {
  rawScores: Matrix;
  scaledScores: Matrix;
  rawVariance: number;
  scaledVariance: number;
  rawEntropy: number;
  scaledEntropy: number;
  largestEntropy: number;
  rawLargestWeight: number;
  scaledLargestWeight: number;
}

export interface PoolingCost {
  multiplyAdds: number;
  tanhTerms: number;
  softmaxTerms: number;
  parameters: number;
}

/** Shape of every matrix of a layer as [rows, columns], without computing it. Keys are trace paths ("heads[].queries",
 *  "keyValueHeads[].keys", "concatenated", "output") and weight names ("W_q", "W_k", "W_v" of one head, "W_o"). */
export type Shapes = Record<string, readonly [number, number]>;

/** ∂loss/∂entry under the names, and in the shapes, of the case's inputs and weights; missing biases are left out. */
export interface Gradients {
  X?: Matrix;
  query?: Matrix;
  key?: Matrix;
  value?: Matrix;
  Q?: Matrix;
  K?: Matrix;
  V?: Matrix;
  W_q?: Matrix[] | Matrix;
  W_k?: Matrix[] | Matrix;
  W_v?: Matrix[];
  W_o?: Matrix;
  b_q?: Float64Array[];
  b_k?: Float64Array[];
  b_v?: Float64Array[];
  b_o?: Float64Array;
  A_q?: Matrix[];
  A_k?: Matrix[];
  a_v?: Float64Array[];
  w_v?: Float64Array;
}

export type SharingName = 'none' | 'keysAndValuesPerGroup' | 'keysAndValues' | 'all';
export interface SharingOptions {
  /** default none */
  sharing?: SharingName;
  /** heads in a group, for keysAndValuesPerGroup */
  groupSize?: number;
}
export interface SharingCost {
  parametersUnshared: number;
  /** each shared matrix once */
  parameters: number;
  /** once heads that are one function are merged */
  parametersThatMatter: number;
  multiplyAdds: number;
  multiplyAddsNeeded: number;
}

export interface NumericalRank {
  rank: number;
  /** descending */
  singularValues: Float64Array;
  threshold: number;
}

export type InitialisationName = 'independent' | 'equalHeads' | 'equalHeadsAndOutput';
export type OptimizerName = 'sgd' | 'adam';
/** Trains one layer on lesson 6's task, two look-ups at once: 6 tokens, queries and keys read content and position (12), values content only (6). */
export interface TrainerRequest {
  headCount: number;
  headSize: number;
  seed: number;
  sharing?: SharingName;
  groupSize?: number;
  initialisation?: InitialisationName;
  /** sequences in a step's batch, default 64 */
  batchSize?: number;
  /** sequences of the fixed held-out set, default 4096 */
  heldOutSize?: number;
  optimizer?: OptimizerName;
  /** default 0.02 */
  learningRate?: number;
}
export interface StepReport {
  /** steps done */
  step: number;
  /** mean squared error on this step's batch, before the step */
  loss: number;
  gradientNorm: number;
}
export interface Evaluation {
  /** mean squared error on the held-out set */
  loss: number;
  /** of the look-up of the previous token, and of the first */
  previousLoss: number;
  firstLoss: number;
  /** the loss that no single head gets below over all data; on a finite set by chance a little */
  oneHeadBound: number;
}
export interface Trainer {
  /** Does count steps (1 to 10,000, default 1) and reports the last. Throws notFinite if training diverged; `reset` goes on from there. */
  step(count?: number): StepReport;
  /** Back to the same initial weights and the first batch. */
  reset(): void;
  /** On the held-out set, as if the heads named by withoutHeads had blocks of 0 in W_o. */
  evaluate(options?: { withoutHeads?: readonly number[] }): Evaluation;
  /** The weights as they are, with one held-out sequence as input. */
  probe(): { layer: Case; target: Matrix; step: number };
  /** Frees its memory; using it afterwards is an error, disposing twice is not. Also under Symbol.dispose. */
  dispose(): void;
}

export class HeadwiseError extends Error {
  /** one of errorCodes */
  readonly code: ErrorCode;
}
/** The core's codes, then the wrapper's own: invalidArgument (wrong type, not an integer, ragged array, something missing),
 *  loadFailed, internal (a fault of Headwise). */
export type ErrorCode =
  | 'invalidDimension'
  | 'shapeMismatch'
  | 'notFinite'
  | 'invalidOption'
  | 'tooLarge'
  | 'invalidArgument'
  | 'loadFailed'
  | 'internal';
export const errorCodes: readonly ErrorCode[];

/** Trace fields in the order of computation. */
export const traceFields: {
  readonly keyValueHead: readonly string[];
  readonly head: readonly string[];
  readonly layer: readonly string[];
};
/** Golden spelling → trace path: Q → heads[].queries, … */
export const goldenNames: Readonly<Record<string, string>>;

export interface LoadOptions {
  /** the module's bytes; Node from 20.16 reads the file itself */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** where the .wasm is, given its file name; default: beside the module */
  locateFile?: (file: string) => string;
}

export interface Headwise {
  readonly version: string;
  /** Diagnostic: bytes of the module's memory in use now. Does not rise from call to call. */
  readonly memoryBytes: number;
  attend(layer: Case): Trace;
  /** The same layer by wide products viewed as heads, with or without the transposes that make the views right. */
  attendFused(layer: Case, reshape?: { transposeOnSplit?: boolean; transposeOnMerge?: boolean }): Trace;
  /** What each head adds to the output: O_j W_j^o. */
  outputContributions(layer: Case): Matrix[];
  /** The cases in a golden file, each with its name and expected results: one of a plain kind, several of a derived one. compare: the single
   *  layer, then the multi; shared_weights: shared projections under distinct blocks of W_o, the one head this amounts to, the same
   *  two under equal blocks, and unique projections; fused_layouts: canonical, gpt2, torch, neox. mistakes: the correct layer (its
   *  wrong outputs belong to later work). training is refused: it has no single layer. */
  fromGolden(file: unknown): Case[];
  randomCase(request: RandomCaseRequest): Case;
  shapes(layer: { kind?: Kind; dims: CaseDimensions }): Shapes;
  /** Cuts the matrices of a layer of one head into headCount heads. Input and mask are those of the layer, not copied. */
  splitSingleHead(layer: Case, headCount: number): Case;
  /** Σ_j of the split layer's raw scores against the single head's. */
  decomposeScores(single: Case, split: Case): { terms: Matrix[]; sum: Matrix; largestDifference: number };
  compareMatrices(a: MatrixLike, b: MatrixLike): Comparison;
  cosineSimilarity(matrices: readonly MatrixLike[]): Matrix;
  /** The eight, in order a to h. */
  readonly constructions: readonly ConstructionName[];
  constructEqualPair(construction: ConstructionName, single: Case, headCount: number): { single: Case; multi: Case };
  /** How far the pair is from meeting the construction's condition; Infinity if sizes forbid it. */
  distanceFrom(construction: ConstructionName, single: Case, multi: Case): number;
  judgeOwnConstruction(single: Case, multi: Case): OwnConstruction;
  /** The arithmetic behind one cell of the trace, numbers substituted. path: "heads[0].attentionWeights", "output" … */
  explainCell(layer: Case, path: string, row: number, column: number): Explanation;
  /** Gradients of Σ output∘outputGradient, or of any loss with ∂loss/∂output = outputGradient. With a sharing plan, a shared matrix's gradient is the sum over its users. */
  backward(layer: Case, outputGradient: MatrixLike, options?: SharingOptions): Gradients;
  /** The layer with every shared matrix in all places that use it. */
  shareWeights(layer: Case, options: SharingOptions): Case;
  /** Heads that are one function are one head with the sum of the W^o blocks. Projections are head 0's; under scale totalWidth its W_q
   *  and b_q are divided by √h, since one head's total width is its own. */
  equivalentSingleHead(layer: Case): Case;
  /** Of kind mha with as many key/value heads as heads. The biases of all four projections count if weights has them. */
  sharingCost(
    layer: { kind?: Kind; dims: CaseDimensions; weights?: CaseWeights },
    options: SharingOptions,
  ): SharingCost;
  /** At most 512 rows and columns. */
  numericalRank(matrix: MatrixLike): NumericalRank;
  createTrainer(request: TrainerRequest): Trainer;
  fuse(layer: Case, layout: LayoutName): { weight: Matrix; bias: Float64Array | null };
  unfuse(fused: { weight: MatrixLike; bias?: VectorLike | null }, layer: Case, layout: LayoutName): Case;
  wideMatrix(layer: Case, role: RoleName): Matrix;
  positionIn(layout: LayoutName, dims: CaseDimensions, cell: WeightCell): { row: number; column: number };
  cellAt(layout: LayoutName, dims: CaseDimensions, position: { row: number; column: number }): WeightCell;
  splitHeads(wide: MatrixLike, headCount: number, options?: { transpose?: boolean }): Matrix[];
  mergeHeads(heads: readonly MatrixLike[], options?: { transpose?: boolean }): Matrix;
  randomMatrix(rows: number, columns: number, distribution: DistributionName, seed: number): Matrix;
  tokenEmbeddings(tokens: readonly string[], modelSize: number, seed: number): Matrix;
  /** Which query may see which key: [queryCount][keyCount]. */
  mayAttend(mask: CaseMask | null, queryCount: number, keyCount: number): boolean[][];
  /** The mistake of filling hidden scores with a finite number: scores where keep is true, value elsewhere. */
  fillHidden(scores: MatrixLike, keep: readonly (readonly boolean[])[], value: number): Matrix;
  /** −Infinity, or "-inf", is a hidden cell. */
  softmaxRows(scores: MatrixLike): Matrix;
  entropyOfRows(weights: MatrixLike): Float64Array;
  poolingCost(layer: { kind?: Kind; dims: CaseDimensions }): PoolingCost;
  studyScale(request: { keySize: number; queryCount: number; keyCount: number; seed: number }): ScaleStudy;
  histogram(values: MatrixLike, from: number, to: number, binCount: number): Float64Array;
  divisorsOf(value: number): number[];
}

/** Several may be loaded side by side; each has its own memory. Rejects with HeadwiseError code loadFailed and a sentence for people. */
export function loadHeadwise(options?: LoadOptions): Promise<Headwise>;
