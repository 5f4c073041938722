// kind="choice": one of several answers, each with the reason why it is or is not.

import { OptionList } from '../options.ts';
import type { Grade } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

export const choiceKind: ExerciseKind = ({ element, bench, check }) => {
  const options = new OptionList(element, bench, check, false);
  return {
    needsCheck: false,
    grade: (): Grade => (options.isRight() ? 'right' : 'wrong'),
    key: () => options.rightOnes(),
    clear: () => options.clear(),
  };
};
