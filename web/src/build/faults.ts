// Faults in lesson and page files, told so that their authors can mend them: file, line, what is wrong and what to do.

import { nearestName } from 'headwise';

export interface Fault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** All that is wrong, a line each. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
    this.faults = faults;
    // Where the build found them is of no use to an author, and Vite would print them all a second time.
    this.stack = '';
  }
}

/** Collects faults, so that an author hears of all at once. */
export class Faults {
  private readonly found: Fault[] = [];

  add(file: string, line: number, message: string): void {
    const same = this.found.some((fault) => fault.file === file && fault.line === line && fault.message === message);
    if (!same) this.found.push({ file, line, message });
  }

  /** In order of file and line. */
  get list(): Fault[] {
    return this.found.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  }

  /** Throws SourceError if there are any. */
  stop(): void {
    if (this.found.length > 0) throw new SourceError(this.list);
  }
}

/** "did you mean "heads"?", or what there is to choose from. `many`: how the choices are introduced. */
export function advice(name: string, known: readonly string[], many: string): string {
  const meant = nearestName(name, known);
  return meant !== null ? `did you mean "${meant}"?` : `${many} ${known.join(', ')}`;
}
