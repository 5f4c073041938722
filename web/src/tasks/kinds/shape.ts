// kind="shape": rows and columns to type, of a result of the bench.

import { shapeNames } from '../../bench/covers.ts';
import { resolvePath } from '../../bench/results.ts';
import { field } from '../fields.ts';
import { answerText, fitsShape, gradeShape } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

export const shapeKind: ExerciseKind = ({ attribute }) => {
  const sides = [field('Rows', 'size'), field('Columns', 'size')] as const;
  const times = document.createElement('span');
  times.textContent = '×';
  const path = attribute('answer-of');
  const typed = () => sides.map(({ value }) => value);
  return {
    fields: [sides[0], times, sides[1]],
    needsCheck: true,
    unreadable: 'Two whole numbers, please: rows and columns.',
    grade: (results) => gradeShape(typed(), resolvePath(results, path)),
    fits: (results, feedback) => fitsShape(results, typed(), feedback),
    text: (results) => answerText('shape', resolvePath(results, path), 0),
    key: (results) => answerText('shape', resolvePath(results, path), 0),
    asked: (results) => ({ shapes: shapeNames(results, path) }),
    clear() {
      for (const side of sides) side.value = '';
    },
    focus: () => sides[0].focus(),
  };
};
