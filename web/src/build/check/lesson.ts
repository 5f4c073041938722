// One lesson or page as its author wrote it: its benches, and which element belongs to which.

import type { Headwise } from 'headwise';
import { parseCondition } from '../../bench/conditions.ts';
import type { Results } from '../../bench/results.ts';
import type { Faults } from '../faults.ts';
import type { AuthoredElement } from '../markup-check.ts';
import { around, attribute } from './authored.ts';
import { readBench, type LessonBench } from './benches.ts';
import { checkElement } from './elements.ts';

/** What the check reads. */
export interface Source {
  readonly file: string;
  readonly elements: readonly AuthoredElement[];
}

/** 'faulty': there is a bench, and it cannot be computed or found, so that nothing can be said about the element. */
export type Belonging = LessonBench | 'none' | 'faulty';

export class LessonCheck {
  readonly ids: ReadonlySet<string>;
  private readonly benches = new Map<AuthoredElement, LessonBench>();

  constructor(
    private readonly source: Source,
    engine: Headwise,
    private readonly faults: Faults,
  ) {
    this.ids = new Set(this.idsOf());
    for (const element of this.all('hw-bench')) {
      const bench = readBench(element, engine, (message, name) => this.fail(element, message, name));
      if (bench) this.benches.set(element, bench);
    }
  }

  get elements(): readonly AuthoredElement[] {
    return this.source.elements;
  }

  all(name: string): AuthoredElement[] {
    return this.elements.filter((element) => element.name === name);
  }

  /** Ids of the elements of this name, or of all. */
  idsOf(name?: string): string[] {
    return this.elements.flatMap((element) => (name && element.name !== name ? [] : (attribute(element, 'id') ?? [])));
  }

  /** Tells what is wrong with an element, or with one of its attributes. */
  fail(element: AuthoredElement, message: string, name = ''): void {
    this.faults.add(this.source.file, element.attributes.get(name)?.line ?? element.line, message);
  }

  benchOf(element: AuthoredElement): Belonging {
    let at: AuthoredElement | undefined = element;
    while (at && at.name !== 'hw-bench' && !at.attributes.has('bench')) at = at.parent;
    if (!at) return 'none';
    const id = attribute(at, 'bench');
    const own = at.name === 'hw-bench' ? at : this.all('hw-bench').find((bench) => attribute(bench, 'id') === id);
    return (own && this.benches.get(own)) ?? 'faulty';
  }

  /** What has to be set for an element to be shown: state.mask=causal in the test of a hw-when around it. */
  settingsOf(element: AuthoredElement, bench: LessonBench): Map<string, string> {
    const settings = new Map<string, string>();
    for (let at = around(element, 'hw-when'); at; at = around(at, 'hw-when')) {
      if (this.benchOf(at) !== bench) continue;
      for (const { path, sign, value } of parseCondition(attribute(at, 'test') ?? '').terms)
        if (sign === '=' && path.startsWith('state.')) settings.set(path.slice('state.'.length), value);
    }
    return settings;
  }

  /** Of the benches as they start, by id. */
  get results(): ReadonlyMap<string, Results> {
    const named = [...this.benches].map(([element, { results }]) => [attribute(element, 'id') ?? '', results] as const);
    return new Map(named);
  }
}

/** Checks what a lesson's elements say beside the results that they show. Returns the results of its benches, by id. */
export function checkLesson(source: Source, engine: Headwise, faults: Faults): ReadonlyMap<string, Results> {
  const check = new LessonCheck(source, engine, faults);
  for (const element of source.elements) checkElement(check, element);
  return check.results;
}
