// <hw-microscope>: where each element goes when one wide product is cut into heads and joined again, with the transpose and without.

import type { Headwise, Matrix } from 'headwise';
import { html, nothing, type TemplateResult } from 'lit';
import { matrixAt, resolvePath, type Results } from '../../bench/results.ts';
import { groupThousands } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';

interface Element {
  readonly token: string;
  /** Counted from 1. */
  readonly head: number;
  /** In a place that belongs to another token or head. */
  readonly strange: boolean;
}

interface Stage {
  readonly title: string;
  readonly tables: readonly { readonly caption: string; readonly rows: readonly (readonly Element[])[] }[];
}

function microscopeStages(engine: Headwise, results: Results): Stage[] {
  const product = matrixAt(results, 'wideQueries');
  const heads = resolvePath(results, 'heads.length');
  if (!product || typeof heads !== 'number') return [];
  // Every element carries its own number through the reshape, so it can be told where it came from.
  const numbered: Matrix = { ...product, data: Float64Array.from(product.data.keys()) };
  const headColumns = product.columns / heads;

  const table = (matrix: Matrix, caption: string, firstHead: number) => ({
    caption,
    rows: Array.from({ length: matrix.rows }, (_, row) =>
      Array.from({ length: matrix.columns }, (_, column): Element => {
        const number = matrix.data[row * matrix.columns + column] ?? 0;
        const token = Math.floor(number / product.columns);
        const head = Math.floor((number % product.columns) / headColumns);
        const strange = token !== row || head !== firstHead + Math.floor(column / headColumns);
        return { token: results.names.tokens[token] ?? `${token + 1}`, head: head + 1, strange };
      }),
    ),
  });
  const right = engine.splitHeads(numbered, heads);
  const wrong = engine.splitHeads(numbered, heads, { transpose: false });
  return [
    { title: 'The wide product', tables: [table(numbered, 'all heads side by side', 0)] },
    {
      title: 'Split with the transpose: right',
      tables: right.map((matrix, head) => table(matrix, `head ${head + 1}`, head)),
    },
    { title: 'Split without: wrong', tables: wrong.map((matrix, head) => table(matrix, `“head ${head + 1}”`, head)) },
    { title: 'Merged with the transpose: right', tables: [table(engine.mergeHeads(right), 'joined', 0)] },
    {
      title: 'Merged without: wrong',
      tables: [table(engine.mergeHeads(right, { transpose: false }), '“joined”', 0)],
    },
  ];
}

// Each is drawn five times.
const mostElements = 600;

// The stylesheet has as many shades.
const shades = 4;

function cellTemplate({ token, head, strange }: Element): TemplateResult {
  return html`<td class="head-${(head - 1) % shades} ${strange ? 'strange' : ''}">${token}<sub>${head}</sub></td>`;
}

function stageTemplate({ title, tables }: Stage): TemplateResult {
  return html`<section class="stage">
    <p class="stage-name">${title}</p>
    <div class="stage-tables">
      ${tables.map(
        ({ caption, rows }) =>
          html`<div class="origins-box">
            <table class="origins">
              <caption>
                ${caption}
              </caption>
              <tbody>
                ${rows.map(
                  (row) =>
                    html`<tr>
                      ${row.map(cellTemplate)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`,
      )}
    </div>
  </section>`;
}

export function microscopeFigure({ engine, results }: FigureContext): TemplateResult | typeof nothing {
  const { rows = 0, columns = 0 } = matrixAt(results, 'wideQueries') ?? {};
  if (rows * columns > mostElements) {
    return html`<p class="control-help">
      The wide product is ${rows} × ${columns}: too many elements to follow one by one. Up to
      ${groupThousands(mostElements)} are drawn.
    </p>`;
  }
  const stages = microscopeStages(engine, results);
  if (stages.length === 0) return nothing;
  return html`<div class="microscope">
    ${stages.map(stageTemplate)}
    <p class="control-help">
      Each element shows the token and the head it belongs to. A frame marks those in a place that is not theirs.
    </p>
  </div>`;
}
