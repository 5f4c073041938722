import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Headwise } from 'headwise';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngine } from '../../web/src/engine.ts';

const sources = fileURLToPath(new URL('../../web/src', import.meta.url));
const headwise = { version: 'a stand-in' } as unknown as Headwise;

describe('the engine', () => {
  it('is fetched when it is first wanted, and once', async () => {
    const fetchEngine = vi.fn(() => Promise.resolve(headwise));
    const engine = createEngine(fetchEngine);
    expect(fetchEngine).not.toHaveBeenCalled();
    expect(await Promise.all([engine.load(), engine.load()])).toEqual([headwise, headwise]);
    expect(fetchEngine).toHaveBeenCalledTimes(1);
    expect(engine.status).toEqual({ state: 'ready', headwise });
  });

  it('tells of a failure, and who waited gets it after a retry', async () => {
    const fetchEngine = vi.fn(() => Promise.resolve(headwise));
    fetchEngine.mockRejectedValueOnce(new Error('no connection'));
    const engine = createEngine(fetchEngine);
    const heard: string[] = [];
    const stop = engine.onChange(({ state }) => heard.push(state));
    const waiting = engine.load();
    await vi.waitFor(() => expect(engine.status.state).toBe('failed'));
    engine.retry();
    expect(await waiting).toBe(headwise);
    expect(heard).toEqual(['loading', 'failed', 'loading', 'ready']);
    stop();
    engine.retry();
    expect(fetchEngine).toHaveBeenCalledTimes(2);
  });
});

describe('elements on their own', () => {
  let host: typeof import('../../web/src/host.ts');

  beforeEach(async () => {
    vi.resetModules();
    host = await import('../../web/src/host.ts');
  });

  it('keep state and answers for as long as the document lasts', () => {
    const { state, progress } = host.host();
    state.write('cut', new Map([['heads', '3']]));
    progress.recordAnswer('', 'first', true);
    expect(host.host().state.read('cut')).toEqual(new Map([['heads', '3']]));
    expect(host.host().state.read('own').size).toBe(0);
    expect(host.host().progress.answerOf('', 'first')).toBe('correct');
    expect(state.hiddenControls().size).toBe(0);
  });

  it('stand in a lesson that is open', () => {
    expect(host.host().lessonOf({} as Element)).toMatchObject({ id: '', isOpen: true });
  });

  it('take what they are given', () => {
    const given = { ...host.host(), lessonOf: () => ({ id: 'ours', isOpen: false, onChange: () => () => undefined }) };
    host.provideHost(given);
    expect(host.host().lessonOf({} as Element).id).toBe('ours');
  });

  it('import nothing of the page’s shell', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/^(shell|build)[\\/]|^main\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(40);
    const fromShell = files.filter((file) => /from '[./]*shell\//.test(readFileSync(join(sources, file), 'utf8')));
    expect(fromShell).toEqual([]);
  });
});
