// Matrices as callers write them → { rows, columns, data }, checked cell by cell so that a message can name the cell.
import { checkInteger, checkList, checkObject, describe } from './checks.mjs';
import { refuse } from './errors.mjs';

// By tag, not instanceof: an array from another window or worker has another constructor.
const isFloat64Array = (value) => ArrayBuffer.isView(value) && value[Symbol.toStringTag] === 'Float64Array';

export const shapeText = ({ rows, columns }) => `${rows} × ${columns}`;

function cell(path, value, mayHide) {
  if (value === '-inf' && mayHide) return -Infinity;
  if (typeof value !== 'number') {
    const hole = value === undefined ? ' (a hole in the array?)' : '';
    refuse(
      'invalidArgument',
      `${path} must be a number${mayHide ? ' or "-inf"' : ''}, but is ${describe(value)}${hole}.`,
    );
  }
  if (!Number.isFinite(value) && !(mayHide && value === -Infinity))
    refuse('notFinite', `${path} must be a finite number${mayHide ? ' or −Infinity' : ''}, but is ${value}.`);
  return value;
}

function checkCells(path, data, mayHide) {
  for (let i = 0; i < data.length; ++i)
    if (!Number.isFinite(data[i]) && !(mayHide && data[i] === -Infinity)) cell(`${path}[${i}]`, data[i], mayHide);
}

function checkedMatrix(path, { rows, columns, data }, mayHide) {
  checkInteger(`${path}.rows`, rows);
  checkInteger(`${path}.columns`, columns);
  if (!isFloat64Array(data))
    refuse(
      'invalidArgument',
      `${path}.data must be a Float64Array, but is ${describe(data)}; Float64Array.from(…) converts it.`,
    );
  if (data.length !== rows * columns)
    refuse(
      'shapeMismatch',
      `${path}.data must have rows · columns = ${rows * columns} entries, but has ${data.length}.`,
    );
  checkCells(`${path}.data`, data, mayHide);
  return { rows, columns, data };
}

/**
 * @param {string} path
 * @param {unknown} value nested arrays or a Matrix
 * @param {{ mayHide?: boolean }} [options] mayHide: "-inf" and −Infinity stand for a hidden cell
 */
export function toMatrix(path, value, { mayHide = false } = {}) {
  if (!Array.isArray(value))
    return checkedMatrix(path, checkObject(path, value, 'rows of numbers, or { rows, columns, data }'), mayHide);
  checkList(path, value, 'rows of numbers');
  const columns = rowLength(`${path}[0]`, value[0]);
  if (columns === 0) refuse('invalidDimension', `${path}[0] is empty; a row needs at least one number.`);
  const data = new Float64Array(value.length * columns);
  for (let row = 0; row < value.length; ++row) {
    const length = rowLength(`${path}[${row}]`, value[row]);
    if (length !== columns)
      refuse(
        'invalidArgument',
        `${path}[${row}] has ${length} numbers, but ${path}[0] has ${columns}; all rows must be of one length.`,
      );
    for (let column = 0; column < columns; ++column)
      data[row * columns + column] = plainOrChecked(path, row, column, value[row][column], mayHide);
  }
  return { rows: value.length, columns, data };
}

// Paths are built only for what is refused: a case may have a million cells.
function plainOrChecked(path, row, column, value, mayHide) {
  return Number.isFinite(value) ? value : cell(`${path}[${row}][${column}]`, value, mayHide);
}

function rowLength(path, row) {
  if (!Array.isArray(row) && !isFloat64Array(row))
    refuse(
      'invalidArgument',
      `${path} must be a row of numbers, but is ${describe(row)}${row === undefined ? ' (a hole in the array?)' : ''}.`,
    );
  return row.length;
}

/** @returns {Float64Array} */
export function toVector(path, value) {
  if (isFloat64Array(value)) {
    if (value.length === 0) refuse('invalidDimension', `${path} is empty; it needs at least one number.`);
    checkCells(path, value, false);
    return value;
  }
  checkList(path, value, 'an array of numbers');
  const data = new Float64Array(value.length);
  for (let i = 0; i < value.length; ++i) data[i] = cell(`${path}[${i}]`, value[i], false);
  return data;
}

/** An array of matrices, one for each head. */
export function toMatrices(path, value, options) {
  return Array.from(checkList(path, value, 'an array of matrices'), (matrix, i) =>
    toMatrix(`${path}[${i}]`, matrix, options),
  );
}

/** boolean[][] → { rows, columns, data: Uint8Array } */
export function toBoolMatrix(path, value) {
  checkList(path, value, 'rows of true and false');
  const columns = checkList(`${path}[0]`, value[0], 'a row of true and false').length;
  const data = new Uint8Array(value.length * columns);
  for (let row = 0; row < value.length; ++row) {
    const length = checkList(`${path}[${row}]`, value[row], 'a row of true and false').length;
    if (length !== columns)
      refuse(
        'invalidArgument',
        `${path}[${row}] has ${length} entries, but ${path}[0] has ${columns}; all rows must be of one length.`,
      );
    for (let column = 0; column < columns; ++column) {
      const entry = value[row][column];
      if (typeof entry !== 'boolean')
        refuse('invalidArgument', `${path}[${row}][${column}] must be true or false, but is ${describe(entry)}.`);
      data[row * columns + column] = entry ? 1 : 0;
    }
  }
  return { rows: value.length, columns, data };
}

/** The inverse of toBoolMatrix. */
export function fromBoolMatrix({ rows, columns, data }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => data[row * columns + column] === 1),
  );
}

export function transposed({ rows, columns, data }) {
  const result = new Float64Array(data.length);
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) result[column * rows + row] = data[row * columns + column];
  return { rows: columns, columns: rows, data: result };
}

/** Equal shapes and equal entries; works for both kinds of matrix. */
export function sameMatrix(a, b) {
  if (a === b) return true;
  return a.rows === b.rows && a.columns === b.columns && a.data.every((entry, i) => entry === b.data[i]);
}
