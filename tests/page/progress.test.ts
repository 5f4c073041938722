import { describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../web/src/tasks/progress.ts';

const key = 'headwise.progress.1';

class MemoryStorage implements Storage {
  readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  clear() {
    this.items.clear();
  }
  getItem(name: string) {
    return this.items.get(name) ?? null;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  removeItem(name: string) {
    this.items.delete(name);
  }
  setItem(name: string, value: string) {
    this.items.set(name, value);
  }
}

describe('progress', () => {
  it('is kept between visits', () => {
    const store = new MemoryStorage();
    createProgress(() => store).recordAnswer('lesson', 'first', true);
    const later = createProgress(() => store);
    expect(later.answerOf('lesson', 'first')).toBe('correct');
    expect(later.fractionSolved('lesson', ['first', 'second'])).toBe(0.5);
  });

  it('counts only the exercises that the lesson has now', () => {
    const progress = createProgress(() => new MemoryStorage());
    progress.recordAnswer('lesson', 'taken-out', true);
    expect(progress.fractionSolved('lesson', ['new'])).toBe(0);
    expect(progress.fractionSolved('lesson', [])).toBe(0);
  });

  it('does not take a right answer back', () => {
    const progress = createProgress(() => new MemoryStorage());
    progress.recordAnswer('lesson', 'one', false);
    expect(progress.answerOf('lesson', 'one')).toBe('wrong');
    progress.recordAnswer('lesson', 'one', true);
    progress.recordAnswer('lesson', 'one', false);
    expect(progress.answerOf('lesson', 'one')).toBe('correct');
  });

  it('tells of changes until it is stopped', () => {
    const progress = createProgress(() => new MemoryStorage());
    const listener = vi.fn();
    const stop = progress.onChange(listener);
    progress.recordAnswer('lesson', 'one', true);
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    progress.reset();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('takes over what another tab wrote', () => {
    const store = new MemoryStorage();
    const here = createProgress(() => store);
    createProgress(() => store).recordAnswer('lesson', 'one', true);
    expect(here.answerOf('lesson', 'one')).toBeUndefined();
    here.reload();
    expect(here.answerOf('lesson', 'one')).toBe('correct');
  });

  it('forgets everything on reset', () => {
    const store = new MemoryStorage();
    const progress = createProgress(() => store);
    progress.recordAnswer('lesson', 'one', true);
    progress.reset();
    expect(progress.answerOf('lesson', 'one')).toBeUndefined();
    expect(store.items.size).toBe(0);
  });

  it.each([
    '',
    '{',
    'null',
    '3',
    '"text"',
    '[]',
    '[[1]]',
    '{"lesson":null}',
    '{"lesson":[]}',
    '{"lesson":{"one":true}}',
    '{"lesson":{"one":{}}}',
    '{"__proto__":{"one":"correct"}}',
    '\u0000',
    '{"lesson":"correct"}',
  ])('survives a corrupt store: %s', (text) => {
    const store = new MemoryStorage();
    store.items.set(key, text);
    const progress = createProgress(() => store);
    expect(progress.fractionSolved('lesson', ['one'])).toBe(0);
    progress.recordAnswer('lesson', 'one', true);
    expect(progress.fractionSolved('lesson', ['one'])).toBe(1);
    expect(createProgress(() => store).answerOf('lesson', 'one')).toBe('correct');
  });

  it('keeps what is sound in a store that is corrupt in part', () => {
    const store = new MemoryStorage();
    store.items.set(key, '{"lesson":{"one":"correct","two":7},"other":5}');
    expect(createProgress(() => store).answerOf('lesson', 'one')).toBe('correct');
  });

  it('survives a store that is full', () => {
    const store = new MemoryStorage();
    store.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const progress = createProgress(() => store);
    progress.recordAnswer('lesson', 'one', true);
    expect(progress.answerOf('lesson', 'one')).toBe('correct');
  });

  it.each([
    ['absent', () => undefined],
    [
      'forbidden',
      () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    ],
  ])('survives a store that is %s', (_, openStore: () => Storage | undefined) => {
    const progress = createProgress(openStore);
    progress.recordAnswer('lesson', 'one', true);
    expect(progress.answerOf('lesson', 'one')).toBe('correct');
    progress.reset();
    expect(progress.answerOf('lesson', 'one')).toBeUndefined();
  });

  it('takes ids that objects have already', () => {
    const store = new MemoryStorage();
    createProgress(() => store).recordAnswer('constructor', '__proto__', true);
    const later = createProgress(() => store);
    expect(later.fractionSolved('toString', ['valueOf'])).toBe(0);
    expect(later.answerOf('constructor', '__proto__')).toBe('correct');
  });
});
