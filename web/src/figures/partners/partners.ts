// <hw-partners>, the drawing: query heads above, key and value heads below, and a wire from each to the one it uses.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Value } from '../../bench/parameters.ts';
import type { Partners } from '../../bench/recipes/sharing.ts';
import type { FigureContext } from '../figure.ts';

export interface PartnersPicture extends Partners {
  /** Whether each head's output is as trained. */
  readonly equal: readonly boolean[];
}

export interface PartnersActions {
  readonly set: (values: Readonly<Record<string, Value>>) => void;
  /** Numbers of key/value heads that come out even; none where only the wires are the learner's. */
  readonly counts: readonly number[];
}

/** More would be hairs. */
const mostHeads = 8;
const step = 20;
const drop = 48;

const colour = (partner: number) => `--head: var(--head-${partner})`;

/** undefined where the bench has no such results. */
export function partnersPicture({ results }: Pick<FigureContext, 'results'>): PartnersPicture | undefined {
  const { partners, wired } = results as unknown as { partners?: Partners; wired?: { heads: readonly boolean[] } };
  return partners && wired && { ...partners, equal: wired.heads };
}

function spoken({ now, equal }: PartnersPicture): string {
  const wrong = equal.flatMap((isEqual, head) => (isEqual ? [] : [head + 1]));
  const wires = now.map((partner, head) => `${head + 1} to ${partner}`).join(', ');
  return `Query heads to key and value heads: ${wires}. ${
    wrong.length === 0 ? 'All heads give what they were trained to give.' : `Other outputs: ${wrong.join(', ')}.`
  }`;
}

export function partnersTemplate(picture: PartnersPicture, actions?: PartnersActions): TemplateResult {
  const { now, keyValueHeads, trained, tiled, equal } = picture;
  const heads = now.length;
  if (heads > mostHeads)
    return html`<p class="left-out">${heads} heads are more than this picture holds; take ${mostHeads} or fewer.</p>`;
  const span = heads / keyValueHeads;
  const text = (list: readonly number[]) => list.join(' ');
  const connect = (head: number) =>
    actions?.set({ partners: text(now.map((partner, at) => (at === head ? (partner % keyValueHeads) + 1 : partner))) });
  const order = (list: readonly number[], name: string) =>
    html`<button
      type="button"
      aria-pressed=${text(list) === text(now) ? 'true' : 'false'}
      @click=${() => actions?.set({ partners: text(list) })}
    >
      ${name}
    </button>`;
  return html`<div class="partners" role="group" aria-label="Who uses which keys and values" style="--heads: ${heads}">
    ${
      actions && actions.counts.length > 0
        ? html`<div class="costs-slider">
              <label>
                <span>key and value heads</span>
                <input
                  type="range"
                  min="0"
                  max=${actions.counts.length - 1}
                  step="1"
                  aria-valuetext="${keyValueHeads}"
                  style="--fill: ${(actions.counts.indexOf(keyValueHeads) / Math.max(1, actions.counts.length - 1)) * 100}%"
                  .value=${String(actions.counts.indexOf(keyValueHeads))}
                  @input=${(event: Event) => {
                    const count = actions.counts[Number((event.target as HTMLInputElement).value)];
                    if (count) actions.set({ groupSize: heads / count, partners: '' });
                  }}
                />
              </label>
              <output>${keyValueHeads}</output>
            </div>
            <div class="costs-choices" role="group" aria-label="How they are handed out">
              ${order(trained, 'repeat: neighbours together')} ${order(tiled, 'tile: round and round')}
            </div>`
        : nothing
    }
    <p class="partners-name">query heads</p>
    <div class="partners-queries">
      ${now.map((partner, head) => {
        const said = html`<span>Q<sub>${head + 1}</sub></span
          ><span class="partners-mark" aria-hidden="true">${equal[head] ? '=' : '≠'}</span>`;
        return actions
          ? html`<button
              type="button"
              class=${equal[head] ? 'equal' : ''}
              style=${colour(partner)}
              aria-label="Q${head + 1}: key and value head ${partner}, ${equal[head] ? 'output as trained' : 'another output'}"
              @click=${() => connect(head)}
            >
              ${said}
            </button>`
          : html`<span class=${equal[head] ? 'equal' : ''} style=${colour(partner)}>${said}</span>`;
      })}
    </div>
    <svg viewBox="0 0 ${heads * step} ${drop}" preserveAspectRatio="none" aria-hidden="true">
      ${now.map(
        (partner, head) =>
          svg`<line style=${colour(partner)} x1=${(head + 0.5) * step} y1="0" x2=${(partner - 0.5) * span * step} y2=${drop}></line>`,
      )}
    </svg>
    <div class="partners-keys" aria-hidden="true">
      ${Array.from(
        { length: keyValueHeads },
        (_, at) =>
          html`<span style="${colour(at + 1)}; --span: ${span}">K<sub>${at + 1}</sub> V<sub>${at + 1}</sub></span>`,
      )}
    </div>
    <p class="partners-name">key and value heads</p>
    <p class="visually-hidden" aria-live="polite">${spoken(picture)}</p>
  </div>`;
}

export function partnersFigure(context: FigureContext): TemplateResult | typeof nothing {
  const picture = partnersPicture(context);
  return picture ? partnersTemplate(picture) : nothing;
}
