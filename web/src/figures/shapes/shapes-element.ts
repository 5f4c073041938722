// <hw-shapes of="input · W_q = queries">: shapes to scale, as wide as their column.

import { nothing, type TemplateResult } from 'lit';
import { FigureElement } from '../figure-element.ts';
import { watchWidth } from '../width.ts';
import { unitFor } from './shape-boxes.ts';
import { partsOf, shapesTemplate } from './shapes.ts';

export class ShapesElement extends FigureElement {
  private width = 0;
  private stopWatching: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = watchWidth(this, (width) => {
      this.width = width;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.context) return nothing;
    const parts = partsOf(this.context);
    const unit = unitFor(parts, this.width || 600);
    return shapesTemplate(parts, `${unit}px`, unit);
  }
}
