// Exercises and predictions as their authors wrote them. The page's elements take their children apart, so the built HTML is read.

import type { Page } from '@playwright/test';

export interface Option {
  readonly correct: boolean;
  /** A condition on the bench's results. */
  readonly correctWhen: string | null;
  readonly hasReason: boolean;
}

export interface Task {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly bench: Readonly<Record<string, string>>;
  readonly options: readonly Option[];
  /** Paths and conditions of its hw-feedback elements. */
  readonly feedback: readonly { readonly when: string | null; readonly whenIs: string | null }[];
  /** Its steps in the right order. */
  readonly steps: readonly string[];
  /** The right fillings of its gaps. */
  readonly slots: readonly { readonly answer: string }[];
  readonly hints: number;
  /** Reasons of the task itself, not of its options. */
  readonly reasons: number;
}

export function authored(page: Page, id: string): Promise<Task> {
  return page.evaluate(async (id) => {
    // The page's policy lets no text become markup; what is fetched as a document is none.
    const source = await new Promise<Document | null>((resolve) => {
      const request = new XMLHttpRequest();
      request.responseType = 'document';
      request.onload = () => resolve(request.responseXML);
      request.open('GET', 'index.html');
      request.send();
    });
    const task = source?.getElementById(id);
    if (!source || !task) throw new Error(`the built page has no ${id}: build it again`);
    const attributesOf = (element: Element | null) =>
      Object.fromEntries([...(element?.attributes ?? [])].map(({ name, value }) => [name, value]));
    const named = task.closest('[bench], hw-bench');
    const bench = named?.tagName === 'HW-BENCH' ? named : source.getElementById(named?.getAttribute('bench') ?? '');
    return {
      id,
      attributes: attributesOf(task),
      bench: attributesOf(bench),
      options: [...task.querySelectorAll('hw-option')].map((option) => ({
        correct: option.hasAttribute('correct'),
        correctWhen: option.getAttribute('correct-when'),
        hasReason: option.querySelector('hw-reason') !== null,
      })),
      feedback: [...task.querySelectorAll('hw-feedback')].map((feedback) => ({
        when: feedback.getAttribute('when'),
        whenIs: feedback.getAttribute('when-is'),
      })),
      steps: [...task.querySelectorAll('hw-option')].map((option) => option.textContent.replace(/\s+/g, ' ').trim()),
      slots: [...task.querySelectorAll('hw-slot')].map((slot) => ({ answer: slot.getAttribute('answer') ?? '' })),
      hints: task.querySelectorAll('hw-hint').length,
      reasons: [...task.querySelectorAll('hw-reason')].filter((reason) => reason.closest('hw-option') === null).length,
    };
  }, id);
}
