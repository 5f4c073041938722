// What is wrong with a condition beside the results that it is about.

import { parseCondition, parseShape, type Term } from '../../bench/conditions.ts';
import { shapeOf, type Results } from '../../bench/results.ts';
import { parseNumber } from '../../text/format.ts';
import { advice } from '../faults.ts';
import type { LessonBench } from './benches.ts';
import { describe, follow, pathFault } from './paths.ts';

function comparedFault(results: Results, { path, sign, value }: Term, found: unknown): string | undefined {
  if (typeof found !== 'number') return `${path} is ${describe(found)}; ${sign} compares numbers`;
  if (parseNumber(value) !== undefined) return undefined;
  const fault = pathFault(results, value, 'number');
  return fault === undefined ? undefined : `after the ${sign} goes a number or the path of one: ${fault}`;
}

function valueFault(bench: LessonBench, { path, value }: Term, found: unknown): string | undefined {
  if (value === '' || value === 'none') return undefined;
  if (typeof found === 'number' && parseNumber(value) === undefined) return `${path} is a number; "${value}" is none`;
  if (typeof found === 'boolean' && value !== 'true' && value !== 'false')
    return `${path} is true or false; "${value}" is neither`;
  if (shapeOf(found) && !parseShape(value)) return `${path} is a shape; write its value like 5 × 3`;
  const parameter = bench.recipe.parameters.find(({ name }) => path === `state.${name}`);
  const choices = parameter?.choices?.map((choice) => choice.value);
  if (!choices || choices.includes(value)) return undefined;
  return `${path} is never "${value}"; ${advice(
    value,
    choices.filter((choice) => choice !== ''),
    'it can be',
  )}`;
}

/** The first thing wrong; undefined if nothing is. */
export function conditionFault(bench: LessonBench, results: Results, text: string): string | undefined {
  const { terms, faults } = parseCondition(text);
  if (faults.length > 0) return faults[0];
  for (const term of terms) {
    const found = follow(results, term.path);
    const compares = term.sign === '<' || term.sign === '>';
    const fault =
      'fault' in found
        ? found.fault
        : compares
          ? comparedFault(results, term, found.value)
          : valueFault(bench, term, found.value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
