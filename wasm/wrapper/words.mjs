// What came, and what may have been meant, in words short enough for a message.

/** The text, cut: what came is repeated so far that one recognises it. Not between the halves of a character. */
export function short(text) {
  if (text.length <= 40) return text;
  const isHalf = text.charCodeAt(39) >> 10 === 0xd800 >> 10;
  return `${text.slice(0, isHalf ? 39 : 40)}…`;
}

export const quoted = (text) => JSON.stringify(short(text));

export const listOf = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

// What an array of numbers is, from itself: its properties may be overwritten.
const { get: tagGetter } = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Float64Array.prototype),
  Symbol.toStringTag,
);
export const tagOf = (value) => (ArrayBuffer.isView(value) ? tagGetter.call(value) : undefined);

// A million digits take seconds to write out.
const mostWritten = 10n ** 100n;
const bigintText = (value) =>
  value > mostWritten || value < -mostWritten
    ? 'a BigInt of more than a hundred digits'
    : `the BigInt ${short(String(value))}n`;

export function describe(value) {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  if (typeof value === 'bigint') return bigintText(value);
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${tagOf(value) ?? 'DataView'}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

// How many letters must be added, dropped, changed or swapped with their neighbour.
export function editDistance(a, b) {
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

/** The known name that differs in the fewest letters, whatever their case, if those are at most half of the word's; else null. */
export function nearestName(word, known) {
  const wanted = String(word).slice(0, 40).toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 2));
  let [best, least] = [null, most + 1];
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** "did you mean mask? It can be …" */
export function suggestion(word, known) {
  const name = nearestName(word, known);
  return name === null ? `it can be ${listOf(known)}` : `did you mean ${name}? It can be ${listOf(known)}`;
}
