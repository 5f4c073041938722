// <hw-microscope>: where each element goes when one wide product is cut into heads and joined again, with the transpose and without.

import { html, nothing, type TemplateResult } from 'lit';
import type { Matrix } from 'headwise';
import { isMatrix } from '../bench/results.ts';
import { FigureElement } from './figure-element.ts';

export class MicroscopeElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const wide = this.resolve('wideQueries');
    const engine = this.bench?.headwise;
    const heads = this.resolve('heads.length');
    if (!isMatrix(wide) || !engine || typeof heads !== 'number') return nothing;
    // Every element carries its own number through the reshape, so it can be told where it came from.
    const numbered: Matrix = { ...wide, data: Float64Array.from(wide.data.keys()) };
    const right = engine.splitHeads(numbered, heads);
    const wrong = engine.splitHeads(numbered, heads, { transpose: false });
    const wrongMerge = engine.mergeHeads(right, { transpose: false });
    const rightMerge = engine.mergeHeads(right);
    const draw = (matrix: Matrix, title: string, rowsAreTokens: boolean) =>
      this.table(matrix, wide.columns, heads, title, rowsAreTokens);
    return html`<div class="microscope">
      ${this.stage('The wide product', [draw(numbered, 'all heads side by side', true)])}
      ${this.stage(
        'Split with the transpose: right',
        right.map((matrix, head) => draw(matrix, `head ${head + 1}`, true)),
      )}
      ${this.stage(
        'Split without: wrong',
        wrong.map((matrix, head) => draw(matrix, `“head ${head + 1}”`, false)),
      )}
      ${this.stage('Merged with the transpose: right', [draw(rightMerge, 'joined', true)])}
      ${this.stage('Merged without: wrong', [draw(wrongMerge, '“joined”', false)])}
    </div>`;
  }

  private stage(title: string, tables: readonly TemplateResult[]): TemplateResult {
    return html`<section class="stage">
      <p class="stage-name">${title}</p>
      <div class="stage-tables">${tables}</div>
    </section>`;
  }

  private table(
    matrix: Matrix,
    wideColumns: number,
    heads: number,
    title: string,
    rowsAreTokens: boolean,
  ): TemplateResult {
    const tokens = this.results?.names.tokens ?? [];
    const headColumns = wideColumns / heads;
    return html`<table class="origins">
      <caption>
        ${title}
      </caption>
      <tbody>
        ${Array.from({ length: matrix.rows }, (_, row) => {
          const cells = Array.from({ length: matrix.columns }, (_, column) => {
            const origin = matrix.data[row * matrix.columns + column] ?? 0;
            const token = Math.floor(origin / wideColumns);
            const head = Math.floor((origin % wideColumns) / headColumns);
            const strange = rowsAreTokens ? token !== row : token !== this.tokenOfRow(matrix, row, wideColumns);
            return html`<td
              class="head-${head % 4} ${strange ? 'strange' : ''}"
              title="${tokens[token] ?? token + 1}, head ${head + 1}"
            >
              ${tokens[token] ?? token + 1}<sub>${head + 1}</sub>
            </td>`;
          });
          return html`<tr>
            ${cells}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  // A row of a wrong split is judged by the token it begins with.
  private tokenOfRow(matrix: Matrix, row: number, wideColumns: number): number {
    return Math.floor((matrix.data[row * matrix.columns] ?? 0) / wideColumns);
  }
}
