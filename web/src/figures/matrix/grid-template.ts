// A grid as a table, or as a picture where a table would have thousands of cells.

import { html, nothing, type TemplateResult } from 'lit';
import type { Highlight } from '../../bench/described.ts';
import { labelTemplate, plainLabel } from '../label.ts';
import type { DrawnCell } from './cell-pointer.ts';
import { cellOf, type Grid } from './grid.ts';
import { termOf } from './layout.ts';

/** What only a reader's doing adds to a grid. */
export interface GridState {
  /** As drawn: turned round for a transposed figure. */
  readonly highlights: readonly Highlight[];
  /** The cell that Tab goes to. */
  readonly active: DrawnCell | undefined;
  readonly chosen: { readonly row: number; readonly column: number } | undefined;
  /** Cells with a mark in the corner. */
  readonly marked?: (row: number, column: number) => boolean;
}

export const restState: GridState = { highlights: [], active: undefined, chosen: undefined };

/** A cell or highlight as a transposed figure draws it, and back. */
export function turned<Place extends { readonly row?: number; readonly column?: number }>(
  at: Place,
  grid: Grid,
): Place {
  if (!grid.transposed) return at;
  const { row, column, ...rest } = at;
  return {
    ...rest,
    ...(column !== undefined && { row: column }),
    ...(row !== undefined && { column: row }),
  } as unknown as Place;
}

function litClass(highlights: readonly Highlight[], row: number, column: number): string {
  let lit = '';
  for (const highlight of highlights) {
    if (highlight.row !== undefined && highlight.row !== row) continue;
    if (highlight.column !== undefined && highlight.column !== column) continue;
    if (highlight.row !== undefined && highlight.column !== undefined) return 'chosen';
    lit = 'source';
  }
  return lit;
}

function headClass(highlights: readonly Highlight[], axis: 'row' | 'column', index: number): string {
  return highlights.some((highlight) => highlight[axis] === index) ? 'lit' : '';
}

function captionTemplate(grid: Grid): TemplateResult {
  const name = grid.label
    ? html`<span class="figure-name role-${grid.tone}"
        ><span aria-hidden="true">${labelTemplate(grid.label)}</span
        ><span class="visually-hidden">${plainLabel(grid.label)}</span></span
      > `
    : nothing;
  return html`${name}<span class="figure-shape">${grid.shape}</span
    >${grid.note ? html` <span class="figure-note">${grid.note}</span>` : nothing}`;
}

function headRow(grid: Grid, highlights: readonly Highlight[]): TemplateResult {
  return html`<thead>
    <tr>
      ${grid.rowNames.length > 0 ? html`<td class="corner"></td>` : nothing}
      ${grid.columnNames.map(
        (name, column) =>
          html`<th
            scope="col"
            class="${headClass(highlights, 'column', column)} ${grid.columnStarts.has(column) ? 'block-start' : ''}"
            title=${name}
          >
            ${name}
          </th>`,
      )}
    </tr>
  </thead>`;
}

function tableTemplate(grid: Grid, state: GridState): TemplateResult {
  const { highlights, active } = state;
  const indices = (count: number) => Array.from({ length: count }, (_, index) => index);
  const tabRow = Math.min(active?.row ?? 0, grid.matrix.rows - 1);
  const tabColumn = Math.min(active?.column ?? 0, grid.matrix.columns - 1);
  const named = grid.rowNames.length > 0;
  return html`<table role="grid">
    <caption>
      ${captionTemplate(grid)}
    </caption>
    ${grid.columnNames.length > 0 && !grid.compact ? headRow(grid, highlights) : nothing}
    <tbody>
      ${indices(grid.matrix.rows).map(
        (row) =>
          html`<tr class=${grid.rowStarts.has(row) ? 'block-start' : ''}>
            ${named ? html`<th scope="row" class=${headClass(highlights, 'row', row)} title=${grid.rowNames[row] ?? ''}>${grid.rowNames[row]}</th>` : nothing}
            ${indices(grid.matrix.columns).map((column) => {
              const cell = cellOf(grid, row, column);
              return html`<td
                data-row=${row}
                data-column=${column}
                tabindex=${row === tabRow && column === tabColumn ? 0 : -1}
                class="${cell.sign} ${state.marked?.(row, column) ? 'marked' : ''} ${litClass(highlights, row, column)} ${grid.columnStarts.has(column) ? 'block-start' : ''}"
                style="--fill:${cell.fill.toFixed(2)}"
              >
                ${cell.text}
              </td>`;
            })}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function pictureTemplate(grid: Grid): TemplateResult {
  return html`<figure>
    <figcaption>${captionTemplate(grid)}</figcaption>
    <canvas
      tabindex="0"
      role="img"
      width=${grid.matrix.columns}
      height=${grid.matrix.rows}
      aria-label="${plainLabel(grid.label)}, ${grid.shape}. Arrow keys read single cells."
    ></canvas>
  </figure>`;
}

function readoutTemplate(grid: Grid, chosen: GridState['chosen']): TemplateResult {
  const isThere = chosen && chosen.row < grid.matrix.rows && chosen.column < grid.matrix.columns;
  const cell = isThere && cellOf(grid, chosen.row, chosen.column);
  const reading = cell
    ? html`${grid.rowNames[chosen.row] ?? `row ${chosen.row + 1}`},
        ${grid.columnNames[chosen.column] ?? `column ${chosen.column + 1}`}: <b>${cell.text}</b>`
    : nothing;
  return html`<p class="readout" aria-live="polite">${reading}</p>`;
}

export function gridTemplate(grid: Grid, state: GridState): TemplateResult {
  // data-term lets the page lay out what the build has drawn before there are results.
  return html`<div
    class="grid ${grid.scale} ${grid.compact ? 'compact' : ''}"
    data-path=${grid.path}
    data-term=${JSON.stringify(termOf(grid, false))}
  >
    ${grid.isPicture ? pictureTemplate(grid) : tableTemplate(grid, state)}
    ${grid.compact ? readoutTemplate(grid, state.chosen) : nothing}
  </div>`;
}
