// <hw-comparison left right>, the drawing: two matrices with the cells that differ marked, side by side or one of them.

import { html, nothing, type TemplateResult } from 'lit';
import type { DescribedMatrix } from '../../bench/described.ts';
import { matrixAt } from '../../bench/results.ts';
import { decimalsFor } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';
import { gridOf, rangeOf, type Grid } from '../matrix/grid.ts';
import { gridTemplate, restState, type GridState } from '../matrix/grid-template.ts';
import { legendTemplate } from '../matrix/legend.ts';

export type View = 'beside' | 'left' | 'right';

/** Both matrices as they are drawn, and which cells differ: by more than the engine's tolerance. */
export interface Compared {
  readonly grids: readonly [Grid, Grid];
  readonly differs: (row: number, column: number) => boolean;
  readonly differing: number;
}

export function compared({ engine, results, covers, attribute }: FigureContext): Compared | undefined {
  const [left, right] = [attribute('left') ?? '', attribute('right') ?? ''];
  const [a, b] = [matrixAt(results, left), matrixAt(results, right)];
  if (!a || !b) return undefined;
  const grid = (path: string, matrix: DescribedMatrix, label: string) =>
    gridOf(results, path, matrix, {
      label: attribute(label) ?? undefined,
      blocks: attribute('blocks') ?? undefined,
      range: rangeOf([a, b]),
      decimals: decimalsFor([a, b]),
      scale: 'signed',
      covers,
    });
  const { sameShape, tolerance } = engine.compareMatrices(a, b);
  const apart = (at: number) => Math.abs((a.data[at] ?? NaN) - (b.data[at] ?? NaN)) >= tolerance;
  return {
    grids: [grid(left, a, 'left-label'), grid(right, b, 'right-label')],
    differs: (row, column) => !sameShape || apart(row * a.columns + column),
    differing: sameShape ? a.data.reduce((count, _, at) => count + (apart(at) ? 1 : 0), 0) : a.data.length,
  };
}

/** What a reader does with the figure. */
export interface ComparisonState {
  readonly view: View;
  /** Without it there is nothing to choose with. */
  readonly show?: (view: View) => void;
  readonly stateOf: (grid: Grid) => GridState;
}

const rest: ComparisonState = { view: 'beside', stateOf: () => restState };

/** The grids of a view, in order. */
export function gridsIn(view: View, [left, right]: readonly [Grid, Grid]): readonly Grid[] {
  return view === 'left' ? [left] : view === 'right' ? [right] : [left, right];
}

export function comparisonTemplate(
  { grids, differs, differing }: Compared,
  state: ComparisonState = rest,
): TemplateResult {
  const shown = gridsIn(state.view, grids);
  const sign = differing === 0 ? '=' : '≠';
  const { show, view } = state;
  const viewButton = (to: View, text: string) =>
    html`<button type="button" aria-pressed=${view === to ? 'true' : 'false'} @click=${() => show?.(to)}>
      ${text}
    </button>`;
  return html`
    <div class="comparison">
      ${shown.map(
        (grid, index) =>
          html`<div class="term">
            ${index > 0 ? html`<hw-operator>${sign}</hw-operator>` : nothing}${gridTemplate(grid, {
              ...state.stateOf(grid),
              marked: differs,
            })}
          </div>`,
      )}
    </div>
    <div class="comparison-foot">
      <p class="comparison-count" aria-live="polite">
        ${differing === 0 ? 'All cells agree.' : `${differing} of ${grids[0].matrix.data.length} cells differ.`}
      </p>
      ${
        show
          ? html`<div class="views" role="group" aria-label="Show">
              ${viewButton('beside', 'side by side')} ${viewButton('left', grids[0].label)}
              ${viewButton('right', grids[1].label)}
            </div>`
          : nothing
      }
    </div>
    ${legendTemplate(shown)}
  `;
}

export function comparisonFigure(context: FigureContext): TemplateResult | typeof nothing {
  const both = compared(context);
  return both ? comparisonTemplate(both) : nothing;
}
