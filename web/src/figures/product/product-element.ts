// <hw-product of>: the chosen cell opened, with the numbers put in.

import { html, nothing, type TemplateResult } from 'lit';
import { startingCell, workingOf, type Piece, type Step } from './working.ts';
import type { BenchNews, Selection } from '../../bench/bench-element.ts';
import { FigureElement } from '../figure-element.ts';
import { labelTemplate } from '../label.ts';

function piecesTemplate(pieces: readonly Piece[]): TemplateResult[] {
  return pieces.map(({ text, tone, strong, raised, isLabel }) => {
    const coloured = html`<span class="${tone ? `role-${tone}` : ''} ${strong ? 'strong' : ''}"
      >${isLabel ? labelTemplate(text) : text}</span
    >`;
    return raised ? html`<sup>${coloured}</sup>` : coloured;
  });
}

function stepTemplate(step: Step): TemplateResult {
  return html`<div class="step">
    <p class="step-name">${step.name}</p>
    <p class="step-line">${piecesTemplate(step.pieces)}</p>
    ${
      step.rows
        ? html`<table class="softmax">
            <thead>
              <tr>
                <th scope="col">key</th>
                <th scope="col">score</th>
                <th scope="col">e<sup>score − largest</sup></th>
                <th scope="col">weight</th>
              </tr>
            </thead>
            <tbody>
              ${step.rows.map(
                (row) =>
                  html`<tr class=${row.chosen ? 'chosen' : ''}>
                    <th scope="row">${row.key}</th>
                    <td>${row.score}</td>
                    <td>${row.exponential}</td>
                    <td>${row.weight}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : nothing
    }
  </div>`;
}

export class ProductElement extends FigureElement {
  // What was chosen last stays open when the pointer leaves.
  private shown: Selection | undefined;

  protected override benchChanged(news: BenchNews): void {
    if (news === 'state') return;
    const { selection } = this.bench ?? {};
    if (news === 'selection' && (!selection || !this.follows(selection))) return;
    this.requestUpdate();
  }

  // `of` names the matrix it starts with; the learner's choice leads anywhere there is something to open.
  private follows(selection: Selection): boolean {
    return this.bench?.explain(selection.path, selection.row, selection.column) !== undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { bench, results } = this;
    if (!bench?.headwise || !results) return nothing;
    if (bench.selection && this.follows(bench.selection)) this.shown = bench.selection;
    const path = this.getAttribute('of') ?? '';
    const own = { path, ...startingCell(results, path, this.getAttribute('cell')) };
    const at = this.shown && workingOf(bench.headwise, results, this.shown.path, this.shown) ? this.shown : own;
    const working = workingOf(bench.headwise, results, at.path, at);
    if (!working) return html`<div class="product"><p class="faint">Choose a cell to see how it is computed.</p></div>`;
    return html`<div class="product" aria-live="polite">
      <p class="product-title">${piecesTemplate(working.title)}</p>
      ${working.steps.map(stepTemplate)}
    </div>`;
  }
}
