import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { lessons } from './src/build/plugin.ts';

const webRoot = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

export default defineConfig({
  root: webRoot,
  // Relative addresses, so that the page works from any folder of any host.
  base: './',
  // No fallback to index.html: a missing .wasm has to be a 404, not a page of HTML.
  appType: 'mpa',
  plugins: [lessons(webRoot)],
  build: {
    target: 'es2022',
    // The page has one entry; there is nothing to preload.
    modulePreload: false,
    // A .wasm or font in the address of another file would be copied into every page that names it.
    assetsInlineLimit: 0,
    // Most of the build is the engine at work on the figures' first numbers; that is no news.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es' },
  server: {
    // The wrapper and its module live beside web/.
    fs: { allow: ['..'] },
  },
});
