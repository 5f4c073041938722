// <hw-histogram of>: how many values fall where.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { isHistogram } from '../../bench/recipes/scale.ts';
import { resolvePath } from '../../bench/results.ts';
import { fixed } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';

const width = 600;
const height = 90;

export function histogramFigure({ results, attribute }: FigureContext): TemplateResult | typeof nothing {
  const histogram = resolvePath(results, attribute('of') ?? '');
  if (!isHistogram(histogram)) return nothing;
  const { counts, from, to } = histogram;
  const most = counts.reduce((most, count) => Math.max(most, count), 1);
  const bar = width / counts.length;
  const label = attribute('label') ?? '';
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
