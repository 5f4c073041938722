// Names of matrices with their indices: Q₁, K₁ᵀ, W₁ with a raised q.

import { html, type TemplateResult } from 'lit';
import { labelParts } from './appearance.ts';

/** An index below and one above the same letter stand over each other, as in print. */
export function labelTemplate(label: string): TemplateResult {
  const parts = labelParts(label);
  const pieces: unknown[] = [];
  for (let at = 0; at < parts.length; ++at) {
    const part = parts[at];
    const next = parts[at + 1];
    if (part?.level === 'sub' && next?.level === 'sup') {
      pieces.push(html`<span class="indices"><sup>${next.text}</sup><sub>${part.text}</sub></span>`);
      ++at;
    } else if (part?.level === 'sub') pieces.push(html`<sub>${part.text}</sub>`);
    else if (part?.level === 'sup') pieces.push(html`<sup>${part.text}</sup>`);
    else if (part) pieces.push(part.text);
  }
  return html`${pieces}`;
}
