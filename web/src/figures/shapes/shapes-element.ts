// <hw-shapes of="input · W_q = queries">: shapes to scale, with their sizes.

import { html, nothing, type TemplateResult } from 'lit';
import { shapeBoxes, unitFor, type ShapeBox } from './shape-boxes.ts';
import { FigureElement } from '../figure-element.ts';
import { labelTemplate } from '../label.ts';

// Grid lines closer than this run together.
const smallestVisibleUnit = 4;

function sizeTemplate(symbol: string, size: number): TemplateResult {
  return html`${symbol ? html`<i>${labelTemplate(symbol)}</i> = ` : nothing}${size}`;
}

export class ShapesElement extends FigureElement {
  private width = 0;
  private observer: ResizeObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new ResizeObserver(([entry]) => {
      this.width = entry?.contentRect.width ?? 0;
      this.requestUpdate();
    });
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { results } = this;
    if (!results) return nothing;
    const parts = shapeBoxes(results, this.getAttribute('of') ?? '', this.getAttribute('symbols') ?? '');
    const unit = unitFor(parts, this.width || 600);
    return html`<div class="shapes" style="--unit: ${unit}px">
      ${parts.map((part) => (part.kind === 'sign' ? html`<hw-operator>${part.text}</hw-operator>` : this.box(part, unit)))}
    </div>`;
  }

  private box(box: ShapeBox, unit: number): TemplateResult {
    return html`<div class="shape">
      <p class="shape-name role-${box.tone}">${labelTemplate(box.label)}</p>
      <p class="shape-columns">${sizeTemplate(box.columnSymbol, box.columns)}</p>
      <p class="shape-rows">${sizeTemplate(box.rowSymbol, box.rows)}</p>
      <div
        class="shape-box role-${box.tone} ${unit < smallestVisibleUnit ? 'plain' : ''}"
        style="--rows: ${box.rows}; --columns: ${box.columns}"
        aria-hidden="true"
      ></div>
    </div>`;
  }
}
