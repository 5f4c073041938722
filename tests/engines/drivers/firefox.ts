// Firefox, by Puppeteer over WebDriver BiDi.

import { launch, type KeyInput } from 'puppeteer-core';
import { programOf } from './program.ts';
import type { Driver } from './driver.ts';

export async function startFirefox(): Promise<Driver> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: programOf('HEADWISE_FIREFOX', ['firefox-esr', 'firefox']),
    headless: true,
    // It opens nothing of its own and asks nobody for anything.
    extraPrefsFirefox: {
      'app.update.enabled': false,
      'browser.safebrowsing.malware.enabled': false,
      'browser.safebrowsing.phishing.enabled': false,
      'datareporting.healthreport.uploadEnabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'toolkit.telemetry.enabled': false,
    },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  let errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (run, argument) => page.evaluate(run as never, argument) as never,
    async press(selector, key) {
      await page.focus(selector);
      await page.keyboard.press(key as KeyInput);
    },
    click: (selector) => page.click(selector),
    resize: (width, height) => page.setViewport({ width, height }),
    errors() {
      const told = errors;
      errors = [];
      return Promise.resolve(told);
    },
    screenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => browser.close(),
  };
}
