// Answers to choose from, for predictions and exercises: hw-option elements become buttons, their reasons unfold when chosen.

import { conditionHolds } from '../bench/conditions.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import { unfold } from './folds.ts';
import { whyNoVerdict } from './verdict.ts';

/** An answer; see hw-prediction, hw-exercise and hw-choices. */
export class OptionElement extends HTMLElement {}
/** Why; unfolds after an answer. */
export class ReasonElement extends HTMLElement {}

interface Option {
  readonly button: HTMLButtonElement;
  readonly reason: HTMLElement | undefined;
  readonly verdict: HTMLElement;
  /** undefined while there are no numbers to judge by. */
  readonly isRight: () => boolean | undefined;
}

export class OptionList {
  readonly element = document.createElement('div');
  private options: Option[] = [];
  private chosen: Option | undefined;

  /**
   * Takes the hw-option children of `owner` over. Nothing counts as chosen while there are no numbers to judge by.
   * `revealRight`: after an answer, show which would have been right.
   */
  constructor(
    owner: HTMLElement,
    bench: () => BenchElement | undefined,
    private readonly chose: () => void,
    private readonly revealRight: boolean,
  ) {
    this.element.className = 'options';
    this.element.setAttribute('role', 'group');
    const sources = [...owner.querySelectorAll('hw-option')].filter(
      (option) => option.closest('hw-prediction, hw-exercise, hw-choices') === owner,
    );
    this.options = sources.map((source) => {
      const condition = source.getAttribute('correct-when');
      const fixed = source.hasAttribute('correct');
      return this.build(source, () => {
        if (condition === null) return fixed;
        return whyNoVerdict(bench()) ? undefined : bench()?.read((results) => conditionHolds(results, condition));
      });
    });
    const [first] = sources;
    first?.before(this.element);
    for (const source of sources) source.remove();
  }

  private build(source: Element, isRight: Option['isRight']): Option {
    const reason = source.querySelector<HTMLElement>('hw-reason') ?? undefined;
    reason?.remove();
    if (reason) unfold(reason);
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'option';
    // Markdown with blank lines makes a paragraph, which a button may not hold.
    const only = source.childElementCount === 1 ? source.firstElementChild : null;
    const content = only?.tagName === 'P' ? only : source;
    const verdict = document.createElement('span');
    verdict.className = 'verdict';
    const answer = document.createElement('span');
    answer.append(...content.childNodes);
    button.append(answer, verdict);
    button.setAttribute('aria-pressed', 'false');
    const option: Option = { button, reason, verdict, isRight };
    button.addEventListener('click', () => {
      const right = isRight();
      if (right !== undefined) this.chosen = option;
      this.refresh();
      this.chose();
    });
    this.element.append(button);
    if (reason) {
      reason.hidden = true;
      this.element.append(reason);
    }
    return option;
  }

  /** Of the chosen one; undefined while there is none, and no numbers to judge by. */
  isRight(): boolean | undefined {
    return this.chosen?.isRight();
  }

  /** Which are right now, as a text that tells one set from another. */
  rightOnes(): string {
    return this.options.map((option) => (option.isRight() ? '1' : '0')).join('');
  }

  clear(): void {
    this.chosen = undefined;
    this.refresh();
  }

  /** Marks again: what is right may depend on the bench. */
  refresh(): void {
    for (const option of this.options) {
      const chosen = option === this.chosen;
      const right = option.isRight();
      const shown = this.chosen !== undefined && right !== undefined && (chosen || (right && this.revealRight));
      option.button.setAttribute('aria-pressed', String(chosen));
      option.button.classList.toggle('right', shown && right);
      option.button.classList.toggle('wrong', shown && !right);
      option.verdict.textContent = !shown ? '' : right ? (chosen ? '✓ right' : '✓ this one') : '✗ not this';
      if (option.reason) option.reason.hidden = !chosen;
    }
  }
}
