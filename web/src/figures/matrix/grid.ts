// A matrix made ready to draw: names, texts and colours of its cells.

import type { Matrix } from 'headwise';
import { nothingAsked, questionMark, type Covers } from '../../bench/covers.ts';
import type { DescribedMatrix, Naming, Scale, Tone } from '../../bench/described.ts';
import { matrixAt, resolvePath, type Results } from '../../bench/results.ts';
import { cellText, decimalsFor, shapeText } from '../../text/format.ts';
import { withNumbers } from '../label.ts';

/** Above this many columns numbers do not fit. */
const mostColumns = 16;
/** A table of more cells than this is a picture, */
const mostTableCells = 1200;
/** and so is each of several with more than this together. */
const mostCellsTogether = 4000;
/** Of a longer list only so many are drawn: an address can ask for hundreds of heads. */
export const mostMembers = 24;

/** What a lesson may say about a matrix; everything has a default in what the matrix says of itself. */
export interface GridOptions {
  readonly label?: string | undefined;
  readonly tone?: string | undefined;
  readonly rows?: string | undefined;
  readonly columns?: string | undefined;
  readonly scale?: string | undefined;
  readonly blocks?: string | undefined;
  readonly rowBlocks?: string | undefined;
  readonly note?: string | undefined;
  readonly digits?: number | undefined;
  readonly transposed?: boolean | undefined;
  readonly compact?: boolean | undefined;
  /** Largest magnitude of all matrices that share this one's colours. */
  readonly range?: number | undefined;
  /** Decimals that all of them use. */
  readonly decimals?: number | undefined;
  readonly covers?: Covers | undefined;
  /** Cells of all matrices that are drawn with this one. */
  readonly cellsTogether?: number | undefined;
}

export type Sign = 'positive' | 'negative' | 'zero' | 'hidden' | 'asked';

export interface GridCell {
  readonly text: string;
  readonly sign: Sign;
  /** Strength of the colour, 0 to 1. */
  readonly fill: number;
}

export interface Grid {
  /** The result that is drawn, as the lesson names it. */
  readonly path: string;
  readonly id: string;
  readonly matrix: Matrix;
  readonly label: string;
  readonly tone: Tone;
  readonly scale: Scale;
  readonly note: string;
  readonly shape: string;
  /** Empty where rows, or columns, have no names of their own. */
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  /** First columns and rows of blocks after the first. */
  readonly columnStarts: ReadonlySet<number>;
  readonly rowStarts: ReadonlySet<number>;
  readonly range: number;
  readonly decimals: number;
  readonly transposed: boolean;
  /** Whether an exercise asks for this cell, as drawn. */
  readonly isAsked: (row: number, column: number) => boolean;
  /** No numbers in the cells. */
  readonly compact: boolean;
  /** Painted, one pixel a cell, where a table would have thousands. */
  readonly isPicture: boolean;
}

/** Largest magnitude of what can be drawn; at least a hair, so that a matrix of zeros has a scale. */
export function rangeOf(matrices: readonly Matrix[]): number {
  let largest = 0;
  for (const matrix of matrices) {
    for (const value of matrix.data) if (Number.isFinite(value) && Math.abs(value) > largest) largest = Math.abs(value);
  }
  return largest || 1;
}

function transpose(matrix: Matrix): Matrix {
  const data = new Float64Array(matrix.data.length);
  for (let row = 0; row < matrix.rows; ++row) {
    for (let column = 0; column < matrix.columns; ++column) {
      data[column * matrix.rows + row] = matrix.data[row * matrix.columns + column] ?? 0;
    }
  }
  return { rows: matrix.columns, columns: matrix.rows, data };
}

function names(naming: string, count: number, results: Results): string[] {
  const listed = (list: readonly string[]) =>
    list.length === 0 ? [] : Array.from({ length: count }, (_, i) => list[i] ?? `${i + 1}`);
  switch (naming as Naming) {
    case 'tokens':
      return listed(results.names.tokens);
    case 'keyTokens':
      return listed(results.names.keyTokens);
    case 'numbers':
      return Array.from({ length: count }, (_, index) => `${index}`);
    case 'heads':
      return Array.from({ length: count }, (_, index) => `head ${index + 1}`);
    case 'none':
      return [];
    default:
      return listed(naming.split(',').map((name) => name.trim()));
  }
}

/** Number of blocks from a number or the path of a list; without either, what the matrix says. */
function blockCount(blocks: string | undefined, own: number, results: Results): number {
  if (blocks === undefined || blocks === '') return own;
  if (/^\d+$/.test(blocks)) return Number(blocks);
  const list = resolvePath(results, blocks);
  return Array.isArray(list) ? list.length : typeof list === 'number' ? list : 1;
}

function starts(count: number, blocks: number): Set<number> {
  const size = count / blocks;
  if (blocks < 2 || !Number.isInteger(size)) return new Set();
  return new Set(Array.from({ length: blocks - 1 }, (_, index) => (index + 1) * size));
}

/** 5 × (3 + 3) for a matrix in blocks, as long as that is short. */
function shapeInBlocks(matrix: Matrix, columnBlocks: number): string {
  const size = matrix.columns / columnBlocks;
  if (columnBlocks < 2 || columnBlocks > 4 || !Number.isInteger(size)) return shapeText(matrix.rows, matrix.columns);
  return `${matrix.rows} × (${Array.from({ length: columnBlocks }, () => size).join(' + ')})`;
}

/** One cell's text and colour; made when it is drawn, since a matrix may have half a million. */
export function cellOf(grid: Grid, row: number, column: number): GridCell {
  if (grid.isAsked(row, column)) return { text: questionMark, sign: 'asked', fill: 0 };
  const value = grid.matrix.data[row * grid.matrix.columns + column] ?? 0;
  if (value === -Infinity) return { text: cellText(value, 0), sign: 'hidden', fill: 0 };
  return {
    text: cellText(value, grid.decimals, grid.scale === 'probability'),
    sign: value > 0 ? 'positive' : value < 0 ? 'negative' : 'zero',
    fill: Math.min(1, Math.abs(value) / grid.range),
  };
}

export function gridOf(results: Results, path: string, found: DescribedMatrix, options: GridOptions): Grid {
  const { look } = found;
  const transposed = options.transposed === true;
  const matrix = transposed ? transpose(found) : found;
  const scale = (options.scale ?? look.scale) as Scale;
  const columnBlocks = blockCount(options.blocks, look.columnBlocks, results);
  const rowNames = names(options.rows ?? look.rows, found.rows, results);
  const columnNames = names(options.columns ?? look.columns, found.columns, results);
  const columnStarts = starts(found.columns, columnBlocks);
  const rowStarts = starts(found.rows, blockCount(options.rowBlocks, look.rowBlocks, results));
  const label = withNumbers(options.label ?? look.label, look.numbers);
  const covers = options.covers ?? nothingAsked;
  const shape = transposed ? shapeText(matrix.rows, matrix.columns) : shapeInBlocks(found, columnBlocks);
  const crowded = (options.cellsTogether ?? 0) > mostCellsTogether;
  const compact = options.compact === true || matrix.columns > mostColumns || crowded;
  return {
    path,
    id: found.id,
    matrix,
    label: transposed && label !== '' ? `${label}^T` : label,
    tone: (options.tone ?? look.tone) as Tone,
    scale,
    note: options.note ?? '',
    shape: covers.hidesShapeOf(found) ? `${questionMark} × ${questionMark}` : shape,
    rowNames: transposed ? columnNames : rowNames,
    columnNames: transposed ? rowNames : columnNames,
    columnStarts: transposed ? rowStarts : columnStarts,
    rowStarts: transposed ? columnStarts : rowStarts,
    range: scale === 'probability' ? 1 : (options.range ?? rangeOf([found])),
    decimals: options.digits ?? options.decimals ?? decimalsFor([found], scale === 'probability'),
    transposed,
    isAsked: (row, column) =>
      covers.hidesCell(found.id, ...(transposed ? ([column, row] as const) : ([row, column] as const))),
    compact,
    isPicture: compact && (crowded || matrix.data.length > mostTableCells),
  };
}

/** Whether a mask hides some of its cells. */
export function hidesCells(grid: Grid): boolean {
  return grid.matrix.data.includes(-Infinity);
}

/** A result by the path under which a lesson draws it. */
export interface Drawn {
  readonly path: string;
  readonly matrix: DescribedMatrix;
}

/** The matrices that `each` and `of` stand for: one, or one for each of the first members of a list. */
export function drawnBy(results: Results, of: string, each: string | null): Drawn[] {
  const at = (path: string): Drawn[] => {
    const matrix = matrixAt(results, path);
    return matrix ? [{ path, matrix }] : [];
  };
  if (!each) return at(of);
  const list = resolvePath(results, each);
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, mostMembers)
    .flatMap((_, index) => at(of === '' ? `${each}[${index}]` : `${each}[${index}].${of}`));
}

/** How many members of the list are left out. */
export function leftOut(results: Results, each: string | null): number {
  const list = each ? resolvePath(results, each) : undefined;
  return Array.isArray(list) ? Math.max(0, list.length - mostMembers) : 0;
}

/** What matrices share that stand in one equation, or in one group. */
export interface SharedScale {
  readonly range: number;
  readonly signed: number;
  readonly probability: number;
}

export function sharedScale(all: readonly { readonly matrix: Matrix; readonly scale: Scale }[]): SharedScale {
  const of = (wanted: Scale) => all.filter(({ scale }) => scale === wanted).map(({ matrix }) => matrix);
  const signed = of('signed');
  return {
    range: rangeOf(signed),
    signed: decimalsFor(signed),
    probability: decimalsFor(of('probability'), true),
  };
}
