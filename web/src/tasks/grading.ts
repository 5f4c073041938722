// Whether an answer is right. Answers come from the engine; so does the distance of a typed number from them.

import type { Headwise } from 'headwise';
import { conditionHolds, parseShape, valueText } from '../bench/conditions.ts';
import { fixed, parseNumber, shapeText, significant } from '../text/format.ts';
import { parseCell, resolvePath, shapeOf, type Cell, type Results } from '../bench/results.ts';

export type Grade = 'right' | 'wrong' | 'unreadable';

function apart(engine: Headwise, a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b ? 0 : Infinity;
  return engine.compareMatrices([[a]], [[b]]).largestDifference;
}

/** Right within half a unit of the last decimal asked for, or within what the lesson allows; rounding of the typed number itself costs nothing. */
export function gradeNumber(
  engine: Headwise,
  typed: string,
  answer: unknown,
  digits: number,
  within = 0.5 * 10 ** -digits,
): Grade {
  const value = parseNumber(typed);
  if (value === undefined) return 'unreadable';
  if (typeof answer !== 'number') return 'wrong';
  if (fixed(value, digits) === fixed(answer, digits)) return 'right';
  return apart(engine, value, answer) <= within ? 'right' : 'wrong';
}

export function gradeShape(rows: string, columns: string, answer: unknown): Grade {
  const typed = parseShape(`${rows} ${columns}`);
  if (!typed) return 'unreadable';
  const shape = shapeOf(answer);
  return sameShape(typed, shape) ? 'right' : 'wrong';
}

/** The cell an exercise asks for: authored, or a result with row and column. */
function cellAnswer(results: Results, authored: string | null, path: string | null): Cell | undefined {
  if (authored !== null) return parseCell(authored, results.names);
  const found = path === null ? undefined : resolvePath(results, path);
  if (typeof found !== 'object' || found === null || !('row' in found) || !('column' in found)) return undefined;
  const { row, column } = found;
  return typeof row === 'number' && typeof column === 'number' ? { row, column } : undefined;
}

/** Is the chosen cell the one asked for? */
export function gradeCell(results: Results, chosen: Cell, authored: string | null, path: string | null): Grade {
  return sameCell(chosen, cellAnswer(results, authored, path)) ? 'right' : 'wrong';
}

/** Does a wrong answer match the slip that a hw-feedback is about? */
export function fitsFeedback(
  engine: Headwise,
  results: Results,
  kind: string,
  typed: string,
  feedback: { readonly when: string | null; readonly whenIs: string | null },
  digits: number,
): boolean {
  if (kind === 'condition') return feedback.when !== null && conditionHolds(results, feedback.when);
  if (kind === 'shape') {
    const shape = parseShape(typed);
    const expected =
      feedback.whenIs === null ? parseShape(feedback.when ?? '') : shapeOf(resolvePath(results, feedback.whenIs));
    return sameShape(shape, expected);
  }
  if (kind === 'cell')
    return feedback.when !== null && sameCell(parseCell(typed, results.names), parseCell(feedback.when, results.names));
  const expected = feedback.whenIs === null ? parseNumber(feedback.when ?? '') : resolvePath(results, feedback.whenIs);
  return expected !== undefined && gradeNumber(engine, typed, expected, digits) === 'right';
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
  if (typeof answer === 'number') return Number.isInteger(answer) ? significant(answer) : fixed(answer, digits);
  return valueText(answer);
}
