// <hw-shapes of="input · W_q = queries">: shapes to scale, as wide as their column.

import { nothing, type TemplateResult } from 'lit';
import { FigureElement } from '../figure-element.ts';
import { unitFor } from './shape-boxes.ts';
import { partsOf, shapesTemplate } from './shapes.ts';

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
    if (!this.context) return nothing;
    const parts = partsOf(this.context);
    const unit = unitFor(parts, this.width || 600);
    return shapesTemplate(parts, `${unit}px`, unit);
  }
}
