import { describe, expect, it } from 'vitest';
import { cellText, decimalsFor, fixed, groupThousands, parseNumber, significant } from '../../web/src/text/format.ts';

const matrix = (...values: number[]) => ({ rows: 1, columns: values.length, data: Float64Array.from(values) });

describe('numbers as text', () => {
  it('have a real minus sign, and none before what rounds to zero', () => {
    expect(fixed(-1.25, 1)).toBe('−1.3');
    expect(fixed(-0.04, 1)).toBe('0.0');
    expect(fixed(-0, 1)).toBe('0.0');
    expect(fixed(-Infinity, 1)).toBe('−∞');
  });

  it('keep so many significant digits, and say 0 for exactly 0 only', () => {
    expect(significant(0)).toBe('0');
    expect(significant(0.26917)).toBe('0.269');
    expect(significant(-12.345)).toBe('−12.3');
    expect(significant(2.2e-16)).toBe('2·10⁻¹⁶');
    expect(significant(-0.00012345)).toBe('−1.23·10⁻⁴');
    expect(significant(5)).toBe('5');
    expect(significant(1234567)).toBe('1,234,567');
    expect(significant(1234.5)).toBe('1235');
  });

  it('are grouped in thousands', () => {
    expect(groupThousands(999)).toBe('999');
    expect(groupThousands(-12345)).toBe('−12,345');
  });

  it('are bare in cells where they are exact', () => {
    expect(cellText(0, 2)).toBe('0');
    expect(cellText(0.001, 2)).toBe('0.00');
    expect(cellText(0.42, 2, true)).toBe('.42');
    expect(cellText(1, 2, true)).toBe('1');
    expect(cellText(0.999, 2, true)).toBe('1.00');
  });
});

describe('decimals of a figure', () => {
  it('follow the size of its numbers', () => {
    expect(decimalsFor([matrix(123.4, 5.5)])).toBe(0);
    expect(decimalsFor([matrix(12.3, -4.5)])).toBe(1);
    expect(decimalsFor([matrix(1.25, -0.5)])).toBe(2);
    expect(decimalsFor([matrix(0.05)])).toBe(3);
  });

  it('grow where most numbers would read alike', () => {
    expect(decimalsFor([matrix(4.01, 4.02, 4.03, 4.04)])).toBe(2);
  });

  it('are none for whole numbers and two for weights', () => {
    expect(decimalsFor([matrix(1, 2, 3)])).toBe(0);
    expect(decimalsFor([matrix(0.25, 0.75)], true)).toBe(2);
  });

  it('do not mind hidden cells and nothing at all', () => {
    expect(decimalsFor([matrix(-Infinity, 12.5)])).toBe(1);
    expect(decimalsFor([])).toBe(1);
  });
});

describe('what a learner types', () => {
  it.each([
    ['1.5', 1.5],
    ['−1,5', -1.5],
    [' -2 ', -2],
    ['+3', 3],
    ['.5', 0.5],
    ['1/4', 0.25],
    ['-3/4', -0.75],
    ['2e-3', 0.002],
    ['1,152', 1152],
    ['−2,359,296', -2359296],
    ['1,152.5', 1152.5],
    ['1,152 / 2', 576],
    ['0,25', 0.25],
    ['0,125', 0.125],
    ['3,5', 3.5],
    [',5', 0.5],
    ['1152,5', 1152.5],
    ['2,5/4', 0.625],
    ['3·10⁻⁵', 3e-5],
    ['−1.23·10¹²', -1.23e12],
    ['3*10^-5', 3e-5],
    ['3 × 10^4', 3e4],
    ['−∞', -Infinity],
  ])('%s is a number', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each([
    '',
    'x',
    '1.2.3',
    '1 2',
    '--1',
    'Infinity',
    '0x10',
    '1,2,3',
    '1.152,5',
    '12,34.5',
    '1,1522.5',
    '1/0',
    '1/-2',
    '/2',
    '1/2/3',
    '10^',
    '·10⁻⁵',
    '3·10',
    '-',
    '.',
  ])('“%s” is none', (text) => expect(parseNumber(text)).toBeUndefined());

  const magnitudes = [0, 5e-324, 2.2e-16, 3e-5, 0.00999, 0.05, 0.25, 0.42, 1 / 3, 0.9999, 1, 9.995, 12.345, 999, 1000];
  const large = [1152, 1234.5, 9999.5, 12345, 999999, 2359296, 999999999, 1e9, 7.7309411328e10, 1e21, 1e300, Infinity];
  const values = [...magnitudes, ...large].flatMap((value) => [value, -value]);

  // How far off a text may be: half a unit of its last decimal, or so many significant digits, and a little for the division.
  it.each<[string, (value: number) => string, (value: number) => number]>([
    ['fixed', (value) => fixed(value, 2), () => 0.005],
    ['fixed without decimals', (value) => fixed(value, 0), () => 0.5],
    ['significant', (value) => significant(value), (value) => (value < 1e-9 ? 0.5 : 0.005) * value],
    ['significant with one digit', (value) => significant(value, 1), (value) => 0.5 * value],
    ['groupThousands', (value) => groupThousands(value), () => 0.5],
    ['cellText', (value) => cellText(value, 2), () => 0.005],
  ])('is what %s prints, read as the same number', (_, print, allowed) => {
    for (const value of values) {
      const read = parseNumber(print(value));
      if (Number.isFinite(value)) {
        expect(Math.abs(read! - value), print(value)).toBeLessThanOrEqual(allowed(Math.abs(value)) * (1 + 1e-9));
      } else expect(read).toBe(value);
    }
  });

  it('is what a map of weights prints, without its leading zero', () => {
    for (const weight of [0, 0.001, 0.25, 0.9, 0.999, 1]) {
      const text = cellText(weight, 2, true);
      expect(text).not.toMatch(/^0./);
      expect(parseNumber(text), text).toBeCloseTo(weight, 2);
    }
  });
});
