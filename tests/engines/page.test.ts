// The page in another engine, beside Chromium: the same numbers, the same answers to keys, and nothing that only one of them draws right.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lessons } from '../browser/support/lessons.ts';
import { Site, siteFolder } from '../browser/support/site.ts';
import { startChromium } from './drivers/chromium.ts';
import { until, type Driver } from './drivers/driver.ts';
import { startFirefox } from './drivers/firefox.ts';
import { startWebKit } from './drivers/webkit.ts';

const starts: Readonly<Record<string, () => Promise<Driver>>> = { firefox: startFirefox, webkit: startWebKit };
const engine = process.env.HEADWISE_ENGINE ?? '';
const start = starts[engine];
if (!start) throw new Error(`HEADWISE_ENGINE is "${engine}"; it can be ${Object.keys(starts).join(' or ')}`);

const site = new Site();
let chromium: Driver;
let other: Driver;

beforeAll(async () => {
  readFileSync(join(siteFolder, 'index.html'));
  await site.start();
  chromium = await startChromium();
  other = await start();
});

afterAll(async () => {
  await other.close();
  await chromium.close();
  await site.stop();
});

const both = () => [chromium, other];

async function computed(driver: Driver): Promise<void> {
  await until(
    driver,
    'every bench of the open article has numbers',
    () => {
      const benches = document.querySelectorAll<HTMLElement & { results?: unknown; error?: unknown }>(
        'main > article:not([hidden]) hw-bench',
      );
      const drawn = [...document.querySelectorAll<HTMLElement>('main > article:not([hidden]) hw-matrix')];
      return (
        document.documentElement.classList.contains('started') &&
        [...benches].every(({ results, error }) => results !== undefined || error !== undefined) &&
        drawn.every((figure) => !(figure as HTMLElement & { isUpdatePending?: boolean }).isUpdatePending)
      );
    },
    undefined,
  );
}

async function open(driver: Driver, hash: string): Promise<void> {
  await driver.goto(`${site.url}#${hash}`);
  await computed(driver);
}

let documents = 0;

/** In a document of its own, which remembers only what is stored: it has another query. */
async function openAgain(driver: Driver, hash: string): Promise<void> {
  await driver.goto(`${site.url}?document=${++documents}#${hash}`);
  await computed(driver);
}

/** Every cell, number, shape and meter of an article, and every inline number, as texts. */
function shown(articleId: string): string[] {
  const texts = document
    .getElementById(articleId)!
    .querySelectorAll(
      'td, .figure-shape, .step-line, .shape-rows, .shape-columns, .meter-number, .meter-words, hw-number, hw-shape, hw-text, .control-value',
    );
  return [...texts].map((element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim());
}

async function same(articleId: string): Promise<void> {
  const [expected, found] = await Promise.all(both().map((driver) => driver.evaluate(shown, articleId)));
  expect(found).toEqual(expected);
}

describe.each(lessons.map(({ id }) => id))('%s', (id) => {
  it('has the same tables and numbers, and its indices are smaller than what they stand at', async () => {
    for (const driver of both()) await open(driver, id);
    const texts = await chromium.evaluate(shown, id);
    expect(texts.length).toBeGreaterThan(50);
    await same(id);
    const large = await other.evaluate((id) => {
      const size = (element: Element) => parseFloat(getComputedStyle(element).fontSize);
      return [...document.getElementById(id)!.querySelectorAll('msub, msup, msubsup')].flatMap((formula) => {
        const [base, ...indices] = [...formula.children];
        return indices
          .filter((index) => index.textContent !== '' && size(index) >= size(base!))
          .map((index) => `${formula.textContent}: ${index.textContent} is ${size(index)} px`);
      });
    }, id);
    expect(large).toEqual([]);
    expect(await other.errors()).toEqual([]);
  });

  it('follows a slider moved by keys, in the address and in the figures', async () => {
    // Until a bet is placed, the figures that answer it stand still.
    for (const driver of both())
      await driver.evaluate((id) => {
        for (const bet of document.getElementById(id)!.querySelectorAll('hw-prediction'))
          bet.querySelector('button')?.click();
      }, id);
    const slider = await chromium.evaluate((id) => {
      const sliders = [
        ...document
          .getElementById(id)!
          .querySelectorAll<HTMLElement>(':is(hw-control, hw-costs) input[type=range]:enabled'),
      ];
      const first = sliders.find((candidate) => candidate.checkVisibility());
      const name = first?.closest('hw-control')?.getAttribute('name');
      const holder = name ? `hw-control[name=${name}]` : 'hw-costs';
      return `#${first?.closest('hw-bench')?.id} ${holder} input[type=range]`;
    }, id);
    const before = await chromium.evaluate(() => location.hash, undefined);
    const seen = new Set([before]);
    for (const key of ['End', 'ArrowLeft', 'Home', 'ArrowRight']) {
      for (const driver of both()) await driver.press(slider, key);
      const hash = await chromium.evaluate(() => location.hash, undefined);
      seen.add(hash);
      // The address is written a moment after the slider has come to rest.
      await until(other, `${key}: the address becomes ${hash}`, (hash) => location.hash === hash, hash, 10);
      for (const driver of both()) await computed(driver);
      await expect
        .poll(() => other.evaluate(shown, id), { timeout: 10_000 })
        .toEqual(await chromium.evaluate(shown, id));
    }
    expect(seen.size, 'the slider moved').toBeGreaterThan(1);
  });

  it('does not scroll sideways where it is as narrow as a phone', async () => {
    await other.resize(390, 844);
    const { width, reach } = await other.evaluate(
      () => ({ width: innerWidth, reach: document.documentElement.scrollWidth }),
      undefined,
    );
    // A window of WebKitGTK has a least width of its own.
    expect(width).toBeLessThan(500);
    expect(reach).toBeLessThanOrEqual(width);
    await other.resize(1280, 1000);
  });
});

it('an exercise is wrong, right, and still solved after the page was loaded again', async () => {
  const id = 'wrong-line';
  await open(other, 'projection-shapes');
  const option = (index: number) => `#${id} .options > button:nth-of-type(${index})`;
  await other.click(option(1));
  const verdict = (text: string) =>
    until(
      other,
      `the verdict has ${text}`,
      ({ id, text }) => document.querySelector(`#${id} .task-verdict`)!.textContent!.includes(text),
      { id, text },
      10,
    );
  await verdict('✗');
  await other.click(option(2));
  await verdict('✓');
  await openAgain(other, 'projection-shapes');
  const progress = await other.evaluate(
    () => document.querySelector('[data-progress-of="projection-shapes"]')!.textContent,
    undefined,
  );
  expect(progress).toContain('1 of');
});

it('training runs to its end, with the losses that Chromium has', async () => {
  const train = async (driver: Driver) => {
    await openAgain(driver, 'heads-that-specialise');
    const state = (wanted: string, seconds: number) =>
      until(
        driver,
        `training is ${wanted}`,
        (wanted) => document.querySelector<HTMLElement>('.training')?.dataset.state === wanted,
        wanted,
        seconds,
      );
    await driver.evaluate(() => document.querySelector('hw-training')!.scrollIntoView(), undefined);
    await state('paused', 60);
    await driver.evaluate(() => {
      const fast = [...document.querySelectorAll<HTMLElement>('.training label')].find(
        (label) => label.textContent!.trim() === 'at once',
      );
      fast?.click();
    }, undefined);
    await driver.click('.training-controls button.primary');
    await state('done', 150);
    return driver.evaluate(
      () =>
        [...document.querySelectorAll('.training-losses td, .training-numbers td')].map(({ textContent }) =>
          textContent!.trim(),
        ),
      undefined,
    );
  };
  // One after the other: both want a whole processor.
  const expected = await train(chromium);
  expect(expected.length).toBeGreaterThan(20);
  expect(await train(other)).toEqual(expected);
  expect(await other.errors()).toEqual([]);
});
