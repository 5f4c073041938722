// The bar: on a narrow screen the lessons fold behind a button that names the open one.

import { hiddenControls, onStateChange } from './state.ts';

export function startMenu(): void {
  const button = document.getElementById('menu');
  const list = document.getElementById('lessons');
  if (!button || !list) return;

  // For a lesson in a frame of somebody else's page, which has a bar of its own.
  onStateChange(() => document.documentElement.classList.toggle('without-bar', hiddenControls().has('bar')));

  const isOpen = (): boolean => button.getAttribute('aria-expanded') === 'true';
  const show = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    list.classList.toggle('open', open);
  };

  button.addEventListener('click', () => show(!isOpen()));
  list.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) show(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    show(false);
    button.focus();
  });
  document.addEventListener('pointerdown', (event) => {
    const target = event.target as Node;
    if (isOpen() && !list.contains(target) && !button.contains(target)) show(false);
  });
  list.addEventListener('focusout', (event) => {
    const next = event.relatedTarget as Node | null;
    if (isOpen() && next && !list.contains(next) && next !== button) show(false);
  });
}
