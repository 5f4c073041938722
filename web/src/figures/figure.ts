// A figure is a function from results and attributes to one template. The element in the page draws with it, and so does the build.

import type { Headwise } from 'headwise';
import type { nothing, TemplateResult } from 'lit';
import type { Covers } from '../bench/covers.ts';
import type { Results } from '../bench/results.ts';

export interface FigureContext {
  readonly engine: Headwise;
  readonly results: Results;
  /** What exercises ask for, and is not to be seen before. */
  readonly covers: Covers;
  /** An attribute's text, null if it is not there. */
  readonly attribute: (name: string) => string | null;
}

export type Figure = (context: FigureContext) => TemplateResult | typeof nothing;

/** A number attribute, or nothing. */
export function numberIn(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
