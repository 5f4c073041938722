// What exercises ask for. Figures show a question mark in its place until it is answered, and no other way leads to it.

import type { Field, Headwise } from 'headwise';
import { idOf, indexIn, numbered, type DescribedMatrix, type Highlight } from './described.ts';
import { isMatrix, matrixAt, parseCell, resolvePath, splitCellPath, type Results } from './results.ts';

/** In the place of what is asked. */
export const questionMark = '?';

export interface Asked {
  /** Single cells. */
  readonly cells?: readonly Required<Highlight>[];
  /** Matrices whose shape is asked: their ids, and the paths of their fields, which all of a kind have. */
  readonly shapes?: readonly string[];
  /** Ids of matrices that no other figure lights, and that light no other. */
  readonly unlinked?: readonly string[];
}

export class Covers {
  private readonly all = new Map<object, Asked>();

  /** What one exercise asks for now; undefined once it is answered. Says whether anything has changed. */
  set(exercise: object, asked: Asked | undefined): boolean {
    const before = this.all.get(exercise);
    if (asked) this.all.set(exercise, asked);
    else this.all.delete(exercise);
    return JSON.stringify(before) !== JSON.stringify(asked);
  }

  private some(test: (asked: Asked) => boolean | undefined): boolean {
    for (const asked of this.all.values()) if (test(asked)) return true;
    return false;
  }

  hidesCell(id: string, row: number, column: number): boolean {
    return this.some(({ cells }) =>
      cells?.some((cell) => cell.id === id && cell.row === row && cell.column === column),
    );
  }

  hidesShape(...names: readonly (string | undefined)[]): boolean {
    return this.some(({ shapes }) => shapes?.some((shape) => names.includes(shape)));
  }

  hidesShapeOf({ id, origin }: DescribedMatrix): boolean {
    return this.hidesShape(id, origin?.field.path);
  }

  /** Whether a path as lessons write it leads to what is asked. */
  hidesPath(results: Results, path: string): boolean {
    if (this.all.size === 0) return false;
    const { path: own, cell } = splitCellPath(path);
    if (cell !== undefined) {
      const at = parseCell(cell, results.names);
      const matrix = matrixAt(results, own);
      return at !== undefined && matrix !== undefined && this.hidesCell(matrix.id, at.row, at.column);
    }
    return this.hidesShape(...shapeNames(results, own));
  }

  isUnlinked(id: string): boolean {
    return this.some(({ unlinked }) => unlinked?.includes(id));
  }
}

/** For where nobody asks anything. */
export const nothingAsked = new Covers();

/** By what a shape is known that a path leads to, of a matrix or as a result by itself. */
export function shapeNames(results: Results, path: string): string[] {
  const owner = path.replace(/\.shape$/, '');
  const found = resolvePath(results, owner);
  if (!isMatrix(found)) return [path];
  const matrix = matrixAt(results, owner);
  return matrix ? [matrix.id, ...(matrix.origin ? [matrix.origin.field.path] : [])] : [];
}

/** The fields that follow from this one cell by cell, without the row's others: a score that was scaled, and masked. */
function cellByCell(engine: Headwise, { path }: Field): Field[] {
  const next = engine.fields.filter(
    ({ operation, operands }) => (operation === 'scale' || operation === 'mask') && operands[0]?.path === path,
  );
  return next.flatMap((field) => [field, ...cellByCell(engine, field)]);
}

/** A cell by its path, and the same cell wherever else its number can be read off. */
export function askedCells(engine: Headwise, results: Results, path: string): Required<Highlight>[] {
  const { path: own, cell } = splitCellPath(path);
  const matrix = matrixAt(results, own);
  const at = cell === undefined ? undefined : parseCell(cell, results.names);
  if (!matrix || !at) return [];
  const { id, origin } = matrix;
  const later = origin
    ? cellByCell(engine, origin.field).map((field) => idOf(origin.layer, numbered(field.path, indexIn(origin.path))))
    : [];
  return [id, ...later].map((id) => ({ id, ...at }));
}
