// <hw-histogram of>: how many values fall where.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { fixed } from '../../text/format.ts';
import { isHistogram } from '../../bench/recipes/scale.ts';
import { FigureElement } from '../figure-element.ts';

const width = 600;
const height = 90;

export class HistogramElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const histogram = this.resolve(this.getAttribute('of') ?? '');
    if (!isHistogram(histogram)) return nothing;
    const { counts, from, to } = histogram;
    const most = counts.reduce((most, count) => Math.max(most, count), 1);
    const bar = width / counts.length;
    const label = this.getAttribute('label') ?? '';
    return html`<figure class="histogram">
      <figcaption>${label}</figcaption>
      <svg
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${label}: ${counts.length} bins from ${fixed(from, 0)} to ${fixed(to, 0)}, counts ${[...counts].join(', ')}"
      >
        ${[...counts].map((count, at) => {
          const tall = (count / most) * (height - 2);
          return svg`<rect x=${at * bar + 1} y=${height - tall} width=${bar - 2} height=${tall}></rect>`;
        })}
      </svg>
      <p class="histogram-axis" aria-hidden="true">
        <span>≤ ${fixed(from, 0)}</span><span>0</span><span>≥ ${fixed(to, 0)}</span>
      </p>
    </figure>`;
  }
}
