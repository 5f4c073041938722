// <hw-shapes of="input · W_q = queries">, the drawing: shapes to scale, with their sizes.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { questionMark } from '../../bench/covers.ts';
import type { FigureContext } from '../figure.ts';
import { labelTemplate } from '../label.ts';
import { shapeBoxes, unitFor, widthsOf, type ShapeBox, type ShapeSign } from './shape-boxes.ts';

// Grid lines closer than this run together.
const smallestVisibleUnit = 4;
// Margins of the page, and the widest text column: drawings to scale fit into what a screen leaves of it.
const pageMargins = 40;
const proseWidth = 640;

export type Parts = readonly (ShapeBox | ShapeSign)[];

export function partsOf({ results, covers, attribute }: FigureContext): Parts {
  return shapeBoxes(results, covers, attribute('of') ?? '', attribute('symbols') ?? '');
}

function sizeTemplate(symbol: string, size: number): TemplateResult {
  return html`${symbol ? html`<i>${labelTemplate(symbol)}</i> = ` : nothing}${size}`;
}

// Between the rows and columns; the box has a border of its own.
function gridLines({ rows, columns }: ShapeBox): string {
  const lines = (count: number, draw: (at: number) => string) =>
    Array.from({ length: count - 1 }, (_, at) => draw(at + 1)).join('');
  return lines(columns, (at) => `M${at} 0V${rows}`) + lines(rows, (at) => `M0 ${at}H${columns}`);
}

function boxTemplate(box: ShapeBox, isPlain: boolean): TemplateResult {
  return html`<div class="shape">
    <p class="shape-name role-${box.tone}">${labelTemplate(box.label)}</p>
    <p class="shape-columns">${box.isAsked ? questionMark : sizeTemplate(box.columnSymbol, box.columns)}</p>
    <p class="shape-rows">${box.isAsked ? questionMark : sizeTemplate(box.rowSymbol, box.rows)}</p>
    <svg
      class="shape-box role-${box.tone}"
      style="--rows: ${box.rows}; --columns: ${box.columns}"
      viewBox="0 0 ${box.columns} ${box.rows}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${isPlain ? nothing : svg`<path d=${gridLines(box)} />`}
    </svg>
  </div>`;
}

/** `unit` is the CSS length of one row or column, `pixels` about how many pixels that is. */
export function shapesTemplate(parts: Parts, unit: string, pixels: number): TemplateResult {
  return html`<div class="shapes" style="--unit: ${unit}">
    ${parts.map((part) =>
      part.kind === 'sign'
        ? html`<hw-operator>${part.text}</hw-operator>`
        : boxTemplate(part, pixels < smallestVisibleUnit),
    )}
  </div>`;
}

/** As wide as any screen lets it be: where nobody has measured the page. */
export function shapesFigure(context: FigureContext): TemplateResult | typeof nothing {
  const parts = partsOf(context);
  if (parts.length === 0) return nothing;
  const { columns, fixed } = widthsOf(parts);
  const unit = unitFor(parts, proseWidth);
  return shapesTemplate(parts, `min(${unit}px, (100vw - ${fixed + pageMargins}px) / ${columns})`, unit);
}
