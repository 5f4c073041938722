// One row through all its steps: its numbers are the engine's, on one scale, and follow an arrow that is moved by mouse, finger or key.

import type { Matrix } from 'headwise';
import type { Page } from '@playwright/test';
import { resultsFor } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { at } from './support/matrices.ts';
import { shows } from './support/numbers.ts';
import { expect, test } from './support/test.ts';

const figure = (page: Page) => page.locator('#steps hw-row');
const grip = (page: Page, arrow: string) => figure(page).getByRole('slider', { name: `${arrow}; arrow keys` });
const looks = (page: Page, token: string) =>
  figure(page).getByRole('group', { name: 'Who looks' }).getByRole('button', { name: token, exact: true });

async function results(page: Page) {
  return resultsFor(await engine(), await readBench(page, 'steps'));
}

/** Numbers as texts: raw, scaled, exponential and share of each key. */
async function steps(page: Page): Promise<string[][]> {
  const rows = await figure(page).locator('.row-numbers tbody tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('td').allTextContents();
      return [1, 2, 4, 5].map((column) => cells[column]!.trim());
    }),
  );
}

async function expectEngineNumbers(page: Page, row: number): Promise<void> {
  const now = await results(page);
  const head = (name: string) => now.at(`heads[0].${name}`) as Matrix;
  const scores = now.tokens.map((_, key) => at(head('maskedScores'), row, key));
  const largest = Math.max(...scores);
  (await steps(page)).forEach((texts, key) => {
    const expected = [
      at(head('rawScores'), row, key),
      at(head('scaledScores'), row, key),
      Math.exp(scores[key]! - largest),
      at(head('attentionWeights'), row, key),
    ];
    texts.forEach((text, step) =>
      expect(text === '?' || shows(text, expected[step]!), `key ${key}: ${text}, ${expected[step]}`).toBe(true),
    );
  });
}

test('its numbers are the engine’s, for each token and mask', async ({ page, open }) => {
  for (const mask of ['none', 'causal']) {
    await open(`one-head?v=1&steps.mask=${mask}`);
    for (const [row, token] of ['I', 'like', 'tea'].entries()) {
      await looks(page, token).click();
      await expect(figure(page).locator('.row-numbers caption')).toContainText(`“${token}” looks`);
      await expectEngineNumbers(page, row);
    }
  }
});

test('all bars have one unit of length', async ({ page, open }) => {
  await open('one-head');
  const now = await results(page);
  const widths = (name: string) =>
    figure(page)
      .locator(`.${name}`)
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  const [unit] = await widths('row-whole');
  const expectLengths = async (name: string, path: string) => {
    const matrix = now.at(`heads[0].${path}`) as Matrix;
    (await widths(name)).forEach((width, key) =>
      // A stroke of one pixel, and a border box that is rounded to whole ones.
      expect(Math.abs(width - Math.abs(at(matrix, 1, key)) * unit!), `${path}, key ${key}`).toBeLessThan(2),
    );
  };
  await expectLengths('row-raw', 'rawScores');
  await expectLengths('row-scaled', 'scaledScores');
  await expectLengths('row-share', 'attentionWeights');
});

test('a key that is dragged stays under the pointer, and everything follows; put back brings the start', async ({
  page,
  open,
}) => {
  await open('one-head');
  const before = await steps(page);
  await grip(page, 'key of “I”').scrollIntoViewIfNeeded();
  const end = (await grip(page, 'key of “I”').boundingBox())!;
  const [x, y] = [end.x + end.width / 2, end.y + end.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y - 30, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/steps\.moved=5,k1:/);
  const after = (await grip(page, 'key of “I”').boundingBox())!;
  // To half of the 0.05 by which it moves.
  expect(Math.abs(after.x + after.width / 2 - x - 60)).toBeLessThan(2);
  expect(Math.abs(after.y + after.height / 2 - y + 30)).toBeLessThan(2);
  expect(await steps(page)).not.toEqual(before);
  await expectEngineNumbers(page, 1);
  await figure(page).getByRole('button', { name: 'Put back' }).click();
  await expect.poll(() => steps(page)).toEqual(before);
  await expect(page).not.toHaveURL(/moved/);
});

test('keys move an arrow, and say where it is', async ({ page, open }) => {
  await open('one-head');
  const query = grip(page, 'query of “like”');
  const [x, y] = (await query.getAttribute('aria-valuetext'))!.split(',').map((text) => Number.parseFloat(text));
  await query.press('ArrowRight');
  await query.press('Shift+ArrowUp');
  const moved = await query.getAttribute('aria-valuetext');
  const [movedX, movedY] = moved!.split(',').map((text) => Number.parseFloat(text));
  // It ends on a multiple of 0.05.
  expect(Math.abs(movedX! - x! - 0.1)).toBeLessThanOrEqual(0.031);
  expect(Math.abs(movedY! - y! - 0.5)).toBeLessThanOrEqual(0.031);
  await expect(query).toBeFocused();
  await expectEngineNumbers(page, 1);
  await expect(figure(page).locator('[aria-live]')).toContainText('“like” gives');
});

test('an address brings moved arrows back; under another seed they are not moved, and nonsense does no harm', async ({
  page,
  open,
}) => {
  await open('one-head?v=1&steps.moved=5,q2:1:-0.5,k3:0:2');
  await expect(grip(page, 'query of “like”')).toHaveAttribute('aria-valuetext', /^1\.00 across, −0\.50 up/);
  await expectEngineNumbers(page, 1);
  await page.locator('#steps hw-control[name=seed]').getByRole('button', { name: 'New numbers' }).click();
  await expect(figure(page).getByRole('button', { name: 'Put back' })).toBeDisabled();
  await open('one-head?v=1');
  const start = await steps(page);
  await open('one-head?v=1&steps.moved=5,q0:1:1,k99:1:1,x1:0:0,k1:1e9:2,,');
  await expect(figure(page).getByRole('button', { name: 'Put back' })).toBeDisabled();
  expect(await steps(page)).toEqual(start);
});

test('a finger moves an arrow', async ({ browser, site }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${site.url}#one-head`);
  const own = grip(page, 'key of “tea”');
  await own.scrollIntoViewIfNeeded();
  const { x, y, width } = (await own.boundingBox())!;
  expect(width).toBeGreaterThanOrEqual(24);
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2 + dx, y: y + width / 2 }],
    });
  await touch('touchStart', 0);
  await touch('touchMove', 20);
  await touch('touchMove', 40);
  await touch('touchEnd', 40);
  await expect(page).toHaveURL(/steps\.moved=5,k3:/);
  await context.close();
});
