// What a recipe computed, and how lessons name parts of it: paths such as heads[0].attentionWeights(sat, on).

import type { Matrix } from 'headwise';
import type { BenchLayer, DescribedMatrix } from './described.ts';
import type { State } from './parameters.ts';

/** A plain tree, whose matrices are described. */
export interface Results {
  /** Names of the rows of queries and of keys; empty where rows are not words. */
  readonly names: RowNames;
  /** Layers that stay in the module while these results are shown. */
  readonly layers: readonly BenchLayer[];
  /** What of the state had no effect, a sentence each. */
  readonly notes: readonly string[];
  readonly state: State;
  [name: string]: unknown;
}

export interface RowNames {
  readonly tokens: readonly string[];
  readonly keyTokens: readonly string[];
}

export type Shape = readonly [rows: number, columns: number];

export function isMatrix(value: unknown): value is Matrix {
  return typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Float64Array;
}

/** The matrix of that name; undefined if there is none now. Every matrix of a recipe is described. */
export function matrixAt(results: Results, path: string): DescribedMatrix | undefined {
  const value = resolvePath(results, path);
  return isMatrix(value) && 'look' in value ? (value as DescribedMatrix) : undefined;
}

export function isShape(value: unknown): value is Shape {
  return Array.isArray(value) && value.length === 2 && value.every((size) => Number.isInteger(size));
}

/** Shape of a matrix, or of a result that is a shape itself. */
export function shapeOf(value: unknown): Shape | undefined {
  if (isMatrix(value)) return [value.rows, value.columns];
  return isShape(value) ? value : undefined;
}

/** Computed when first asked for, and only once. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Members that are computed when first read, and only once. */
export function lazily<Target extends object, Members extends Record<string, () => unknown>>(
  target: Target,
  members: Members,
): Target & { readonly [Name in keyof Members]: ReturnType<Members[Name]> } {
  for (const [name, make] of Object.entries(members)) {
    Object.defineProperty(target, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = make();
        Object.defineProperty(target, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return target as Target & { readonly [Name in keyof Members]: ReturnType<Members[Name]> };
}

export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** "2, 3" or "sat, on" → a cell; undefined if there is no such row or column. */
export function parseCell(text: string, names: RowNames | undefined): Cell | undefined {
  const [row, column] = text.split(',').map((part) => part.trim());
  const at = (name: string | undefined, list: readonly string[] | undefined) => {
    if (name === undefined || name === '') return undefined;
    const index = list?.indexOf(name) ?? -1;
    if (index >= 0) return index;
    return /^\d+$/.test(name) ? Number(name) : undefined;
  };
  const rowIndex = at(row, names?.tokens);
  const columnIndex = at(column, names?.keyTokens);
  return rowIndex === undefined || columnIndex === undefined ? undefined : { row: rowIndex, column: columnIndex };
}

/** path = "matrix(row, column)" → the two parts. */
export function splitCellPath(path: string): { path: string; cell: string | undefined } {
  const open = path.indexOf('(');
  if (open < 0) return { path: path.trim(), cell: undefined };
  return { path: path.slice(0, open).trim(), cell: path.slice(open + 1, path.lastIndexOf(')')) };
}

function member(value: unknown, name: string): unknown {
  if (isMatrix(value) && name === 'shape') return shapeOf(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && name === 'length') return value.length;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The result of that name; undefined if there is none now, such as head 3 of two. */
export function resolvePath(results: Results, path: string): unknown {
  const { path: ownPath, cell } = splitCellPath(path);
  let value: unknown = results;
  for (const name of ownPath.split(/[.[\]]+/).filter((part) => part !== '')) value = member(value, name);
  if (cell === undefined) return value;
  if (!isMatrix(value)) return undefined;
  const at = parseCell(cell, results.names);
  if (!at || at.row >= value.rows || at.column >= value.columns) return undefined;
  return value.data[at.row * value.columns + at.column];
}
