// Plain loops over matrices, for results that the tests work out themselves.

import type { Matrix, MatrixLike } from 'headwise';

export function isMatrix(value: unknown): value is Matrix {
  return typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Float64Array;
}

export function matrixFrom(rows: number, columns: number, cell: (row: number, column: number) => number): Matrix {
  const data = Float64Array.from({ length: rows * columns }, (_, at) => cell(Math.floor(at / columns), at % columns));
  return { rows, columns, data };
}

/** Nested arrays, as the golden files have them, become a Matrix. */
export function asMatrix(like: MatrixLike): Matrix {
  if (isMatrix(like)) return like;
  const rows = like as readonly (readonly number[])[];
  return matrixFrom(rows.length, rows[0]?.length ?? 0, (row, column) => rows[row]?.[column] ?? NaN);
}

export function at(matrix: Matrix, row: number, column: number): number {
  return matrix.data[row * matrix.columns + column] ?? NaN;
}

export function transposed(matrix: Matrix): Matrix {
  return matrixFrom(matrix.columns, matrix.rows, (row, column) => at(matrix, column, row));
}

export function beside(matrices: readonly Matrix[]): Matrix {
  const [first] = matrices;
  if (!first) throw new Error('no matrices to put side by side');
  return matrixFrom(first.rows, first.columns * matrices.length, (row, column) =>
    at(matrices[Math.floor(column / first.columns)]!, row, column % first.columns),
  );
}

export function below(matrices: readonly Matrix[]): Matrix {
  return transposed(beside(matrices.map(transposed)));
}

export function difference(a: Matrix, b: Matrix): Matrix {
  return matrixFrom(a.rows, a.columns, (row, column) => at(a, row, column) - at(b, row, column));
}

export function plus(a: Matrix, b: Matrix): Matrix {
  return matrixFrom(a.rows, a.columns, (row, column) => at(a, row, column) + at(b, row, column));
}

export function largestCell(matrix: Matrix): { row: number; column: number } {
  const place = matrix.data.reduce(
    (most, value, index) => (value > (matrix.data[most] ?? -Infinity) ? index : most),
    0,
  );
  return { row: Math.floor(place / matrix.columns), column: place % matrix.columns };
}
