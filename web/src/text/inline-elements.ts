// Results in the middle of a sentence: <hw-number>, <hw-shape>, <hw-text>, and <hw-when> for sentences that hold only sometimes.

import { conditionHolds } from '../bench/conditions.ts';
import { numberText, shapeOrText } from './inline.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import { benchOf, keepFromTranslator } from '../figures/figure-element.ts';

abstract class InlineElement extends HTMLElement {
  protected bench: BenchElement | undefined;
  private stop: (() => void) | undefined;

  connectedCallback(): void {
    this.bench = benchOf(this);
    this.stop = this.bench?.listen((news) => {
      if (news === 'results') this.refresh();
    });
    this.refresh();
  }

  disconnectedCallback(): void {
    this.stop?.();
  }

  protected abstract refresh(): void;
}

abstract class ValueElement extends InlineElement {
  override connectedCallback(): void {
    keepFromTranslator(this);
    super.connectedCallback();
  }

  protected show(text: string | undefined): void {
    if (text !== undefined && text !== this.textContent) this.textContent = text;
  }
}

export class NumberElement extends ValueElement {
  protected refresh(): void {
    const results = this.bench?.results;
    if (results) this.show(numberText(results, this.getAttribute('of') ?? '', this.getAttribute('digits')));
  }
}

export class ShapeElement extends ValueElement {
  protected refresh(): void {
    const results = this.bench?.results;
    if (results) this.show(shapeOrText(results, this.getAttribute('of') ?? ''));
  }
}

export class TextElement extends ShapeElement {}

export class WhenElement extends InlineElement {
  protected refresh(): void {
    const results = this.bench?.results;
    if (results) this.hidden = !conditionHolds(results, this.getAttribute('test') ?? '');
  }
}
