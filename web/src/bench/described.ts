// Matrices that say what they are: how they are named, coloured and read, and which matrix of which layer they are.

import type { CompleteCase, Field, FieldRole, Headwise, Layer, Matrix, Place } from 'headwise';

export type Tone = FieldRole;
export type Scale = 'signed' | 'probability';
export type Naming = 'tokens' | 'keyTokens' | 'numbers' | 'heads' | 'none';

/** How a matrix is drawn unless a lesson says otherwise. */
export interface Look {
  /** With _ and ^ for indices; {j} and {g} stand for `numbers`. */
  readonly label: string;
  /** What {j}, the head, and {g}, the key/value head, are, from 1; left out where there is only one. */
  readonly numbers: { readonly j?: number; readonly g?: number };
  readonly tone: Tone;
  readonly rows: Naming;
  readonly columns: Naming;
  readonly scale: Scale;
  readonly rowBlocks: number;
  readonly columnBlocks: number;
}

/** A layer of a bench, which stays in the module while it is shown. */
export type BenchLayer = Layer<CompleteCase>;

/** Which matrix of which layer: what the engine can explain. */
export interface Origin {
  readonly layer: BenchLayer;
  /** As the engine spells it: "heads[0].queries", "inputs.X". */
  readonly path: string;
  readonly field: Field;
}

export interface DescribedMatrix extends Matrix {
  /** Two places in the results with one id show the same matrix. */
  readonly id: string;
  readonly look: Look;
  readonly origin?: Origin;
  /** It holds the heads' weights in another arrangement. */
  readonly isArrangement?: boolean;
}

/** A row, a column or (with both) a cell of the matrix with this id. */
export interface Highlight {
  readonly id: string;
  readonly row?: number;
  readonly column?: number;
}

const plain: Look = {
  label: '',
  numbers: {},
  tone: 'input',
  rows: 'none',
  columns: 'none',
  scale: 'signed',
  rowBlocks: 1,
  columnBlocks: 1,
};

/** For what a recipe makes of the engine's answers. `id` is the result's path, which no other result of the bench has. */
export function described(matrix: Matrix, id: string, look: Partial<Look>): DescribedMatrix {
  const { rows, columns, data } = matrix;
  return { rows, columns, data, id, look: { ...plain, ...look } };
}

/** A list of such matrices, of which {j} is the number where there are several. */
export function describedList(matrices: readonly Matrix[], id: string, look: Partial<Look>): DescribedMatrix[] {
  const numbered = (index: number) => (matrices.length > 1 ? { j: index + 1 } : {});
  return matrices.map((matrix, index) => described(matrix, `${id}[${index}]`, { numbers: numbered(index), ...look }));
}

/** The same matrix of the same layer under another look. */
export function relabelled(matrix: DescribedMatrix, look: Partial<Look>): DescribedMatrix {
  return { ...matrix, look: { ...matrix.look, ...look } };
}

function naming(axis: Field['rows']): Naming {
  return axis === 'n_q' ? 'tokens' : axis === 'n_kv' ? 'keyTokens' : 'none';
}

/** How a field of the computation looks, as number `index` of its kind in a layer of so many heads. */
export function lookOf(field: Field, index: number, headCount: number, keyValueHeadCount: number): Look {
  const group = headCount / keyValueHeadCount;
  const [j, g] = field.owner === 'head' ? [index, Math.floor(index / group)] : [undefined, index];
  return {
    ...plain,
    label: field.symbol,
    numbers: {
      ...(j !== undefined && headCount > 1 && { j: j + 1 }),
      ...(field.owner !== 'layer' && keyValueHeadCount > 1 && { g: g + 1 }),
    },
    tone: field.role,
    rows: naming(field.rows),
    columns: naming(field.columns),
    scale: field.role === 'attention' ? 'probability' : 'signed',
    rowBlocks: field.rows === 'h·p_v' ? headCount : 1,
    columnBlocks: field.columns === 'h·p_v' ? headCount : 1,
  };
}

const layerNumbers = new WeakMap<Layer, number>();
let lastNumber = 0;

/** Of a matrix of this layer, by the engine's path. */
export function idOf(layer: Layer, path: string): string {
  let number = layerNumbers.get(layer);
  if (number === undefined) layerNumbers.set(layer, (number = ++lastNumber));
  return `${number}:${path}`;
}

/** The table's row of a numbered path: "heads[1].queries" is one of "heads[].queries"; inputs.X is the query input. */
export function fieldOf(engine: Headwise, path: string): Field | undefined {
  const pattern = path === 'inputs.X' ? 'inputs.query' : path.replace(/\[\d+\]/, '[]');
  return engine.fields.find((field) => field.path === pattern);
}

/** "heads[].queries" and 1 → "heads[1].queries" */
export function numbered(path: string, index: number): string {
  return path.replace('[]', `[${index}]`);
}

/** "heads[1].queries" → 1; 0 where there is only one. */
export function indexIn(path: string): number {
  return Number(/\[(\d+)\]/.exec(path)?.[1] ?? 0);
}

/** Where an explanation's source is lit. */
export function highlightOf(layer: Layer, { path, row, column }: Place): Highlight {
  return {
    id: idOf(layer, path),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column }),
  };
}
