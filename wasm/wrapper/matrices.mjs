// Matrices as callers write them → { rows, columns, data }, checked cell by cell so that a message can name the cell. Each property and
// each length is read once: an object may answer differently the next time.
import { argumentOf, checkInteger, checkList, checkObject, listLength, pathText } from './checks.mjs';
import { refuse } from './errors.mjs';
import { describe, tagOf } from './words.mjs';

// What a typed array is and how long, from itself: not instanceof, since one from another window or worker has another constructor, and not
// its properties, which may be overwritten.
const typedArray = Object.getPrototypeOf(Float64Array.prototype);
const getter = (name) => Object.getOwnPropertyDescriptor(typedArray, name).get;
const lengthGetter = getter('length');
export const lengthOf = (typed) => lengthGetter.call(typed);

const floats = ['Float64Array', 'Float32Array', 'Float16Array'];
const isFloats = (value) => floats.includes(tagOf(value));

export const shapeText = ({ rows, columns }) => `${rows} × ${columns}`;

const hole = (value) => (value === undefined ? ' (a hole in the array?)' : '');

function cell(path, value, mayHide) {
  if (value === '-inf' && mayHide) return -Infinity;
  const argument = argumentOf(path);
  if (typeof value !== 'number')
    refuse(
      'invalidArgument',
      `${pathText(path)} must be a number${mayHide ? ' or "-inf"' : ''}, but is ${describe(value)}${hole(value)}.`,
      { argument },
    );
  if (!Number.isFinite(value) && !(mayHide && value === -Infinity))
    refuse(
      'notFinite',
      `${pathText(path)} must be a finite number${mayHide ? ' or −Infinity' : ''}, but is ${value}.`,
      {
        argument,
      },
    );
  return value;
}

// More than the module's memory could hold: an array may say that it has any number of rows.
const mostNumbers = 2 ** 27;

/** Room for so many numbers. */
export function numbers(path, size) {
  if (size > mostNumbers)
    refuse('tooLarge', `${pathText(path)} would have ${size} numbers; the limit is ${mostNumbers}.`, {
      argument: argumentOf(path),
    });
  try {
    return new Float64Array(size);
  } catch (cause) {
    return refuse('tooLarge', `There is not enough memory for ${pathText(path)}, ${size} numbers; try smaller sizes.`, {
      cause,
    });
  }
}

// Entries of a flat array → a Float64Array; one that is one already is not copied.
function flat(path, data, size, mayHide) {
  const isTyped = isFloats(data);
  if (!isTyped && !Array.isArray(data))
    refuse(
      'invalidArgument',
      `${pathText(path)} must be a Float64Array, a Float32Array or an array of numbers, but is ${describe(data)}${ArrayBuffer.isView(data) ? '; Float64Array.from(…) converts it' : ''}.`,
      { argument: argumentOf(path) },
    );
  const length = isTyped ? lengthOf(data) : data.length;
  if (length !== size)
    refuse('shapeMismatch', `${pathText(path)} must have ${size} entries, as its shape says, but has ${length}.`, {
      argument: argumentOf(path),
    });
  if (tagOf(data) === 'Float64Array') return isFinite(data, size) ? data : checkedCells(path, data, size, mayHide);
  const result = numbers(path, size);
  for (let i = 0; i < size; ++i) {
    const entry = data[i];
    result[i] = Number.isFinite(entry) ? entry : cell(entryPath(path, i), entry, mayHide);
  }
  return result;
}

// Apart from the loops, which run over millions of entries: a closure in one costs as much as its work.
const entryPath =
  (path, ...indices) =>
  () =>
    indices.reduce((place, index) => `${place}[${index}]`, pathText(path));

// 0 · x is 0 but for infinities and NaN.
function isFinite(data, size) {
  let sum = 0;
  for (let i = 0; i < size; ++i) sum += data[i] * 0;
  return sum === 0;
}

function checkedCells(path, data, size, mayHide) {
  for (let i = 0; i < size; ++i) if (!Number.isFinite(data[i])) cell(entryPath(path, i), data[i], mayHide);
  return data;
}

// { shape: [2, 3], data } → [2, 3]
function shapeOf(path, shape, wanted) {
  checkList(`${pathText(path)}.shape`, shape, 'an array of sizes');
  const sizes = Array.from(shape, (size, i) => checkInteger(`${pathText(path)}.shape[${i}]`, size));
  if (!wanted.includes(sizes.length))
    refuse(
      'shapeMismatch',
      `${pathText(path)}.shape must have ${wanted.join(' or ')} sizes, but has ${sizes.length} (${sizes.join(' × ')}).`,
      { argument: argumentOf(path) },
    );
  return sizes;
}

function matrixFromObject(path, value, mayHide) {
  const { rows, columns, shape, data } = checkObject(
    path,
    value,
    'rows of numbers, { rows, columns, data } or { shape, data }',
  );
  const [r, c] =
    shape === undefined
      ? [checkInteger(() => `${pathText(path)}.rows`, rows), checkInteger(() => `${pathText(path)}.columns`, columns)]
      : shapeOf(path, shape, [2]);
  return { rows: r, columns: c, data: flat(() => `${pathText(path)}.data`, data, r * c, mayHide) };
}

/**
 * @param {string | (() => string)} path
 * @param {unknown} value rows of numbers, { rows, columns, data } or { shape: [rows, columns], data }
 * @param {{ mayHide?: boolean }} [options] mayHide: "-inf" and −Infinity stand for a hidden cell
 */
export function toMatrix(path, value, { mayHide = false } = {}) {
  if (!Array.isArray(value)) return matrixFromObject(path, value, mayHide);
  const rows = listLength(path, value, 'rows of numbers');
  let columns = 0;
  let data = null;
  for (let row = 0; row < rows; ++row) {
    const entries = value[row];
    const length = rowLength(path, row, entries);
    if (data === null) {
      columns = length;
      if (columns === 0) refuse('invalidDimension', `${pathText(path)}[0] is empty; a row needs at least one number.`);
      data = numbers(path, rows * columns);
    }
    if (length !== columns)
      refuse(
        'invalidArgument',
        `${pathText(path)}[${row}] has ${length} numbers, but ${pathText(path)}[0] has ${columns}; all rows must be of one length.`,
        { argument: argumentOf(path) },
      );
    // Paths are built only for what is refused: a case may have a million cells.
    for (let column = 0, at = row * columns; column < columns; ++column, ++at) {
      const entry = entries[column];
      data[at] = Number.isFinite(entry) ? entry : cell(entryPath(path, row, column), entry, mayHide);
    }
  }
  return { rows, columns, data };
}

function rowLength(path, row, entries) {
  if (isFloats(entries)) return lengthOf(entries);
  if (!Array.isArray(entries))
    refuse(
      'invalidArgument',
      `${pathText(path)}[${row}] must be a row of numbers, but is ${describe(entries)}${hole(entries)}.`,
      { argument: argumentOf(path) },
    );
  return entries.length;
}

/** @returns {Float64Array} of an array of numbers, or { shape: [n], data } */
export function toVector(path, value) {
  const isList = Array.isArray(value) || isFloats(value);
  if (!isList && value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && 'shape' in value) {
    const { shape, data } = value;
    const sizes = shapeOf(path, shape, [1]);
    return flat(() => `${pathText(path)}.data`, data, sizes[0], false);
  }
  if (!isList)
    refuse('invalidArgument', `${pathText(path)} must be an array of numbers, but is ${describe(value)}.`, {
      argument: argumentOf(path),
    });
  const size = isFloats(value) ? lengthOf(value) : value.length;
  if (size === 0)
    refuse('invalidDimension', `${pathText(path)} is empty; it needs at least one number.`, {
      argument: argumentOf(path),
    });
  return flat(path, value, size, false);
}

// { shape: [count, …], data } → the data of each of the count parts; undefined for anything else.
function partsOf(path, value, dimensions, mayHide = false) {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !('shape' in value)) return undefined;
  const { shape, data } = value;
  const [count, ...sizes] = shapeOf(path, shape, [dimensions]);
  const size = sizes.reduce((product, length) => product * length, 1);
  const all = flat(() => `${pathText(path)}.data`, data, count * size, mayHide);
  return Array.from({ length: count }, (_, part) => {
    const cells = numbers(path, size);
    for (let i = 0; i < size; ++i) cells[i] = all[part * size + i];
    return { sizes, cells };
  });
}

/** An array of matrices, one for each head, or { shape: [heads, rows, columns], data }. */
export function toMatrices(path, value, options) {
  const parts = partsOf(path, value, 3, options?.mayHide);
  if (parts) return parts.map(({ sizes: [rows, columns], cells }) => ({ rows, columns, data: cells }));
  const count = listLength(path, value, 'an array of matrices');
  const matrices = [];
  for (let i = 0; i < count; ++i) matrices.push(toMatrix(entryPath(path, i), value[i], options));
  return matrices;
}

/** An array of vectors, one for each head, or { shape: [heads, size], data }. */
export function toVectors(path, value) {
  const parts = partsOf(path, value, 2);
  if (parts) return parts.map(({ cells }) => cells);
  const count = listLength(path, value, 'an array of vectors, one for each head');
  const vectors = [];
  for (let i = 0; i < count; ++i) vectors.push(toVector(entryPath(path, i), value[i]));
  return vectors;
}

/** boolean[][] → { rows, columns, data } of 0 and 1 */
export function toBoolMatrix(path, value) {
  const rows = listLength(path, value, 'rows of true and false');
  let columns = 0;
  let data = null;
  for (let row = 0; row < rows; ++row) {
    const entries = value[row];
    const length = listLength(`${path}[${row}]`, entries, 'a row of true and false');
    if (data === null) {
      columns = length;
      data = numbers(path, rows * columns);
    }
    if (length !== columns)
      refuse(
        'invalidArgument',
        `${path}[${row}] has ${length} entries, but ${path}[0] has ${columns}; all rows must be of one length.`,
        { argument: argumentOf(path) },
      );
    for (let column = 0; column < columns; ++column) {
      const entry = entries[column];
      if (typeof entry !== 'boolean')
        refuse('invalidArgument', `${path}[${row}][${column}] must be true or false, but is ${describe(entry)}.`, {
          argument: argumentOf(path),
        });
      data[row * columns + column] = entry ? 1 : 0;
    }
  }
  return { rows, columns, data };
}

/** The inverse of toBoolMatrix. */
export function fromBoolMatrix({ rows, columns, data }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => data[row * columns + column] === 1),
  );
}
