// How numbers become text, and what is typed becomes a number. One place, so that a number looks the same in a cell, in a sentence and
// in an exercise, and is read as it is printed.

import type { Matrix } from 'headwise';

// The page's language: its separators are those that numbers are written with and read by.
const wholes = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const parts = new Intl.NumberFormat('en').formatToParts(1234.5);
const separator = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? '';
const group = separator('group');
const decimal = separator('decimal');

export const minus = '−';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A real minus sign, and none before a number that rounds to zero. Thousands are not grouped: cells are narrow. */
export function fixed(value: number, decimals: number): string {
  if (value === Infinity) return '∞';
  if (value === -Infinity) return `${minus}∞`;
  if (Number.isNaN(value)) return '?';
  // Not by Intl, which rounds the shortest text of a number instead of the number: 1.005, a little less, would be 1.01.
  const text = value.toFixed(decimals).replace('.', decimal);
  if (!text.startsWith('-')) return text;
  return /[1-9]/.test(text) ? minus + text.slice(1) : text.slice(1);
}

/** 2·10⁻¹⁶ */
function powerOfTen(value: number, significant: number): string {
  const [mantissa = '0', exponent = '0'] = value
    .toExponential(significant - 1)
    .replace('.', decimal)
    .split('e');
  const digits = [...exponent.replace('+', '')].map((digit) =>
    digit === '-' ? '⁻' : (superscripts[Number(digit)] ?? ''),
  );
  return `${mantissa.replace('-', minus)}·10${digits.join('')}`;
}

/** So many significant digits; powers of ten for the very small and the very large; "0" for exactly 0 only. */
export function significant(value: number, digits = 3): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return fixed(value, 0);
  const magnitude = Math.abs(value);
  if (magnitude < 1e-3) return powerOfTen(value, magnitude < 1e-9 ? 1 : digits);
  if (magnitude >= 1e9) return powerOfTen(value, digits);
  if (Number.isInteger(value)) return groupThousands(value);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(magnitude)));
  return fixed(value, Math.min(decimals, 12));
}

/** 12,345 */
export function groupThousands(value: number): string {
  const text = wholes.format(Math.abs(value));
  return value < 0 && text !== '0' ? minus + text : text;
}

export function shapeText(rows: number, columns: number): string {
  return `${rows} × ${columns}`;
}

const mostDecimals = 4;
/** So many cells tell how many decimals set them apart; what has more is a picture without numbers. */
const mostSampled = 4000;

function sample(matrices: readonly Matrix[]): number[] {
  const count = matrices.reduce((sum, { data }) => sum + data.length, 0);
  const stride = Math.ceil(count / mostSampled);
  return matrices.flatMap(({ data }) =>
    Array.from({ length: Math.ceil(data.length / stride) }, (_, index) => data[index * stride] ?? 0),
  );
}

/** Decimals with which the numbers of a figure can be told apart and still fit into cells. */
export function decimalsFor(matrices: readonly Matrix[], probability = false): number {
  const values = sample(matrices).filter((value) => Number.isFinite(value) && value !== 0);
  if (values.length === 0 || values.every(Number.isInteger))
    return values.length === 0 && !probability ? 1 : probability ? 2 : 0;
  const largest = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const enough = probability
    ? 2
    : largest >= 100
      ? 0
      : largest >= 3
        ? 1
        : largest >= 0.3
          ? 2
          : largest >= 0.03
            ? 3
            : mostDecimals;
  // A map in which most cells read alike hides what it is there to show.
  const apart = (decimals: number) => new Set(values.map((value) => fixed(value, decimals))).size;
  const distinct = new Set(values.map((value) => value.toPrecision(6))).size;
  const limit = probability ? enough : Math.min(enough + 1, mostDecimals);
  return enough < limit && apart(enough) * 2 < distinct && apart(limit) > apart(enough) ? limit : enough;
}

/** Text of a cell: exact zeros and ones are bare, so that they differ from numbers that only round to them. */
export function cellText(value: number, decimals: number, probability = false): string {
  if (value === 0) return '0';
  if (!probability) return fixed(value, decimals);
  // Between 0 and 1 the leading zero says nothing and takes a third of a narrow cell.
  const text = value === 1 ? '1' : fixed(value, decimals);
  return text.startsWith(`0${decimal}`) ? text.slice(1) : text;
}

// 1,152 and 1,152.5: no thousand begins with a 0, and all groups but the first have three digits.
const grouped = new RegExp(String.raw`^[1-9]\d{0,2}(?:[${group}]\d{3})+(?:[${decimal}]\d*)?$`);

/**
 * The digits of a number without sign, as JavaScript spells them. A comma that cannot separate thousands is the decimal comma of most
 * languages: 0,25 and 3,5 are a quarter and three and a half, but 1,152 is more than a thousand, since so the page prints it.
 */
function digitsOf(text: string): string | undefined {
  const plain = grouped.test(text)
    ? text.replaceAll(group, '').replace(decimal, '.')
    : text.replace(text.includes(decimal) ? decimal : group, '.');
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? plain : undefined;
}

/** 3·10⁻⁵ → 3·10^-5 */
function withoutSuperscripts(text: string): string {
  return text.replace(
    /[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/gu,
    (raised) => `^${[...raised].map((sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('')}`,
  );
}

/**
 * What a learner typed: any number as the page prints it (1,152, −0.5, .25, 3·10⁻⁵, ∞), with an ASCII minus or a decimal comma, as 3e-5, or
 * as a fraction. undefined if it is no number.
 */
export function parseNumber(text: string): number | undefined {
  const [, sign, size = ''] = /^([-+]?)\s*(.*)$/s.exec(withoutSuperscripts(text.trim().replaceAll(minus, '-'))) ?? [];
  const magnitude = magnitudeOf(size);
  return sign === '-' && magnitude !== undefined ? -magnitude : magnitude;
}

function magnitudeOf(text: string): number | undefined {
  if (text === '∞') return Infinity;
  const [, numerator, denominator] = /^(.*?)\s*\/\s*(.*)$/s.exec(text) ?? [];
  if (numerator !== undefined && denominator !== undefined) {
    const [over, under] = [digitsOf(numerator), digitsOf(denominator)];
    return over !== undefined && under !== undefined && Number(under) !== 0 ? Number(over) / Number(under) : undefined;
  }
  const [, mantissa = text, exponent = '0'] = /^(.*?)(?:e|\s*[·*×]\s*10\^)([-+]?\d+)$/is.exec(text) ?? [];
  const digits = digitsOf(mantissa);
  return digits === undefined ? undefined : Number(`${digits}e${exponent}`);
}
