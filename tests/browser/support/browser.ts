// Which browser the tests use: $HEADWISE_BROWSER, else Chromium or Google Chrome on PATH, else Playwright's own.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function onPath(name: string): string | undefined {
  if (name.includes('/')) return isProgram(name) ? name : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** The browser's program; undefined if there is none. */
export function browserProgram(): string | undefined {
  const chosen = process.env.HEADWISE_BROWSER;
  if (chosen) return onPath(chosen);
  const found = ['chromium', 'google-chrome', 'google-chrome-stable'].map(onPath).find((path) => path !== undefined);
  return found ?? onPath(chromium.executablePath());
}

const executablePath = browserProgram();

/** How all tests start it. */
export const launchOptions = {
  ...(executablePath !== undefined && { executablePath }),
  // Without its sandbox Chromium also runs as root; the rest keeps it from calling home.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
