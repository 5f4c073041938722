// Rows of <hw-training>'s tables: a loss of both look-ups, of the previous token, of the first.

import type { Evaluation } from 'headwise';
import { html, nothing, type TemplateResult } from 'lit';
import { significant } from '../text/format.ts';

export function lossesHead(rows: string): TemplateResult {
  return html`<thead>
    <tr>
      <th scope="col">${rows}</th>
      <th scope="col">both</th>
      <th scope="col">previous</th>
      <th scope="col">first</th>
    </tr>
  </thead>`;
}

/** Dots until there is an evaluation. */
export function lossCells(at: Evaluation | undefined): TemplateResult[] {
  return [at?.loss, at?.previousLoss, at?.firstLoss].map(
    (value) => html`<td data-value=${value ?? nothing}>${value === undefined ? '…' : significant(value)}</td>`,
  );
}
