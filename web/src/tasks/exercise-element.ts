// <hw-exercise id kind>: a graded question. The answer is computed for the numbers that this learner has.

import { answerText, fitsFeedback, gradeCell, gradeNumber, gradeShape, type Grade } from './grading.ts';
import { conditionHolds } from '../bench/conditions.ts';
import { parseSettings } from '../bench/settings.ts';
import { parseCell, resolvePath, type Results } from '../bench/results.ts';
import { host } from '../host.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import type { DrawnCell } from '../figures/matrix/cell-pointer.ts';
import { benchOf, numberAttribute } from '../figures/figure-element.ts';
import { button, field, onEnter } from './fields.ts';
import { fold, unfold } from './folds.ts';
import { OptionList } from './options.ts';
import { notComputable, whyNoVerdict } from './verdict.ts';

/** Folded help. */
export class HintElement extends HTMLElement {}
/** What to say to one wrong answer. */
export class FeedbackElement extends HTMLElement {}

type Kind = 'number' | 'shape' | 'choice' | 'cell' | 'condition';
const usualDigits = 2;

export class ExerciseElement extends HTMLElement {
  private bench: BenchElement | undefined;
  private options: OptionList | undefined;
  private inputs: HTMLInputElement[] = [];
  private chosenCell = '';
  private verdict: HTMLElement | undefined;
  private giveUp: HTMLButtonElement | undefined;
  private stops: (() => void)[] = [];
  private setting = 0;
  private passed = false;

  connectedCallback(): void {
    const before = this.bench;
    this.bench = benchOf(this);
    const stop = this.bench?.listen((news) => {
      if (news === 'results') this.benchChanged();
      if (news === 'engine') this.engineChanged();
    });
    if (stop) this.stops.push(stop);
    if (!this.verdict) this.build();
    else if (this.bench !== before) this.benchChanged();
    if (this.bench?.canCompute === false) this.engineChanged();
    const scope = this.closest('article') ?? document;
    scope.addEventListener('hw-cell', this.cellChosen);
    this.stops.push(() => scope.removeEventListener('hw-cell', this.cellChosen));
  }

  disconnectedCallback(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
  }

  private get kind(): Kind {
    return (this.getAttribute('kind') ?? 'choice') as Kind;
  }

  private get digits(): number {
    return numberAttribute(this, 'digits') ?? usualDigits;
  }

  private get typed(): string[] {
    return this.kind === 'cell' ? [this.chosenCell] : this.inputs.map((input) => input.value);
  }

  private own<Found extends HTMLElement>(selector: string): Found[] {
    return [...this.querySelectorAll<Found>(selector)].filter((element) => element.closest('hw-exercise') === this);
  }

  // Reasons inside options belong to their option.
  private get reasons(): HTMLElement[] {
    return this.own('hw-reason').filter((reason) => reason.closest('.options') === null);
  }

  private build(): void {
    const title = document.createElement('p');
    title.className = 'task-title';
    title.textContent = 'Your turn';
    title.id = `${this.id}--title`;
    this.setAttribute('role', 'group');
    this.setAttribute('aria-labelledby', title.id);
    this.prepend(title);
    if (this.kind === 'choice') {
      this.options = new OptionList(
        this,
        () => this.bench,
        (right) => {
          if (right === undefined) this.check();
          else this.grade(right ? 'right' : 'wrong');
        },
        false,
      );
    }
    const answer = this.answerArea();
    this.verdict = document.createElement('div');
    this.verdict.className = 'task-verdict';
    this.verdict.setAttribute('aria-live', 'polite');

    const feedback = this.own('hw-feedback');
    const reasons = this.reasons;
    for (const element of [...feedback, ...reasons]) element.hidden = true;
    for (const reason of reasons) unfold(reason);
    const hints = this.own('hw-hint');
    for (const hint of hints) fold(hint);
    this.giveUp = button(this.inputs.length > 0 ? 'Show the answer' : 'Show why', 'quiet', () => this.showAnswer());
    this.giveUp.hidden = true;
    this.append(...(answer ? [answer] : []), ...hints, this.verdict, ...feedback, this.giveUp, ...reasons);
  }

  private answerArea(): HTMLElement | undefined {
    const area = document.createElement('div');
    area.className = 'answer';
    const check = button('Check', 'primary', () => this.check());
    if (this.kind === 'number') {
      this.inputs = [field('Your answer', 'number')];
      area.append(...this.inputs, this.getAttribute('unit') ?? '', check);
    } else if (this.kind === 'shape') {
      this.inputs = [field('Rows', 'size'), field('Columns', 'size')];
      const times = document.createElement('span');
      times.textContent = '×';
      area.append(this.inputs[0] ?? '', times, this.inputs[1] ?? '', check);
    } else if (this.kind === 'condition') {
      area.append(check);
    } else if (this.kind === 'cell') {
      const told = document.createElement('p');
      told.className = 'control-help';
      told.textContent = 'Choose a cell in the figure: click it, or go there with the arrow keys and press Enter.';
      area.append(told);
    }
    for (const input of this.inputs)
      input.addEventListener(
        'keydown',
        onEnter(() => this.check()),
      );
    const another = this.getAttribute('another');
    if (another !== null) area.append(button('Another', 'quiet', () => this.another(another)));
    return area.childNodes.length > 0 ? area : undefined;
  }

  private another(text: string): void {
    const { bench } = this;
    if (!bench) return;
    const settings = parseSettings(text);
    if (settings.length > 0) {
      this.setting = (this.setting + 1) % settings.length;
      bench.setAll(settings[this.setting] ?? {});
    } else {
      for (const name of (text || 'seed').split(/\s+/)) bench.advance(name);
    }
    for (const input of this.inputs) input.value = '';
    this.inputs[0]?.focus();
  }

  private check(): void {
    const { bench } = this;
    const why = whyNoVerdict(bench);
    if (why) {
      this.say(why, '');
      return;
    }
    const grade = bench?.read((results) => this.gradeIn(results));
    if (grade) this.grade(grade);
    else this.say(notComputable, '');
  }

  private gradeIn(results: Results): Grade {
    const path = this.getAttribute('answer-of');
    const answer = resolvePath(results, path ?? '');
    switch (this.kind) {
      case 'number': {
        // An answer may be off by as much as the lesson allows, unless it is a slip that has feedback of its own.
        const [typed = ''] = this.typed;
        const exact = gradeNumber(typed, answer, this.digits);
        const allowed = gradeNumber(typed, answer, this.digits, numberAttribute(this, 'within'));
        return exact === 'wrong' && this.fittingFeedback() ? 'wrong' : allowed;
      }
      case 'shape':
        return gradeShape(this.typed, answer);
      case 'condition':
        return conditionHolds(results, this.getAttribute('passes-when') ?? '') ? 'right' : 'wrong';
      case 'cell': {
        const chosen = parseCell(this.chosenCell, undefined);
        return chosen ? gradeCell(results, chosen, this.getAttribute('answer'), path) : 'wrong';
      }
      case 'choice':
        return 'wrong'; // graded by its options
    }
  }

  private readonly cellChosen = (event: Event): void => {
    if (this.kind !== 'cell') return;
    const { path, row, column } = (event as CustomEvent<DrawnCell>).detail;
    const figure = event.target as Element;
    if (benchOf(figure) !== this.bench || path !== this.getAttribute('in')) return;
    this.chosenCell = `${row}, ${column}`;
    this.check();
  };

  private benchChanged(): void {
    if (this.kind === 'condition') {
      // Passes by itself as soon as it is met; what was met once stays so.
      if (this.passed) return;
      const { bench } = this;
      const condition = this.getAttribute('passes-when') ?? '';
      const isMet = !whyNoVerdict(bench) && bench?.read((results) => conditionHolds(results, condition));
      if (isMet && bench?.changed) this.grade('right');
      else this.say('', '');
      return;
    }
    // Other numbers: the old verdict says nothing about them.
    this.options?.clear();
    this.say('', '');
    this.fold();
  }

  /** Without numbers nothing that is typed or done can be judged. */
  private engineChanged(): void {
    const isOff = this.bench?.canCompute === false;
    const controls = this.querySelectorAll<HTMLInputElement | HTMLButtonElement>('.answer :is(input, button)');
    for (const control of controls) control.disabled = isOff;
    if (this.kind !== 'choice') this.say(isOff ? (whyNoVerdict(this.bench) ?? '') : '', '');
  }

  private fold(): void {
    for (const element of [...this.own('hw-feedback'), ...this.reasons]) element.hidden = true;
    if (this.giveUp) this.giveUp.hidden = true;
  }

  private grade(grade: Grade): void {
    this.fold();
    if (grade === 'unreadable') {
      this.say(
        this.kind === 'shape' ? 'Two whole numbers, please: rows and columns.' : 'That does not read as a number.',
        '',
      );
      return;
    }
    const right = grade === 'right';
    if (right && this.kind === 'condition') this.passed = true;
    host().progress.recordAnswer(host().lessonOf(this).id, this.id, right);
    if (right) {
      const answer = this.answerText();
      this.say(answer ? `Right: ${answer}.` : 'Right.', 'right');
    } else {
      this.say('Not yet.', 'wrong');
      this.showFeedback();
    }
    if (right) this.showReasons();
    if (this.giveUp) this.giveUp.hidden = right;
  }

  private showReasons(): void {
    for (const reason of this.reasons) reason.hidden = false;
  }

  // A wrong answer first gets feedback and another try; who is stuck can still have the reason.
  private showAnswer(): void {
    const answer = this.answerText();
    this.fold();
    this.say(answer ? `The answer is ${answer}.` : '', '');
    this.showReasons();
    if (this.giveUp) this.giveUp.hidden = true;
  }

  /** Of what is typed; '' where the answer is not a text, or not there. */
  private answerText(): string {
    const path = this.getAttribute('answer-of');
    if (path === null || this.inputs.length === 0) return '';
    const answer = this.bench?.read((results) => resolvePath(results, path));
    return answer === undefined ? '' : answerText(this.kind, answer, this.digits);
  }

  private fittingFeedback(): HTMLElement | undefined {
    return this.bench?.read((results) =>
      this.own('hw-feedback').find((element) =>
        fitsFeedback(
          results,
          this.kind,
          this.typed,
          { when: element.getAttribute('when'), whenIs: element.getAttribute('when-is') },
          this.digits,
        ),
      ),
    );
  }

  private showFeedback(): void {
    const fitting = this.fittingFeedback();
    if (fitting) fitting.hidden = false;
  }

  private say(text: string, state: 'right' | 'wrong' | ''): void {
    if (!this.verdict) return;
    this.verdict.textContent = state === 'right' ? `✓ ${text}` : state === 'wrong' ? `✗ ${text}` : text;
    this.verdict.className = `task-verdict ${state}`;
    for (const input of this.inputs) input.toggleAttribute('aria-invalid', false);
    if (state === 'wrong') for (const input of this.inputs) input.setAttribute('aria-invalid', 'true');
  }
}
