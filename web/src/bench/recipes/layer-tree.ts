// One layer's results: its inputs, weights and trace, each described by the engine's table of fields, and what the engine can say about it
// when a figure asks.

import type { Comparison, CompleteWeights, Field, Headwise, LayoutName, Matrix, RoleName, Trace } from 'headwise';
import {
  described,
  describedList,
  idOf,
  lookOf,
  numbered,
  type BenchLayer,
  type DescribedMatrix,
} from '../described.ts';
import { lazily } from '../results.ts';
import { namedShapes } from './shapes.ts';

export interface JudgedComparison extends Comparison {
  /** What the rows are: tokens, or only numbers, as in a weight matrix. */
  readonly rows: 'tokens' | 'numbers';
}

export function judged(comparison: Comparison, rows: JudgedComparison['rows'] = 'tokens'): JudgedComparison {
  return { ...comparison, rows };
}

function rowVector(data: Float64Array): Matrix {
  return { rows: 1, columns: data.length, data };
}

/** The matrices of a field, one for each owner, as the case and the trace hold them. */
function matricesOf(field: Field, layer: BenchLayer): Matrix[] {
  const [group = '', member = ''] = field.path.replaceAll('[]', '').split('.');
  if (field.part === 'trace') {
    const trace = layer.attend();
    if (field.owner === 'layer') return [trace[group as 'output']];
    const owners = field.owner === 'head' ? trace.heads : trace.keyValueHeads;
    return owners.map((owner) => (owner as unknown as Record<string, Matrix>)[member]!);
  }
  if (field.part === 'input') {
    const { inputs } = layer.case;
    return ['X' in inputs ? inputs.X : inputs[member as 'query']];
  }
  const given = layer.case.weights[member as keyof CompleteWeights] ?? [];
  // Biases and score vectors are rows of numbers.
  return [given].flat().map((matrix) => (matrix instanceof Float64Array ? rowVector(matrix) : matrix));
}

/** As the engine spells the path of this layer's field. */
function pathOf(field: Field, layer: BenchLayer, index: number): string {
  if (field.part === 'input' && 'X' in layer.case.inputs) return 'inputs.X';
  return numbered(field.path, index);
}

export function rowsOf(matrix: Matrix, first: number, count: number): Matrix {
  const { columns, data } = matrix;
  return { rows: count, columns, data: data.slice(first * columns, (first + count) * columns) };
}

export type LayerTree = ReturnType<typeof layerTree>;

/** Lists hold one for each head that has it, and none where the layer has none. */
export interface LayerWeights {
  readonly W_q: readonly DescribedMatrix[];
  readonly W_k: readonly DescribedMatrix[];
  readonly W_v: readonly DescribedMatrix[];
  readonly W_o: DescribedMatrix;
  /** The rows of W_o that each head meets. */
  readonly W_o_blocks: readonly DescribedMatrix[];
  readonly [name: string]: DescribedMatrix | readonly DescribedMatrix[];
}

function weightsOf(
  engine: Headwise,
  byPath: ReadonlyMap<string, readonly DescribedMatrix[]>,
  headCount: number,
  prefix: string,
): LayerWeights {
  const weights: Record<string, DescribedMatrix | readonly DescribedMatrix[]> = {};
  for (const { part, path, owner } of engine.fields) {
    if (part !== 'weight') continue;
    const matrices = byPath.get(path) ?? [];
    const name = path.slice('weights.'.length).replace('[]', '');
    if (owner !== 'layer') weights[name] = matrices;
    else if (matrices[0]) weights[name] = matrices[0];
  }
  const output = weights.W_o as DescribedMatrix;
  const rows = output.rows / headCount;
  const blocks = Array.from({ length: headCount }, (_, head) => rowsOf(output, head * rows, rows));
  weights.W_o_blocks = describedList(blocks, `${prefix}weights.W_o_blocks`, { label: 'W_{j}^o', tone: 'output' });
  return weights as unknown as LayerWeights;
}

/** `prefix` is the path of the layer in the bench's results, "multi." or "". */
export function layerTree(engine: Headwise, layer: BenchLayer, prefix = '') {
  const trace = layer.attend();
  const headCount = trace.heads.length;
  const keyValueHeadCount = trace.keyValueHeads.length;
  const byPath = new Map<string, DescribedMatrix[]>();
  for (const field of engine.fields) {
    const matrices = matricesOf(field, layer).map((matrix, index): DescribedMatrix => {
      const path = pathOf(field, layer, index);
      const { rows, columns, data } = matrix;
      const look = lookOf(field, index, headCount, keyValueHeadCount);
      return { rows, columns, data, id: idOf(layer, path), look, origin: { layer, path, field } };
    });
    byPath.set(field.path, matrices);
  }
  const all = (path: string) => byPath.get(path) ?? [];
  const one = (path: string) => all(path)[0];
  const owned = (owner: string, index: number) =>
    Object.fromEntries(
      [...byPath]
        .filter(([path]) => path.startsWith(`${owner}[].`))
        .map(([path, matrices]) => [path.slice(owner.length + 3), matrices[index]!]),
    );
  const keyValueHeads = trace.keyValueHeads.map((_, index) => owned('keyValueHeads', index));
  // A head also has the keys and values that it uses.
  const group = headCount / keyValueHeadCount;
  const heads = trace.heads.map((_, index) => ({
    ...owned('heads', index),
    ...keyValueHeads[Math.floor(index / group)],
  })) as unknown as Record<keyof (typeof trace.heads)[number], DescribedMatrix>[];
  const weights = weightsOf(engine, byPath, headCount, prefix);

  const arrangement = (matrix: DescribedMatrix): DescribedMatrix => ({ ...matrix, isArrangement: true });
  const wide = (role: RoleName, letter: string) =>
    arrangement(
      described(engine.wideMatrix(layer, role), `${prefix}wide.${role}`, {
        label: `W^${letter}`,
        tone: role,
        columnBlocks: role === 'query' ? headCount : keyValueHeadCount,
      }),
    );
  const layout = (name: LayoutName, label: string) =>
    arrangement(described(engine.fuse(layer, name).weight, `${prefix}layouts.${name}`, { label }));
  const similarity = (name: string, field: 'output' | 'attentionWeights' | 'rawScores') =>
    described(engine.cosineSimilarity(heads.map((head) => head[field])), `${prefix}similarity.${name}`, {
      label: 'cosine similarity',
      tone: 'output',
      rows: 'heads',
      columns: 'heads',
    });

  return lazily(
    {
      heads,
      keyValueHeads,
      concatenated: one('concatenated')!,
      output: one('output')!,
      scaleFactor: trace.scaleFactor,
      emptyRows: trace.emptyRows,
      input: one('inputs.query')!,
      keyInput: one('inputs.key')!,
      valueInput: one('inputs.value')!,
      weights,
      dims: layer.case.dims,
    },
    {
      shapes: () => namedShapes(engine, layer.case),
      entropies: () =>
        describedList(
          heads.map((head) => columnVector(engine.entropyOfRows(head.attentionWeights))),
          `${prefix}entropies`,
          { label: 'entropy', tone: 'attention', rows: 'tokens' },
        ),
      contributions: () =>
        describedList(engine.outputContributions(layer), `${prefix}contributions`, {
          label: 'O_{j} W_{j}^o',
          tone: 'output',
          rows: 'tokens',
        }),
      largest: () =>
        lazily(
          {},
          {
            attention: () => heads[0] && engine.largestCell(heads[0].attentionWeights),
            output: () => engine.largestCell(trace.output),
          },
        ),
      wide: () =>
        lazily({}, { query: () => wide('query', 'q'), key: () => wide('key', 'k'), value: () => wide('value', 'v') }),
      layouts: () =>
        lazily(
          {},
          {
            gpt2: () => layout('gpt2', 'c_attn.weight'),
            torch: () => layout('torch', 'in_proj_weight'),
            interleaved: () => layout('interleaved', 'query_key_value.weight'),
          },
        ),
      similarity: () =>
        lazily(
          {},
          {
            outputs: () => similarity('outputs', 'output'),
            maps: () => similarity('maps', 'attentionWeights'),
            scores: () => similarity('scores', 'rawScores'),
          },
        ),
    },
  );
}

/** A trace that is no layer's right one: named and coloured like it, but nothing there opens. */
export function describedTrace(engine: Headwise, trace: Trace, id: string) {
  const [headCount, keyValueHeadCount] = [trace.heads.length, trace.keyValueHeads.length];
  const describe = (path: string, index: number, matrix: Matrix) => {
    const field = engine.fields.find((known) => known.path === path)!;
    return described(matrix, `${id}.${numbered(path, index)}`, lookOf(field, index, headCount, keyValueHeadCount));
  };
  const all = (owner: string, owners: readonly object[]) =>
    owners.map((matrices, index) =>
      Object.fromEntries(
        engine.fields
          .filter(({ part, path }) => part === 'trace' && path.startsWith(`${owner}[].`))
          .map(({ path }) => {
            const name = path.slice(owner.length + 3);
            return [name, describe(path, index, (matrices as Record<string, Matrix>)[name]!)];
          }),
      ),
    );
  return {
    ...trace,
    keyValueHeads: all('keyValueHeads', trace.keyValueHeads),
    heads: all('heads', trace.heads),
    concatenated: describe('concatenated', 0, trace.concatenated),
    output: describe('output', 0, trace.output),
  };
}

function columnVector(values: Float64Array): Matrix {
  return { rows: values.length, columns: 1, data: values };
}
