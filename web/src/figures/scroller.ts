// What is wider than its column scrolls in a box of its own; the keyboard has to reach such boxes, and only those.

export function reachByKeyboard(box: Element): void {
  if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0');
  else box.removeAttribute('tabindex');
}
