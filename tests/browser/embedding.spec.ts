// A bench on a page of its own, without the page's shell: only the elements, which then look after themselves.

import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';

const builtPage = fileURLToPath(new URL('../../build/embedding', import.meta.url));

test.describe.configure({ mode: 'default' });
test.use({ root: builtPage });

test.beforeAll(async () => {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('embedding', import.meta.url)),
    base: './',
    logLevel: 'warn',
    build: { outDir: builtPage, emptyOutDir: true, target: 'es2022', modulePreload: false, assetsInlineLimit: 0 },
    worker: { format: 'es' },
  });
});

declare global {
  // eslint-disable-next-line no-var
  var defineElements: () => void;
  // eslint-disable-next-line no-var
  var touched: string[];
  // eslint-disable-next-line no-var
  var touchedByImport: readonly string[];
}

async function openEmbedded(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => 'defineElements' in globalThis);
  await page.evaluate(() => defineElements());
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLElement & { results?: unknown }>('hw-bench')].every((bench) => bench.results),
  );
}

const right = async (page: Page): Promise<void> =>
  expect.poll(async () => faultsOf(await engine(), await readBench(page, 'alone'))).toEqual([]);

test('shows the right numbers, follows its controls, and leaves the address and the store alone', async ({
  page,
  site,
}) => {
  await openEmbedded(page, site.url);
  await right(page);
  const cells = page.locator('#alone hw-matrix[of="output"] td[data-row]');
  const before = await cells.allInnerTexts();
  expect(before).toHaveLength(3 * 6);

  await page.locator('#alone hw-control[name=heads] input').press('ArrowRight');
  await page.locator('#alone hw-control[name=tokens] input').fill('we all drink green tea');
  await expect(cells).toHaveCount(5 * 6);
  const { attributes } = await readBench(page, 'alone');
  // The oracle reads settings from attributes and the address, and here they are in neither.
  await page.evaluate(() => {
    const bench = document.getElementById('alone');
    bench?.setAttribute('heads', '3');
    bench?.setAttribute('tokens', 'we all drink green tea');
  });
  expect(attributes).toMatchObject({ heads: '2' });
  await right(page);

  expect(page.url()).toBe(site.url);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);

  await page.locator('#alone').getByRole('button', { name: 'Reset' }).click();
  await expect(cells).toHaveText(before);
});

test('lights what made a cell, and writes the arithmetic out', async ({ page, site }) => {
  await openEmbedded(page, site.url);
  await page.locator('#alone hw-matrix[of="heads[0].rawScores"] td[data-row="1"][data-column="2"]').click();
  await expect(page.locator('#alone hw-matrix[of="heads[0].queries"] .lit')).not.toHaveCount(0);
  await expect(page.locator('#alone hw-product')).toContainText('“drink” looks at “tea”');
});

test('grades, and knows the answer again for as long as the page is there', async ({ page, site }) => {
  await openEmbedded(page, site.url);
  const exercise = page.locator('#first-score');
  const answer = await page
    .locator('#alone')
    .evaluate((bench: HTMLElement & { results?: { heads: { rawScores: { data: Float64Array } }[] } }) =>
      bench.results?.heads[0]?.rawScores.data.at(5),
    );
  await exercise.getByLabel('Your answer').fill('99');
  await exercise.getByLabel('Your answer').press('Enter');
  await expect(exercise.locator('.task-verdict')).toHaveText('✗ Not yet.');
  await exercise.getByLabel('Your answer').fill(String(answer));
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(exercise.locator('.task-verdict')).toHaveText(/^✓ Right/);
});

test('two benches, one of them without a name, keep out of each other’s way', async ({ page, site }) => {
  await openEmbedded(page, site.url);
  const unnamed = page.locator('hw-bench:not([id])');
  await unnamed.locator('hw-control[name=width] input').press('ArrowRight');
  await expect(unnamed.locator('hw-matrix td[data-row]')).toHaveCount(2 * 5);
  await right(page);
});

test('says by itself why the numbers do not come, and tries again', async ({ page, site, watch }) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.wasm', (response) => void response.writeHead(404).end());
  await page.goto(site.url);
  await page.waitForFunction(() => 'defineElements' in globalThis);
  await page.evaluate(() => defineElements());
  const said = page.locator('#alone > .bench-engine');
  await expect(said).toContainText(/was not found.*404/);
  await expect(page.locator('#alone hw-control[name=heads] input')).toBeDisabled();
  site.recover();
  await said.getByRole('button', { name: 'Try again' }).click();
  await expect(said).toBeEmpty();
  await right(page);
  await expect(page.locator('#alone hw-control[name=heads] input')).toBeEnabled();
});

test('importing the elements does nothing yet', async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.touched = [];
    const note = (what: string) => touched.push(what);
    for (const store of ['localStorage', 'sessionStorage'] as const) {
      const own = globalThis[store];
      Object.defineProperty(globalThis, store, { get: () => (note(store), own) });
    }
    for (const change of ['pushState', 'replaceState'] as const) {
      const own = history[change].bind(history);
      history[change] = (...given) => (note(change), own(...given));
    }
    const own = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type: string, ...rest) {
      note(`listens for ${type}`);
      own.call(this, type, ...rest);
    };
  });
  await page.goto(site.url);
  await page.waitForFunction(() => 'defineElements' in globalThis);
  expect(await page.evaluate(() => touchedByImport)).toEqual([]);
  // The trap works: elements that connect do listen.
  await page.evaluate(() => defineElements());
  expect(await page.evaluate(() => touched)).toContain('listens for beforeprint');
  expect(await page.evaluate(() => touched.filter((what) => /Storage|State/.test(what)))).toEqual([]);
});
