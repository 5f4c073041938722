// kind="condition": a state of the bench to reach with its controls.

import { conditionHolds } from '../../bench/conditions.ts';
import type { Grade } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

export const conditionKind: ExerciseKind = ({ attribute }) => ({
  needsCheck: true,
  grade: (results): Grade => (conditionHolds(results, attribute('passes-when')) ? 'right' : 'wrong'),
  fits: (results, feedback) => {
    const when = feedback.getAttribute('when');
    return when !== null && conditionHolds(results, when);
  },
  key: () => '',
  clear: () => undefined,
});
