// Which exercises a learner has solved, kept in a store. A missing, full or corrupt one costs the memory of it, nothing else.

export const storeKey = 'headwise.progress.1';

export type Answer = 'correct' | 'wrong';

export interface Progress {
  /** Notes an answer. A correct one stays correct, whatever is tried afterwards. */
  recordAnswer(lessonId: string, exerciseId: string, correct: boolean): void;
  answerOf(lessonId: string, exerciseId: string): Answer | undefined;
  /** Share of these exercises answered correctly, 0 to 1; 0 without exercises. */
  fractionSolved(lessonId: string, exerciseIds: readonly string[]): number;
  reset(): void;
  /** Called after every change, also one made in another tab. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
  /** Reads the store again, for a change made in another tab. */
  reload(): void;
}

type Answers = Map<string, Map<string, Answer>>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseAnswers(text: string | null): Answers {
  const answers: Answers = new Map();
  if (text === null) return answers;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return answers;
  }
  if (!isRecord(stored)) return answers;
  for (const [lessonId, exercises] of Object.entries(stored)) {
    if (!isRecord(exercises)) continue;
    const ofLesson = new Map<string, Answer>();
    for (const [exerciseId, answer] of Object.entries(exercises)) {
      if (answer === 'correct' || answer === 'wrong') ofLesson.set(exerciseId, answer);
    }
    answers.set(lessonId, ofLesson);
  }
  return answers;
}

function formatAnswers(answers: Answers): string {
  return JSON.stringify(Object.fromEntries([...answers].map(([id, exercises]) => [id, Object.fromEntries(exercises)])));
}

/** `openStore` may throw or give nothing: browsers do when storage is blocked. */
export function createProgress(openStore: () => Storage | undefined): Progress {
  const listeners = new Set<() => void>();

  function withStore<T>(action: (store: Storage) => T): T | undefined {
    try {
      const store = openStore();
      return store && action(store);
    } catch {
      return undefined;
    }
  }

  function read(): Answers {
    return parseAnswers(withStore((store) => store.getItem(storeKey)) ?? null);
  }

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  let answers = read();

  return {
    recordAnswer(lessonId, exerciseId, correct) {
      const exercises = answers.get(lessonId) ?? new Map<string, Answer>();
      answers.set(lessonId, exercises);
      if (exercises.get(exerciseId) === 'correct') return;
      exercises.set(exerciseId, correct ? 'correct' : 'wrong');
      withStore((store) => store.setItem(storeKey, formatAnswers(answers)));
      changed();
    },
    answerOf: (lessonId, exerciseId) => answers.get(lessonId)?.get(exerciseId),
    fractionSolved(lessonId, exerciseIds) {
      if (exerciseIds.length === 0) return 0;
      const exercises = answers.get(lessonId);
      return exerciseIds.filter((id) => exercises?.get(id) === 'correct').length / exerciseIds.length;
    },
    reset() {
      answers = new Map();
      withStore((store) => store.removeItem(storeKey));
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reload() {
      answers = read();
      changed();
    },
  };
}
