// Changes a learner makes to single cells and blocks of a layer's matrices, spelled so that they fit into an address:
//   q.0.2:1.5   one cell of W_q (row 0, column 2, counted over all heads)
//   q/1:0       a block (head 1's columns) set to 0
//   k/0:k/1     a block copied from another
//   q/0*0.5     a block times a factor, the one multiplication in web/: it prepares an input, as typing the cells would
// The matrices are q, k, v, o (blocks of o are rows) and x, the input.

import type { CompleteCase, Matrix } from 'headwise';

export const editableMatrices = ['q', 'k', 'v', 'o', 'x'] as const;
export type EditableName = (typeof editableMatrices)[number];

export interface Block {
  readonly matrix: EditableName;
  readonly block: number;
}

export type Edit =
  | {
      readonly kind: 'cell';
      readonly matrix: EditableName;
      readonly row: number;
      readonly column: number;
      readonly value: number;
    }
  | { readonly kind: 'zero'; readonly to: Block }
  | { readonly kind: 'copy'; readonly to: Block; readonly from: Block }
  | { readonly kind: 'times'; readonly to: Block; readonly factor: number };

const number = String.raw`-?\d+(?:\.\d+)?(?:e-?\d+)?`;
const cellPattern = new RegExp(String.raw`^([qkvox])\.(\d+)\.(\d+):(${number})$`, 'i');
const setPattern = /^([qkvo])\/(\d+):(?:(0)|([qkvo])\/(\d+))$/;
const timesPattern = new RegExp(String.raw`^([qkvo])\/(\d+)\*(${number})$`, 'i');
const largestValue = 1e6;
/** Each may go over a whole matrix, and an address has no end. */
export const mostEdits = 200;

function block(matrix: string | undefined, index: string | undefined): Block {
  return { matrix: matrix as EditableName, block: Number(index) };
}

export function parseEdit(text: string): Edit | undefined {
  const cell = cellPattern.exec(text);
  if (cell) {
    const value = Number(cell[4]);
    if (Math.abs(value) > largestValue) return undefined;
    return { kind: 'cell', matrix: cell[1] as EditableName, row: Number(cell[2]), column: Number(cell[3]), value };
  }
  const set = setPattern.exec(text);
  if (set) {
    const to = block(set[1], set[2]);
    return set[3] === '0' ? { kind: 'zero', to } : { kind: 'copy', to, from: block(set[4], set[5]) };
  }
  const times = timesPattern.exec(text);
  if (times) {
    const factor = Number(times[3]);
    return Math.abs(factor) > largestValue ? undefined : { kind: 'times', to: block(times[1], times[2]), factor };
  }
  return undefined;
}

export function formatEdit(edit: Edit): string {
  switch (edit.kind) {
    case 'cell':
      return `${edit.matrix}.${edit.row}.${edit.column}:${edit.value}`;
    case 'zero':
      return `${edit.to.matrix}/${edit.to.block}:0`;
    case 'copy':
      return `${edit.to.matrix}/${edit.to.block}:${edit.from.matrix}/${edit.from.block}`;
    case 'times':
      return `${edit.to.matrix}/${edit.to.block}*${edit.factor}`;
  }
}

/** In order. `wrong`: what does not read as an edit, and edits after the first `mostEdits`; the page passes over it, since anyone can write an address. */
export function readEdits(text: string): { edits: Edit[]; wrong: string[] } {
  const edits: Edit[] = [];
  const wrong: string[] = [];
  for (const part of text.split(',').map((part) => part.trim())) {
    const edit = parseEdit(part);
    if (edit && edits.length < mostEdits) edits.push(edit);
    else if (part !== '') wrong.push(part);
  }
  return { edits, wrong };
}

export function parseEdits(text: string): Edit[] {
  return readEdits(text).edits;
}

export function formatEdits(edits: readonly Edit[]): string {
  return edits.map(formatEdit).join(',');
}

/** Adds an edit; one that sets the same cell as the last takes its place. */
export function withEdit(edits: readonly Edit[], edit: Edit): Edit[] {
  const last = edits.at(-1);
  const sameCell =
    last?.kind === 'cell' &&
    edit.kind === 'cell' &&
    last.matrix === edit.matrix &&
    last.row === edit.row &&
    last.column === edit.column;
  return [...(sameCell ? edits.slice(0, -1) : edits), edit];
}

function copyOf(matrix: Matrix): Matrix {
  return { rows: matrix.rows, columns: matrix.columns, data: matrix.data.slice() };
}

// One role's matrices seen as one wide matrix, cut into blocks of columns (of rows for o).
class Wide {
  constructor(
    private readonly parts: readonly Matrix[],
    private readonly blockCount: number,
    private readonly byRows = false,
  ) {}

  private get first(): Matrix | undefined {
    return this.parts[0];
  }
  get rows(): number {
    return this.first?.rows ?? 0;
  }
  get columns(): number {
    return (this.first?.columns ?? 0) * this.parts.length;
  }
  get blockShape(): [number, number] {
    return this.byRows ? [this.rows / this.blockCount, this.columns] : [this.rows, this.columns / this.blockCount];
  }
  hasBlock(index: number): boolean {
    return index < this.blockCount && this.blockShape.every(Number.isInteger);
  }
  private place(row: number, column: number): { data: Float64Array; index: number } | undefined {
    const width = this.first?.columns ?? 1;
    const part = this.parts[Math.floor(column / width)];
    return part && { data: part.data, index: row * width + (column % width) };
  }
  read(row: number, column: number): number {
    const place = this.place(row, column);
    return place?.data[place.index] ?? 0;
  }
  write(row: number, column: number, value: number): void {
    const place = this.place(row, column);
    if (place) place.data[place.index] = value;
  }
  eachOfBlock(
    index: number,
    visit: (row: number, column: number, withinRow: number, withinColumn: number) => void,
  ): void {
    const [rows, columns] = this.blockShape;
    const [top, left] = this.byRows ? [index * rows, 0] : [0, index * columns];
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) visit(top + row, left + column, row, column);
    }
  }
  startOfBlock(index: number): [number, number] {
    const [rows, columns] = this.blockShape;
    return this.byRows ? [index * rows, 0] : [0, index * columns];
  }
}

export interface EditedCase {
  readonly layer: CompleteCase;
  /** Edits that name a cell or block that this layer does not have. */
  readonly ignored: readonly Edit[];
}

/** What is to be said of edits that did nothing. */
export function notesOn(ignored: readonly Edit[]): string[] {
  if (ignored.length === 0) return [];
  const list = ignored.slice(0, 3).map(formatEdit).join(', ');
  const more = ignored.length > 3 ? ` and ${ignored.length - 3} more` : '';
  const which = ignored.length === 1 ? 'names a cell or block' : 'name cells or blocks';
  return [`Without effect: ${list}${more}, which ${which} that this layer does not have.`];
}

/** The layer with the edits made in order on copies of its matrices. blockCount: heads that the matrices are, or will be, cut into. */
export function applyEdits(layer: CompleteCase, edits: readonly Edit[], blockCount: number): EditedCase {
  if (edits.length === 0) return { layer, ignored: [] };
  const query = layer.weights.W_q.map(copyOf);
  const key = layer.weights.W_k.map(copyOf);
  const value = layer.weights.W_v.map(copyOf);
  const output = [copyOf(layer.weights.W_o)];
  const input = 'X' in layer.inputs ? [copyOf(layer.inputs.X)] : [];
  const keyBlocks = key.length > 1 ? key.length : blockCount;
  const wide: Record<EditableName, Wide> = {
    q: new Wide(query, blockCount),
    k: new Wide(key, keyBlocks),
    v: new Wide(value, keyBlocks),
    o: new Wide(output, blockCount, true),
    x: new Wide(input, 1),
  };

  const apply = (edit: Edit): boolean => {
    if (edit.kind === 'cell') {
      const matrix = wide[edit.matrix];
      if (edit.row >= matrix.rows || edit.column >= matrix.columns) return false;
      matrix.write(edit.row, edit.column, edit.value);
      return true;
    }
    const to = wide[edit.to.matrix];
    if (!to.hasBlock(edit.to.block)) return false;
    if (edit.kind === 'copy') {
      const from = wide[edit.from.matrix];
      if (!from.hasBlock(edit.from.block) || String(from.blockShape) !== String(to.blockShape)) return false;
      const [top, left] = from.startOfBlock(edit.from.block);
      to.eachOfBlock(edit.to.block, (row, column, withinRow, withinColumn) =>
        to.write(row, column, from.read(top + withinRow, left + withinColumn)),
      );
      return true;
    }
    const factor = edit.kind === 'times' ? edit.factor : 0;
    to.eachOfBlock(edit.to.block, (row, column) =>
      to.write(row, column, factor === 0 ? 0 : to.read(row, column) * factor),
    );
    return true;
  };
  const ignored = edits.filter((edit) => !apply(edit));

  const weights = { ...layer.weights, W_q: query, W_k: key, W_v: value, ...(output[0] && { W_o: output[0] }) };
  const inputs = input[0] ? { X: input[0] } : layer.inputs;
  return { layer: { ...layer, inputs, weights }, ignored };
}
