// <hw-difference of>: a meter. A number first, a bar second, then where it is.

import { html, nothing, type TemplateResult } from 'lit';
import { meterOf } from '../../text/inline.ts';
import type { FigureContext } from '../figure.ts';

export function differenceFigure({ results, attribute }: FigureContext): TemplateResult | typeof nothing {
  const meter = meterOf(results, attribute('of') ?? '');
  if (!meter) return nothing;
  return html`<div class="meter ${meter.equal ? 'equal' : ''}" aria-live="polite" aria-atomic="true">
    <p class="meter-label">${attribute('label') ?? 'largest difference'}</p>
    <p class="meter-number">${meter.number}</p>
    <div class="meter-bar" aria-hidden="true"><div style="width: ${meter.share * 100}%"></div></div>
    <p class="meter-words">${meter.words}</p>
  </div>`;
}
