// The page in a real browser: the built page in web/dist, served on this machine to the Chromium that support/browser.ts finds.

import { defineConfig } from '@playwright/test';
import { browserProgram } from './support/browser.ts';

const executablePath = browserProgram();

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../build/browser-results',
  globalSetup: './support/preflight.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  // Nothing here may pass by luck.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    // No tidy screenshots of failures: the messages say which number is wrong.
    trace: 'off',
    launchOptions: {
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
    },
  },
});
