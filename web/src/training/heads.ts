// The heads of one run of <hw-training>: their maps on one held-out sequence, and what is lost without each.

import { html, nothing, type TemplateResult } from 'lit';
import { significant } from '../text/format.ts';
import { described, fieldOf, lookOf } from '../bench/described.ts';
import type { FigureContext } from '../figures/figure.ts';
import { gridOf } from '../figures/matrix/grid.ts';
import { gridTemplate, restState } from '../figures/matrix/grid-template.ts';
import { lossCells, lossesHead } from './losses.ts';
import { nudge, runs } from './runs.ts';
import type { TrainingSession } from './session.ts';
import type { Frame } from './training-worker.ts';

export function watchedTemplate(session: TrainingSession, benchId: string, watch: (run: number) => void) {
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
              .checked=${session.watched === run}
              @change=${() => watch(run)}
            />
            <span>${label}</span>
          </label>
        `,
      )}
    </div>
  </fieldset>`;
}

function grids({ frame, context }: { frame: Frame; context: FigureContext }, compact: boolean): TemplateResult[] {
  const { engine, results } = context;
  const field = fieldOf(engine, 'heads[0].attentionWeights')!;
  const count = frame.maps.length;
  return frame.maps.map((map, head) => {
    const path = `heads[${head}].attentionWeights`;
    const shown = described(map, `film.${path}`, lookOf(field, head, count, count));
    return gridTemplate(gridOf(results, path, shown, { compact }), restState);
  });
}

export function mapsTemplate(session: TrainingSession, context: FigureContext): TemplateResult | typeof nothing {
  const frame = session.frame();
  if (!frame) return nothing;
  return html`<figure
    class="training-maps ${frame.maps.length > 2 ? 'many' : ''}"
    data-run=${runs[session.watched]?.name ?? ''}
    data-step=${frame.step}
  >
    <div class="training-heads">${grids({ frame, context }, true)}</div>
    <figcaption>
      What the heads look at on one held-out sequence, after ${frame.step} steps. Rows look at columns; white is 0, full
      colour is 1.
    </figcaption>
  </figure>`;
}

/** The maps' numbers, drawn only while somebody reads them. */
export function mapNumbersTemplate(
  session: TrainingSession,
  context: FigureContext,
  isOpen: boolean,
  toggled: (isOpen: boolean) => void,
): TemplateResult | typeof nothing {
  const frame = session.frame();
  if (!frame) return nothing;
  return html`<details
    class="map-numbers"
    @toggle=${(event: Event) => toggled((event.target as HTMLDetailsElement).open)}
  >
    <summary>The maps’ numbers</summary>
    ${isOpen ? html`<div class="training-heads">${grids({ frame, context }, false)}</div>` : nothing}
  </details>`;
}

/** How far the heads are apart: their matrices, and what they look at. */
export function gapTemplate({ headGap, maps }: Frame, apart: number): TemplateResult | typeof nothing {
  if (headGap === undefined) return nothing;
  return html`<p class="training-gap" data-gap=${headGap} data-apart=${apart}>
    ${
      headGap === 0
        ? 'The matrices of both heads are equal to the last bit.'
        : html`The matrices of ${maps.length > 2 ? 'the first two heads' : 'the two heads'} differ by up to
            <b>${significant(headGap)}</b>, their maps by up to <b>${significant(apart)}</b>.`
    }
  </p>`;
}

export function nudgeTemplate(session: TrainingSession, press: () => void): TemplateResult | typeof nothing {
  if (runs[session.watched]?.name !== nudge.run) return nothing;
  const { nudgedAt, state } = session;
  const rests = state === 'paused' || state === 'done';
  return html`<p class="training-nudge">
    <button type="button" ?disabled=${!rests} @click=${press}>Nudge one number of W<sup>o</sup> by 10⁻⁶ here</button>
    <span role="status"
      >${
        nudgedAt === undefined
          ? 'Then this run is trained again from here on.'
          : `Nudged after ${nudgedAt} steps: row ${nudge.row + 1}, column ${nudge.column + 1} of the output matrix.`
      }</span
    >
  </p>`;
}

export function withoutTemplate({ without, watched }: TrainingSession): TemplateResult | typeof nothing {
  const first = without?.evaluations[0];
  if (!without || !first || without.run !== watched) return nothing;
  return html`<table class="training-numbers">
    <caption>
      Losses after ${first.step} steps with one head switched off: its rows of the output matrix set to 0
    </caption>
    ${lossesHead('without')}
    <tbody>
      ${without.evaluations.map(
        (at, head) =>
          html`<tr data-without=${head}>
            <th scope="row">head ${head + 1}</th>
            ${lossCells(at)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
