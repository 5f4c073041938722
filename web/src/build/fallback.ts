// Fills the figures with tables before the page is shipped, so that it can be read and printed without JavaScript.
// The numbers come from the same WebAssembly module that the page loads.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Headwise, LoadOptions } from 'headwise';
import { runnerImport } from 'vite';

export interface FallbackModule {
  renderFallback(html: string, engine: Headwise): string | Promise<string>;
}

/** Throws unless CMake has built the module. */
export function requireModule(webRoot: string): void {
  const module = join(webRoot, '../wasm/dist/headwise-module.wasm');
  if (!existsSync(module)) throw new Error('wasm/dist is empty: run cmake --workflow --preset wasm first');
}

let loaded: Promise<Headwise> | undefined;

async function loadEngine(webRoot: string): Promise<Headwise> {
  // Not a plain import, so that the configuration can be read while the module is not built.
  const name = 'headwise';
  const wrapper = (await import(name)) as { loadHeadwise(options: LoadOptions): Promise<Headwise> };
  return wrapper.loadHeadwise({ wasmBinary: readFileSync(join(webRoot, '../wasm/dist/headwise-module.wasm')) });
}

/** A function that fills one article, and remembers what it filled: while a lesson is being written the others stay. */
export async function createFallback(webRoot: string): Promise<(html: string) => Promise<string>> {
  const path = join(webRoot, 'src/build/fill-figures.ts');
  if (!existsSync(path)) return (html) => Promise.resolve(html);
  const { module } = await runnerImport<FallbackModule>(path, { configFile: false, root: webRoot, logLevel: 'error' });
  loaded ??= loadEngine(webRoot);
  const headwise = await loaded;
  const filled = new Map<string, string>();
  return async (html) => {
    const article = filled.get(html) ?? (await module.renderFallback(html, headwise));
    filled.set(html, article);
    return article;
  };
}
