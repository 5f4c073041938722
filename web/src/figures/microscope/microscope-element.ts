// <hw-microscope>: where each element goes when one wide product is cut into heads and joined again.

import { html, nothing, type TemplateResult } from 'lit';
import { microscopeHelp, microscopeStages, type Element, type Stage } from './microscope.ts';
import { FigureElement } from '../figure-element.ts';

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
          html`<table class="origins">
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
          </table>`,
      )}
    </div>
  </section>`;
}

export class MicroscopeElement extends FigureElement {
  protected override render(): TemplateResult | typeof nothing {
    const { results } = this;
    const engine = this.bench?.headwise;
    if (!engine || !results) return nothing;
    return html`<div class="microscope">
      ${microscopeStages(engine, results).map(stageTemplate)}
      <p class="control-help">${microscopeHelp}</p>
    </div>`;
  }
}
