// <hw-handle>, the drawing: where the softmax sits. Its pieces stand where --t says, from 0, add and then softmax, to 1, softmax each.

import { html, nothing, type TemplateResult } from 'lit';
import { fixed, significant } from '../../text/format.ts';
import { numberIn, type FigureContext } from '../figure.ts';
import { handlePicture, type HandlePicture, type KeyPicture, type OutputCell } from './picture.ts';

export type Rest = 'sum' | 'each';

export interface HandleState {
  readonly row: number;
  /** 0 to 1. */
  readonly place: number;
  /** Without these there is nothing to act on. */
  readonly moved?: (place: number) => void;
  readonly chooseRow?: (row: number) => void;
}

/** More would be hairs. */
export const mostHeads = 8;

export const restOf = (place: number): Rest => (place < 0.5 ? 'sum' : 'each');

const share = (value: number) => value.toFixed(4);
const weightText = (weight: number) => fixed(weight, 2).replace(/^0/, '');
const colour = (head: number) => `--head: var(--head-${head + 1})`;

function scoresTemplate({ hidden, pieces, sum, score }: KeyPicture): TemplateResult {
  if (hidden) return html`<div class="handle-scores hidden">hidden: −∞</div>`;
  return html`<div class="handle-scores">
    ${pieces.map(
      (piece, head) =>
        html`<span
          class="handle-piece"
          style="${colour(head)}; --from: ${share(piece.from)}; --added: ${share(piece.added)}; --own: ${share(piece.own)}; --lane: ${head}"
        ></span>`,
    )}
    <span class="handle-sum" style="--sum: ${share(sum)}"></span>
    <span class="handle-number of-sum" style="--sum: ${share(sum)}">${fixed(score, 2)}</span>
  </div>`;
}

function weightsTemplate({ hidden, weight, pieces }: KeyPicture, heads: number): TemplateResult {
  const lanes = hidden ? Array.from({ length: heads }, () => 0) : pieces.map((piece) => piece.weight);
  return html`<div class="handle-weights">
    ${lanes.map(
      (own, head) =>
        html`<span
          class="handle-lane"
          style="${colour(head)}; --one: ${share(weight)}; --own: ${share(own)}; --lane: ${head}"
        ></span>`,
    )}
    <span class="handle-mark" style="--one: ${share(weight)}"></span>
    <span class="handle-number of-sum">${weightText(weight)}</span>
    <span class="handle-number of-each"
      >${lanes.map((own, head) => html`<b style=${colour(head)}>${weightText(own)}</b>`)}</span
    >
  </div>`;
}

function cellTemplate({ one, several, head }: OutputCell, range: number): TemplateResult {
  const shade = (value: number) => (value < 0 ? 'negative' : 'positive');
  const fill = (value: number) => Math.min(1, Math.abs(value) / range).toFixed(2);
  return html`<td style=${colour(head)}>
    <span class="of-sum ${shade(one)}" style="--fill: ${fill(one)}">${fixed(one, 2)}</span>
    <span class="of-each ${shade(several)}" style="--fill: ${fill(several)}">${fixed(several, 2)}</span>
    <i style="--apart: ${Math.min(1, Math.abs(several - one) / range).toFixed(3)}" aria-hidden="true"></i>
  </td>`;
}

function numbersTemplate({ keys, token, heads }: HandlePicture): TemplateResult {
  const each = Array.from({ length: heads }, (_, head) => head);
  return html`<details class="handle-table">
    <summary>The numbers</summary>
    <div class="table">
      <table>
        <caption>
          “${token}” looks at …
        </caption>
        <thead>
          <tr>
            <th scope="col">key</th>
            <th scope="col">one head: score</th>
            <th scope="col">weight</th>
            ${each.map(
              (head) =>
                html`<th scope="col">head ${head + 1}: score</th>
                  <th scope="col">weight</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${keys.map(
            (key) =>
              html`<tr>
                <th scope="row">${key.name}</th>
                <td>${key.hidden ? '−∞' : fixed(key.score, 2)}</td>
                <td>${weightText(key.weight)}</td>
                ${each.map((head) => {
                  const piece = key.pieces[head];
                  return html`<td>${piece ? fixed(piece.score, 2) : '−∞'}</td>
                    <td>${weightText(piece?.weight ?? 0)}</td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** What is to be seen, for those who do not see it. */
export function spoken({ token, keys, heads, adds, equal }: HandlePicture): string {
  const strongest = (weight: (key: KeyPicture) => number) =>
    keys.reduce((best, key) => (weight(key) > weight(best) ? key : best), keys[0]!).name;
  const own = Array.from(
    { length: heads },
    (_, head) => `head ${head + 1} to “${strongest((key) => key.pieces[head]?.weight ?? 0)}”`,
  );
  return (
    `“${token}” looks around. ${adds ? 'Each score of the one head is the sum of the heads’ pieces. ' : ''}` +
    `With one softmax it gives most to “${strongest((key) => key.weight)}”; with one softmax each, ${own.join(', ')}. ` +
    `The outputs are ${equal ? 'equal' : 'not equal'}.`
  );
}

export function handleTemplate(picture: HandlePicture, state: HandleState): TemplateResult {
  const { keys, heads, output, outputRange, token, tokens, row, equal, largestDifference } = picture;
  const { place, moved, chooseRow } = state;
  const rest = restOf(place);
  const end = (to: Rest, text: string) =>
    html`<button
      type="button"
      aria-pressed=${rest === to ? 'true' : 'false'}
      @click=${() => moved?.(to === 'sum' ? 0 : 1)}
    >
      ${text}
    </button>`;
  const between = place > 0 && place < 1 ? 'between the two' : rest === 'sum' ? 'add, then softmax' : 'softmax each';
  return html`<div class="handle" data-rest=${rest} style="--t: ${place}; --heads: ${heads}">
    ${
      moved
        ? html`<div class="handle-control">
            ${end('sum', 'add, then softmax')}
            <input
              type="range"
              min="0"
              max="100"
              step="1"
              aria-label="where the softmax sits"
              aria-valuetext=${between}
              style="--fill: ${place * 100}%"
              .value=${String(Math.round(place * 100))}
              @input=${(event: Event) => moved(Number((event.target as HTMLInputElement).value) / 100)}
            />
            ${end('each', 'softmax each')}
          </div>`
        : nothing
    }
    <div class="handle-who" role="group" aria-label="Who looks">
      ${tokens.map((name, index) =>
        chooseRow
          ? html`<button
              type="button"
              aria-pressed=${index === row ? 'true' : 'false'}
              @click=${() => chooseRow(index)}
            >
              ${name}
            </button>`
          : nothing,
      )}
    </div>
    <p class="visually-hidden" aria-live="polite">${spoken(picture)}</p>
    <div class="handle-picture" aria-hidden="true">
      <p class="handle-head">“${token}” looks at</p>
      <p class="handle-head">scores</p>
      <p class="handle-head">weights</p>
      ${keys.map(
        (key) =>
          html`<p class="handle-key">${key.name}</p>
            ${scoresTemplate(key)} ${weightsTemplate(key, heads)}`,
      )}
    </div>
    <p class="handle-legend" aria-hidden="true">
      ${Array.from({ length: heads }, (_, head) => html`<span style=${colour(head)}>head ${head + 1}</span>`)}
      <span class="handle-legend-one">one head</span>
    </p>
    <table class="handle-output">
      <caption>
        What “${token}” takes home:
        <span class="of-sum">from one head</span
        ><span class="of-each">from ${heads === 1 ? 'one head' : `${heads} heads`}</span>
      </caption>
      <tbody>
        <tr>
          ${output.slice(0, 16).map((cell) => cellTemplate(cell, outputRange))}
        </tr>
      </tbody>
    </table>
    <p class="handle-verdict ${equal ? 'equal' : ''}">
      <span class="of-sum">One softmax, one map for all columns.</span>
      <span class="of-each"
        >${equal ? 'The same numbers as from one head.' : `Apart by up to ${significant(largestDifference)}: other numbers.`}</span
      >
    </p>
    ${numbersTemplate(picture)}
  </div>`;
}

/** As long as nobody acts on it: one softmax each. */
export function handleFigure({ engine, results, attribute }: FigureContext): TemplateResult | typeof nothing {
  const row = numberIn(attribute('row')) ?? 0;
  const picture = handlePicture(engine, results, row);
  return picture && picture.heads <= mostHeads ? handleTemplate(picture, { row, place: 1 }) : nothing;
}
