// Of the row, the two planes: arrows from 0 to where a vector ends.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { fixed } from '../../text/format.ts';
import type { RowPicture, Vector } from './picture.ts';
import type { Held, RowActs } from './row.ts';

/** The drawing's own units from its middle to its edge. */
export const half = 100;
const head = 9;

const pixels = (reach: number) => half / (reach + 0.3);

function arrow(name: string, [x, y]: Vector, unit: number): TemplateResult {
  const [endX, endY] = [x * unit, -y * unit];
  const length = Math.hypot(endX, endY);
  if (length < 1) return svg`<circle class=${name} r="3" />`;
  const [alongX, alongY] = [endX / length, endY / length];
  const [backX, backY] = [endX - alongX * head, endY - alongY * head];
  const wing = head / 2.2;
  const tip = `${endX},${endY} ${backX - alongY * wing},${backY + alongX * wing} ${backX + alongY * wing},${backY - alongX * wing}`;
  return svg`<line class=${name} x2=${backX} y2=${backY} /><polygon class=${name} points=${tip} />`;
}

function label(name: string, [x, y]: Vector, unit: number, text: string): TemplateResult {
  // On the far side of the tip, and within the drawing.
  const beyond = y < 0 ? 14 : -6;
  const anchor = x * unit > half * 0.6 ? 'end' : x * unit < -half * 0.6 ? 'start' : 'middle';
  return svg`<text class=${name} x=${x * unit} y=${Math.min(half - 2, Math.max(10 - half, -y * unit + beyond))} text-anchor=${anchor}>${text}</text>`;
}

function ground(reach: number): TemplateResult {
  const unit = pixels(reach);
  const whole = Math.floor(reach);
  const lines = Array.from({ length: 2 * whole + 1 }, (_, at) => (at - whole) * unit);
  return svg`${lines.map(
    (at) => svg`<line class="row-tick" x1=${at} x2=${at} y1=${-half} y2=${half} />
      <line class="row-tick" y1=${at} y2=${at} x1=${-half} x2=${half} />`,
  )}<line class="row-zero" x1=${-half} x2=${half} /><line class="row-zero" y1=${-half} y2=${half} />`;
}

const box = `${-half} ${-half} ${2 * half} ${2 * half}`;

/** Where a pointer is in the plane, in the vectors' numbers. */
export function placeIn(plane: Element, reach: number, event: PointerEvent): Vector {
  const { left, top, width, height } = plane.getBoundingClientRect();
  const unit = pixels(reach);
  const x = ((event.clientX - left) / width) * 2 * half - half;
  const y = ((event.clientY - top) / height) * 2 * half - half;
  return [x / unit, -y / unit];
}

export function keysPlane(picture: RowPicture, held: Held, acts: RowActs | undefined): TemplateResult {
  const { reach, query, keys, token, row } = picture;
  const unit = pixels(reach);
  const grip = (own: Held, end: Vector, name: string) =>
    acts
      ? svg`<circle
          class="row-grip ${own.arrow === held.arrow && own.row === held.row ? 'held' : ''}"
          data-arrow="${own.arrow}-${own.row}"
          cx=${end[0] * unit}
          cy=${-end[1] * unit}
          r="15"
          tabindex="0"
          role="slider"
          aria-label="${own.arrow} of “${name}”; arrow keys move it"
          aria-valuemin=${-reach}
          aria-valuemax=${reach}
          aria-valuenow=${end[0].toFixed(2)}
          aria-valuetext="${fixed(end[0], 2)} across, ${fixed(end[1], 2)} up"
          @pointerdown=${(event: PointerEvent) => acts.grab(own, event)}
          @keydown=${(event: KeyboardEvent) => acts.press(own, event)}
          @focus=${() => acts.hold(own)}
        />`
      : nothing;
  return html`<svg class="row-vectors" viewBox=${box} role="group" aria-label="Query and keys, to be moved">
    <g aria-hidden="true">
      ${ground(reach)}
      ${keys.map(({ key, name }) => svg`${arrow('of-key', key, unit)}${label('of-key', key, unit, name)}`)}
      ${arrow('of-query', query, unit)}${label('of-query', query, unit, `q ${token}`)}
    </g>
    ${keys.map(({ key, name }, index) => grip({ arrow: 'key', row: index }, key, name))}
    ${grip({ arrow: 'query', row }, query, token)}
  </svg>`;
}

export function valuesPlane({ keys, output, valueReach, empty }: RowPicture): TemplateResult {
  const unit = pixels(valueReach);
  return html`<svg class="row-vectors" viewBox=${box} aria-hidden="true">
    ${ground(valueReach)}
    ${keys.map(
      ({ value, share }) => svg`<line
          class="row-pull"
          x1=${output[0] * unit}
          y1=${-output[1] * unit}
          x2=${value[0] * unit}
          y2=${-value[1] * unit}
          stroke-width=${((share ?? 0) * 14).toFixed(2)}
        />`,
    )}
    ${keys.map(({ value, name }) => svg`${arrow('of-value', value, unit)}${label('of-value', value, unit, name)}`)}
    ${empty ? nothing : arrow('of-output', output, unit)}
  </svg>`;
}
