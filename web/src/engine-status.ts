// Says how the engine is, where that matters to a reader: it is long on its way, or does not come, why, and what to do.

import { HeadwiseError, type LoadFailure } from 'headwise';
import type { Engine } from './engine.ts';

/** Whoever waits longer wants to know for what. */
const patience = 1000;

// Nothing changes when these are tried again.
const lasting: ReadonlySet<LoadFailure | undefined> = new Set<LoadFailure>(['policy', 'unsupported']);

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
  let waiting: ReturnType<typeof setTimeout> | undefined;
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
      notice(
        'alert',
        paragraph(error.message),
        ...wayOut(),
        paragraph('You can read on: the figures show the numbers that they start with, and settings are off.'),
        actions,
      ),
    );
    if (retried) retry.focus();
  }

  function show(): void {
    clearTimeout(waiting);
    const { status } = engine;
    if (status.state === 'failed') failed(status.error);
    else if (status.state === 'ready') place.replaceChildren();
    else if (status.state === 'loading' && !retried)
      waiting = setTimeout(() => {
        place.replaceChildren(notice('status', paragraph('The numbers are being fetched …')));
      }, patience);
  }

  show();
  const stop = engine.onChange(show);
  return () => {
    clearTimeout(waiting);
    stop();
  };
}
