// How numbers become text. One place, so that a number looks the same in a cell, in a sentence and in an exercise.

import type { Matrix } from 'headwise';

export const minus = '−';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A real minus sign, and none before a number that rounds to zero. */
export function fixed(value: number, decimals: number): string {
  if (value === Infinity) return '∞';
  if (value === -Infinity) return `${minus}∞`;
  if (Number.isNaN(value)) return '?';
  const text = value.toFixed(decimals);
  if (!text.startsWith('-')) return text;
  return /[1-9]/.test(text) ? minus + text.slice(1) : text.slice(1);
}

/** 2·10⁻¹⁶ */
function powerOfTen(value: number, significant: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential(significant - 1).split('e');
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
  const text = fixed(value, 0);
  return text.replace(/\B(?=(\d{3})+$)/g, ',');
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
  return value === 1 ? '1' : fixed(value, decimals).replace(/^0\./, '.');
}

/** What a learner typed: real or ASCII minus, decimal point or comma, a fraction. undefined if it is no number. */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(minus, '-').replace(',', '.').replace(/^\+/, '');
  const fraction = /^(-?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(plain);
  if (fraction) return Number(fraction[1]) / Number(fraction[2]);
  if (!/^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(plain)) return undefined;
  return Number(plain);
}
