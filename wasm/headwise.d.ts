// The wrapper's contract: what a page, a worker or Node may rely on. tests/wrapper holds it against the module.
/// <reference lib="esnext.disposable" />
import type {
  Case,
  CaseDimensions,
  CaseInputs,
  CaseMasks,
  CaseWeights,
  CompleteCase,
  Decisions,
  DistributionName,
  Kind,
  LayerFromOptions,
  MatricesLike,
  Matrix,
  MatrixLike,
  RandomCaseRequest,
  SharingName,
  SharingOptions,
} from './types/case.d.ts';
import type {
  Comparison,
  ConstructionName,
  Evaluation,
  Explanation,
  Field,
  Gradients,
  InitialisationName,
  LayerCost,
  LayoutName,
  NumericalRank,
  OptimizerName,
  OwnConstruction,
  Probe,
  RoleName,
  ScaleStudy,
  Shapes,
  SharingCost,
  StepReport,
  Trace,
  WeightCell,
} from './types/results.d.ts';

export type * from './types/case.d.ts';
export type * from './types/results.d.ts';

/** A layer that stays in the module, so that questions about it neither send nor compute it again. Give it wherever a Case is asked for. */
export interface Layer<Given extends Case = Case> {
  /** as it was given; changing it changes nothing here */
  readonly case: Given;
  /** Computed once, then the same object. */
  attend(): Trace;
  /** Runs no forward pass after the first. */
  explainCell(path: string, row: number, column: number): Explanation;
  /** Frees its memory; using it afterwards is an error, disposing twice is not. A layer that nobody holds any more is freed by and by. */
  dispose(): void;
  [Symbol.dispose](): void;
}

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
export interface Trainer {
  /** Does count steps (1 to 10,000, default 1) and reports the last. Throws notFinite if training diverged; `reset` goes on from there. */
  step(count?: number): StepReport;
  /** Back to the same initial weights and the first batch. */
  reset(): void;
  /** Adds `by` to one number of W_o; training goes on from there, and `reset` forgets it. */
  nudgeOutput(row: number, column: number, by: number): void;
  /** On the held-out set, as if the heads named by withoutHeads had blocks of 0 in W_o. */
  evaluate(options?: { withoutHeads?: readonly number[] }): Evaluation;
  /** The weights as they are, with one held-out sequence as input. */
  probe(): Probe;
  /** Frees its memory; using it afterwards is an error, disposing twice is not. A trainer that nobody holds any more is freed by and by. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export class HeadwiseError extends Error {
  /** one of errorCodes */
  readonly code: ErrorCode;
  /** The one size, option or matrix at fault, if there is one, as the case spells it: num_heads, d_q, mask.valid_lens, weights.W_q[0] … */
  readonly argument?: string;
  /** of loadFailed: one of loadFailures */
  readonly reason?: LoadFailure;
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

/** Why loading failed: the page's policy forbids WebAssembly; there is none here, or one that is too old; nothing came, or not all of it; the
 *  server has no such file; it failed; something else came; it is cut off or changed; it is of another build; it does not start. */
export type LoadFailure =
  'policy' | 'unsupported' | 'network' | 'missing' | 'server' | 'notWasm' | 'damaged' | 'foreign' | 'start';
export const loadFailures: readonly LoadFailure[];

/** The known name that is nearest to the word, whatever the case of its letters; null if none is near. */
export function nearestName(word: string, known: readonly string[]): string | null;

export interface LoadOptions {
  /** the module's bytes; Node from 20.16 reads the file itself */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** where the .wasm is, given its file name; default: beside the module */
  locateFile?: (file: string) => string | URL;
}

/** Sizes of a layer, or a whole case, of which only the sizes are read. */
export interface SizesOf {
  kind?: Kind;
  dims: CaseDimensions;
}

/** Every call is bounded before it begins, and refused with `tooLarge` above that: in memory (a trace, or any other result, of at most 256 MiB and
 *  1,048,576 matrices) and in work, at most 20 billion multiply-adds, which take about 6 s on a desktop machine. A tanh or an exponential counts as
 *  60 multiply-adds, gradients as three forward passes, a call of `step` as all its steps together; numericalRank takes at most 512 rows and columns.
 *  The message names what was asked, the estimate, the limit and what to make smaller. Results are finite: what overflows is refused with
 *  `notFinite`. Only hidden scores are −Infinity, and distanceFrom may be Infinity. */
export interface Headwise {
  readonly version: string;
  /** What every matrix of the computation is: inputs and weights, then the trace in the order of computation. */
  readonly fields: readonly Field[];
  /** The eight, in order a to h. */
  readonly constructions: readonly ConstructionName[];
  /** Diagnostic: bytes of the module's memory in use now. Does not rise from call to call. */
  readonly memoryBytes: number;
  /** Diagnostic: forward passes run so far for traces of single layers. */
  readonly forwardPasses: number;

  openLayer<Given extends Case>(given: Given): Layer<Given>;
  attend(layer: Case | Layer): Trace;
  /** `attend` with decisions taken otherwise: the usual mistakes, and other ways to the same numbers. A field of the trace holds what takes its place. */
  forward(layer: Case | Layer, decisions?: Decisions): Trace;
  /** What each head adds to the output: O_j W_j^o. */
  outputContributions(layer: Case | Layer): Matrix[];
  /** The arithmetic behind one cell of the trace, numbers substituted. path: "heads[0].attentionWeights", "output" … */
  explainCell(layer: Case | Layer, path: string, row: number, column: number): Explanation;

  randomCase(request: RandomCaseRequest): CompleteCase;
  /** A layer of a real model: `state` holds its weights by key. Keys may carry a prefix ("h.0.attn.c_attn.weight"), found by the one key that
   *  ends in the layout's; what lies elsewhere in the model is not read. A key beside the layer's that the layout does not know is refused,
   *  since it would change what is computed; buffers that are no weights are let through: inv_freq of rotary positions, and the causal mask of
   *  GPT-2 and GPT-NeoX (bias, masked_bias). Biases may be missing. Without `inputs` the case has none yet. */
  layerFrom(state: object, options: LayerFromOptions & { inputs: CaseInputs }): CompleteCase;
  layerFrom(state: object, options: LayerFromOptions): Omit<CompleteCase, 'inputs'>;
  /** Sizes may be those of any model: nothing is computed. */
  shapes(layer: SizesOf | Layer): Shapes;

  /** Cuts the matrices of a layer of one head into headCount heads. Input and mask are those of the layer, not copied. */
  splitSingleHead(layer: Case | Layer, headCount: number): CompleteCase;
  /** Σ_j of the split layer's raw scores against the single head's. */
  decomposeScores(
    single: Case | Layer,
    split: Case | Layer,
  ): { terms: Matrix[]; sum: Matrix; largestDifference: number };
  compareMatrices(a: MatrixLike, b: MatrixLike): Comparison;
  cosineSimilarity(matrices: MatricesLike): Matrix;
  /** Where the largest magnitude stands; the first in reading order of several. */
  largestCell(matrix: MatrixLike): { row: number; column: number };
  constructEqualPair(
    construction: ConstructionName,
    single: Case | Layer,
    headCount: number,
  ): { single: CompleteCase; multi: CompleteCase };
  /** How far the pair is from meeting the construction's condition; Infinity if sizes forbid it, or past the largest number. */
  distanceFrom(construction: ConstructionName, single: Case | Layer, multi: Case | Layer): number;
  judgeOwnConstruction(single: Case | Layer, multi: Case | Layer): OwnConstruction;

  /** Gradients of Σ output∘outputGradient, or of any loss with ∂loss/∂output = outputGradient. With a sharing plan, a shared matrix's gradient is the sum over its users. */
  backward(layer: Case | Layer, outputGradient: MatrixLike, options?: SharingOptions): Gradients;
  /** The layer with every shared matrix in all places that use it. */
  shareWeights(layer: Case | Layer, options: SharingOptions): CompleteCase;
  /** Heads that are one function are one head with the sum of the W^o blocks. Projections are head 0's; under scale totalWidth its W_q
   *  and b_q are divided by √h, since one head's total width is its own. */
  equivalentSingleHead(layer: Case | Layer): CompleteCase;
  /** Every head's block of W_o as the first head's. */
  withEqualOutputBlocks(layer: Case | Layer): CompleteCase;
  /** Of kind mha; with fewer key/value heads than heads, these are shared already. The biases of all four projections count if weights has
   *  them. Sizes may be those of any model. */
  sharingCost(layer: (SizesOf & { weights?: CaseWeights }) | Layer, options: SharingOptions): SharingCost;
  /** Of every kind; without projections there are none to count. Biases count as in sharingCost. Fewer key/value heads than heads say what
   *  sharing "keysAndValuesPerGroup" says, and only one may. bytesPerNumber, 1 to 16 and 4 if left out, is for maps and cache. Sizes may be
   *  those of any model; a count above 2^53 is refused (tooLarge). */
  layerCost(
    layer: (SizesOf & { weights?: CaseWeights }) | Layer,
    options?: SharingOptions & { bytesPerNumber?: number },
  ): LayerCost;
  /** At most 512 rows and columns. */
  numericalRank(matrix: MatrixLike): NumericalRank;
  createTrainer(request: TrainerRequest): Trainer;

  fuse(layer: Case | Layer, layout: LayoutName): { weight: Matrix; bias: Float64Array | null };
  wideMatrix(layer: Case | Layer, role: RoleName): Matrix;
  positionIn(layout: LayoutName, dims: CaseDimensions, cell: WeightCell): { row: number; column: number };
  cellAt(layout: LayoutName, dims: CaseDimensions, position: { row: number; column: number }): WeightCell;
  splitHeads(wide: MatrixLike, headCount: number, options?: { transpose?: boolean }): Matrix[];
  mergeHeads(heads: MatricesLike, options?: { transpose?: boolean }): Matrix;

  randomMatrix(rows: number, columns: number, distribution: DistributionName, seed: number): Matrix;
  tokenEmbeddings(tokens: readonly string[], modelSize: number, seed: number): Matrix;
  /** Which query may see which key, [queryCount][keyCount]; in that head, where an additive mask has values for each. */
  mayAttend(mask: CaseMasks, queryCount: number, keyCount: number, head?: number): boolean[][];
  /** −Infinity, or "-inf", is a hidden cell. */
  softmaxRows(scores: MatrixLike): Matrix;
  /** −Σ w ln w of each row, in nats. No weight is negative. */
  entropyOfRows(weights: MatrixLike): Float64Array;
  studyScale(request: { keySize: number; queryCount: number; keyCount: number; seed: number }): ScaleStudy;
  histogram(values: MatrixLike, from: number, to: number, binCount: number): Float64Array;
  divisorsOf(value: number): number[];
}

/** Several may be loaded side by side; each has its own memory. Rejects with HeadwiseError code loadFailed and a sentence for people. */
export function loadHeadwise(options?: LoadOptions): Promise<Headwise>;
