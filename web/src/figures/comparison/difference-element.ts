// <hw-difference of>: a meter. A number first, a bar second, then where it is.

import { html, nothing, type TemplateResult } from 'lit';
import { meterOf } from '../../text/inline.ts';
import { FigureElement } from '../figure-element.ts';

export class DifferenceElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const meter = this.results && meterOf(this.results, this.getAttribute('of') ?? '');
    if (!meter) return nothing;
    const zero = meter.words.startsWith('equal');
    return html`<div class="meter ${zero ? 'equal' : ''}">
      <p class="meter-label">${this.getAttribute('label') ?? 'largest difference'}</p>
      <p class="meter-number">${meter.number}</p>
      <div class="meter-bar" aria-hidden="true"><div style="width: ${meter.share * 100}%"></div></div>
      <p class="meter-words">${meter.words}</p>
    </div>`;
  }
}
