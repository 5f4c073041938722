// kind="number": a number to type, whose right value is a result of the bench.

import { askedCells } from '../../bench/covers.ts';
import { resolvePath } from '../../bench/results.ts';
import { field } from '../fields.ts';
import { answerText, fitsNumber, gradeTypedNumber } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

const usualDigits = 2;

export const numberKind: ExerciseKind = ({ attribute, own }) => {
  const input = field('Your answer', 'number');
  const path = attribute('answer-of');
  const digits = attribute('digits') === '' ? usualDigits : Number(attribute('digits'));
  const within = attribute('within') === '' ? undefined : Number(attribute('within'));
  return {
    fields: [input, attribute('unit')],
    needsCheck: true,
    unreadable: 'That does not read as a number.',
    grade: (results) => gradeTypedNumber(results, input.value, path, digits, within, own('hw-feedback')),
    fits: (results, feedback) => fitsNumber(results, input.value, feedback, digits),
    text: (results) => answerText('number', resolvePath(results, path), digits),
    key: (results) => String(resolvePath(results, path)),
    asked: (results, { headwise }) => (headwise ? { cells: askedCells(headwise, results, path) } : undefined),
    clear: () => void (input.value = ''),
    focus: () => input.focus(),
  };
};
