// <hw-exercise id kind>: a graded question. The answer is computed for the numbers that this learner has; kinds/ has what each kind asks.

import type { BenchNews, BenchElement } from '../bench/bench-element.ts';
import { parseSettings } from '../bench/settings.ts';
import { benchOf } from '../figures/figure-element.ts';
import { host } from '../host.ts';
import type { ExerciseKindName } from '../markup.ts';
import { button, onEnter } from './fields.ts';
import { fold, unfold } from './folds.ts';
import type { Grade } from './grading.ts';
import { cellKind } from './kinds/cell.ts';
import { choiceKind } from './kinds/choice.ts';
import { conditionKind } from './kinds/condition.ts';
import type { Answer, ExerciseKind } from './kinds/kind.ts';
import { lineKind } from './kinds/line.ts';
import { numberKind } from './kinds/number.ts';
import { orderKind } from './kinds/order.ts';
import { shapeKind } from './kinds/shape.ts';
import { slotsKind } from './kinds/slots.ts';
import type { Results } from '../bench/results.ts';
import { titleOf } from './title.ts';
import { notComputable, whyNoVerdict } from './verdict.ts';

/** Folded help. */
export class HintElement extends HTMLElement {}
/** What to say to one wrong answer. */
export class FeedbackElement extends HTMLElement {}

// For questions outside of any bench, whose answers are in the lesson.
const noResults: Results = { names: { tokens: [], keyTokens: [] }, layers: [], notes: [], state: {} };

const kinds: Readonly<Record<ExerciseKindName, ExerciseKind>> = {
  number: numberKind,
  shape: shapeKind,
  choice: choiceKind,
  cell: cellKind,
  condition: conditionKind,
  order: orderKind,
  slots: slotsKind,
  line: lineKind,
};

export class ExerciseElement extends HTMLElement {
  private bench: BenchElement | undefined;
  private answer: Answer | undefined;
  private verdict: HTMLElement | undefined;
  private giveUp: HTMLButtonElement | undefined;
  private stop: (() => void) | undefined;
  private setting = 0;
  /** What the verdict that is shown was about. */
  private judged: { readonly key: string; readonly grade: Grade } | undefined;
  /** Solved, in this visit or before, or given up: the figures may show it. */
  private isOpen = false;

  connectedCallback(): void {
    const before = this.bench;
    this.bench = benchOf(this);
    this.stop = this.bench?.listen((news) => this.hear(news));
    if (!this.answer) this.build();
    else if (this.bench !== before) this.benchChanged();
    if (this.bench?.canCompute === false) this.engineChanged();
    this.cover();
  }

  disconnectedCallback(): void {
    this.stop?.();
    this.bench?.cover(this, undefined);
  }

  private hear(news: BenchNews): void {
    if (news === 'results') this.benchChanged();
    if (news === 'engine') this.engineChanged();
  }

  private get kind(): ExerciseKindName {
    const name = this.getAttribute('kind') ?? 'choice';
    return Object.hasOwn(kinds, name) ? (name as ExerciseKindName) : 'choice';
  }

  private own<Found extends HTMLElement>(selector: string): Found[] {
    return [...this.querySelectorAll<Found>(selector)].filter((element) => element.closest('hw-exercise') === this);
  }

  // Reasons inside options belong to their option.
  private get reasons(): HTMLElement[] {
    return this.own('hw-reason').filter((reason) => reason.closest('.options') === null);
  }

  private build(): void {
    this.isOpen = host().progress.answerOf(host().lessonOf(this).id, this.id) === 'correct';
    this.prepend(titleOf(this, 'Exercise'));
    this.answer = kinds[this.kind]({
      element: this,
      bench: () => this.bench,
      attribute: (name) => this.getAttribute(name) ?? '',
      own: (selector) => this.own(selector),
      check: () => this.judge(),
    });
    const feedback = this.own('hw-feedback');
    const reasons = this.reasons;
    for (const element of [...feedback, ...reasons]) element.hidden = true;
    for (const reason of reasons) unfold(reason);
    const hints = this.own('hw-hint');
    for (const hint of hints) fold(hint);
    this.giveUp = button('Show the answer', 'quiet', () => this.showAnswer());
    this.giveUp.hidden = true;
    this.verdict = document.createElement('p');
    this.verdict.className = 'task-verdict';
    // Read out as one: the verdict, and what is said about it.
    const reply = document.createElement('div');
    reply.className = 'task-reply';
    reply.setAttribute('aria-live', 'polite');
    reply.append(this.verdict, ...feedback, ...reasons);
    this.append(...this.answerArea(this.answer), ...hints, reply, this.giveUp);
  }

  // No form: a frame may forbid them.
  private answerArea({ fields = [], needsCheck }: Answer): HTMLElement[] {
    const area = document.createElement('div');
    area.className = 'answer';
    area.append(...fields);
    for (const input of area.querySelectorAll('input'))
      input.addEventListener(
        'keydown',
        onEnter(() => this.judge()),
      );
    if (needsCheck) area.append(button('Check', 'primary', () => this.judge()));
    const another = this.getAttribute('another');
    if (another !== null) area.append(button('Another', 'quiet', () => this.another(another)));
    return area.childNodes.length > 0 ? [area] : [];
  }

  private another(text: string): void {
    const { bench } = this;
    if (!bench) return;
    this.isOpen = false;
    const settings = parseSettings(text);
    if (settings.length > 0) {
      this.setting = (this.setting + 1) % settings.length;
      bench.setAll(settings[this.setting] ?? {});
    } else {
      for (const name of (text || 'seed').split(/\s+/)) bench.advance(name);
    }
    this.clear();
    this.answer?.focus?.();
  }

  private clear(): void {
    this.answer?.clear();
    this.judged = undefined;
    this.say('', '');
    this.fold();
    this.cover();
  }

  private judge(): void {
    const { bench, answer } = this;
    // What needs no numbers can be judged without.
    const why = bench && whyNoVerdict(bench);
    if (why) {
      this.say(why, '');
      return;
    }
    if (!answer) return;
    const judged = bench
      ? bench.read((results) => ({ key: answer.key(results), grade: answer.grade(results) }))
      : { key: '', grade: answer.grade(noResults) };
    if (judged) this.tell(judged.key, judged.grade);
    else this.say(notComputable, '');
  }

  private tell(key: string, grade: Grade): void {
    const { answer } = this;
    this.fold();
    answer?.mark?.(grade);
    if (grade === 'unreadable') {
      this.say(answer?.unreadable ?? '', '');
      return;
    }
    this.judged = { key, grade };
    const isRight = grade === 'right';
    host().progress.recordAnswer(host().lessonOf(this).id, this.id, isRight);
    if (isRight) {
      const text = this.answerText();
      this.say(text ? `Right: ${text}.` : 'Right.', 'right');
      this.show();
    } else {
      this.say(['Not yet.', answer?.hint?.() ?? ''].join(' ').trim(), 'wrong');
      this.showFeedback();
    }
    if (this.giveUp) this.giveUp.hidden = isRight;
  }

  private benchChanged(): void {
    const { bench, answer, judged } = this;
    if (!bench || !answer) return;
    if (this.kind === 'condition') this.conditionChanged();
    else if (judged) {
      // Whoever follows the advice that stands here keeps it, as long as the question is the same. Other numbers are another question.
      const key = bench.error ? undefined : bench.read((results) => answer.key(results));
      if (key !== judged.key) this.clear();
    }
    this.cover();
  }

  // Passes by itself as soon as it is met; what was met once stays so.
  private conditionChanged(): void {
    const { bench, answer, judged } = this;
    if (judged?.grade === 'right' || !bench || !answer || whyNoVerdict(bench)) return;
    const isMet = bench.read((results) => answer.grade(results)) === 'right';
    if (isMet && bench.changed) this.tell('', 'right');
    else if (judged) this.showFeedback();
  }

  /** Without numbers nothing that is typed or done can be judged. */
  private engineChanged(): void {
    const isOff = this.bench?.canCompute === false;
    const controls = this.querySelectorAll<HTMLInputElement | HTMLButtonElement>('.answer :is(input, button)');
    for (const control of controls) control.disabled = isOff;
    if (controls.length > 0) this.say(isOff ? (whyNoVerdict(this.bench) ?? '') : '', '');
  }

  private cover(): void {
    const { bench, answer } = this;
    bench?.cover(this, this.isOpen ? undefined : bench.read((results) => answer?.asked?.(results, bench)));
  }

  private fold(): void {
    for (const element of [...this.own('hw-feedback'), ...this.reasons]) element.hidden = true;
    if (this.giveUp) this.giveUp.hidden = true;
  }

  private show(): void {
    for (const reason of this.reasons) reason.hidden = false;
    this.isOpen = true;
    this.cover();
  }

  // A wrong answer first gets feedback and another try; who is stuck can still have the reason.
  private showAnswer(): void {
    const text = this.answerText();
    this.fold();
    this.say(text ? `The answer is ${text}.` : '', '');
    this.show();
  }

  private answerText(): string {
    const { answer, bench } = this;
    if (!answer?.text) return '';
    return (bench ? bench.read((results) => answer.text?.(results)) : answer.text(noResults)) ?? '';
  }

  private showFeedback(): void {
    const { answer, bench } = this;
    const all = this.own('hw-feedback');
    const fitting = (results: Results) => all.find((element) => answer?.fits?.(results, element));
    const one = bench ? bench.read(fitting) : fitting(noResults);
    for (const element of all) element.hidden = element !== one;
  }

  private say(text: string, state: 'right' | 'wrong' | ''): void {
    if (!this.verdict) return;
    this.verdict.textContent = state === 'right' ? `✓ ${text}` : state === 'wrong' ? `✗ ${text}` : text;
    this.verdict.className = `task-verdict ${state}`;
    for (const input of this.own<HTMLInputElement>('.answer input'))
      if (state === 'wrong') input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
  }
}
