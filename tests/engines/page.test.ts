// The page in another engine, beside Chromium: the same numbers, the same answers to keys, and nothing that only one of them draws right.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lesson, lessons } from '../browser/support/lessons.ts';
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
  // A browser that did not start must not keep the one that did from ending.
  await (other as Driver | undefined)?.close();
  await (chromium as Driver | undefined)?.close();
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

const phoneWidth = 390;

/** Whether every bench of the lesson in the frame has numbers. */
function framed(): boolean {
  const page = document.querySelector<HTMLIFrameElement>('#phone')!.contentDocument;
  const benches = page?.querySelectorAll<HTMLElement & { results?: unknown }>('main > article:not([hidden]) hw-bench');
  // While it is on its way, the frame's document may have no element at all.
  const started = page?.querySelector(':root.started') ?? null;
  return started !== null && [...(benches ?? [])].every(({ results }) => results !== undefined);
}

/** An exercise of a lesson whose right option is the author's and does not depend on the numbers; options count from 0. */
function choiceOf(lessonId: string): { exercise: string; wrong: number; right: number } {
  const html = readFileSync(join(siteFolder, 'index.html'), 'utf8');
  for (const exercise of lesson(lessonId).exercises) {
    const source =
      new RegExp(`<hw-exercise\\b[^>]*\\bid="${exercise}"[^>]*>([^]*?)</hw-exercise>`).exec(html)?.[1] ?? '';
    const options = [...source.matchAll(/<hw-option\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
    const right = options.findIndex((attributes) => /\scorrect(?![-\w])/.test(attributes));
    if (right >= 0) return { exercise, wrong: right === 0 ? 1 : 0, right };
  }
  throw new Error(`${lessonId} has no exercise with options of which one is always right`);
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
    const slider = await chromium.evaluate((id) => {
      const sliders = [...document.getElementById(id)!.querySelectorAll<HTMLElement>('hw-control input[type=range]')];
      const first = sliders.find((candidate) => candidate.checkVisibility());
      return `#${first?.closest('hw-bench')?.id} hw-control[name=${first?.closest('hw-control')?.getAttribute('name')}] input[type=range]`;
    }, id);
    const before = await chromium.evaluate(() => location.hash, undefined);
    const seen = new Set([before]);
    for (const key of ['End', 'ArrowLeft', 'Home', 'ArrowRight', 'PageUp']) {
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
    expect(await other.errors()).toEqual([]);
  });

  it('does not scroll sideways where it is as narrow as a phone', async () => {
    await open(other, id);
    // In a frame of that width, since a window of WebKitGTK has a least width of its own.
    await other.evaluate(
      ({ url, width }) => {
        const frame = document.createElement('iframe');
        frame.id = 'phone';
        frame.style.cssText = `position: fixed; inset: 0 auto auto 0; border: 0; width: ${width}px; height: 844px;`;
        frame.src = url;
        document.body.append(frame);
      },
      { url: `${site.url}?document=${++documents}#${id}`, width: phoneWidth },
    );
    await until(other, 'the frame has numbers', framed, undefined);
    const { width, reach } = await other.evaluate(() => {
      const { contentWindow } = document.querySelector<HTMLIFrameElement>('#phone')!;
      return { width: contentWindow!.innerWidth, reach: contentWindow!.document.documentElement.scrollWidth };
    }, undefined);
    await other.evaluate(() => document.querySelector('#phone')!.remove(), undefined);
    expect(width).toBe(phoneWidth);
    expect(reach).toBeLessThanOrEqual(width);
    expect(await other.errors()).toEqual([]);
  });

  it('has an exercise that is wrong, right, and still solved after the page was loaded again', async () => {
    const { exercise, wrong, right } = choiceOf(id);
    await openAgain(other, id);
    const option = (index: number) => `#${exercise} .options > button:nth-of-type(${index + 1})`;
    const marked = (index: number, mark: string) =>
      until(
        other,
        `option ${index + 1} of ${exercise} is marked ${mark}`,
        ({ selector, mark }) => document.querySelector(selector)!.classList.contains(mark),
        { selector: option(index), mark },
        10,
      );
    await other.click(option(wrong));
    await marked(wrong, 'wrong');
    await other.click(option(right));
    await marked(right, 'right');
    expect(await other.errors()).toEqual([]);
    await openAgain(other, id);
    const progress = await other.evaluate(
      (id) => document.querySelector(`[data-progress-of="${id}"]`)!.textContent,
      id,
    );
    expect(progress).toContain('1 of');
    expect(await other.errors()).toEqual([]);
  });
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
        (label) => label.textContent!.trim() === '20',
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
