// kind="order": steps to put in their order. Authors write them in the right one.

import type { Grade } from '../grading.ts';
import type { ExerciseKind } from './kind.ts';

/** The same wrong order each time, so that a class sees one and the same: by turns from the second half and the first, and so nothing in its place. */
function mixed<Item>(items: readonly Item[]): Item[] {
  const half = Math.ceil(items.length / 2);
  const [first, second] = [items.slice(0, half), items.slice(half)];
  return first.flatMap((item, at) => [...second.slice(at, at + 1), item]);
}

export const orderKind: ExerciseKind = ({ element, own }) => {
  const list = document.createElement('ol');
  list.className = 'order';
  const right = own('hw-option').map((option) => {
    const item = document.createElement('li');
    const text = document.createElement('span');
    text.append(...option.childNodes);
    const name = text.textContent.trim();
    const mover = (label: string, sign: string, move: () => void) => {
      const mover = document.createElement('button');
      mover.type = 'button';
      mover.className = 'mover';
      mover.textContent = sign;
      mover.setAttribute('aria-label', `${name}: ${label}`);
      mover.addEventListener('click', () => {
        move();
        clearMarks();
        mover.focus();
      });
      return mover;
    };
    const up = mover('earlier', '↑', () => item.previousElementSibling?.before(item));
    const down = mover('later', '↓', () => item.nextElementSibling?.after(item));
    item.append(text, up, down);
    makeDraggable(item);
    return item;
  });
  own('hw-option')[0]?.before(list);
  for (const option of own('hw-option')) option.remove();
  list.append(...mixed(right));

  function clearMarks(): void {
    for (const item of right) item.classList.remove('placed');
  }

  // How many, from the start, are where they belong.
  const placed = () => {
    const wrong = right.findIndex((item, at) => list.children[at] !== item);
    return wrong < 0 ? right.length : wrong;
  };

  // By the pointer, too; who cannot drag has the buttons.
  function makeDraggable(item: HTMLElement): void {
    item.addEventListener('pointerdown', (event) => {
      if (!event.isPrimary || event.button !== 0 || (event.target as Element).closest('button')) return;
      item.setPointerCapture(event.pointerId);
      item.classList.add('dragged');
    });
    item.addEventListener('pointermove', (event) => {
      if (!item.classList.contains('dragged')) return;
      const over = right.find((other) => {
        const { top, bottom } = other.getBoundingClientRect();
        return other !== item && event.clientY > top && event.clientY < bottom;
      });
      if (!over) return;
      const { top, bottom } = over.getBoundingClientRect();
      const isAfter = (over.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      if (isAfter && event.clientY > (top + bottom) / 2) over.after(item);
      else if (!isAfter && event.clientY < (top + bottom) / 2) over.before(item);
      else return;
      clearMarks();
    });
    for (const end of ['pointerup', 'pointercancel'])
      item.addEventListener(end, () => item.classList.remove('dragged'));
  }

  return {
    fields: [],
    needsCheck: true,
    grade: (): Grade => (placed() === right.length ? 'right' : 'wrong'),
    hint: () => (placed() === 0 ? 'The first one is another.' : `The first ${placed()} stand where they belong.`),
    key: () => '',
    mark: () => right.slice(0, placed()).forEach((item) => item.classList.add('placed')),
    clear: clearMarks,
    focus: () => element.querySelector<HTMLElement>('.mover')?.focus(),
  };
};
