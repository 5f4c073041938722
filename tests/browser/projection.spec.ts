// One product by hand: its edges are dragged, by mouse and by keys, and what it says is counted by hand.

import type { Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';

const figure = (page: Page) => page.locator('#hand hw-projection');
const edge = (page: Page, name: string) => figure(page).getByRole('slider', { name });

async function drag(page: Page, name: string, dx: number, dy: number): Promise<void> {
  await edge(page, name).scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await edge(page, name).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + dx, y + height / 2 + dy, { steps: 4 });
  await page.mouse.up();
}

async function expectRightCounts(page: Page): Promise<void> {
  expect(faultsOf(await engine(), await readBench(page, 'hand'))).toEqual([]);
}

/** Pixels of one column of the first head. */
async function unit(page: Page): Promise<number> {
  return figure(page).evaluate((element) =>
    Number.parseFloat(getComputedStyle(element.querySelector('.projection')!).getPropertyValue('--unit')),
  );
}

test('edges are dragged: width of a head, tokens, and heads in and out', async ({ page, open }) => {
  await open('projection-shapes');
  await expect(figure(page).locator('.projection-fit')).toContainText('12 wide and fill d = 12');
  await expectRightCounts(page);
  await drag(page, 'Width of each head', 2 * (await unit(page)), 0);
  await expect(page).toHaveURL(/hand\.headWidth=6/);
  await expect(figure(page).locator('.projection-fit')).toContainText('18 wide, more than d = 12');
  await expectRightCounts(page);
  await drag(page, 'Number of heads', -2 * (6 * (await unit(page)) + 4), 0);
  await expect(page).toHaveURL(/hand\.heads=1/);
  await expect(figure(page).locator('.projection-fit')).toContainText('6 wide, less than d = 12');
  await expectRightCounts(page);
  await drag(page, 'Number of tokens', 0, 3 * (await unit(page)));
  await expect(page).toHaveURL(/hand\.length=8/);
  await expectRightCounts(page);
});

test('keys do the same, and a screen reader is told', async ({ page, open }) => {
  await open('projection-shapes?v=1');
  await edge(page, 'Number of heads').press('ArrowRight');
  await edge(page, 'Width of each head').press('ArrowLeft');
  await expect(edge(page, 'Width of each head')).toHaveAttribute('aria-valuenow', '3');
  await expect(page).toHaveURL(/hand\.heads=4/);
  await expect(figure(page).locator('[aria-live]')).toContainText('4 matrices of 12 × 3');
  await edge(page, 'Number of tokens').press('End');
  await expect(page).toHaveURL(/hand\.length=12/);
  await expectRightCounts(page);
});

test('boxes and bar are to scale', async ({ page, open }) => {
  await open('projection-shapes?v=1&hand.headWidth=6');
  const width = (selector: string) =>
    figure(page)
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().width);
  const [heads, mark] = await figure(page)
    .locator('.projection-bar')
    .evaluate((bar) => {
      const left = bar.getBoundingClientRect().left;
      const ends = [...bar.querySelectorAll('span')].map((span) => span.getBoundingClientRect().right - left);
      return [Math.max(...ends), bar.querySelector('i')!.getBoundingClientRect().left - left];
    });
  // Borders and the mark's own width are a few pixels.
  expect(Math.abs(heads! / mark! - 18 / 12)).toBeLessThan(0.03);
  expect(
    Math.abs((await width('.projection-input .shape-box')) / (await width('.projection-head .shape-box')) - 2),
  ).toBeLessThan(0.05);
});
