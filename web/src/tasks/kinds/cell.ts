// kind="cell": a cell of a figure. Looking at cells is no answer: choosing one is, once the button is pressed.

import { matrixAt, parseCell } from '../../bench/results.ts';
import type { DrawnCell } from '../../figures/matrix/cell-pointer.ts';
import { benchOf } from '../../figures/figure-element.ts';
import { button } from '../fields.ts';
import { cellAnswer, fitsCell, gradeCell } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

export const cellKind: ExerciseKind = ({ element, bench, attribute, check }) => {
  const path = attribute('in');
  const told = document.createElement('p');
  told.className = 'control-help';
  const figures = () =>
    [
      ...(element.closest('article') ?? document).querySelectorAll<HTMLElement>(`[data-path="${CSS.escape(path)}"]`),
    ].filter((figure) => benchOf(figure) === bench());
  let chosen = '';
  let stop: (() => void) | undefined;
  const choose = button('Choose a cell', '', () => (stop ? leave() : enter()));
  choose.setAttribute('aria-pressed', 'false');

  const cellChosen = (event: Event) => {
    const cell = (event as CustomEvent<DrawnCell>).detail;
    if (benchOf(event.target as Element) !== bench() || cell.path !== path) return;
    chosen = `${cell.row}, ${cell.column}`;
    leave();
    check();
  };
  const escaped = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
  };

  function enter(): void {
    const framed = figures();
    document.addEventListener('hw-cell', cellChosen);
    document.addEventListener('keydown', escaped);
    for (const figure of framed) figure.classList.add('choosing');
    stop = () => {
      document.removeEventListener('hw-cell', cellChosen);
      document.removeEventListener('keydown', escaped);
      for (const figure of framed) figure.classList.remove('choosing');
    };
    choose.setAttribute('aria-pressed', 'true');
    told.textContent =
      'Now click the cell in the framed figure, or go there with the arrow keys and press Enter. Escape leaves it.';
    framed[0]?.scrollIntoView({ block: 'nearest' });
    framed[0]?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  function leave(): void {
    stop?.();
    stop = undefined;
    choose.setAttribute('aria-pressed', 'false');
    told.textContent = '';
  }

  return {
    fields: [choose, told],
    needsCheck: false,
    grade(results) {
      const cell = parseCell(chosen, undefined);
      return cell ? gradeCell(results, cell, attribute('answer'), attribute('answer-of')) : 'wrong';
    },
    fits: (results, feedback) => fitsCell(results, chosen, feedback),
    key: (results) => JSON.stringify(cellAnswer(results, attribute('answer'), attribute('answer-of'))),
    asked(results) {
      const matrix = element.hasAttribute('unlinked') ? matrixAt(results, path) : undefined;
      return matrix && { unlinked: [matrix.id] };
    },
    clear() {
      leave();
      chosen = '';
    },
  };
};
