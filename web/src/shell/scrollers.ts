// Formulas, tables and listings that are wider than their column.

import { reachByKeyboard } from '../figures/scroller.ts';

const scrollerSelector = 'main > article :is(.formula, .table, pre)';

export function startScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) reachByKeyboard(target);
  });
  for (const scroller of document.querySelectorAll(scrollerSelector)) observer.observe(scroller);
}
