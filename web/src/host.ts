// What elements need from whoever shows them. The page gives them its own (shell/page-host.ts); without one they look after themselves:
// the engine loads when the first of them needs it, and state and answers last as long as the document.

import { createEngine, type Engine } from './engine.ts';
import { createProgress, type Progress } from './tasks/progress.ts';

/** What learners and teachers changed in benches, by bench id: only what differs from the start values, spelled as in an address. */
export interface BenchState {
  /** Check the values: anyone can write an address. */
  read(benchId: string): ReadonlyMap<string, string>;
  write(benchId: string, changes: ReadonlyMap<string, string>): void;
  /** Names of controls not to show; they keep their values. */
  hiddenControls(): ReadonlySet<string>;
  /** Called after a change that no bench wrote. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
}

/** The part of the document that opens and closes as one, and that answers are kept by. */
export interface Lesson {
  readonly id: string;
  /** Nothing is computed in a closed lesson. */
  readonly isOpen: boolean;
  /** Called when it opens or closes. Returns the function that stops it. */
  onChange(listener: (isOpen: boolean) => void): () => void;
}

export interface Host {
  readonly engine: Engine;
  readonly state: BenchState;
  readonly progress: Pick<Progress, 'recordAnswer' | 'answerOf'>;
  lessonOf(element: Element): Lesson;
  /** Whether it tells the reader by itself when the engine is long on its way or does not come; else each bench does. */
  readonly tellsEngineStatus: boolean;
}

const nothingToStop = (): void => undefined;

function ownState(): BenchState {
  const benches = new Map<string, ReadonlyMap<string, string>>();
  const none: ReadonlySet<string> = new Set();
  return {
    read: (benchId) => benches.get(benchId) ?? new Map(),
    write: (benchId, changes) => void benches.set(benchId, changes),
    hiddenControls: () => none,
    onChange: () => nothingToStop,
  };
}

function ownHost(): Host {
  const lesson: Lesson = { id: '', isOpen: true, onChange: () => nothingToStop };
  return {
    engine: createEngine(),
    state: ownState(),
    progress: createProgress(() => undefined),
    lessonOf: () => lesson,
    tellsEngineStatus: false,
  };
}

let given: Host | undefined;

/** Before the first element connects. */
export function provideHost(host: Host): void {
  given = host;
}

export function host(): Host {
  return (given ??= ownHost());
}
