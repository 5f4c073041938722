// The page's own drawings, as HTML.

import { render as renderTemplate } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { nothing, TemplateResult } from 'lit';
import type { FigureContext } from '../figures/figure.ts';
import { sharedScale } from '../figures/matrix/grid.ts';
import { legendTemplate } from '../figures/matrix/legend.ts';
import { gridsOf, matrixTemplate, scaledBy } from '../figures/matrix/matrix.ts';
import { figures } from '../figures/registry.ts';

// Between these, white space means nothing.
const blockTag = /\s*(<\/?(?:caption|div|fieldset|fig\w+|p|section|table|tbody|td|th|thead|tr)\b[^>]*>)\s*/g;

// What only a page that answers has a use for.
const forPointers = / (?:data-row|data-column|data-path|tabindex|title|aria-live)="[^"]*"| role="grid"/g;

/** The template's markup without what Lit would need to take it over: the elements draw anew. */
function render(template: TemplateResult | typeof nothing): string {
  return collectResultSync(renderTemplate(template))
    .replace(/<!--[\s\S]*?-->|<\?>/g, '')
    .replace(/<[^>]+>/g, (tag) =>
      tag
        .replace(/\s+/g, ' ')
        .replace(forPointers, '')
        .replace(/ class="\s*"/, '')
        .replace(/\s+>$/, '>'),
    )
    .replace(blockTag, '$1');
}

/** A figure's content; '' for an element that is none, and for one that has nothing to draw. */
export function renderFigure(name: string, context: FigureContext): string {
  const figure = figures.get(name);
  return figure ? render(figure(context)) : '';
}

/** The matrices of one equation, which share colours and decimals, and what their colours mean. */
export function renderEquation(members: readonly FigureContext[]): { matrices: string[]; legend: string } {
  const shared = sharedScale(members.flatMap(scaledBy));
  const grids = members.map((member) => gridsOf(member, shared));
  return {
    matrices: members.map((member, index) => render(matrixTemplate(member, grids[index] ?? []))),
    legend: render(legendTemplate(grids.flat())),
  };
}
