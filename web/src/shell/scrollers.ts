// Formulas, tables and listings that are wider than their column scroll; the keyboard has to reach those, and only those.

const scrollerSelector = 'main > article :is(.formula, .table, pre)';

export function startScrollers(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const scroller of document.querySelectorAll(scrollerSelector)) observer.observe(scroller);
}
