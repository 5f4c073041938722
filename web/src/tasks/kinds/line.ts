// kind="line": the line of a listing that is meant.

import { linesOf } from '../../figures/code/lines.ts';
import type { Grade } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

export const lineKind: ExerciseKind = ({ attribute, own, check }) => {
  const [code] = own('pre > code');
  const lines = code ? linesOf(code) : [];
  let chosen = 0;
  // 0: none.
  const press = (number: number) => {
    chosen = number;
    lines.forEach((line, index) => {
      if (line.classList.contains('choosable')) line.setAttribute('aria-pressed', String(index + 1 === number));
    });
  };
  lines.forEach((line, index) => {
    if (line.textContent.trim() === '') return;
    line.setAttribute('role', 'button');
    line.tabIndex = 0;
    line.classList.add('choosable');
    const choose = () => {
      press(index + 1);
      check();
    };
    line.addEventListener('click', choose);
    line.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
  });
  press(0);
  return {
    needsCheck: false,
    grade: (): Grade => (String(chosen) === attribute('answer') ? 'right' : 'wrong'),
    fits: (_, feedback) => feedback.getAttribute('when') === String(chosen),
    text: () => `line ${attribute('answer')}`,
    key: () => '',
    clear: () => press(0),
  };
};
