// Runs before the first test: with no browser or no page the suite fails with one line, instead of once for each test.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { browserProgram } from './browser.ts';
import { siteFolder } from './site.ts';

function missing(): string | undefined {
  const chosen = process.env.HEADWISE_BROWSER;
  if (browserProgram() === undefined) {
    return chosen
      ? `HEADWISE_BROWSER is ${chosen}, and that is no program`
      : 'no browser for the tests: install chromium, or set HEADWISE_BROWSER to a Chromium or Google Chrome';
  }
  if (existsSync(join(siteFolder, 'index.html'))) return undefined;
  return `there is no page in ${siteFolder}: run npm run build --prefix web first`;
}

export default function preflight(): void {
  const message = missing();
  if (message === undefined) return;
  const error = new Error(message);
  // Where this was noticed helps nobody.
  error.stack = message;
  throw error;
}
