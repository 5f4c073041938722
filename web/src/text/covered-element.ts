// <hw-covered>: what a figure is about to show, covered until it has shown it, or until the reader asks.

import type { BenchElement } from '../bench/bench-element.ts';
import { conditionHolds } from '../bench/conditions.ts';
import { benchOf } from '../figures/figure-element.ts';

export class CoveredElement extends HTMLElement {
  private bench: BenchElement | undefined;
  private note: HTMLElement | undefined;
  private stopListening: (() => void) | undefined;

  connectedCallback(): void {
    this.bench = benchOf(this);
    if (!this.classList.contains('open')) this.addNote();
    this.stopListening = this.bench?.listen((news) => {
      if (news === 'results' || news === 'added') this.look();
    });
    this.look();
  }

  disconnectedCallback(): void {
    this.stopListening?.();
  }

  private addNote(): void {
    if (this.note) return;
    const text = document.createElement('span');
    text.textContent = this.getAttribute('label') ?? 'Covered until the figure has shown it.';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Show it now';
    button.addEventListener('click', () => this.uncover());
    this.note = document.createElement('p');
    this.note.className = 'covered-note';
    this.note.append(text, ' ', button);
    this.prepend(this.note);
  }

  private look(): void {
    const { bench } = this;
    const until = this.getAttribute('until') ?? '';
    if (bench?.results && conditionHolds(bench.results, until)) this.uncover();
  }

  /** For good: what was seen is not taken away again. */
  private uncover(): void {
    this.classList.add('open');
    this.note?.remove();
    this.note = undefined;
    this.stopListening?.();
  }
}
