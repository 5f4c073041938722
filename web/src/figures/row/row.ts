// <hw-row>, the drawing: one token's row through all steps of a head, and the vectors that it comes from and leads to.

import { html, nothing, type TemplateResult } from 'lit';
import { questionMark } from '../../bench/covers.ts';
import type { Arrow } from '../../bench/recipes/head.ts';
import { fixed } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';
import { lanesTemplate } from './lanes.ts';
import { keysPlane, valuesPlane } from './planes.ts';
import { rowPicture, type RowPicture, type Shown } from './picture.ts';

/** One of the arrows that can be moved; the query is that of the row. */
export interface Held {
  readonly arrow: Arrow;
  readonly row: number;
}

export interface RowState {
  readonly held: Held;
  /** What a screen reader is told: it waits for the end of a drag. */
  readonly spoken: string;
  /** Without this there is nothing to act on. */
  readonly acts?: RowActs;
}

export interface RowActs {
  readonly chooseRow: (row: number) => void;
  readonly hold: (held: Held) => void;
  readonly move: (held: Held, x: number, y: number, ended: boolean) => void;
  readonly grab: (held: Held, event: PointerEvent) => void;
  readonly press: (held: Held, event: KeyboardEvent) => void;
  readonly putBack: () => void;
}

const text = (value: Shown, decimals = 2) => (value === undefined ? questionMark : fixed(value, decimals));
const pair = ([x, y]: readonly [number, number]) => `(${fixed(x, 2)}, ${fixed(y, 2)})`;

export function endOf(picture: RowPicture, { arrow, row }: Held): readonly [number, number] {
  return arrow === 'query' ? picture.query : (picture.keys[row]?.key ?? [0, 0]);
}

/** What is to be seen, for those who do not see it. */
export function spokenOf({ token, keys, empty, output }: RowPicture): string {
  if (empty) return `“${token}” sees nothing. All its shares are 0.`;
  const shares = keys.map(({ name, share }) => `${text(share)} to “${name}”`).join(', ');
  return `“${token}” gives ${shares}. It takes home ${pair(output)}.`;
}

function numbersTemplate({ token, keys, query, output }: RowPicture): TemplateResult {
  return html`<details class="row-numbers">
    <summary>The numbers</summary>
    <div class="table">
      <table>
        <caption>
          “${token}” looks, with query ${pair(query)}
        </caption>
        <thead>
          <tr>
            <th scope="col">at</th>
            <th scope="col">key</th>
            <th scope="col">q · k</th>
            <th scope="col">÷ √2</th>
            <th scope="col">masked</th>
            <th scope="col">e<sup>score − largest</sup></th>
            <th scope="col">share</th>
            <th scope="col">value</th>
          </tr>
        </thead>
        <tbody>
          ${keys.map(
            ({ name, key, raw, scaled, hidden, exponential, share, value }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${pair(key)}</td>
                <td>${text(raw)}</td>
                <td>${text(scaled)}</td>
                <td>${hidden ? fixed(-Infinity, 0) : text(scaled)}</td>
                <td>${text(exponential, 3)}</td>
                <td>${text(share, 3)}</td>
                <td>${pair(value)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p>The mean of the values, by the shares: ${pair(output)}.</p>
  </details>`;
}

function moverTemplate(picture: RowPicture, held: Held, acts: RowActs): TemplateResult {
  const end = endOf(picture, held);
  const choice = (to: Held, name: string) =>
    html`<button
      type="button"
      class="role-${to.arrow}"
      aria-pressed=${to.arrow === held.arrow && to.row === held.row ? 'true' : 'false'}
      @click=${() => acts.hold(to)}
    >
      ${name}
    </button>`;
  const slider = (axis: 0 | 1, name: string) =>
    html`<label
      >${name}
      <input
        type="range"
        min=${-picture.reach}
        max=${picture.reach}
        step="0.05"
        .value=${String(end[axis])}
        aria-label="${held.arrow} of “${picture.tokens[held.row]}”, ${name}"
        aria-valuetext=${fixed(end[axis], 2)}
        @input=${(event: Event) => {
          const value = Number((event.target as HTMLInputElement).value);
          acts.move(held, axis === 0 ? value : end[0], axis === 1 ? value : end[1], true);
        }}
      />
      <output>${fixed(end[axis], 2)}</output></label
    >`;
  return html`<div class="row-mover" role="group" aria-label="Move an arrow">
    <div class="row-arrows">
      ${choice({ arrow: 'query', row: picture.row }, `q ${picture.token}`)}
      ${picture.keys.map(({ name }, row) => choice({ arrow: 'key', row }, `k ${name}`))}
      <button type="button" class="row-back" ?disabled=${!picture.isMoved} @click=${acts.putBack}>Put back</button>
    </div>
    ${slider(0, 'across')} ${slider(1, 'up')}
  </div>`;
}

export function rowTemplate(picture: RowPicture, { held, spoken, acts }: RowState): TemplateResult {
  const { token, tokens, row, keys, output, empty } = picture;
  return html`<figure class="row-figure" aria-label="One row through all its steps">
    <div class="row-who" role="group" aria-label="Who looks">
      <span aria-hidden="true">Who looks?</span>
      ${tokens.map((name, index) =>
        acts
          ? html`<button
              type="button"
              aria-pressed=${index === row ? 'true' : 'false'}
              @click=${() => acts.chooseRow(index)}
            >
              ${name}
            </button>`
          : html`<span class=${index === row ? 'strong' : ''}>${name}</span>`,
      )}
    </div>
    <p class="visually-hidden" aria-live="polite">${spoken}</p>
    <div class="row-plane of-keys">
      <p><span class="role-query">Query</span> and <span class="role-key">keys</span></p>
      ${keysPlane(picture, held, acts)}
    </div>
    ${lanesTemplate(picture)}
    <div class="row-plane of-values">
      <p><span class="role-value">Values</span>, and their <span class="role-output">mean</span></p>
      ${valuesPlane(picture)}
    </div>
    <div class="row-result">
      <p>
        ${
          empty
            ? html`“${token}” sees nothing: all its shares are 0, and it takes home (0, 0).`
            : html`“${token}” takes home <span class="role-output">${pair(output)}</span> =
                ${keys
                  .filter(({ hidden }) => !hidden)
                  .map(
                    ({ share, value }, index) =>
                      html`${index > 0 ? ' + ' : ''}<span class="row-term"
                          ><span class="role-attention">${text(share)}</span> ·
                          <span class="role-value">${pair(value)}</span></span
                        >`,
                  )}`
        }
      </p>
      ${acts ? moverTemplate(picture, held, acts) : nothing}
    </div>
    ${numbersTemplate(picture)}
  </figure>`;
}

/** As long as nobody acts on it. */
export function rowFigure({ results, covers }: FigureContext): TemplateResult | typeof nothing {
  const picture = rowPicture(results, covers);
  if (!picture) return nothing;
  return rowTemplate(picture, { held: { arrow: 'query', row: picture.row }, spoken: '' });
}
