// `test` as all specs use it: a server and a page for each test, and a watch on what the page must never do.

import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { Site, siteFolder } from './site.ts';

export { expect };

/** What went wrong in the browser during a test: errors and warnings of its console, and requests to other places. */
export class Watch {
  readonly faults: string[] = [];
  private readonly expected: RegExp[] = [];

  constructor(context: BrowserContext, origin: string) {
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.note(`${message.type()}: ${message.text()}`);
    });
    context.on('weberror', (error) => {
      this.note(`uncaught: ${error.error().message}`);
    });
    context.on('request', (request) => {
      const allowed = [origin, 'data:', 'blob:', 'file:'].some((start) => request.url().startsWith(start));
      if (!allowed) this.note(`request to another origin: ${request.url()}`);
    });
  }

  /** For tests of failures: this may stand in the console. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  private note(text: string): void {
    this.faults.push(text);
  }

  get unexpected(): string[] {
    return this.faults.filter((fault) => !this.expected.some((pattern) => pattern.test(fault)));
  }
}

interface Fixtures {
  site: Site;
  watch: Watch;
  /** Opens the page at an address after #, and waits until the open article's numbers are there. */
  open: (hash: string) => Promise<void>;
}

export const test = base.extend<{ folder: string; root: string } & Fixtures>({
  folder: ['/', { option: true }],
  root: [siteFolder, { option: true }],

  site: async ({ folder, root }, use) => {
    const site = new Site(folder, root);
    await site.start();
    await use(site);
    await site.stop();
  },

  watch: [
    async ({ context, site }, use) => {
      const watch = new Watch(context, site.origin);
      await use(watch);
      expect(watch.unexpected, 'errors, warnings and foreign requests of the page').toEqual([]);
    },
    { auto: true },
  ],

  open: async ({ page, site }, use) => {
    await use(async (hash) => {
      await page.goto(`${site.url}${hash === '' ? '' : `#${hash}`}`);
      await computed(page);
    });
  },
});

/** Waits until every bench of the open article has numbers, or the engine's reason why not. */
export async function computed(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const benches = document.querySelectorAll<HTMLElement & { results?: unknown; error?: unknown }>(
      'main > article:not([hidden]) hw-bench',
    );
    const started = document.documentElement.classList.contains('started');
    return started && [...benches].every(({ results, error }) => results !== undefined || error !== undefined);
  });
}
