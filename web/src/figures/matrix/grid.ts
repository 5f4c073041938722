// A matrix made ready to draw: names, texts and colours of its cells. Used by the page and by the build's plain tables alike.

import type { Matrix } from 'headwise';
import { appearanceOf, layerPrefix, withIndex, type Naming, type Scale, type Tone } from '../appearance.ts';
import { cellText, decimalsFor, shapeText } from '../../text/format.ts';
import { isMatrix, resolvePath, type Results } from '../../bench/results.ts';

/** What a lesson may say about a matrix; everything but the path has a default. */
export interface GridOptions {
  readonly path: string;
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
  /** Largest magnitude of all matrices that share this one's colours. */
  readonly range?: number | undefined;
  /** Decimals that all of them use. */
  readonly decimals?: number | undefined;
}

export type Sign = 'positive' | 'negative' | 'zero' | 'hidden';

export interface GridCell {
  readonly text: string;
  readonly sign: Sign;
  /** Strength of the colour, 0 to 1. */
  readonly fill: number;
}

export interface Grid {
  readonly path: string;
  readonly matrix: Matrix;
  readonly label: string;
  readonly tone: Tone;
  readonly scale: Scale;
  readonly note: string;
  readonly shape: string;
  /** Empty where rows, or columns, have no names of their own. */
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  readonly cells: readonly (readonly GridCell[])[];
  /** First columns and rows of blocks after the first. */
  readonly columnStarts: ReadonlySet<number>;
  readonly rowStarts: ReadonlySet<number>;
  readonly range: number;
  readonly transposed: boolean;
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

/** Number of blocks from a number, the path of a list, or the list's name inside the layer. */
function blockCount(blocks: string | undefined, path: string, results: Results): number {
  if (blocks === undefined || blocks === '') return 1;
  if (/^\d+$/.test(blocks)) return Number(blocks);
  const list = resolvePath(results, blocks) ?? resolvePath(results, layerPrefix(path) + blocks);
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

export function gridCell(value: number, range: number, scale: Scale, decimals: number): GridCell {
  if (value === -Infinity) return { text: cellText(value, 0), sign: 'hidden', fill: 0 };
  const fill = Math.min(1, Math.abs(value) / (scale === 'probability' ? 1 : range));
  return {
    text: cellText(value, decimals, scale === 'probability'),
    sign: value > 0 ? 'positive' : value < 0 ? 'negative' : 'zero',
    fill,
  };
}

/** undefined if there is no such matrix now. */
export function gridOf(results: Results, options: GridOptions): Grid | undefined {
  const found = resolvePath(results, options.path);
  if (!isMatrix(found)) return undefined;
  const looks = appearanceOf(options.path);
  const transposed = options.transposed === true;
  const matrix = transposed ? transpose(found) : found;
  const scale = (options.scale ?? looks.scale) as Scale;
  const range = scale === 'probability' ? 1 : (options.range ?? rangeOf([found]));
  const decimals = options.digits ?? options.decimals ?? decimalsFor([found], scale === 'probability');

  const columnBlocks = blockCount(options.blocks ?? looks.blocks, options.path, results);
  const rowBlocks = blockCount(options.rowBlocks ?? looks.rowBlocks, options.path, results);
  const rowNames = names(options.rows ?? looks.rows, found.rows, results);
  const columnNames = names(options.columns ?? looks.columns, found.columns, results);
  const columnStarts = starts(found.columns, columnBlocks);
  const rowStarts = starts(found.rows, rowBlocks);

  const label = withIndex(options.label ?? looks.label, options.path, results);
  return {
    path: options.path,
    matrix,
    label: transposed && label !== '' ? `${label}^T` : label,
    tone: (options.tone ?? looks.tone) as Tone,
    scale,
    note: options.note ?? '',
    shape: transposed ? shapeText(matrix.rows, matrix.columns) : shapeInBlocks(found, columnBlocks),
    rowNames: transposed ? columnNames : rowNames,
    columnNames: transposed ? rowNames : columnNames,
    columnStarts: transposed ? rowStarts : columnStarts,
    rowStarts: transposed ? columnStarts : rowStarts,
    cells: Array.from({ length: matrix.rows }, (_, row) =>
      Array.from({ length: matrix.columns }, (_, column) =>
        gridCell(matrix.data[row * matrix.columns + column] ?? 0, range, scale, decimals),
      ),
    ),
    range,
    transposed,
  };
}

/** Whether a mask hides some of its cells. */
export function hidesCells(grid: Grid): boolean {
  return grid.cells.some((row) => row.some((cell) => cell.sign === 'hidden'));
}

/** The paths that `each` and `of` stand for: one, or one for each member of a list. */
export function pathsOf(results: Results, of: string, each: string | undefined): string[] {
  if (!each) return [of];
  const list = resolvePath(results, each);
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => (of === '' ? `${each}[${index}]` : `${each}[${index}].${of}`));
}
