// Says how the engine is, where that matters to a reader: it is long on its way, or does not come, why, and what to do.

import { HeadwiseError, type LoadFailure } from 'headwise';
import type { Engine } from './engine.ts';

/** Whoever waits longer wants to know for what. */
const patience = 1000;
/** And after this long, what there is to do. A slow line is still not given up: what comes late is taken all the same. */
const longPatience = 30_000;

// Nothing changes when these are tried again.
const lasting: ReadonlySet<LoadFailure | undefined> = new Set<LoadFailure>(['policy', 'unsupported']);

const readOn = 'You can read on: the figures show the numbers that they start with.';

function paragraph(...content: (string | Node)[]): HTMLElement {
  const element = document.createElement('p');
  element.append(...content);
  return element;
}

function button(text: string, action: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', () => action(element));
  return element;
}

function notice(role: 'status' | 'alert', ...content: HTMLElement[]): HTMLElement {
  const element = document.createElement('div');
  element.className = 'notice';
  element.setAttribute('role', role);
  element.append(...content);
  return element;
}

/** A frame that is kept from its own origin can do less; the page by itself can. undefined anywhere else. */
export function addressOutsideFrame(): string | undefined {
  return self.origin === 'null' && location.protocol !== 'file:' ? location.href : undefined;
}

function wayOut(): HTMLElement[] {
  const address = addressOutsideFrame();
  if (address === undefined) return [];
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.textContent = address;
  return [paragraph('This page stands in a frame that is kept from its site. By itself it can do more: ', link)];
}

/** Keeps `place` up to date. Returns the function that stops it. */
export function showEngineStatus(engine: Engine, place: HTMLElement): () => void {
  let waiting: readonly ReturnType<typeof setTimeout>[] = [];
  let retried = false;

  function failed(error: Error): void {
    const reason = error instanceof HeadwiseError ? error.reason : undefined;
    const retry = button('Try again', (pressed) => {
      retried = true;
      pressed.disabled = true;
      pressed.textContent = 'Trying …';
      engine.retry();
    });
    const actions = document.createElement('div');
    actions.className = 'notice-actions';
    actions.append(
      ...(lasting.has(reason) ? [] : [retry]),
      button('Read on without', () => place.replaceChildren()),
    );
    place.replaceChildren(
      notice('alert', paragraph(error.message), ...wayOut(), paragraph(`${readOn} Settings are off.`), actions),
    );
    if (retried) retry.focus();
  }

  const stopWaiting = (): void => waiting.forEach((timer) => clearTimeout(timer));

  function say(...content: HTMLElement[]): void {
    place.replaceChildren(notice('status', ...content));
  }

  function longWait(): void {
    const actions = document.createElement('div');
    actions.className = 'notice-actions';
    actions.append(
      button('Load the page again', () => location.reload()),
      button('Read on without', () => place.replaceChildren()),
    );
    say(
      paragraph(
        'The numbers have not come yet: the connection is slow, or something on the way holds them back. ' +
          'They are still taken when they come; loading the page again may be faster.',
      ),
      paragraph(readOn),
      actions,
    );
  }

  function show(): void {
    stopWaiting();
    const { status } = engine;
    if (status.state === 'failed') failed(status.error);
    else if (status.state === 'ready') place.replaceChildren();
    else if (status.state === 'loading')
      waiting = [
        ...(retried ? [] : [setTimeout(() => say(paragraph('The numbers are being fetched …')), patience)]),
        setTimeout(longWait, longPatience),
      ];
  }

  show();
  const stop = engine.onChange(show);
  return () => {
    stopWaiting();
    stop();
  };
}
