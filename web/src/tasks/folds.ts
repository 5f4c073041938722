// Hints and reasons: the build folds both for readers without JavaScript; here hints stay folded and reasons wait for an answer.

// The build folds hints already, for readers without JavaScript; a lesson in development may come without it.
export function fold(hint: HTMLElement): void {
  if (hint.querySelector(':scope > details')) return;
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Hint';
  details.append(summary, ...hint.childNodes);
  hint.append(details);
}

/** Takes a reason out of the fold that the build made for readers without JavaScript: here the element itself decides when to show it. */
export function unfold(reason: Element): void {
  const details = reason.querySelector(':scope > details.folded');
  if (!details) return;
  details.querySelector(':scope > summary')?.remove();
  details.replaceWith(...details.childNodes);
}
