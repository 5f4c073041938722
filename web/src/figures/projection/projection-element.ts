// <hw-projection>: the product by hand. An edge that is dragged sets the bench, which computes and draws once a frame.

import { html, nothing, type TemplateResult } from 'lit';
import { FigureElement } from '../figure-element.ts';
import { watchWidth } from '../width.ts';
import {
  between,
  most,
  projectionPicture,
  projectionTemplate,
  spokenOf,
  unitOf,
  type ProjectionPicture,
  type Size,
} from './projection.ts';

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class ProjectionElement extends FigureElement {
  private width = 0;
  private stopWatching: (() => void) | undefined;
  private picture: ProjectionPicture | undefined;
  // Both stand still while an edge is dragged: the scale, and what a screen reader is told.
  private dragging = false;
  private unit = 0;
  private spoken = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = watchWidth(this, (width) => {
      this.width = width;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  private set(size: Size, value: number): void {
    this.bench?.set(size, Math.min(most[size], Math.max(1, Math.round(value))));
  }

  private readonly grab = (size: Size, event: PointerEvent): void => {
    const grip = event.currentTarget as HTMLElement;
    const { picture } = this;
    if (!picture || event.button !== 0) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    grip.setPointerCapture(event.pointerId);
    const start = size === 'length' ? event.clientY : event.clientX;
    const from = picture[size];
    this.dragging = true;
    const moved = ({ clientX, clientY }: PointerEvent) => {
      const by = (size === 'length' ? clientY : clientX) - start;
      const each = size === 'heads' ? picture.headWidth * this.unit + between : this.unit;
      this.set(size, from + by / each);
    };
    const ended = () => {
      grip.removeEventListener('pointermove', moved);
      this.dragging = false;
      this.requestUpdate();
    };
    grip.addEventListener('pointermove', moved);
    grip.addEventListener('lostpointercapture', ended, { once: true });
  };

  private readonly press = (size: Size, event: KeyboardEvent): void => {
    const { picture } = this;
    if (!picture) return;
    const step = steps[event.key];
    const to = event.key === 'Home' ? 1 : event.key === 'End' ? most[size] : step && picture[size] + step;
    if (to === undefined) return;
    event.preventDefault();
    this.set(size, to);
  };

  protected override render(): TemplateResult | typeof nothing {
    if (!this.results) return nothing;
    const picture = (this.picture = projectionPicture(this.results));
    if (!picture) return html`<p class="left-out">These sizes are more than this picture holds.</p>`;
    if (!this.dragging) {
      this.unit = unitOf(picture, this.width || 600);
      this.spoken = spokenOf(picture);
    }
    const { unit, spoken, grab, press } = this;
    return projectionTemplate(picture, { unit, spoken, grab, press });
  }
}
