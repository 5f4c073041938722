// The page in a real browser: the built page in web/dist, served on this machine to the Chromium that support/browser.ts finds.

import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/browser.ts';

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
    launchOptions,
  },
});
