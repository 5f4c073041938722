// Of the row, the bars: scores, exponentials and shares, a lane for each key, and one unit of length for all of them.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { questionMark } from '../../bench/covers.ts';
import { fixed } from '../../text/format.ts';
import type { KeyOfRow, RowPicture, Shown } from './picture.ts';

/** Pixels; the names stand beside in rows of the same height. */
const laneHeight = 46;
const barTop = 6;
const barHeight = 18;
// Between the three parts, in units of the scale.
const gap = 0.35;

const text = (value: Shown) => (value === undefined ? questionMark : fixed(value, 2));

export function lanesTemplate({ keys, from, to, empty }: RowPicture): TemplateResult {
  const units = to - from + 2 + 2 * gap;
  const percent = (length: number) => `${((100 * length) / units).toFixed(2)}%`;
  const zero = -from;
  const exponentials = to - from + gap;
  const shares = exponentials + 1 + gap;
  const bar = (name: string, start: number, length: number, inset: number, lane: number) => svg`<rect
      class=${name}
      x=${percent(start + Math.min(0, length))}
      width=${percent(Math.abs(length))}
      y=${lane * laneHeight + barTop + inset}
      height=${barHeight - 2 * inset}
    />`;
  const number = (name: string, x: number, lane: number, words: string, anchor = 'start') => svg`<text
      class=${name}
      x=${percent(x)}
      y=${lane * laneHeight + barTop + barHeight + 13}
      text-anchor=${anchor}
    >${words}</text>`;
  const box = (x: number, lane: number) => svg`<rect
      class="row-whole"
      x=${percent(x)}
      width=${percent(1)}
      y=${lane * laneHeight + barTop}
      height=${barHeight}
    />`;
  const lane = ({ raw, scaled, hidden, exponential, share, before }: KeyOfRow, at: number) => svg`
    ${raw === undefined ? nothing : bar('row-raw', zero, raw, 0, at)}
    ${scaled === undefined ? nothing : bar(hidden ? 'row-scaled hidden' : 'row-scaled', zero, scaled, 4, at)}
    ${
      hidden
        ? svg`<rect class="row-hatch" x="0" width=${percent(to - from)} y=${at * laneHeight + barTop} height=${barHeight} />`
        : nothing
    }
    ${number('', zero, at, hidden ? `${text(raw)} → ${fixed(-Infinity, 0)}` : `${text(raw)} → ${text(scaled)}`, 'middle')}
    ${box(exponentials, at)} ${exponential === undefined ? nothing : bar('row-exponential', exponentials, exponential, 2, at)}
    ${number('', exponentials, at, hidden ? '0' : text(exponential))}
    ${box(shares, at)} ${share === undefined ? nothing : bar('row-share', shares + before, share, 2, at)}
    ${number('', shares, at, hidden ? '0' : text(share))}`;
  const height = keys.length * laneHeight;
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => at);
  return html`<div class="row-lanes" aria-hidden="true">
    <p class="row-heads">
      <span class="role-scores">scores</span> <i class="row-key-raw"></i> q · k, <i class="row-key-scaled"></i> divided
      by √2; then e<sup>score − largest</sup> and <span class="role-attention">shares</span>
    </p>
    <div class="row-names">${keys.map(({ name }) => html`<span>${name}</span>`)}</div>
    <svg class="row-bars" height=${height + 16} width="100%">
      <defs>
        <pattern id="row-hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="row-stripe" width="2" height="6" />
        </pattern>
      </defs>
      ${ticks.map(
        (at) => svg`<line
            class=${at === zero ? 'row-zero' : 'row-tick'}
            x1=${percent(at)}
            x2=${percent(at)}
            y1="0"
            y2=${height}
          />`,
      )}
      ${ticks
        .filter((at) => at === 0 || at === zero || at === to - from)
        .map(
          (at) => svg`<text
              class="row-unit"
              x=${percent(at)}
              y=${height + 12}
              text-anchor=${at === 0 ? 'start' : at === zero ? 'middle' : 'end'}
            >${fixed(at + from, 0)}</text>`,
        )}
      ${keys.map(lane)}
      ${[exponentials, shares].map(
        (x) => svg`<text class="row-unit" x=${percent(x)} y=${height + 12}>0</text>
          <text class="row-unit" x=${percent(x + 1)} y=${height + 12} text-anchor="end">1</text>`,
      )}
      ${empty ? nothing : svg`<line class="row-zero" x1=${percent(shares + 1)} x2=${percent(shares + 1)} y1="0" y2=${height} />`}
    </svg>
  </div>`;
}
