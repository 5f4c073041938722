// Figures as HTML, in the markup that the elements draw.

import { escapeHtml } from './html.ts';
import { termOf } from '../figures/matrix/layout.ts';
import { labelParts } from '../figures/appearance.ts';
import { minus, significant } from '../text/format.ts';
import { hidesCells, type Grid } from '../figures/matrix/grid.ts';
import type { Meter } from '../text/inline.ts';
import { microscopeHelp, type Element, type Stage } from '../figures/microscope/microscope.ts';
import { unitFor, widthsOf, type ShapeBox, type ShapeSign } from '../figures/shapes/shape-boxes.ts';
import type { Piece, Working } from '../figures/product/working.ts';

// Margins of the page, and the widest text column: drawings to scale fit into what a screen leaves of it.
const pageMargins = 40;
const proseWidth = 640;
const mostTableCells = 1200;

function labelHtml(label: string): string {
  let html = '';
  const parts = labelParts(label);
  parts.forEach((part, at) => {
    const text = escapeHtml(part.text);
    const before = parts[at - 1];
    const next = parts[at + 1];
    if (part.level === 'base') html += text;
    else if (part.level === 'sub' && next?.level === 'sup')
      html += `<span class="indices"><sup>${escapeHtml(next.text)}</sup><sub>${text}</sub></span>`;
    else if (part.level === 'sup' && before?.level === 'sub') return;
    else html += `<${part.level}>${text}</${part.level}>`;
  });
  return html;
}

export function gridHtml(grid: Grid, compact: boolean): string {
  const tall = grid.matrix.rows * grid.matrix.columns;
  const name = grid.label ? `<span class="figure-name role-${grid.tone}">${labelHtml(grid.label)}</span> ` : '';
  const note = grid.note ? ` <span class="figure-note">${escapeHtml(grid.note)}</span>` : '';
  const caption = `<caption>${name}<span class="figure-shape">${grid.shape}</span>${note}</caption>`;
  const term = escapeHtml(JSON.stringify(termOf(grid, false, compact)));
  const open = `<div class="grid ${grid.scale}${compact ? ' compact' : ''}" data-term="${term}"><table>${caption}`;
  if (compact && tall > mostTableCells) return `${open}</table></div>`;
  const corner = grid.rowNames.length > 0 ? '<td class="corner"></td>' : '';
  const start = (at: number, starts: ReadonlySet<number>) => (starts.has(at) ? ' block-start' : '');
  const head =
    grid.columnNames.length > 0 && !compact
      ? `<thead><tr>${corner}${grid.columnNames.map((column, at) => `<th scope="col" class="${start(at, grid.columnStarts).trim()}">${escapeHtml(column)}</th>`).join('')}</tr></thead>`
      : '';
  const rows = grid.cells.map((cells, row) => {
    const rowName = grid.rowNames.length > 0 ? `<th scope="row">${escapeHtml(grid.rowNames[row] ?? '')}</th>` : '';
    const numbers = cells.map(
      (cell, column) =>
        `<td class="${cell.sign}${start(column, grid.columnStarts)}" style="--fill:${cell.fill.toFixed(2)}">${cell.text}</td>`,
    );
    return `<tr class="${start(row, grid.rowStarts).trim()}">${rowName}${numbers.join('')}</tr>`;
  });
  return `${open}${head}<tbody>${rows.join('')}</tbody></table>${compact ? '<p class="readout"></p>' : ''}</div>`;
}

function piecesHtml(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, tone, strong, raised, isLabel }) => {
      const span = `<span class="${tone ? `role-${tone}` : ''}${strong ? ' strong' : ''}">${isLabel ? labelHtml(text) : escapeHtml(text)}</span>`;
      return raised ? `<sup>${span}</sup>` : span;
    })
    .join('');
}

export function meterHtml(meter: Meter, label: string): string {
  return `<div class="meter"><p class="meter-label">${escapeHtml(label)}</p><p class="meter-number">${meter.number}</p><div class="meter-bar"><div style="width:${meter.share * 100}%"></div></div><p class="meter-words">${escapeHtml(meter.words)}</p></div>`;
}

export function workingHtml(working: Working): string {
  const steps = working.steps.map(({ name, pieces, rows }) => {
    const softmax = rows?.map(
      (row) =>
        `<tr><th scope="row">${escapeHtml(row.key)}</th><td>${row.score}</td><td>${row.exponential}</td><td>${row.weight}</td></tr>`,
    );
    const table = softmax
      ? `<table class="softmax"><thead><tr><th scope="col">key</th><th scope="col">score</th><th scope="col">e<sup>score − largest</sup></th><th scope="col">weight</th></tr></thead><tbody>${softmax.join('')}</tbody></table>`
      : '';
    return `<div class="step"><p class="step-name">${name}</p><p class="step-line">${piecesHtml(pieces)}</p>${table}</div>`;
  });
  return `<div class="product"><p class="product-title">${piecesHtml(working.title)}</p>${steps.join('')}</div>`;
}

export function legendHtml(grids: readonly Grid[]): string {
  const signed = grids.find((grid) => grid.scale === 'signed');
  const scale = (name: string, from: string, to: string) =>
    `<span class="legend-scale">${from}<span class="legend-bar ${name}"></span>${to}</span>`;
  const range = signed ? significant(signed.range, 2) : '';
  const bars = [
    signed ? scale('signed', `${minus}${range}`, range) : '',
    grids.some((grid) => grid.scale === 'probability') ? scale('probability', '0', '1') : '',
    grids.some(hidesCells) ? '<span class="legend-scale"><span class="legend-hidden"></span>hidden</span>' : '',
  ];
  return `<div class="legend" aria-hidden="true">${bars.join('')}</div>`;
}

export function microscopeHtml(stages: readonly Stage[]): string {
  const cell = ({ token, head, strange }: Element) =>
    `<td class="head-${(head - 1) % 4}${strange ? ' strange' : ''}">${escapeHtml(token)}<sub>${head}</sub></td>`;
  const table = ({ caption, rows }: Stage['tables'][number]) =>
    `<table class="origins"><caption>${caption}</caption><tbody>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</tbody></table>`;
  const drawn = stages.map(
    ({ title, tables }) =>
      `<section class="stage"><p class="stage-name">${title}</p><div class="stage-tables">${tables.map(table).join('')}</div></section>`,
  );
  return `<div class="microscope">${drawn.join('')}<p class="control-help">${microscopeHelp}</p></div>`;
}

function unitStyle(parts: readonly (ShapeBox | ShapeSign)[]): string {
  const { columns, fixed } = widthsOf(parts);
  return `min(${unitFor(parts, proseWidth)}px, (100vw - ${fixed + pageMargins}px) / ${columns})`;
}

export function boxesHtml(parts: readonly (ShapeBox | ShapeSign)[]): string {
  const size = (symbol: string, value: number) => `${symbol ? `<i>${labelHtml(symbol)}</i> = ` : ''}${value}`;
  const boxes = parts.map((part) =>
    part.kind === 'sign'
      ? `<hw-operator>${escapeHtml(part.text)}</hw-operator>`
      : `<div class="shape"><p class="shape-name role-${part.tone}">${labelHtml(part.label)}</p><p class="shape-columns">${size(part.columnSymbol, part.columns)}</p><p class="shape-rows">${size(part.rowSymbol, part.rows)}</p><div class="shape-box role-${part.tone}" style="--rows:${part.rows};--columns:${part.columns}"></div></div>`,
  );
  return `<div class="shapes" style="--unit:${unitStyle(parts)}">${boxes.join('')}</div>`;
}
