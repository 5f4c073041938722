// Texts of results in a sentence and in a meter, for the page and for the build.

import type { JudgedComparison } from '../bench/recipes/layer-tree.ts';
import { valueText } from '../bench/conditions.ts';
import { fixed, minus, significant } from './format.ts';
import { resolvePath, type Results } from '../bench/results.ts';

/** undefined if there is no such number now. */
export function numberText(results: Results, path: string, digits: string | null): string | undefined {
  const value = resolvePath(results, path);
  if (typeof value !== 'number') return undefined;
  return digits === null || digits === '' ? significant(value) : fixed(value, Number(digits));
}

export function shapeOrText(results: Results, path: string): string | undefined {
  const value = resolvePath(results, path);
  return value === undefined ? undefined : valueText(value);
}

export interface Meter {
  readonly number: string;
  /** Length of the bar, 0 to 1: the difference as a share of the largest number in sight. */
  readonly share: number;
  readonly words: string;
  /** To the last bit, or to rounding. */
  readonly equal: boolean;
}

export function isComparison(value: unknown): value is JudgedComparison {
  return typeof value === 'object' && value !== null && 'largestDifference' in value && 'sameShape' in value;
}

/** What a meter says about a comparison: number, bar, and in words where the difference is or that it is rounding. */
export function meterOf(results: Results, path: string): Meter | undefined {
  const comparison = resolvePath(results, path);
  if (!isComparison(comparison)) return undefined;
  if (!comparison.sameShape) return { number: minus, share: 1, words: 'the shapes differ', equal: false };
  const { largestDifference, largestMagnitude, row, column } = comparison;
  const number = significant(largestDifference);
  if (largestDifference === 0) return { number, share: 0, words: 'equal to the last bit', equal: true };
  const token = comparison.rows === 'numbers' ? undefined : results.names.tokens[row];
  const words = comparison.equal
    ? 'equal to rounding'
    : `in row ${token ? `“${token}”` : row + 1}, column ${column + 1}; numbers reach ${significant(largestMagnitude, 2)}`;
  return { number, share: Math.min(1, largestDifference / (largestMagnitude || 1)), words, equal: comparison.equal };
}
