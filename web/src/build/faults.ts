// Faults in lesson and page files, told so that their authors can mend them: file, line, what is wrong and what to do.

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

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}

/** The known name nearest to a misspelt one, if it is near enough to be what was meant. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const d = distance(name, candidate);
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** "did you mean "heads"?", or what there is to choose from. `many`: how the choices are introduced. */
export function advice(name: string, known: readonly string[], many: string): string {
  const meant = nearestName(name, known);
  return meant !== undefined ? `did you mean "${meant}"?` : `${many} ${known.join(', ')}`;
}
