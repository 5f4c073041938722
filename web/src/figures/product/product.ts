// <hw-product of>, the drawing: a cell opened, with the numbers put in.

import { html, nothing, type TemplateResult } from 'lit';
import type { Cell } from '../../bench/results.ts';
import type { FigureContext } from '../figure.ts';
import { labelTemplate } from '../label.ts';
import { startingCell, workingOf, type Piece, type Step, type Working } from './working.ts';

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

/** A cell of a result, by its path. */
export type Opened = Cell & { readonly path: string };

/** The cell that the figure starts with. */
export function ownCell({ results, attribute }: FigureContext): Opened {
  const path = attribute('of') ?? '';
  return { path, ...startingCell(results, path, attribute('cell')) };
}

/** `close` takes it away again where it lies over the page. */
export function workingTemplate(working: Working | undefined, close?: () => void): TemplateResult {
  if (!working) return html`<div class="product"><p class="faint">Choose a cell to see how it is computed.</p></div>`;
  return html`<div class="product" aria-live="polite">
    ${
      close
        ? html`<button type="button" class="product-close" aria-label="Close the arithmetic" @click=${close}>×</button>`
        : nothing
    }
    <p class="product-title">${piecesTemplate(working.title)}</p>
    ${working.steps.map(stepTemplate)}
  </div>`;
}

export function productFigure(context: FigureContext): TemplateResult | typeof nothing {
  const own = ownCell(context);
  return workingTemplate(workingOf(context.engine, context.results, context.covers, own.path, own));
}
