// <hw-prediction id question>: the learner commits before the result is shown.

import { host } from '../host.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import { cover, uncover } from './covers.ts';
import { benchOf } from '../figures/figure-element.ts';
import { OptionList } from './options.ts';
import { titleOf } from './title.ts';
import { notComputable, whyNoVerdict } from './verdict.ts';

export class PredictionElement extends HTMLElement {
  private bench: BenchElement | undefined;
  private options: OptionList | undefined;
  private stop: (() => void) | undefined;
  private readonly verdict = document.createElement('div');

  connectedCallback(): void {
    this.bench = benchOf(this);
    this.stop = this.bench?.listen((news) => {
      if (news === 'results') this.benchChanged();
    });
    if (this.options) this.options.refresh();
    else this.build();
  }

  disconnectedCallback(): void {
    this.stop?.();
  }

  private get unfolding(): NodeListOf<HTMLElement> {
    return this.querySelectorAll<HTMLElement>(':scope .after');
  }

  private build(): void {
    const title = titleOf(this, 'Bet');
    const question = this.getAttribute('question');
    const asked = this.querySelector('.task-question') ?? document.createElement('p');
    asked.className = 'task-question';
    asked.textContent = question ?? '';
    this.prepend(title, ...(question ? [asked] : []));
    this.options = new OptionList(
      this,
      () => this.bench,
      () => this.answered(this.options?.isRight()),
      true,
    );

    this.verdict.className = 'task-verdict';
    this.verdict.setAttribute('aria-live', 'polite');
    this.options.element.after(this.verdict);

    const after = this.unfolding;
    const before = host().progress.answerOf(host().lessonOf(this).id, this.id);
    if (before !== undefined) {
      uncover(this.id);
      const told = document.createElement('span');
      told.className = 'task-before';
      told.textContent = 'You have bet on this before.';
      title.append(' ', told);
      return;
    }
    for (const element of after) element.hidden = true;
    cover(this.id);
  }

  private benchChanged(): void {
    this.options?.refresh();
    this.verdict.textContent = '';
  }

  private answered(right: boolean | undefined): void {
    this.verdict.textContent = right === undefined ? (whyNoVerdict(this.bench) ?? notComputable) : '';
    // Who has no numbers can still read what the bet covers.
    if (right === undefined && this.bench?.canCompute !== false) return;
    if (right !== undefined) host().progress.recordAnswer(host().lessonOf(this).id, this.id, right);
    for (const element of this.unfolding) element.hidden = false;
    uncover(this.id);
  }
}
