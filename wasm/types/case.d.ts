// What one gives the engine: numbers, a layer with its input, and what to do with it.

/** Entries of a matrix in one row after another. */
export type Numbers = Float64Array | Float32Array | readonly number[];

/** Row-major: entry (r, c) is data[r * columns + c]. What comes back has this form; the matrices of one trace, and those of one case, are
 *  views of one buffer, so transferring one of them to a worker takes all of them along. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

/** A matrix on the way in: nested arrays, as in the golden files, or flat numbers with their shape. "-inf" stands for −∞ in an additive mask. */
export type MatrixLike =
  | readonly (readonly (number | '-inf')[] | Float64Array | Float32Array)[]
  | { readonly rows: number; readonly columns: number; readonly data: Numbers }
  /** [rows, columns] */
  | { readonly shape: readonly number[]; readonly data: Numbers };
/** One matrix for each head; the shape is [heads, rows, columns]. */
export type MatricesLike = readonly MatrixLike[] | { readonly shape: readonly number[]; readonly data: Numbers };
/** The shape is [size]. */
export type VectorLike = Numbers | { readonly shape: readonly number[]; readonly data: Numbers };
/** One vector for each head; the shape is [heads, size]. */
export type VectorsLike = readonly VectorLike[] | { readonly shape: readonly number[]; readonly data: Numbers };

export type Kind = 'sdpa' | 'mha' | 'additive' | 'additive_mha';

/** Sizes in the golden files' spelling; docs/notation.md says what each is in the core. In a case, what is left out is read off the
 *  matrices, and what is given must agree with them. Where there are no matrices (`shapes`, `randomCase` …), left out means:
 *  d_k, d_v, p_o as d_q; num_kv_heads as num_heads; p_q, p_k, p_v as d_q / num_heads; n_kv as n_q. */
export interface CaseDimensions {
  n_q?: number;
  n_kv?: number;
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

/** Q, K and V are for kinds without projections. G and Y, of a golden file, are not read. */
export type CaseInputs =
  | { X: MatrixLike; G?: unknown; Y?: unknown }
  | { query: MatrixLike; key: MatrixLike; value: MatrixLike; G?: unknown; Y?: unknown }
  | { Q: MatrixLike; K: MatrixLike; V: MatrixLike; G?: unknown; Y?: unknown };

/** mha: W_q [h][d_q][p_q], W_k, W_v [h_kv][…][…], W_o [h·p_v][p_o], biases b_q [h][p_q] … b_o [p_o] or null.
 *  additive_mha: also A_q [h][p_q][a], A_k [h][p_k][a], a_v [h][a]. additive: W_q [d_q][a], W_k [d_k][a], w_v [a]. sdpa: none. */
export interface CaseWeights {
  W_q?: MatricesLike | MatrixLike;
  W_k?: MatricesLike | MatrixLike;
  W_v?: MatricesLike;
  W_o?: MatrixLike;
  b_q?: VectorsLike | null;
  b_k?: VectorsLike | null;
  b_v?: VectorsLike | null;
  b_o?: VectorLike | null;
  A_q?: MatricesLike;
  A_k?: MatricesLike;
  a_v?: VectorsLike;
  w_v?: VectorLike;
}

export type AlignmentName = 'topLeft' | 'bottomRight';

/** A pattern listed as `keep` decides; beside a type it must be that type's pattern, of either alignment if none is named. */
export type CaseMask =
  /** default topLeft */
  | { type: 'causal'; alignment?: AlignmentName; keep?: readonly (readonly boolean[])[] }
  /** a causal mask of which each query sees the last `window` keys, its own place among them */
  | { type: 'sliding'; window: number; alignment?: AlignmentName; keep?: readonly (readonly boolean[])[] }
  /** one length for all queries, or one for each */
  | { type: 'valid_lens'; valid_lens: readonly number[]; keep?: readonly (readonly boolean[])[] }
  /** [n_q][n_kv], true where the query may see the key */
  | { type: 'keep'; keep: readonly (readonly boolean[])[] }
  /** added to the scaled scores, −∞ hides; one matrix [n_q][n_kv] for all heads, or one for each */
  | { type: 'additive'; values: MatrixLike | MatricesLike };

/** One mask, or several that all hold: each condition once. */
export type CaseMasks = CaseMask | readonly CaseMask[] | null;

export type ScaleName = 'perHeadWidth' | 'totalWidth' | 'modelWidth' | 'none';
/** What scores are multiplied by: 1/√p_q, 1/√(num_heads · p_q), 1/√d_q, 1, or a number of your own. */
export type CaseScale = ScaleName | number;

export interface CaseOptions {
  /** default perHeadWidth */
  scale?: CaseScale;
}

/** One layer and its input, in the golden files' spelling. A key that nobody reads is refused, here and in every part; golden files may carry
 *  theirs (source, notes …), which are not read. */
export interface Case {
  name?: string;
  kind: Kind;
  dims?: CaseDimensions;
  inputs: CaseInputs;
  weights?: CaseWeights;
  mask?: CaseMasks;
  options?: CaseOptions;
  expected?: unknown;
  source?: unknown;
  notes?: unknown;
  tolerance?: unknown;
  verified_against?: unknown;
  mistakes?: unknown;
}

export type CompleteDimensions = Required<Omit<CaseDimensions, 'a'>> & Pick<CaseDimensions, 'a'>;
export type CompleteInputs = { X: Matrix } | { query: Matrix; key: Matrix; value: Matrix };
export interface CompleteWeights {
  W_q: Matrix[];
  W_k: Matrix[];
  W_v: Matrix[];
  W_o: Matrix;
  b_q: Float64Array[] | null;
  b_k: Float64Array[] | null;
  b_v: Float64Array[] | null;
  b_o: Float64Array | null;
  A_q?: Matrix[];
  A_k?: Matrix[];
  a_v?: Float64Array[];
}
/** A case that the engine made: every size is there, and every matrix is a Matrix. */
export interface CompleteCase extends Case {
  kind: 'mha' | 'additive_mha';
  dims: CompleteDimensions;
  inputs: CompleteInputs;
  weights: CompleteWeights;
  mask: CaseMasks;
}

export type DistributionName = 'normal' | 'scaledNormal' | 'uniform' | 'zeros';

export interface RandomCaseRequest {
  kind?: 'mha' | 'additive_mha';
  /** n_q, n_kv default to the number of tokens */
  dims: CaseDimensions & { d_q: number; num_heads: number };
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
  mask?: CaseMasks;
  options?: CaseOptions;
}

/** Where a model keeps its weights, by the keys of its state. All but gpt2 are used as x Wᵀ + b.
 *
 *  - torch (nn.MultiheadAttention): in_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias; rows are all queries, all keys, all values
 *  - gpt2: c_attn.weight, c_attn.bias, c_proj.weight, c_proj.bias; used as x W + b
 *  - separate, llama: q_proj, k_proj, v_proj, and o_proj or out_proj, each .weight and .bias; the usual spelling of Llama, OPT, BART …
 *  - grouped: qkv_proj.weight [q…, k, v], o_proj.weight, and biases; fewer key/value heads than heads
 *  - timm: qkv.weight, qkv.bias, proj.weight, proj.bias; rows are (3, h, p)
 *  - megatron (also GPT-NeoX): query_key_value.weight, .bias, dense.weight, .bias; rows are (h, 3, p) */
export type StateLayoutName = 'torch' | 'gpt2' | 'separate' | 'llama' | 'grouped' | 'timm' | 'megatron';

export interface LayerFromOptions {
  layout: StateLayoutName;
  /** num_kv_heads and all widths follow from the shapes; what is given must agree with them. */
  dims: CaseDimensions & { num_heads: number };
  inputs?: CaseInputs;
  mask?: CaseMasks;
  options?: CaseOptions;
}

export type SharingName = 'none' | 'keysAndValuesPerGroup' | 'keysAndValues' | 'all';
export interface SharingOptions {
  /** default none */
  sharing?: SharingName;
  /** heads in a group, for keysAndValuesPerGroup */
  groupSize?: number;
}

export type HeadOrderName = 'blocks' | 'withoutTranspose' | 'strided';
/** How `forward` differs from `attend`; left out, it does not. Needs of the sizes are refused with a sentence (invalidOption). */
export interface Decisions {
  /** instead of the layer's own */
  scale?: CaseScale;
  /** the weights are multiplied by the factor, not the scores */
  scaleAfterSoftmax?: boolean;
  /** one product per role for all heads, as libraries do it: right, and the same to rounding */
  wideProjections?: boolean;
  /** how a role's columns become heads; default blocks */
  split?: HeadOrderName;
  /** how the heads' columns become one matrix; default blocks */
  merge?: HeadOrderName;
  /** K Qᵀ; needs n_q = n_kv */
  transposeScores?: boolean;
  /** what becomes of a hidden cell; default minusInfinity */
  hide?: 'minusInfinity' | 'fill' | 'multiplyWeights' | 'multiplyWeightsAndRenormalise';
  /** for hide: 'fill'; default 0 */
  fillValue?: number;
  /** what is divided by its sum; default keys */
  normaliseOver?: 'keys' | 'queries' | 'heads' | 'headsAndKeys' | 'nothing';
  /** every head uses head 0's weights, with values of its own */
  shareAttention?: boolean;
  /** O = Aᵀ V; needs n_q = n_kv */
  transposeWeights?: boolean;
  /** default concatenate */
  combine?: 'concatenate' | 'average' | 'sum';
  /** of an average or sum: taken once, through the first p_v rows of W_o */
  firstBlockOnly?: boolean;
  /** default true; false: neither W_o nor b_o */
  projectOutput?: boolean;
  /** a residual connection; needs p_o = d_q */
  addInput?: boolean;
}
