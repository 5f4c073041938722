// <hw-layouts>: one layer's query, key and value weights in the layouts of three libraries; the same cell lights in each.

import { html, nothing, type TemplateResult } from 'lit';
import { layoutFigures, type LayoutFigure } from './layouts.ts';
import { FigureElement } from '../figure-element.ts';

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

export class LayoutsElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const { results } = this;
    const engine = this.bench?.headwise;
    if (!engine || !results) return nothing;
    return html`<div class="layouts">${layoutFigures(engine, results).map(figureTemplate)}</div>`;
  }
}
