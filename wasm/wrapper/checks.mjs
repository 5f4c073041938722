// Checks of single values, before anything reaches the module: embind takes 1.5, NaN, '7' and null for an int.
import { refuse } from './errors.mjs';

/** The largest size the module can count: its indices have 32 bits. */
const largestSize = 2 ** 31 - 1;

/** What came, in words short enough for a message. */
export function describe(value) {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (typeof value === 'bigint') return `the BigInt ${value}n`;
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${value[Symbol.toStringTag] ?? 'DataView'}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

// How many letters must be added, dropped, changed or swapped with their neighbour.
function editDistance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; ++i) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; ++j) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i][j] = Math.min(
        rows[i - 1][j] + 1,
        rows[i][j - 1] + 1,
        rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? rows[i - 2][j - 2] + 1 : Infinity,
      );
    }
  }
  return rows[a.length][b.length];
}

/** The known name that differs in the fewest letters, if those are at most half of the word's; else null. */
export function nearest(word, known) {
  const wanted = String(word).slice(0, 40).toLowerCase();
  const [best] = known
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 2)))
    .sort((a, b) => a.distance - b.distance);
  return best?.name ?? null;
}

const list = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);

function suggestion(word, known) {
  const name = nearest(word, known);
  return name === null ? `it can be ${list(known)}` : `did you mean ${name}? It can be ${list(known)}`;
}

/** @returns {object} the value, a plain object (or at least one with properties) */
export function checkObject(path, value, wanted) {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || ArrayBuffer.isView(value))
    refuse('invalidArgument', `${path} must be ${wanted}, but is ${describe(value)}.`);
  return value;
}

/** Refuses keys that nobody reads: a typo would be ignored silently. */
export function checkKeys(path, object, known) {
  for (const key of Object.keys(object))
    if (!known.includes(key)) refuse('invalidOption', `${path}.${key} is unknown; ${suggestion(key, known)}.`);
}

export function checkOneOf(path, value, known) {
  if (typeof value !== 'string')
    refuse('invalidArgument', `${path} must be one of ${list(known)}, but is ${describe(value)}.`);
  if (!known.includes(value))
    refuse('invalidOption', `${path} ${JSON.stringify(value)} is unknown; ${suggestion(value, known)}.`);
  return value;
}

export function checkNumber(path, value) {
  if (typeof value !== 'number') refuse('invalidArgument', `${path} must be a number, but is ${describe(value)}.`);
  if (!Number.isFinite(value)) refuse('notFinite', `${path} must be a finite number, but is ${value}.`);
  return value;
}

export function checkInteger(path, value, { from = 1, to = largestSize } = {}) {
  if (typeof value !== 'number' || !Number.isInteger(value))
    refuse('invalidArgument', `${path} must be a whole number, but is ${describe(value)}.`);
  if (value < from) refuse('invalidDimension', `${path} must be at least ${from}, but is ${value}.`);
  if (value > to) refuse('tooLarge', `${path} must be at most ${to}, but is ${value}.`);
  return value + 0; // −0 becomes 0
}

/** A whole number that JavaScript holds exactly. */
export const checkSeed = (path, value) => checkInteger(path, value, { from: 0, to: Number.MAX_SAFE_INTEGER });

export function checkBoolean(path, value) {
  if (typeof value !== 'boolean')
    refuse('invalidArgument', `${path} must be true or false, but is ${describe(value)}.`);
  return value;
}

export function checkText(path, value) {
  if (typeof value !== 'string') refuse('invalidArgument', `${path} must be text, but is ${describe(value)}.`);
  return value;
}

/** @returns {any[]} a dense array; a hole would be read as undefined */
export function checkList(path, value, wanted, { mayBeEmpty = false } = {}) {
  if (!Array.isArray(value)) refuse('invalidArgument', `${path} must be ${wanted}, but is ${describe(value)}.`);
  if (value.length === 0 && !mayBeEmpty)
    refuse('invalidDimension', `${path} is empty; it must be ${wanted}, at least one.`);
  return value;
}

export function checkWords(path, value) {
  return Array.from(checkList(path, value, 'an array of words'), (word, i) => checkText(`${path}[${i}]`, word));
}
