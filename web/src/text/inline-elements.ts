// Results in the middle of a sentence: <hw-number>, <hw-shape>, <hw-text>, and <hw-when> for sentences that hold only sometimes.

import { conditionHolds } from '../bench/conditions.ts';
import { numberText, shapeOrText } from './inline.ts';
import { questionMark } from '../bench/covers.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import type { Results } from '../bench/results.ts';
import { benchOf, keepFromTranslator, markStartValues } from '../figures/figure-element.ts';

abstract class InlineElement extends HTMLElement {
  protected bench: BenchElement | undefined;
  private stop: (() => void) | undefined;

  connectedCallback(): void {
    this.bench = benchOf(this);
    this.stop = this.bench?.listen((news) => {
      if (news === 'results' || news === 'engine' || news === 'covers') this.refresh();
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

  /** Keeps what it shows where there is no such result now. */
  protected refresh(): void {
    markStartValues(this);
    const found = this.bench?.read((results) => {
      const isAsked = this.bench?.covers.hidesPath(results, this.getAttribute('of') ?? '');
      return { text: isAsked ? questionMark : this.textIn(results) };
    });
    // Also in the place of what the engine refuses to compute.
    const text = found ? found.text : this.bench?.results && questionMark;
    if (text !== undefined && text !== this.textContent) this.textContent = text;
  }

  protected abstract textIn(results: Results): string | undefined;
}

export class NumberElement extends ValueElement {
  protected textIn(results: Results): string | undefined {
    return numberText(results, this.getAttribute('of') ?? '', this.getAttribute('digits'));
  }
}

export class ShapeElement extends ValueElement {
  protected textIn(results: Results): string | undefined {
    return shapeOrText(results, this.getAttribute('of') ?? '');
  }
}

export class TextElement extends ShapeElement {}

export class WhenElement extends InlineElement {
  protected refresh(): void {
    const holds = this.bench?.read((results) => conditionHolds(results, this.getAttribute('test') ?? ''));
    if (this.bench?.results) this.hidden = holds !== true;
  }
}
