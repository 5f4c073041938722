// <hw-matrix of>, the drawing: one matrix, or one for each member of a list.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Scale } from '../../bench/described.ts';
import { groupThousands } from '../../text/format.ts';
import { numberIn, type FigureContext } from '../figure.ts';
import { drawnBy, gridOf, leftOut, sharedScale, type Drawn, type Grid, type SharedScale } from './grid.ts';
import { gridTemplate, restState, type GridState } from './grid-template.ts';
import { legendTemplate } from './legend.ts';

export type Scaled = Drawn & { readonly scale: Scale };

/** The matrices that an hw-matrix draws, for those that share their colours. */
export function scaledBy({ results, attribute }: FigureContext): Scaled[] {
  return drawnBy(results, attribute('of') ?? '', attribute('each')).map((drawn) => ({
    ...drawn,
    scale: (attribute('scale') ?? drawn.matrix.look.scale) as Scale,
  }));
}

export function gridsOf(context: FigureContext, shared: SharedScale = sharedScale(scaledBy(context))): Grid[] {
  const text = (name: string) => context.attribute(name) ?? undefined;
  const drawn = scaledBy(context);
  const cellsTogether = drawn.reduce((sum, { matrix }) => sum + matrix.data.length, 0);
  return drawn.map(({ path, matrix, scale }) =>
    gridOf(context.results, path, matrix, {
      label: text('label'),
      tone: text('tone'),
      rows: text('rows'),
      columns: text('columns'),
      scale,
      blocks: text('blocks'),
      rowBlocks: text('row-blocks'),
      note: text('note'),
      digits: numberIn(context.attribute('digits')),
      transposed: context.attribute('transposed') !== null,
      compact: context.attribute('compact') !== null,
      range: shared.range,
      decimals: shared[scale],
      covers: context.covers,
      cellsTogether,
    }),
  );
}

/** `lead` is the sign before the first matrix. */
export function matrixTemplate(
  { results, attribute }: FigureContext,
  grids: readonly Grid[],
  lead = '',
  stateOf: (grid: Grid) => GridState = () => restState,
): TemplateResult {
  const sign = (index: number) => (index === 0 ? lead : (attribute('join') ?? ''));
  const term = (grid: Grid, index: number) =>
    html`<div class="term">
      ${sign(index) ? html`<hw-operator>${sign(index)}</hw-operator>` : nothing}${gridTemplate(grid, stateOf(grid))}
    </div>`;
  const more = leftOut(results, attribute('each'));
  const rest = html`<p class="left-out">and ${groupThousands(more)} more, which are not drawn</p>`;
  return html`${repeat(grids, ({ path }) => path, term)}${more > 0 ? rest : nothing}${attribute('legend') === null ? nothing : legendTemplate(grids)}`;
}
