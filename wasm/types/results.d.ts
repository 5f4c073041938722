// What the engine gives back.
import type { CompleteCase, Matrix } from './case.d.ts';

/** What rows or columns of a matrix are, in the letters of docs/notation.md; h·p_v is the heads side by side. */
export type Axis = 'n_q' | 'n_kv' | 'd_q' | 'd_k' | 'd_v' | 'p_q' | 'p_k' | 'p_v' | 'h·p_v' | 'p_o' | 'a' | '1';
export type FieldPart = 'input' | 'weight' | 'trace';
export type FieldOwner = 'layer' | 'head' | 'keyValueHead';
export type FieldRole = 'input' | 'query' | 'key' | 'value' | 'scores' | 'attention' | 'output';
export type OperationName = 'given' | 'product' | 'additive' | 'scale' | 'mask' | 'softmax' | 'maximum' | 'copy';
export type SliceName = 'row' | 'column' | 'columnAsRow' | 'cell';

/** What one matrix of the computation is. */
export interface Field {
  /** "heads[].queries": [] stands for the owner's number, from 0 */
  readonly path: string;
  readonly part: FieldPart;
  readonly owner: FieldOwner;
  /** "Q_{j}": _ and ^ for indices; {j} is the number of the head, {g} that of the key/value head */
  readonly symbol: string;
  readonly rows: Axis;
  readonly columns: Axis;
  readonly role: FieldRole;
  readonly operation: OperationName;
  /** what goes into cell (row, column): the row, the column, the row of that column's number, or the cell */
  readonly operands: readonly { readonly path: string; readonly slice: SliceName }[];
  /** for documents: "H_q W_j^q + b_j^q"; empty for what is put in */
  readonly formula: string;
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
  /** queries that saw no key in any head */
  emptyRows: number[];
}

/** A row, a column or (with both) a cell of the matrix at `path`, in the case's own spelling: "heads[0].queries", "weights.W_q[1]", "inputs.X",
 *  "mask.values". Of a bias, which is a vector, the row is 0. */
export interface Place {
  path: string;
  row?: number;
  column?: number;
}

/** How a cell was made. `left`, `right` and `terms` are parallel.
 *
 *  - product, additive: result = Σ terms + addend, terms = left · right
 *  - scale: result = left[0] · right[0], the latter being the trace's scaleFactor
 *  - mask: result = left[0] + right[0], the latter being the mask's value; −Infinity if hidden
 *  - softmax: left = the row's maskedScores, right = exp(left − addend), terms = right / Σ right; addend = the row's maximum
 *  - maximum, copy: result = the largest of left */
export interface Explanation {
  operation: Exclude<OperationName, 'given'>;
  /** Where left stands, where right stands, then what else went in: the bias's cell; for additive scores the row of queries [1] and of keys
   *  [2] whose tanh `right` is. Factors of the scale and exponentials of the softmax stand nowhere: one source. */
  sources: Place[];
  left: Float64Array;
  right: Float64Array;
  terms: Float64Array;
  addend: number;
  result: number;
  hidden: boolean;
}

export interface Comparison {
  sameShape: boolean;
  /** one shape, and largestDifference below tolerance */
  equal: boolean;
  /** max |a − b|, where it is, and the largest magnitude in either to hold it against */
  largestDifference: number;
  row: number;
  column: number;
  largestMagnitude: number;
  /** 1e-12 · max(1, largestMagnitude) */
  tolerance: number;
}

export type ConstructionName =
  'oneHead' | 'oneKey' | 'constantInput' | 'zeroQuery' | 'zeroKey' | 'fullScores' | 'equalBlocks' | 'rescaledHeads';

export interface OwnConstruction {
  largestDifference: number;
  /** largestDifference < 1e-9 */
  equal: boolean;
  /** equal too with queries scaled up until scores reach 1 (by a million at most): not only because scores are nearly 0 */
  equalWithLargerScores: boolean;
  used: ConstructionName | null;
  outputIsZero: boolean;
  outputSameForAllTokens: boolean;
  accepted: boolean;
}

/** Of `fuse`, `positionIn` and `cellAt`: gpt2 is c_attn.weight; torch is in_proj_weight, also timm's; interleaved is (h, 3, p), GPT-NeoX's and Megatron's. */
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

/** What layerCost counts. Multiply-adds, softmax and tanh terms are of one forward pass; a product of [r × c] and [c × k] takes r·c·k. */
export type CostCountName =
  'parameters' | 'multiplyAdds' | 'softmaxTerms' | 'tanhTerms' | 'mapNumbers' | 'cacheNumbersPerToken';
/** One product of sizes in a count. */
export interface CostTerm {
  count: CostCountName;
  /** the matrix ("W_q", "b_o") or the stage that it belongs to: queries, keys, values (the projections), hiddenQueries, hiddenKeys (of additive
   *  pooling), scores, attentionWeights, weightedSum, output */
  of: string;
  /** sizes by their letters in docs/notation.md */
  factors: { symbol: string; size: number }[];
  /** their product */
  value: number;
}
/** Whole numbers, exact; each that is not of bytes is the sum of its terms. */
export interface LayerCost {
  terms: CostTerm[];
  /** each shared matrix once */
  parameters: number;
  /** shared projections once; scores and weighted sums for every head */
  multiplyAdds: number;
  softmaxTerms: number;
  tanhTerms: number;
  /** numbers in all attention maps */
  mapNumbers: number;
  mapBytes: number;
  /** keys and values that a decoder keeps of each token, in this layer */
  cacheNumbersPerToken: number;
  cacheBytesPerToken: number;
}

/** Shape of every matrix of a layer as [rows, columns], by the path of its field: "inputs.query", "weights.W_q[]", "heads[].queries", "output".
 *  Biases are left out, and so are weights that the kind does not have. */
export type Shapes = Record<string, readonly [rows: number, columns: number]>;

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

export interface SharingCost {
  parametersUnshared: number;
  /** each shared matrix once */
  parameters: number;
  /** once heads that are one function are merged and their blocks of W^o added up */
  parametersMerged: number;
  /** at most: in so many directions the function changes with its parameters, 2(2dp − p²) of the 4dp of a head on d inputs */
  parametersThatMatter: number;
  /** every head computed */
  multiplyAdds: number;
  /** of the merged heads, with shared queries, keys and values projected once */
  multiplyAddsMerged: number;
}

export interface NumericalRank {
  rank: number;
  /** descending */
  singularValues: Float64Array;
  threshold: number;
}

export type InitialisationName = 'independent' | 'equalHeads' | 'equalHeadsAndOutput';
export type OptimizerName = 'sgd' | 'adam';

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
export interface Probe {
  layer: CompleteCase;
  target: Matrix;
  step: number;
}
