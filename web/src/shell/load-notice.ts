// Says in the page when the engine could not be loaded, and lets the reader try again. The text stays readable.

import type { Engine } from '../engine.ts';

function paragraph(...content: (string | Node)[]): HTMLElement {
  const element = document.createElement('p');
  element.append(...content);
  return element;
}

export function startLoadNotice(engine: Engine): void {
  const place = document.getElementById('load-notice');
  if (!place) return;
  let retried = false;

  engine.onChange((status) => {
    if (status.state === 'failed') {
      const retry = document.createElement('button');
      retry.type = 'button';
      retry.textContent = 'Try again';
      retry.addEventListener('click', () => {
        retried = true;
        retry.disabled = true;
        retry.textContent = 'Trying …';
        engine.retry();
      });
      const dismiss = document.createElement('button');
      dismiss.type = 'button';
      dismiss.textContent = 'Read on without';
      dismiss.addEventListener('click', () => place.replaceChildren());
      const actions = document.createElement('div');
      actions.className = 'notice-actions';
      actions.append(retry, dismiss);
      const notice = document.createElement('div');
      notice.className = 'notice';
      notice.append(
        paragraph(status.error.message),
        paragraph('You can read on: the figures show the numbers that they start with.'),
        actions,
      );
      place.replaceChildren(notice);
      if (retried) retry.focus();
    } else if (status.state === 'ready') {
      place.replaceChildren();
    }
  });
}
