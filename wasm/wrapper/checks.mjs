// Checks of single values, before anything reaches the module, which takes every number as it comes.
import { refuse } from './errors.mjs';
import { describe, listOf, quoted, short, suggestion } from './words.mjs';

/** The largest size the module can count: its indices have 32 bits. */
const largestSize = 2 ** 31 - 1;

/** A path is text, or a function that gives it: those of matrices are put together only for a message. */
export const pathText = (path) => (typeof path === 'function' ? path() : path);

/** What an error names as its argument: "request.dims.num_heads" → "num_heads". */
export const argumentOf = (path) =>
  pathText(path)
    .replace(/^(request|layer|single|multi|split)\./, '')
    .replace(/^dims\./, '');

function refuseAt(path, code, message) {
  refuse(code, `${pathText(path)} ${message}`, { argument: argumentOf(path) });
}

/** @returns {object} the value, a plain object (or at least one with properties) */
export function checkObject(path, value, wanted) {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || ArrayBuffer.isView(value))
    refuse('invalidArgument', `${pathText(path)} must be ${wanted}, but is ${describe(value)}.`);
  return value;
}

/** Refuses keys that nobody reads: a typo would be ignored silently. */
export function checkKeys(path, object, known) {
  for (const key of Object.keys(object))
    if (!known.includes(key))
      refuse('invalidOption', `${path}.${short(key)} is unknown; ${suggestion(key, known)}.`, {
        argument: argumentOf(`${path}.${short(key)}`),
      });
}

export function checkOneOf(path, value, known) {
  if (typeof value !== 'string')
    refuseAt(path, 'invalidArgument', `must be one of ${listOf(known)}, but is ${describe(value)}.`);
  if (!known.includes(value))
    refuseAt(path, 'invalidOption', `${quoted(value)} is unknown; ${suggestion(value, known)}.`);
  return value;
}

export function checkNumber(path, value) {
  if (typeof value !== 'number') refuseAt(path, 'invalidArgument', `must be a number, but is ${describe(value)}.`);
  if (!Number.isFinite(value)) refuseAt(path, 'notFinite', `must be a finite number, but is ${value}.`);
  return value;
}

export function checkInteger(path, value, { from = 1, to = largestSize } = {}) {
  if (typeof value !== 'number' || !Number.isInteger(value))
    refuseAt(path, 'invalidArgument', `must be a whole number, but is ${describe(value)}.`);
  if (value < from) refuseAt(path, 'invalidDimension', `must be at least ${from}, but is ${value}.`);
  if (value > to) refuseAt(path, 'tooLarge', `must be at most ${to}, but is ${value}.`);
  return value + 0; // −0 becomes 0
}

/** A whole number that JavaScript holds exactly. */
export const checkSeed = (path, value) => checkInteger(path, value, { from: 0, to: Number.MAX_SAFE_INTEGER });

/** The number of a row, a column or a head. */
export const checkIndex = (path, value) => checkInteger(path, value, { from: 0 });

export function checkBoolean(path, value) {
  if (typeof value !== 'boolean')
    refuseAt(path, 'invalidArgument', `must be true or false, but is ${describe(value)}.`);
  return value;
}

export function checkText(path, value) {
  if (typeof value !== 'string') refuseAt(path, 'invalidArgument', `must be text, but is ${describe(value)}.`);
  return value;
}

/** The length of an array, which is read once: an object may answer differently the next time. */
export function listLength(path, value, wanted, { mayBeEmpty = false } = {}) {
  if (!Array.isArray(value)) refuseAt(path, 'invalidArgument', `must be ${wanted}, but is ${describe(value)}.`);
  const { length } = value;
  if (length === 0 && !mayBeEmpty) refuseAt(path, 'invalidDimension', `is empty; it must be ${wanted}, at least one.`);
  return length;
}

/** @returns {any[]} the array */
export function checkList(path, value, wanted, options) {
  listLength(path, value, wanted, options);
  return value;
}

export function checkWords(path, value, options) {
  return Array.from(checkList(path, value, 'an array of words', options), (word, i) =>
    checkText(`${path}[${i}]`, word),
  );
}
