// <hw-costs>, the drawing: counts as curves over the number of heads, or of key and value heads, with the formulas behind them.

import type { CostCountName, LayerCost } from 'headwise';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { models, type CostPoint, type CostResults } from '../../bench/recipes/costs.ts';
import type { State, Value } from '../../bench/parameters.ts';
import { groupThousands } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';
import { formulasTemplate } from './formulas.ts';

export type Over = 'heads' | 'keyValueHeads';

/** What a learner does; without it there is nothing to act on. */
export type SetValues = (values: Readonly<Record<string, Value>>) => void;

type Total = Exclude<keyof LayerCost, 'terms'>;

interface Panel {
  readonly of: Total;
  readonly title: string;
}

const panels: Readonly<Record<Over, readonly Panel[]>> = {
  heads: [
    { of: 'parameters', title: 'parameters' },
    { of: 'multiplyAdds', title: 'multiply-adds' },
    { of: 'softmaxTerms', title: 'softmax terms' },
  ],
  keyValueHeads: [
    { of: 'cacheBytesPerToken', title: 'bytes kept of each token' },
    { of: 'parameters', title: 'parameters' },
    { of: 'softmaxTerms', title: 'softmax terms' },
  ],
};

const formulas: Readonly<Record<Over, readonly CostCountName[]>> = {
  heads: ['parameters', 'multiplyAdds', 'softmaxTerms'],
  keyValueHeads: ['cacheNumbersPerToken'],
};

const sliderNames: Readonly<Record<Over, string>> = { heads: 'heads h', keyValueHeads: 'key and value heads' };
const width = 240;
const height = 110;
const edge = 7;

interface Picture {
  readonly over: Over;
  readonly points: readonly CostPoint[];
  readonly chosen: CostPoint;
  readonly full: boolean;
}

/** undefined where the bench has no such results. */
export function costPicture(results: CostResults & { readonly state: State }, over: Over): Picture {
  const points = over === 'heads' ? results.byHeads : results.byKeyValueHeads;
  const heads = Number(results.state.heads);
  const at = over === 'heads' ? heads : Number(results.state.keyValueHeads) || heads;
  return {
    over,
    points,
    chosen: { heads: at, cost: results.within, full: results.full },
    full: over === 'heads' && results.state.headWidth === 'full',
  };
}

/** The number of heads that stands nearest to this share of the width. */
export function nearest({ points }: Pick<Picture, 'points'>, share: number): number {
  const places = points.map(({ heads }) => ({ heads, x: place(points, heads) / width }));
  return places.reduce((best, one) => (Math.abs(one.x - share) < Math.abs(best.x - share) ? one : best)).heads;
}

function place(points: readonly CostPoint[], heads: number): number {
  const most = Math.max(2, points.at(-1)?.heads ?? 2);
  return edge + ((heads - 1) / (most - 1)) * (width - 2 * edge);
}

function panelTemplate({ of, title }: Panel, picture: Picture, choose?: (share: number) => void): TemplateResult {
  const { points, chosen, over, full } = picture;
  const both = over === 'heads';
  const most = Math.max(1, ...[...points, chosen].map((point) => Math.max(point.cost[of], both ? point.full[of] : 0)));
  const y = (value: number) => height - edge - (value / most) * (height - 2 * edge);
  const line = (which: 'cost' | 'full') =>
    points.map((point) => `${place(points, point.heads).toFixed(1)},${y(point[which][of]).toFixed(1)}`).join(' ');
  const x = place(points, chosen.heads);
  const move = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const picture = event.currentTarget as Element;
    picture.setPointerCapture(event.pointerId);
    const box = picture.getBoundingClientRect();
    choose?.((event.clientX - box.left) / box.width);
  };
  const same = chosen.cost[of] === chosen.full[of];
  const number = (which: 'cost' | 'full', name: string) =>
    html`<span class="costs-number ${which} ${full === (which === 'full') ? 'chosen' : ''}"
      ><span class="visually-hidden">${name}: </span>${groupThousands(chosen[which][of])}</span
    >`;
  return html`<figure class="costs-panel" data-count=${of}>
    <figcaption>${title}</figcaption>
    <p class="costs-numbers">
      ${number('cost', 'heads of width d / h')} ${both && !same ? number('full', 'heads of width d') : nothing}
    </p>
    <svg viewBox="0 0 ${width} ${height}" aria-hidden="true" @pointerdown=${move} @pointermove=${move}>
      <line class="costs-axis" x1="0" x2=${width} y1=${height - edge} y2=${height - edge}></line>
      <line class="costs-here" x1=${x} x2=${x} y1="0" y2=${height}></line>
      ${both ? svg`<polyline class="costs-line full" points=${line('full')}></polyline>` : nothing}
      <polyline class="costs-line" points=${line('cost')}></polyline>
      ${points.map(
        ({ heads, cost }) =>
          svg`<circle class="costs-dot" cx=${place(points, heads)} cy=${y(cost[of])} r="2"></circle>`,
      )}
      ${both ? svg`<rect class="costs-mark full" x=${x - 5} y=${y(chosen.full[of]) - 5} width="10" height="10"></rect>` : nothing}
      <circle class="costs-mark" cx=${x} cy=${y(chosen.cost[of])} r="5.5"></circle>
    </svg>
    <p class="costs-ends" aria-hidden="true"><span>1</span><span>${points.at(-1)?.heads} heads</span></p>
  </figure>`;
}

function tableTemplate({ points, over }: Picture): TemplateResult {
  const both = over === 'heads';
  const cells = (point: CostPoint) =>
    panels[over].map(
      ({ of }) =>
        html`<td>${groupThousands(point.cost[of])}</td>
          ${both ? html`<td>${groupThousands(point.full[of])}</td>` : nothing}`,
    );
  return html`<details class="costs-table">
    <summary>The numbers</summary>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">${sliderNames[over]}</th>
            ${panels[over].map(
              ({ title }) =>
                html`<th scope="col">${title}${both ? ', heads of d / h' : ''}</th>
                  ${both ? html`<th scope="col">heads of d</th>` : nothing}`,
            )}
          </tr>
        </thead>
        <tbody>
          ${points.map(
            (point) =>
              html`<tr>
                <th scope="row">${point.heads}</th>
                ${cells(point)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

function choicesTemplate(state: State, set: SetValues): TemplateResult {
  const isModel = (sizes: Readonly<Record<string, Value>>) =>
    Object.entries(sizes).every(([name, value]) => state[name] === value);
  return html`<div class="costs-choices" role="group" aria-label="Layers of real models">
      ${models.map(
        ({ name, sizes }) =>
          html`<button type="button" aria-pressed=${isModel(sizes) ? 'true' : 'false'} @click=${() => set(sizes)}>
            ${name}
          </button>`,
      )}
    </div>
    <div class="costs-choices" role="group" aria-label="Width of each head">
      ${(['budget', 'full'] as const).map(
        (value) =>
          html`<button
            type="button"
            aria-pressed=${state.headWidth === value ? 'true' : 'false'}
            @click=${() => set({ headWidth: value })}
          >
            <span class="costs-key ${value}" aria-hidden="true"></span
            >${value === 'budget' ? 'heads of width d / h' : 'heads of width d'}
          </button>`,
      )}
    </div>`;
}

export function costsTemplate(
  results: CostResults & { readonly state: State },
  over: Over,
  set?: SetValues,
): TemplateResult {
  const picture = costPicture(results, over);
  const { points, chosen } = picture;
  const at = points.findIndex(({ heads }) => heads === chosen.heads);
  const choose = (heads: number) => set?.({ [over]: heads });
  const say = panels[over].map(({ of, title }) => `${groupThousands(results.cost[of])} ${title}`).join(', ');
  return html`<div
    class="costs"
    role="group"
    aria-label=${over === 'heads' ? 'What heads cost' : 'What is kept of each token'}
  >
    ${set && over === 'heads' ? choicesTemplate(results.state, set) : nothing}
    ${
      set
        ? html`<div class="costs-slider">
            <label>
              <span>${sliderNames[over]}</span>
              <input
                type="range"
                min="0"
                max=${points.length - 1}
                step="1"
                aria-valuetext="${chosen.heads}"
                style="--fill: ${points.length > 1 ? (at / (points.length - 1)) * 100 : 0}%"
                .value=${String(at)}
                @input=${(event: Event) => {
                  const point = points[Number((event.target as HTMLInputElement).value)];
                  if (point) choose(point.heads);
                }}
              />
            </label>
            <output>${chosen.heads}</output>
          </div>`
        : nothing
    }
    <p class="visually-hidden" aria-live="polite">${sliderNames[over]} ${chosen.heads}: ${say}.</p>
    <div class="costs-panels">
      ${panels[over].map((panel) => panelTemplate(panel, picture, set && ((share) => choose(nearest(picture, share)))))}
    </div>
    ${formulasTemplate(results.cost, formulas[over])} ${tableTemplate(picture)}
  </div>`;
}

export function costsFigure({ results, attribute }: FigureContext): TemplateResult | typeof nothing {
  if (!('byHeads' in results)) return nothing;
  return costsTemplate(results as unknown as CostResults & { state: State }, overOf(attribute('over')));
}

export const overOf = (text: string | null): Over => (text === 'keyValueHeads' ? 'keyValueHeads' : 'heads');
