// What is wider than its column scrolls in a box of its own; the keyboard has to reach such boxes, and only those.

export function reachByKeyboard(box: Element): void {
  if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
  else box.removeAttribute('tabindex');
}

const observer =
  typeof ResizeObserver === 'undefined'
    ? undefined
    : new ResizeObserver((entries) => {
        for (const { target } of entries) reachByKeyboard(target);
      });

/** The tables that a figure has just drawn, and whenever their width changes. */
export function watchTables(figure: Element): void {
  for (const table of figure.querySelectorAll('.table')) {
    reachByKeyboard(table);
    observer?.observe(table);
  }
}
