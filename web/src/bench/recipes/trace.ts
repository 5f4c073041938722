// One layer's results: its trace, its inputs and weights, and what the engine can say about it when a figure asks.

import type { Case, Comparison, Headwise, LayoutName, Matrix, MatrixLike, RoleName, Trace, VectorLike } from 'headwise';
import { asMatrices, asMatrix } from '../edits.ts';
import { lazily } from '../results.ts';
import { namedShapes } from './shapes.ts';

// The core calls layers equal below 1e-9 (equality.h, kEqualTolerance) at numbers about 1; larger numbers round more.
const equalTolerance = 1e-9;

export interface JudgedComparison extends Comparison {
  readonly equal: boolean;
  /** What the rows are: tokens, or only numbers, as in a weight matrix. */
  readonly rows: 'tokens' | 'numbers';
}

export function judged(comparison: Comparison, rows: JudgedComparison['rows'] = 'tokens'): JudgedComparison {
  const limit = equalTolerance * Math.max(1, comparison.largestMagnitude);
  return { ...comparison, equal: comparison.sameShape && comparison.largestDifference < limit, rows };
}

function rowVector(values: VectorLike): Matrix {
  return { rows: 1, columns: values.length, data: Float64Array.from(values) };
}

function rowVectors(vectors: readonly VectorLike[] | null | undefined): Matrix[] {
  return (vectors ?? []).map(rowVector);
}

function rowsOf(matrix: Matrix, first: number, count: number): Matrix {
  return {
    rows: count,
    columns: matrix.columns,
    data: matrix.data.slice(first * matrix.columns, (first + count) * matrix.columns),
  };
}

function weightsOf(layer: Case, headCount: number) {
  const { weights } = layer;
  const output = weights.W_o ? asMatrix(weights.W_o) : undefined;
  const blockRows = output ? output.rows / headCount : 0;
  return {
    W_q: asMatrices(weights.W_q),
    W_k: asMatrices(weights.W_k),
    W_v: asMatrices(weights.W_v),
    ...(output && {
      W_o: output,
      W_o_blocks: Array.from({ length: headCount }, (_, head) => rowsOf(output, head * blockRows, blockRows)),
    }),
    b_q: rowVectors(weights.b_q),
    b_k: rowVectors(weights.b_k),
    b_v: rowVectors(weights.b_v),
    ...(weights.b_o && { b_o: rowVector(weights.b_o) }),
    A_q: asMatrices(weights.A_q),
    A_k: asMatrices(weights.A_k),
    a_v: rowVectors(weights.a_v),
  };
}

function inputsOf(layer: Case): { input: Matrix; keyInput: Matrix; valueInput: Matrix } {
  const { inputs } = layer;
  const own = (query: MatrixLike, key: MatrixLike, value: MatrixLike) => ({
    input: asMatrix(query),
    keyInput: asMatrix(key),
    valueInput: asMatrix(value),
  });
  if ('X' in inputs) return own(inputs.X, inputs.X, inputs.X);
  if ('Q' in inputs) return own(inputs.Q, inputs.K, inputs.V);
  return own(inputs.query, inputs.key, inputs.value);
}

export function layerResults(engine: Headwise, layer: Case): LayerResults {
  return resultsOf(engine, layer, engine.attend(layer));
}

export function resultsOf(engine: Headwise, layer: Case, trace: Trace) {
  const headCount = trace.heads.length;
  const { input, keyInput, valueInput } = inputsOf(layer);
  const roles = (make: (role: RoleName) => Matrix) =>
    lazily({}, { query: () => make('query'), key: () => make('key'), value: () => make('value') });
  const layout = (name: LayoutName) => engine.fuse(layer, name).weight;
  return lazily(
    { ...trace, input, keyInput, valueInput, dims: layer.dims },
    {
      weights: () => weightsOf(layer, headCount),
      shapes: () => namedShapes(engine, layer),
      entropies: () => trace.heads.map((head) => columnVector(engine.entropyOfRows(head.attentionWeights))),
      contributions: () => engine.outputContributions(layer),
      largest: () => largestPlaces(engine, trace),
      wide: () => roles((role) => engine.wideMatrix(layer, role)),
      layouts: () =>
        lazily(
          {},
          { gpt2: () => layout('gpt2'), torch: () => layout('torch'), interleaved: () => layout('interleaved') },
        ),
      similarity: () =>
        lazily(
          {},
          {
            outputs: () => engine.cosineSimilarity(trace.heads.map((head) => head.output)),
            maps: () => engine.cosineSimilarity(trace.heads.map((head) => head.attentionWeights)),
            scores: () => engine.cosineSimilarity(trace.heads.map((head) => head.rawScores)),
          },
        ),
    },
  );
}

// The largest magnitude of a map is its largest difference from a map of zeros.
function largestPlaces(engine: Headwise, trace: Trace) {
  const place = (matrix: Matrix) => {
    const { row, column } = engine.compareMatrices(matrix, { ...matrix, data: new Float64Array(matrix.data.length) });
    return { row, column };
  };
  return lazily(
    {},
    {
      attention: () => trace.heads[0] && place(trace.heads[0].attentionWeights),
      output: () => place(trace.output),
    },
  );
}

export type LayerResults = ReturnType<typeof resultsOf>;

function columnVector(values: Float64Array): Matrix {
  return { rows: values.length, columns: 1, data: values };
}
