// <hw-product of>: the chosen cell opened, with the numbers put in. Out of sight of the cell, it comes beside it.

import { nothing, type TemplateResult } from 'lit';
import type { BenchNews, Selection } from '../../bench/bench-element.ts';
import { FigureElement } from '../figure-element.ts';
import { ownCell, workingTemplate } from './product.ts';
import { workingOf } from './working.ts';

export class ProductElement extends FigureElement {
  // What was chosen last stays open when the pointer leaves.
  private shown: Selection | undefined;
  private stopWatching: (() => void) | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  /** Called when a cell was clicked or entered: what is behind it has to be in sight. */
  async open(): Promise<void> {
    this.benchChanged('selection');
    await this.updateComplete;
    if (this.stopWatching === undefined && !this.isInSight()) this.dock();
    // Docked it has one thing more, the way to close it.
    await this.updateComplete;
    this.uncover();
  }

  protected override benchChanged(news: BenchNews): void {
    if (news === 'state') return;
    // `of` names the matrix it starts with; the learner's choice leads anywhere there is something to open.
    const { selection, explanation } = this.bench ?? {};
    if (news === 'selection' && !explanation) return;
    if (selection && explanation) this.shown = selection;
    this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { context, shown } = this;
    if (!context) return nothing;
    const { engine, results, covers } = context;
    const own = ownCell(context);
    // The cell may be gone since the shapes changed.
    const working = shown && workingOf(engine, results, covers, shown.path, shown);
    return workingTemplate(
      working ?? workingOf(engine, results, covers, own.path, own),
      this.stopWatching && this.close,
    );
  }

  private isInSight(): boolean {
    const { top, bottom, height } = this.getBoundingClientRect();
    // The page's bar covers the uppermost part.
    const bar = document.querySelector('body > header')?.getBoundingClientRect().bottom ?? 0;
    return height > 0 && top >= bar && bottom <= innerHeight;
  }

  // Beside the text, or at the foot of a small screen; its own place stays as it is. It goes back when that comes into sight, or the bench leaves it.
  private dock(): void {
    this.style.minBlockSize = `${this.offsetHeight}px`;
    this.classList.add('docked');
    const leaves = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting === false) this.close();
    });
    const comes = new IntersectionObserver(
      () => {
        if (this.isInSight()) this.close();
      },
      { threshold: 1 },
    );
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') this.close();
    };
    if (this.bench) leaves.observe(this.bench);
    comes.observe(this);
    document.addEventListener('keydown', pressed);
    this.stopWatching = () => {
      leaves.disconnect();
      comes.disconnect();
      document.removeEventListener('keydown', pressed);
    };
    this.requestUpdate();
  }

  private readonly close = (): void => {
    if (!this.stopWatching) return;
    this.stopWatching();
    this.stopWatching = undefined;
    this.classList.remove('docked');
    this.style.minBlockSize = '';
    this.requestUpdate();
  };

  // At the foot of a small screen it may lie over the cell that it is about.
  private uncover(): void {
    const cell = document.activeElement?.closest('td, canvas')?.getBoundingClientRect();
    const panel = this.querySelector('.product')?.getBoundingClientRect();
    if (!this.stopWatching || !cell || !panel || cell.left >= panel.right || cell.right <= panel.left) return;
    if (cell.bottom > panel.top) scrollBy({ top: cell.bottom - panel.top + 8, behavior: 'instant' });
  }
}
