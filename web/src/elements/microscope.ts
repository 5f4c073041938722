// <hw-microscope>: where each element goes when one wide product is cut into heads and joined again, with the transpose and without.

import { html, nothing, type TemplateResult } from 'lit';
import type { Matrix } from 'headwise';
import { isMatrix } from '../bench/results.ts';
import { FigureElement } from './figure-element.ts';

interface Origin {
  readonly token: number;
  readonly head: number;
}

export class MicroscopeElement extends FigureElement {
  private wideColumns = 1;
  private headColumns = 1;

  protected override render(): TemplateResult | typeof nothing {
    const product = this.resolve('wideQueries');
    const engine = this.bench?.headwise;
    const heads = this.resolve('heads.length');
    if (!isMatrix(product) || !engine || typeof heads !== 'number') return nothing;
    // Every element carries its own number through the reshape, so it can be told where it came from.
    const numbered: Matrix = { ...product, data: Float64Array.from(product.data.keys()) };
    this.wideColumns = product.columns;
    this.headColumns = product.columns / heads;
    const right = engine.splitHeads(numbered, heads);
    const wrong = engine.splitHeads(numbered, heads, { transpose: false });
    const wide = (matrix: Matrix, title: string) =>
      this.table(matrix, title, (row, column) => ({ token: row, head: Math.floor(column / this.headColumns) }));
    const oneHead = (matrix: Matrix, head: number, title: string) =>
      this.table(matrix, title, (row) => ({ token: row, head }));
    return html`<div class="microscope">
      ${this.stage('The wide product', [wide(numbered, 'all heads side by side')])}
      ${this.stage(
        'Split with the transpose: right',
        right.map((matrix, head) => oneHead(matrix, head, `head ${head + 1}`)),
      )}
      ${this.stage(
        'Split without: wrong',
        wrong.map((matrix, head) => oneHead(matrix, head, `“head ${head + 1}”`)),
      )}
      ${this.stage('Merged with the transpose: right', [wide(engine.mergeHeads(right), 'joined')])}
      ${this.stage('Merged without: wrong', [wide(engine.mergeHeads(right, { transpose: false }), '“joined”')])}
      <p class="control-help">
        Each element shows the token and the head it belongs to. A frame marks those in a place that is not theirs.
      </p>
    </div>`;
  }

  private stage(title: string, tables: readonly TemplateResult[]): TemplateResult {
    return html`<section class="stage">
      <p class="stage-name">${title}</p>
      <div class="stage-tables">${tables}</div>
    </section>`;
  }

  private table(matrix: Matrix, title: string, rightful: (row: number, column: number) => Origin): TemplateResult {
    const tokens = this.results?.names.tokens ?? [];
    const cell = (row: number, column: number) => {
      const { token, head } = this.originOf(matrix.data[row * matrix.columns + column] ?? 0);
      const expected = rightful(row, column);
      const strange = token !== expected.token || head !== expected.head;
      const name = tokens[token] ?? `${token + 1}`;
      return html`<td class="head-${head % 4} ${strange ? 'strange' : ''}" title="${name}, head ${head + 1}">
        ${name}<sub>${head + 1}</sub>
      </td>`;
    };
    return html`<table class="origins">
      <caption>
        ${title}
      </caption>
      <tbody>
        ${Array.from(
          { length: matrix.rows },
          (_, row) =>
            html`<tr>
              ${Array.from({ length: matrix.columns }, (_, column) => cell(row, column))}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private originOf(number: number): Origin {
    return {
      token: Math.floor(number / this.wideColumns),
      head: Math.floor((number % this.wideColumns) / this.headColumns),
    };
  }
}
