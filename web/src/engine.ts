// The WebAssembly engine, loaded once for the whole page.

import { loadHeadwise, type Headwise } from 'headwise';

export type EngineStatus =
  | { readonly state: 'waiting' }
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly headwise: Headwise }
  | { readonly state: 'failed'; readonly error: Error };

let status: EngineStatus = { state: 'waiting' };
const listeners = new Set<(status: EngineStatus) => void>();
let resolveEngine: (headwise: Headwise) => void;
const loaded = new Promise<Headwise>((resolve) => (resolveEngine = resolve));

function become(next: EngineStatus): void {
  status = next;
  for (const listener of [...listeners]) listener(next);
}

async function load(): Promise<void> {
  become({ state: 'loading' });
  try {
    const headwise = await loadHeadwise();
    resolveEngine(headwise);
    become({ state: 'ready', headwise });
  } catch (error) {
    become({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

/**
 * The engine; the first call starts loading. Never rejects: after a failure it waits for a retry that works, so whoever
 * awaits it need not ask again. Failures are told by onEngineChange (and the shell shows them).
 */
export function engine(): Promise<Headwise> {
  if (status.state === 'waiting') void load();
  return loaded;
}

/** Loads again after a failure. */
export function retryEngine(): void {
  if (status.state === 'failed') void load();
}

export function engineStatus(): EngineStatus {
  return status;
}

/** Called at every change of state, not at once. Returns the function that stops it. */
export function onEngineChange(listener: (status: EngineStatus) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
