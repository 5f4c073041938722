// Renders the lessons with the WebAssembly module that the page loads, so that what the build writes into figures and what the page
// computes are the same numbers.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Headwise, LoadOptions } from 'headwise';
import { runnerImport } from 'vite';
import type { Site } from './site.ts';

interface SiteModule {
  renderSite(webRoot: string, version: string, engine: Headwise): Site;
}

function modulePath(webRoot: string): string {
  return join(webRoot, '../wasm/dist/headwise-module.wasm');
}

/** Throws unless CMake has built the module. */
export function requireModule(webRoot: string): void {
  if (!existsSync(modulePath(webRoot))) throw new Error('wasm/dist is empty: run cmake --workflow --preset wasm first');
}

let loaded: Promise<Headwise> | undefined;

async function loadEngine(webRoot: string): Promise<Headwise> {
  // Not a plain import, so that the configuration can be read while the module is not built.
  const name = 'headwise';
  const wrapper = (await import(name)) as { loadHeadwise(options: LoadOptions): Promise<Headwise> };
  return wrapper.loadHeadwise({ wasmBinary: readFileSync(modulePath(webRoot)) });
}

/** A function that renders the site with recipes and figures as their sources are now. */
export async function createRenderer(webRoot: string): Promise<(version: string) => Site> {
  const path = join(webRoot, 'src/build/site.ts');
  const { module } = await runnerImport<SiteModule>(path, { configFile: false, root: webRoot, logLevel: 'error' });
  loaded ??= loadEngine(webRoot);
  const engine = await loaded;
  return (version) => module.renderSite(webRoot, version, engine);
}
