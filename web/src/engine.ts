// The WebAssembly engine, loaded once for everything that computes with it.

import { loadHeadwise, type Headwise } from 'headwise';

export type EngineStatus =
  | { readonly state: 'waiting' }
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly headwise: Headwise }
  | { readonly state: 'failed'; readonly error: Error };

export interface Engine {
  readonly status: EngineStatus;
  /**
   * The engine; the first call starts loading. Never rejects: after a failure it waits for a retry that works, so whoever awaits it need not
   * ask again. Failures are told by onChange.
   */
  load(): Promise<Headwise>;
  /** Loads again after a failure. */
  retry(): void;
  /** Called at every change of status, not at once. Returns the function that stops it. */
  onChange(listener: (status: EngineStatus) => void): () => void;
}

export function createEngine(fetchEngine: () => Promise<Headwise> = () => loadHeadwise()): Engine {
  let status: EngineStatus = { state: 'waiting' };
  const listeners = new Set<(status: EngineStatus) => void>();
  let resolve: (headwise: Headwise) => void;
  const loaded = new Promise<Headwise>((resolveLoaded) => (resolve = resolveLoaded));

  function become(next: EngineStatus): void {
    status = next;
    for (const listener of [...listeners]) listener(next);
  }

  async function load(): Promise<void> {
    become({ state: 'loading' });
    try {
      const headwise = await fetchEngine();
      resolve(headwise);
      become({ state: 'ready', headwise });
    } catch (error) {
      become({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  return {
    get status() {
      return status;
    },
    load() {
      if (status.state === 'waiting') void load();
      return loaded;
    },
    retry() {
      if (status.state === 'failed') void load();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
