// What the colours of a figure mean.

import { html, nothing, type TemplateResult } from 'lit';
import { significant } from '../../text/format.ts';
import { hidesCells, type Grid } from './grid.ts';

export function legendTemplate(grids: readonly Grid[]): TemplateResult {
  const signed = grids.find((grid) => grid.scale === 'signed');
  const probability = grids.some((grid) => grid.scale === 'probability');
  const hidden = grids.some(hidesCells);
  const range = signed && significant(signed.range, 2);
  return html`<div class="legend" aria-hidden="true">
    ${range ? html`<span class="legend-scale">−${range}<span class="legend-bar signed"></span>${range}</span>` : nothing}
    ${probability ? html`<span class="legend-scale">0<span class="legend-bar probability"></span>1</span>` : nothing}
    ${hidden ? html`<span class="legend-scale"><span class="legend-hidden"></span>hidden</span>` : nothing}
  </div>`;
}
