// What a displayed number says: its value, and by how much it may be off for having been rounded.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export interface ReadNumber {
  readonly value: number;
  /** Half a unit of the last digit shown. */
  readonly tolerance: number;
  readonly decimals: number;
}

/** "−0.12", ".12", "1,234", "∞", "2·10⁻¹⁶"; undefined for a text that is no number. */
export function readNumber(text: string): ReadNumber | undefined {
  const plain = text.trim().replaceAll('−', '-').replaceAll(',', '');
  if (plain === '∞' || plain === '-∞') {
    return { value: plain === '∞' ? Infinity : -Infinity, tolerance: 0, decimals: 0 };
  }
  const match = /^(-?\d*(?:\.(\d+))?)(?:·10(⁻?)([⁰¹²³⁴-⁹]+))?$/u.exec(plain);
  if (!match || !/\d/.test(match[1] ?? '')) return undefined;
  const digits = [...(match[4] ?? '')].map((digit) => superscripts.indexOf(digit)).join('');
  const exponent = Number(digits) * (match[3] === '' ? 1 : -1) || 0;
  const decimals = (match[2]?.length ?? 0) - exponent;
  return { value: Number(match[1]) * 10 ** exponent, tolerance: 0.5 * 10 ** -decimals, decimals };
}

/** Whether a text shows this value, rounded to the digits it has. */
export function shows(text: string, value: number): boolean {
  const read = readNumber(text);
  if (!read) return false;
  if (!Number.isFinite(value) || !Number.isFinite(read.value)) return read.value === value;
  return Math.abs(read.value - value) <= read.tolerance + 1e-12 * Math.abs(value);
}
