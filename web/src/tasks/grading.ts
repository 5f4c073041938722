// Whether an answer is right. Answers come from the engine; how far a typed number is from one is never shown, so it is taken here.

import { parseShape, valueText } from '../bench/conditions.ts';
import { valueOf } from '../bench/expressions.ts';
import { fixed, parseNumber, shapeText, significant } from '../text/format.ts';
import { parseCell, resolvePath, shapeOf, type Cell, type Results } from '../bench/results.ts';

export type Grade = 'right' | 'wrong' | 'unreadable';

/**
 * Right within half a unit of the last decimal asked for, or within what the lesson allows; rounding of the typed number itself costs
 * nothing, nor does copying a number that the page prints with fewer digits than it has.
 */
export function gradeNumber(typed: string, answer: unknown, digits: number, within = 0.5 * 10 ** -digits): Grade {
  const value = parseNumber(typed);
  if (value === undefined) return 'unreadable';
  if (typeof answer !== 'number') return 'wrong';
  const readsAlike = (text: (value: number) => string) => text(value) === text(answer);
  if (readsAlike((number) => fixed(number, digits)) || readsAlike((number) => numberText(number, digits)))
    return 'right';
  return Math.abs(value - answer) <= within ? 'right' : 'wrong';
}

/** Rows and columns as they were typed → the shape; each may be written as the page writes numbers. */
function typedShape(typed: readonly string[]): number[] | undefined {
  const sizes = typed.map(parseNumber);
  return sizes.every((size) => size !== undefined && Number.isInteger(size) && size >= 0)
    ? (sizes as number[])
    : undefined;
}

export function gradeShape(typed: readonly string[], answer: unknown): Grade {
  const shape = typedShape(typed);
  if (!shape) return 'unreadable';
  return sameShape(shape, shapeOf(answer)) ? 'right' : 'wrong';
}

/** The cell an exercise asks for: authored, or a result with row and column. */
export function cellAnswer(results: Results, authored: string, path: string): Cell | undefined {
  if (authored !== '') return parseCell(authored, results.names);
  const found = resolvePath(results, path);
  if (typeof found !== 'object' || found === null || !('row' in found) || !('column' in found)) return undefined;
  const { row, column } = found;
  return typeof row === 'number' && typeof column === 'number' ? { row, column } : undefined;
}

/** Is the chosen cell the one asked for? */
export function gradeCell(results: Results, chosen: Cell, authored: string, path: string): Grade {
  return sameCell(chosen, cellAnswer(results, authored, path)) ? 'right' : 'wrong';
}

/** What a hw-feedback says of the slip that it is about. */
export interface Slip {
  getAttribute(name: 'when' | 'when-is'): string | null;
}

/** Is the typed number the slip: a number, or what is worked out of results? */
export function fitsNumber(results: Results, typed: string, slip: Slip, digits: number): boolean {
  const whenIs = slip.getAttribute('when-is');
  const expected = whenIs === null ? parseNumber(slip.getAttribute('when') ?? '') : valueOf(results, whenIs);
  return expected !== undefined && gradeNumber(typed, expected, digits) === 'right';
}

export function fitsShape(results: Results, typed: readonly string[], slip: Slip): boolean {
  const whenIs = slip.getAttribute('when-is');
  const expected =
    whenIs === null ? parseShape(slip.getAttribute('when') ?? '') : shapeOf(resolvePath(results, whenIs));
  return sameShape(typedShape(typed), expected);
}

export function fitsCell(results: Results, chosen: string, slip: Slip): boolean {
  const when = slip.getAttribute('when');
  return when !== null && sameCell(parseCell(chosen, results.names), parseCell(when, results.names));
}

/** A typed number may be off by as much as the lesson allows, unless it is a slip that has a reply of its own. */
export function gradeTypedNumber(
  results: Results,
  typed: string,
  path: string,
  digits: number,
  within: number | undefined,
  slips: readonly Slip[],
): Grade {
  const answer = resolvePath(results, path);
  const exact = gradeNumber(typed, answer, digits);
  if (exact === 'wrong' && slips.some((slip) => fitsNumber(results, typed, slip, digits))) return 'wrong';
  return gradeNumber(typed, answer, digits, within);
}

function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a && b ? a.row === b.row && a.column === b.column : false;
}

function sameShape(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a && b ? a[0] === b[0] && a[1] === b[1] : false;
}

/** The answer as it is shown once it was found or given up. */
export function answerText(kind: string, answer: unknown, digits: number): string {
  if (kind === 'shape') {
    const shape = shapeOf(answer);
    return shape ? shapeText(...shape) : '';
  }
  return typeof answer === 'number' ? numberText(answer, digits) : valueText(answer);
}

function numberText(answer: number, digits: number): string {
  return Number.isInteger(answer) ? significant(answer) : fixed(answer, digits);
}
