// What a learner has solved is kept in the browser, shown in the bar and on the course map, and no store is too broken for the page.

import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

const storeKey = 'headwise.progress.1';

async function solveOne(page: Page): Promise<void> {
  await page.locator('#wrong-line').getByRole('button', { name: '768 × 64' }).click();
  await expect(page.locator('#wrong-line .verdict').filter({ hasText: 'right' })).toBeVisible();
}

test('a solved exercise shows in the bar and on the course map, and survives a reload', async ({ page, open }) => {
  await open('projection-shapes');
  const inBar = page.locator('#lessons [data-progress-of="projection-shapes"]');
  await expect(inBar).toHaveText('');
  // A wrong answer is no progress, and a right one cannot be lost again.
  await page.locator('#wrong-line').getByRole('button', { name: 'n × 96' }).click();
  await expect(inBar).toHaveText('');
  await solveOne(page);
  await page.locator('#wrong-line').getByRole('button', { name: 'n × 96' }).click();
  await expect(inBar).toContainText('1 of');

  await page.locator('a.wordmark').click();
  const onMap = page.locator('#home [data-progress-of="projection-shapes"]');
  await expect(onMap).toContainText('1 of');
  await page.reload();
  await expect(onMap).toContainText('1 of');
  await expect(inBar).toContainText('1 of');

  await page.getByRole('link', { name: 'About', exact: true }).click();
  await page.getByRole('button', { name: 'Forget my answers' }).click();
  await expect(inBar).toHaveText('');
  await page.reload();
  await expect(inBar).toHaveText('');
});

test('all exercises of a lesson solved is said so', async ({ page, open, site }) => {
  await page.goto(site.url);
  await page.evaluate((storeKey) => {
    const ids = [...document.querySelectorAll('#one-head hw-exercise')].map(({ id }) => [id, 'correct']);
    localStorage.setItem(storeKey, JSON.stringify({ 'one-head': Object.fromEntries(ids) }));
  }, storeKey);
  await open('home');
  await page.reload();
  await expect(page.locator('#home [data-progress-of="one-head"]')).toHaveText('all exercises solved');
});

const broken: Readonly<Record<string, string>> = {
  'no JSON': '{{{',
  'a number': '17',
  null: 'null',
  'another shape': '{"projection-shapes":[1,2],"one-head":{"x":{}},"__proto__":{"wrong-line":"correct"}}',
};

for (const [name, text] of Object.entries(broken)) {
  test(`a corrupt store (${name}) costs nothing but the memory of it`, async ({ page, open }) => {
    await page.addInitScript(
      ([key, value]) => {
        if (sessionStorage.getItem('spoilt')) return;
        sessionStorage.setItem('spoilt', 'yes');
        localStorage.setItem(key!, value!);
      },
      [storeKey, text],
    );
    await open('projection-shapes');
    await solveOne(page);
    await page.reload();
    await expect(page.locator('#lessons [data-progress-of="projection-shapes"]')).toContainText('1 of');
  });
}

test('a browser that keeps nothing still runs the lessons', async ({ page, open }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await open('projection-shapes');
  await solveOne(page);
  await expect(page.locator('#lessons [data-progress-of="projection-shapes"]')).toContainText('1 of');
  await page.locator('#theme').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the chosen colours stay', async ({ page, open }) => {
  await open('home');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.locator('#theme').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await paper()).toBe(dark);
});
