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
  ])('%s is a number', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each(['', 'x', '1.2.3', '1 2', '--1', 'Infinity', '0x10'])('“%s” is none', (text) =>
    expect(parseNumber(text)).toBeUndefined(),
  );
});
