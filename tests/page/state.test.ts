import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseHash } from '../../web/src/shell/hash.ts';

type State = typeof import('../../web/src/shell/state.ts');

let state: State;
let replaceState: ReturnType<typeof vi.fn>;
const benchesInArticles: Record<string, string> = { cut: 'lesson', own: 'lesson', other: 'elsewhere' };

beforeEach(async () => {
  vi.useFakeTimers();
  const location = { hash: '' };
  replaceState = vi.fn((_state: unknown, _title: string, hash: string) => (location.hash = hash === '#' ? '' : hash));
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { state: null, replaceState });
  vi.stubGlobal('document', {
    getElementById: (id: string) => (benchesInArticles[id] ? { closest: () => ({ id: benchesInArticles[id] }) } : null),
  });
  vi.resetModules();
  state = await import('../../web/src/shell/state.ts');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const go = (hash: string, literally = false): void => {
  location.hash = hash;
  state.adoptLocation('lesson', parseHash(hash), literally);
};

describe('state', () => {
  it('is what the address says', () => {
    go('#lesson?v=1&cut.heads=3&hide=seed');
    expect(state.readState('cut')).toEqual(new Map([['heads', '3']]));
    expect(state.readState('own').size).toBe(0);
    expect(state.hiddenControls().has('seed')).toBe(true);
  });

  it('replaces one bench and leaves the others and the hidden controls', () => {
    go('#lesson?v=1&cut.heads=3&cut.seed=2&own.width=4&hide=seed');
    state.writeState('cut', new Map([['heads', '1']]));
    expect(location.hash).toBe('#lesson?v=1&cut.heads=1&own.width=4&hide=seed');
    vi.advanceTimersByTime(1000);
    state.writeState('cut', new Map());
    state.writeState('own', new Map());
    vi.advanceTimersByTime(1000);
    expect(location.hash).toBe('#lesson?v=1&hide=seed');
  });

  it('writes at once, then at most ten times a second, and the last value wins', () => {
    go('#lesson');
    for (let heads = 1; heads <= 50; heads++) {
      state.writeState('cut', new Map([['heads', String(heads)]]));
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(200);
    expect(replaceState.mock.calls.length).toBeLessThanOrEqual(7);
    expect(location.hash).toBe('#lesson?v=1&cut.heads=50');
    expect(state.readState('cut').get('heads')).toBe('50');
  });

  it('tries again when the browser refuses', () => {
    go('#lesson');
    replaceState.mockImplementationOnce(() => {
      throw new DOMException('too many calls', 'SecurityError');
    });
    state.writeState('cut', new Map([['heads', '2']]));
    expect(location.hash).toBe('#lesson');
    vi.advanceTimersByTime(2000);
    expect(location.hash).toBe('#lesson?v=1&cut.heads=2');
  });

  it('flushes for who wants the address now', () => {
    go('#lesson');
    state.writeState('cut', new Map([['heads', '2']]));
    state.writeState('cut', new Map([['heads', '3']]));
    state.flushState();
    expect(location.hash).toBe('#lesson?v=1&cut.heads=3');
  });

  it('keeps what the learner set when a plain link leads to the lesson again, and not when Back does', () => {
    go('#lesson?v=1&cut.heads=3');
    go('#lesson--heading');
    expect(state.readState('cut').get('heads')).toBe('3');
    expect(state.currentHash()).toBe('#lesson--heading?v=1&cut.heads=3');
    go('#lesson', true);
    expect(state.readState('cut').size).toBe(0);
  });

  it('keeps a bench of another lesson out of the address', () => {
    go('#lesson');
    state.writeState('other', new Map([['heads', '2']]));
    vi.advanceTimersByTime(1000);
    expect(location.hash).toBe('#lesson');
    expect(state.readState('other').get('heads')).toBe('2');
  });

  it('tells listeners of new places only, until they stop', () => {
    const listener = vi.fn();
    const stop = state.onStateChange(listener);
    go('#lesson?v=1&cut.heads=3');
    state.writeState('cut', new Map([['heads', '2']]));
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    go('#lesson');
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
