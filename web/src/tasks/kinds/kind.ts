// What an exercise asks for: each kind makes the place to answer, judges what is there, and says what to keep from the figures meanwhile.

import type { BenchElement } from '../../bench/bench-element.ts';
import type { Asked } from '../../bench/covers.ts';
import type { Results } from '../../bench/results.ts';
import type { Grade } from '../grading.ts';

/** The exercise, as its kind sees it. */
export interface Exercise {
  readonly element: HTMLElement;
  readonly bench: () => BenchElement | undefined;
  /** An attribute's text; '' if it is not there. */
  readonly attribute: (name: string) => string;
  /** Children that belong to it and to no exercise inside. */
  readonly own: <Found extends HTMLElement>(selector: string) => Found[];
  /** Called when there is an answer to judge. */
  readonly check: () => void;
}

export interface Answer {
  /** What stands in the card to answer with; nothing where the figures are the place. */
  readonly fields?: readonly (Node | string)[];
  /** Whether a button “Check” is needed; else the answer judges itself. */
  readonly needsCheck: boolean;
  /** Judges what is there. Only asked while there are results. */
  grade(results: Results): Grade;
  /** What is said to an answer that cannot be read. */
  readonly unreadable?: string;
  /** Is what is there the slip that this hw-feedback is about? */
  fits?(results: Results, feedback: Element): boolean;
  /** More to say about a wrong answer than “Not yet”. */
  hint?(): string;
  /** The right answer as a text; '' if it is none. */
  text?(results: Results): string;
  /** Differs where other numbers make another question of it. */
  key(results: Results): string;
  /** What the figures do not show until it is answered. */
  asked?(results: Results, bench: BenchElement): Asked | undefined;
  /** Marks what was answered, once it is graded. */
  mark?(grade: Grade): void;
  clear(): void;
  focus?(): void;
}

export type ExerciseKind = (exercise: Exercise) => Answer;
