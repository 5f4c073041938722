// The heads of one run of <hw-training>: their maps on one held-out sequence, and what is lost without each.

import { html, nothing, type TemplateResult } from 'lit';
import { significant } from '../text/format.ts';
import { describedTrace } from '../bench/recipes/layer-tree.ts';
import type { FigureContext } from '../figures/figure.ts';
import { gridOf } from '../figures/matrix/grid.ts';
import { runs } from './runs.ts';
import type { TrainingSession } from './session.ts';
import type { Snapshot } from './training-worker.ts';
import { gridTemplate, restState } from '../figures/matrix/grid-template.ts';
import { lossCells, lossesHead } from './losses.ts';

export function headsTemplate(session: TrainingSession, benchId: string, context: FigureContext): TemplateResult {
  const { snapshot, watched } = session;
  return html`<fieldset class="segmented watched">
      <legend>Look at the heads of</legend>
      <div class="segments">
        ${runs.map(
          ({ name, label }, run) => html`
            <label>
              <input
                type="radio"
                name="${benchId}-watched"
                value=${name}
                .checked=${watched === run}
                @change=${() => void session.watch(run)}
              />
              <span>${label}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
    ${snapshot ? html`${mapsTemplate(context, snapshot)}${gapTemplate(snapshot)}${withoutTemplate(snapshot)}` : nothing}`;
}

function mapsTemplate({ engine, results }: FigureContext, { trace, run, step }: Snapshot): TemplateResult {
  const path = (head: number) => `heads[${head}].attentionWeights`;
  const grids = describedTrace(engine, trace, 'snapshot').heads.map(({ attentionWeights }, head) =>
    gridOf(results, path(head), attentionWeights!, {}),
  );
  return html`<figure class="training-maps" data-run=${runs[run]?.name ?? ''} data-step=${step}>
    <div class="training-heads">${grids.map((grid) => gridTemplate(grid, restState))}</div>
    <figcaption>Attention weights on one held-out sequence at step ${step}.</figcaption>
  </figure>`;
}

function gapTemplate({ headGap }: Snapshot): TemplateResult | typeof nothing {
  if (headGap === undefined) return nothing;
  return html`<p data-gap=${headGap}>
    ${
      headGap === 0
        ? 'The matrices of both heads are equal to the last bit.'
        : `The matrices of the two heads differ by up to ${significant(headGap)}.`
    }
  </p>`;
}

function withoutTemplate({ without }: Snapshot): TemplateResult | typeof nothing {
  const [first] = without;
  if (!first) return nothing;
  return html`<table class="training-numbers">
    <caption>
      Losses after ${first.step} steps with one head switched off: its rows of the output matrix set to 0
    </caption>
    ${lossesHead('without')}
    <tbody>
      ${without.map(
        (at, head) =>
          html`<tr data-without=${head}>
            <th scope="row">head ${head + 1}</th>
            ${lossCells(at)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
