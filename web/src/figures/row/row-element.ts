// <hw-row>: one token's row through all steps. A drag sets the bench, which computes and draws once a frame.

import { nothing, type TemplateResult } from 'lit';
import type { BenchNews } from '../../bench/bench-element.ts';
import { withMove } from '../../bench/recipes/head.ts';
import { FigureElement } from '../figure-element.ts';
import { rowPicture, type RowPicture } from './picture.ts';
import { placeIn } from './planes.ts';
import { endOf, rowTemplate, spokenOf, type Held, type RowActs } from './row.ts';

/** Numbers that are read off should be short. */
const grain = 0.05;
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class RowElement extends FigureElement {
  private held: Held = { arrow: 'key', row: 0 };
  private dragging = false;
  private spoken = '';
  private picture: RowPicture | undefined;

  protected override benchChanged(news: BenchNews): void {
    if (news === 'results' || news === 'covers') this.requestUpdate();
  }

  private readonly acts: RowActs = {
    chooseRow: (row) => {
      this.bench?.set('row', row + 1);
      if (this.held.arrow === 'query') this.held = { arrow: 'query', row };
    },
    hold: (held) => {
      this.held = held;
      this.requestUpdate();
    },
    move: (held, x, y) => {
      const { bench, picture } = this;
      if (!bench || !picture) return;
      const snap = (value: number) => {
        const within = Math.min(picture.reach, Math.max(-picture.reach, value));
        return Math.round(within / grain) * grain;
      };
      this.held = held;
      bench.set('moved', withMove(bench.state, { ...held, end: [snap(x), snap(y)] }));
    },
    grab: (held, event) => {
      const grip = event.currentTarget as Element;
      const plane = grip.closest('svg');
      const { picture } = this;
      if (!plane || !picture || event.button !== 0) return;
      // What is under the pointer stays under it.
      const [startX, startY] = placeIn(plane, picture.reach, event);
      const [endX, endY] = endOf(picture, held);
      grip.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.acts.hold(held);
      const moved = (move: Event) => {
        const [x, y] = placeIn(plane, picture.reach, move as PointerEvent);
        this.acts.move(held, endX + x - startX, endY + y - startY, false);
      };
      const ended = () => {
        grip.removeEventListener('pointermove', moved);
        this.dragging = false;
        this.requestUpdate();
      };
      grip.addEventListener('pointermove', moved);
      for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
        grip.addEventListener(end, ended, { once: true });
    },
    press: (held, event) => {
      const step = steps[event.key];
      const { picture } = this;
      if (!step || !picture) return;
      event.preventDefault();
      const [x, y] = endOf(picture, held);
      const by = event.shiftKey ? 0.5 : 0.1;
      this.acts.move(held, x + step[0] * by, y + step[1] * by, true);
    },
    putBack: () => this.bench?.set('moved', ''),
  };

  protected override render(): TemplateResult | typeof nothing {
    const { context } = this;
    this.picture = context && rowPicture(context.results, context.covers);
    const { picture, acts } = this;
    if (!picture) return nothing;
    if (this.held.row >= picture.tokens.length) this.held = { arrow: 'key', row: 0 };
    if (this.held.arrow === 'query') this.held = { arrow: 'query', row: picture.row };
    if (!this.dragging) this.spoken = spokenOf(picture);
    return rowTemplate(picture, { held: this.held, spoken: this.spoken, acts });
  }
}
