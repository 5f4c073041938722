// <hw-microscope>: where each element of the wide product goes when it is split and joined. Wide tables scroll, one by one.

import { nothing, type TemplateResult } from 'lit';
import { FigureElement } from '../figure-element.ts';
import { reachByKeyboard } from '../scroller.ts';
import { watchWidth } from '../width.ts';
import { microscopeFigure } from './microscope.ts';

export class MicroscopeElement extends FigureElement {
  private stopWatching: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = watchWidth(this, () => this.updated());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.context ? microscopeFigure(this.context) : nothing;
  }

  protected override updated(): void {
    for (const box of this.querySelectorAll('.origins-box')) reachByKeyboard(box);
  }
}
