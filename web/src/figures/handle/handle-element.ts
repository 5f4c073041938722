// <hw-handle>: where the softmax sits. Dragging moves the pieces by one custom property; nothing is drawn anew but at its ends.

import { html, nothing, type TemplateResult } from 'lit';
import type { BenchNews } from '../../bench/bench-element.ts';
import { FigureElement, numberAttribute } from '../figure-element.ts';
import { handleTemplate, mostHeads, restOf } from './handle.ts';
import { handlePicture } from './picture.ts';

export class HandleElement extends FigureElement {
  private place = 0;
  private row: number | undefined;

  protected override benchChanged(news: BenchNews): void {
    if (news === 'results') this.requestUpdate();
  }

  private readonly moved = (place: number): void => {
    const rest = restOf(this.place);
    const jumps = Math.abs(place - this.place) > 0.5;
    this.place = place;
    const figure = this.querySelector<HTMLElement>('.handle');
    // A button lets them travel, a drag takes them along.
    figure?.classList.toggle('travels', jumps);
    figure?.style.setProperty('--t', String(place));
    const slider = this.querySelector<HTMLInputElement>('.handle-control input');
    slider?.style.setProperty('--fill', `${place * 100}%`);
    if (rest !== restOf(place) || place === 0 || place === 1 || jumps) this.requestUpdate();
  };

  private readonly chooseRow = (row: number): void => {
    this.row = row;
    this.requestUpdate();
  };

  protected override render(): TemplateResult | typeof nothing {
    if (!this.context) return nothing;
    const { engine, results } = this.context;
    const picture = handlePicture(engine, results, this.row ?? numberAttribute(this, 'row') ?? 0);
    if (!picture) return nothing;
    if (picture.heads > mostHeads)
      return html`<p class="left-out">
        ${picture.heads} heads are more than this picture holds; take ${mostHeads} or fewer.
      </p>`;
    return handleTemplate(picture, {
      row: picture.row,
      place: this.place,
      moved: this.moved,
      chooseRow: this.chooseRow,
    });
  }
}
