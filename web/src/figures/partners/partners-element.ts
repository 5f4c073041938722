// <hw-partners fixed>: wires from query heads to the keys and values they use; a press on a query head takes the next.

import { nothing, type TemplateResult } from 'lit';
import { FigureElement } from '../figure-element.ts';
import { partnersPicture, partnersTemplate } from './partners.ts';

export class PartnersElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const { context, bench } = this;
    const picture = context && partnersPicture(context);
    if (!context || !bench || !picture) return nothing;
    const counts = this.hasAttribute('fixed') ? [] : context.engine.divisorsOf(picture.now.length);
    return partnersTemplate(picture, { set: (values) => bench.setAll(values), counts });
  }
}
