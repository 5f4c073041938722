// Chromium, by Playwright: what the others are held against.

import { chromium } from '@playwright/test';
import { launchOptions } from '../../browser/support/browser.ts';
import type { Driver } from './driver.ts';

export async function startChromium(): Promise<Driver> {
  const browser = await chromium.launch(launchOptions);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  const first = (selector: string) => page.locator(selector).first();
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (run, argument) => page.evaluate(run as never, argument) as never,
    press: (selector, key) => first(selector).press(key),
    click: (selector) => first(selector).click(),
    resize: (width, height) => page.setViewportSize({ width, height }),
    errors() {
      const told = errors;
      errors = [];
      return Promise.resolve(told);
    },
    screenshot: async (path) => void (await page.screenshot({ path })),
    close: () => browser.close(),
  };
}
