// What the page gives its elements: state in the address, answers in the browser's store, articles as lessons.

import { createEngine } from '../engine.ts';
import type { Host, Lesson } from '../host.ts';
import { createProgress, storeKey, type Progress } from '../tasks/progress.ts';
import { hiddenControls, onStateChange, readState, writeState } from './state.ts';

function lessonOf(element: Element): Lesson {
  const article = element.closest('article');
  return {
    id: article?.id ?? '',
    get isOpen() {
      return element.closest('article[hidden]') === null;
    },
    // The router says so.
    onChange(listener) {
      const opened = (): void => listener(true);
      const closed = (): void => listener(false);
      article?.addEventListener('hw-open', opened);
      article?.addEventListener('hw-close', closed);
      return () => {
        article?.removeEventListener('hw-open', opened);
        article?.removeEventListener('hw-close', closed);
      };
    },
  };
}

/** This browser's answers, also those given in another tab. */
function storedProgress(): Progress {
  const progress = createProgress(() => globalThis.localStorage);
  addEventListener('storage', (event) => {
    if (event.key === storeKey || event.key === null) progress.reload();
  });
  return progress;
}

export function createPageHost(): Host & { readonly progress: Progress } {
  return {
    engine: createEngine(),
    state: { read: readState, write: writeState, hiddenControls, onChange: onStateChange },
    progress: storedProgress(),
    lessonOf,
    tellsEngineStatus: true,
  };
}
