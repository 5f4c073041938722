// <hw-projection>, the drawing: the product of one input with all heads' matrices, to scale, how far the heads fill the width, and what
// they cost beside one head.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { integer } from '../../bench/parameters.ts';
import type { Results } from '../../bench/results.ts';
import { groupThousands } from '../../text/format.ts';
import type { FigureContext } from '../figure.ts';
import { labelTemplate } from '../label.ts';

/** Sizes of the product; more than these would be hairs. */
export const most = { length: 12, width: 24, heads: 8, headWidth: 16 } as const;
export type Size = keyof typeof most;

interface Cost {
  readonly parameters: number;
  readonly multiplyAdds: number;
}

export interface ProjectionPicture {
  readonly length: number;
  readonly width: number;
  readonly heads: number;
  readonly headWidth: number;
  readonly together: number;
  readonly fit: 'fills' | 'over' | 'under';
  readonly cost: Cost & { readonly oneHead: Cost };
}

export interface ProjectionState {
  /** Pixels for one row or column. */
  readonly unit: number;
  readonly spoken: string;
  /** Without these there is nothing to act on. */
  readonly grab?: (size: Size, event: PointerEvent) => void;
  readonly press?: (size: Size, event: KeyboardEvent) => void;
}

/** Pixels between two heads. */
export const between = 4;
/** What stands at the left of the input, and the handles at the right. */
const beside = 84;
const largestUnit = 15;

/** undefined where the sizes are more than can be drawn. */
export function projectionPicture(results: Results): ProjectionPicture | undefined {
  const { headWidth, concatenatedWidth, fit, cost } = results as unknown as {
    headWidth: number;
    concatenatedWidth: number;
    fit: ProjectionPicture['fit'];
    cost: ProjectionPicture['cost'];
  };
  const [length, width, heads] = (['length', 'width', 'heads'] as const).map((name) =>
    integer(results.state, name),
  ) as [number, number, number];
  const sizes = { length, width, heads, headWidth };
  if (Object.entries(sizes).some(([name, size]) => size > most[name as Size])) return undefined;
  return { ...sizes, together: concatenatedWidth, fit, cost };
}

/** Whole pixels, so that every line is there. The width over all heads has some room to grow. */
export function unitOf({ width, heads, together }: ProjectionPicture, available: number): number {
  const columns = width + Math.max(together, Math.ceil(width * 1.5));
  return Math.max(3, Math.min(largestUnit, Math.floor((available - beside - heads * between) / columns)));
}

const fitWords = {
  fills: (together: string, width: string) => `Together they are ${together} wide and fill d = ${width}.`,
  over: (together: string, width: string) => `Together they are ${together} wide, more than d = ${width}.`,
  under: (together: string, width: string) => `Together they are ${together} wide, less than d = ${width}.`,
};

export function sentenceOf({ fit, together, width }: ProjectionPicture): string {
  return fitWords[fit](String(together), String(width));
}

export function spokenOf(picture: ProjectionPicture): string {
  const { length, width, heads, headWidth, cost } = picture;
  return (
    `${length} tokens of width ${width} times ${heads} matrices of ${width} × ${headWidth} give ${heads} times ${length} × ${headWidth}. ` +
    `${sentenceOf(picture)} ${groupThousands(cost.parameters)} parameters and ${groupThousands(cost.multiplyAdds)} multiply-adds; ` +
    `one head of width ${width}: ${groupThousands(cost.oneHead.parameters)} and ${groupThousands(cost.oneHead.multiplyAdds)}.`
  );
}

function boxTemplate(rows: number, columns: number): TemplateResult {
  const lines =
    Array.from({ length: columns - 1 }, (_, at) => `M${at + 1} 0V${rows}`).join('') +
    Array.from({ length: rows - 1 }, (_, at) => `M0 ${at + 1}H${columns}`).join('');
  return html`<svg
    class="shape-box"
    style="--rows: ${rows}; --columns: ${columns}"
    viewBox="0 0 ${columns} ${rows}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${svg`<path d=${lines} />`}
  </svg>`;
}

function handleTemplate(
  size: Size,
  name: string,
  value: number,
  { grab, press }: ProjectionState,
): TemplateResult | typeof nothing {
  if (!grab || !press) return nothing;
  return html`<div
    class="projection-grip of-${size}"
    role="slider"
    tabindex="0"
    aria-label=${name}
    aria-orientation=${size === 'length' ? 'vertical' : 'horizontal'}
    aria-valuemin="1"
    aria-valuemax=${most[size]}
    aria-valuenow=${value}
    title=${name}
    @pointerdown=${(event: PointerEvent) => grab(size, event)}
    @keydown=${(event: KeyboardEvent) => press(size, event)}
  ></div>`;
}

function countTemplate(name: string, here: number, one: number): TemplateResult {
  const largest = Math.max(here, one);
  const bar = (count: number) =>
    html`<td>
      ${groupThousands(count)}
      <span class="projection-meter" style="--share: ${(count / largest).toFixed(4)}"></span>
    </td>`;
  return html`<tr>
    <th scope="row">${name}</th>
    ${bar(here)}${bar(one)}
  </tr>`;
}

export function projectionTemplate(picture: ProjectionPicture, state: ProjectionState): TemplateResult {
  const { length, width, heads, headWidth, together, fit, cost } = picture;
  const each = Array.from({ length: heads }, (_, head) => head);
  const colour = (head: number) => `--head: var(--head-${head + 1})`;
  return html`<figure class="projection" style="--unit: ${state.unit}px" aria-label="One product for all heads">
    <p class="visually-hidden" aria-live="polite">${state.spoken}</p>
    <div class="projection-picture">
      <p class="projection-size of-rows"><i>d</i> = ${width}</p>
      <div class="projection-heads of-weights">
        ${each.map(
          (head) =>
            html`<div class="projection-head" style=${colour(head)}>
              <p class="role-query">${labelTemplate(heads > 1 ? `W_${head + 1}^q` : 'W^q')}</p>
              ${boxTemplate(width, headWidth)}
              ${head === 0 ? handleTemplate('headWidth', 'Width of each head', headWidth, state) : nothing}
            </div>`,
        )}
        ${handleTemplate('heads', 'Number of heads', heads, state)}
      </div>
      <p class="projection-size of-tokens"><i>n</i> = ${length}</p>
      <div class="projection-input">
        <p class="role-input">H</p>
        ${boxTemplate(length, width)} ${handleTemplate('length', 'Number of tokens', length, state)}
      </div>
      <div class="projection-heads of-queries">
        ${each.map(
          (head) =>
            html`<div class="projection-head" style=${colour(head)}>
              ${boxTemplate(length, headWidth)}
              <p class="role-query">${labelTemplate(heads > 1 ? `Q_${head + 1}` : 'Q')}</p>
            </div>`,
        )}
      </div>
      <div class="projection-bar" style="--width: ${width}; --together: ${together}" aria-hidden="true">
        ${each.map((head) => html`<span style="${colour(head)}; --columns: ${headWidth}"></span>`)}
        <i></i>
      </div>
    </div>
    <p class="projection-fit ${fit}">
      ${heads} ${heads === 1 ? 'head' : 'heads'} of width ${headWidth}. ${sentenceOf(picture)}
    </p>
    <table class="projection-costs">
      <thead>
        <tr>
          <td></td>
          <th scope="col">${heads === 1 ? 'this head' : `these ${heads} heads`}</th>
          <th scope="col">one head of width d</th>
        </tr>
      </thead>
      <tbody>
        ${countTemplate('parameters', cost.parameters, cost.oneHead.parameters)}
        ${countTemplate('multiply-adds', cost.multiplyAdds, cost.oneHead.multiplyAdds)}
      </tbody>
    </table>
  </figure>`;
}

/** As long as nobody acts on it. */
export function projectionFigure({ results }: FigureContext): TemplateResult | typeof nothing {
  const picture = projectionPicture(results);
  return picture ? projectionTemplate(picture, { unit: 8, spoken: '' }) : nothing;
}
