// <hw-layouts>: one layer's query, key and value weights in the layouts of three libraries; the same cell lights in each. Each row or column of the
// wide axis is named by whose it is.

import type { CaseDimensions, LayoutName, RoleName } from 'headwise';
import { html, nothing, type TemplateResult } from 'lit';
import { matrixAt } from '../../bench/results.ts';
import type { FigureContext } from '../figure.ts';

interface LayoutFigure {
  readonly path: string;
  readonly note: string;
  /** Attributes of hw-matrix besides. */
  readonly names:
    { readonly columns: string; readonly blocks: string } | { readonly rows: string; readonly 'row-blocks': string };
}

const letters: Readonly<Record<RoleName, string>> = { query: 'Q', key: 'K', value: 'V' };
const titles: readonly (readonly [LayoutName, string])[] = [
  ['gpt2', 'GPT-2'],
  ['torch', 'PyTorch'],
  ['interleaved', 'interleaved'],
];

function layoutFigures({ engine, results }: FigureContext): LayoutFigure[] {
  const dims = results.dims as CaseDimensions;
  return titles.flatMap(([layout, note]): LayoutFigure[] => {
    const path = `layouts.${layout}`;
    const matrix = matrixAt(results, path);
    if (!matrix) return [];
    const asColumns = layout === 'gpt2';
    const names = Array.from({ length: asColumns ? matrix.columns : matrix.rows }, (_, at) => {
      const cell = engine.cellAt(layout, dims, asColumns ? { row: 0, column: at } : { row: at, column: 0 });
      return `${letters[cell.role]}${cell.head + 1}`;
    }).join(',');
    const blocks = String(layout === 'interleaved' ? (dims.num_heads ?? 1) * 3 : 3);
    return [{ path, note, names: asColumns ? { columns: names, blocks } : { rows: names, 'row-blocks': blocks } }];
  });
}

function figureTemplate({ path, note, names }: LayoutFigure): TemplateResult {
  return 'columns' in names
    ? html`<hw-matrix
        of=${path}
        note=${note}
        columns=${names.columns}
        blocks=${names.blocks}
        range-group="layouts"
      ></hw-matrix>`
    : html`<hw-matrix
        of=${path}
        note=${note}
        rows=${names.rows}
        row-blocks=${names['row-blocks']}
        range-group="layouts"
      ></hw-matrix>`;
}

export function layoutsFigure(context: FigureContext): TemplateResult | typeof nothing {
  const figures = layoutFigures(context);
  return figures.length === 0 ? nothing : html`<div class="layouts">${figures.map(figureTemplate)}</div>`;
}
