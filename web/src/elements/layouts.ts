// <hw-layouts>: one layer's query, key and value weights in the layouts of three libraries; the same cell lights in each.

import { html, nothing, type TemplateResult } from 'lit';
import type { CaseDimensions, LayoutName, RoleName } from 'headwise';
import { isMatrix } from '../bench/results.ts';
import { FigureElement } from './figure-element.ts';

const letters: Readonly<Record<RoleName, string>> = { query: 'Q', key: 'K', value: 'V' };
const layouts: readonly { readonly name: LayoutName; readonly title: string }[] = [
  { name: 'gpt2', title: 'GPT-2' },
  { name: 'torch', title: 'PyTorch' },
  { name: 'interleaved', title: 'interleaved' },
];

export class LayoutsElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const dims = this.bench?.layerAt()?.dims;
    if (!dims) return nothing;
    return html`<div class="layouts">${layouts.map(({ name, title }) => this.layout(name, title, dims))}</div>`;
  }

  private layout(name: LayoutName, title: string, dims: CaseDimensions): TemplateResult | typeof nothing {
    const matrix = this.resolve(`layouts.${name}`);
    if (!isMatrix(matrix)) return nothing;
    // The wide axis holds queries, keys and values; each of its rows or columns is named by what stands there.
    const along = name === 'gpt2' ? matrix.columns : matrix.rows;
    const names = Array.from({ length: along }, (_, at) => this.nameAt(name, dims, at)).join(',');
    const blocks = name === 'interleaved' ? (dims.num_heads ?? 1) * 3 : 3;
    return name === 'gpt2'
      ? html`<hw-matrix
          of="layouts.${name}"
          note=${title}
          columns=${names}
          blocks=${blocks}
          range-group="layouts"
        ></hw-matrix>`
      : html`<hw-matrix
          of="layouts.${name}"
          note=${title}
          rows=${names}
          row-blocks=${blocks}
          range-group="layouts"
        ></hw-matrix>`;
  }

  private nameAt(layout: LayoutName, dims: CaseDimensions, at: number): string {
    const position = layout === 'gpt2' ? { row: 0, column: at } : { row: at, column: 0 };
    const cell = this.bench?.headwise?.cellAt(layout, dims, position);
    return cell ? `${letters[cell.role]}${cell.head + 1}` : '';
  }
}
