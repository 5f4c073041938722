// What all elements share that show a bench's results.

import { LitElement, nothing, render, type TemplateResult } from 'lit';
import { BenchElement, type BenchNews } from '../bench/bench-element.ts';
import { nothingAsked } from '../bench/covers.ts';
import type { Results } from '../bench/results.ts';
import { numberIn, type Figure, type FigureContext } from './figure.ts';

/** The bench an element belongs to: named by `bench` on it or around it, else the one it stands in. */
export function benchOf(element: Element): BenchElement | undefined {
  const named = element.closest('[bench], hw-bench');
  const bench = named?.tagName === 'HW-BENCH' ? named : document.getElementById(named?.getAttribute('bench') ?? '');
  return bench instanceof BenchElement ? bench : undefined;
}

/**
 * A browser's translator puts nodes of its own in the place of texts: what is put into the old ones later is not seen, so that a number
 * would stand still while the sentence beside it goes on. What changes by itself is therefore not for it; labels and prose are.
 */
export function keepFromTranslator(element: Element): void {
  element.setAttribute('translate', 'no');
}

/** Numbers that the build put there and that do not follow the settings are told from those that do. */
export function markStartValues(element: Element): void {
  element.classList.toggle('start-values', benchOf(element)?.canCompute === false);
}

/**
 * Draws into the page itself (no shadow root), so that one stylesheet, print and find-in-page reach it.
 * What the build put inside it stays until there are results.
 */
export abstract class FigureElement extends LitElement {
  bench: BenchElement | undefined;
  private stopListening: (() => void) | undefined;
  private isOurs = false;

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    keepFromTranslator(this);
    this.bench = benchOf(this);
    this.stopListening = this.bench?.listen((news) => {
      markStartValues(this);
      this.benchChanged(news);
    });
    markStartValues(this);
    super.connectedCallback();
    // Moved in the document, it may stand in another bench.
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
  }

  protected benchChanged(news: BenchNews): void {
    if (news === 'results' || news === 'covers') this.requestUpdate();
  }

  protected get results(): Results | undefined {
    return this.bench?.results;
  }

  /** What a figure's drawing is made from; undefined until there are results. */
  protected get context(): FigureContext | undefined {
    const { results } = this;
    const engine = this.bench?.headwise;
    const covers = this.bench?.covers ?? nothingAsked;
    return results && engine && { results, engine, covers, attribute: (name) => this.getAttribute(name) };
  }

  protected abstract override render(): TemplateResult | typeof nothing;

  /** Whether there is something to draw; until then the build's content stays. */
  protected get ready(): boolean {
    return this.results !== undefined;
  }

  protected override shouldUpdate(): boolean {
    return this.ready;
  }

  protected override update(changed: Map<PropertyKey, unknown>): void {
    if (!this.isOurs) this.replaceChildren();
    this.isOurs = true;
    super.update(changed);
  }

  // Drawing reads results that are computed when they are read: what the engine refuses then is the bench's to say, and nothing is drawn.
  protected override performUpdate(): void {
    try {
      super.performUpdate();
    } catch (error) {
      if (!this.bench) throw error;
      this.bench.refuse(error);
      render(nothing, this, this.renderOptions);
    }
  }
}

/** A number attribute, or nothing. */
export function numberAttribute(element: Element, name: string): number | undefined {
  return numberIn(element.getAttribute(name));
}

/** The element of a figure that needs nothing but its context. */
export function drawnBy(figure: Figure): CustomElementConstructor {
  return class extends FigureElement {
    protected override render(): TemplateResult | typeof nothing {
      return this.context ? figure(this.context) : nothing;
    }
  };
}
