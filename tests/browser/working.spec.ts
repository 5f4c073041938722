// The arithmetic behind a chosen cell is in sight, wherever the cell is, and never lies over it.

import type { Page } from '@playwright/test';
import { lessons } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

interface Bench extends HTMLElement {
  readonly explanation?: object;
}

/** Benches of the open lesson that show matrices. */
function benches(page: Page, lesson: string): Promise<string[]> {
  return page
    .locator(`#${lesson} hw-bench`)
    .evaluateAll((all) => all.filter((bench) => bench.querySelector('hw-matrix td[data-row]')).map(({ id }) => id));
}

const isComputed = (page: Page, bench: string) =>
  page.evaluate((id) => (document.getElementById(id) as Bench).explanation !== undefined, bench);

for (const [width, height] of [
  [1280, 900],
  [390, 844],
] as const) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });
    // Of what a training shows, the matrices outside of it are inputs: nothing is behind them. What heads cost is shown without matrices.
    const without = ['heads-that-specialise', 'what-heads-cost'];
    for (const { id: lesson } of lessons.filter(({ id }) => !without.includes(id))) {
      test(`${lesson}: the arithmetic of a chosen cell is in sight, in every bench`, async ({ page, open }) => {
        await open(lesson);
        let opened = 0;
        for (const bench of await benches(page, lesson)) {
          const grids = page.locator(`#${bench} hw-matrix .grid:has(td[data-row])`).filter({ visible: true });
          for (const grid of [grids.first(), grids.last()]) {
            if ((await grid.count()) === 0) continue;
            const cell = grid.locator('td[data-row]').last();
            await cell.scrollIntoViewIfNeeded();
            await cell.click();
            if (!(await isComputed(page, bench))) continue;
            const panel = page.locator(`#${bench} .product`).filter({ visible: true });
            await expect(panel, bench).toBeInViewport({ ratio: 1 });
            const [over, under] = [(await panel.boundingBox())!, (await cell.boundingBox())!];
            const apart =
              under.y + under.height <= over.y + 1 ||
              over.y + over.height <= under.y + 1 ||
              under.x + under.width <= over.x + 1 ||
              over.x + over.width <= under.x + 1;
            expect(apart, `${bench}: the panel lies over its cell`).toBe(true);
            await page.keyboard.press('Escape');
            ++opened;
          }
        }
        expect(opened).toBeGreaterThan(0);
      });
    }

    test('it closes, and goes when its bench does', async ({ page, open }) => {
      await open('one-head');
      const cell = page.locator('#steps hw-matrix').first().locator('td[data-row]').first();
      const docked = page.locator('#masks .docked > .product');
      await page.locator('#masks hw-matrix td[data-row]').first().click();
      await expect(docked).toBeVisible();
      await docked.getByRole('button', { name: 'Close the arithmetic' }).click();
      await expect(docked).toHaveCount(0);
      await page.locator('#masks hw-matrix td[data-row]').first().press('Enter');
      await expect(docked).toBeVisible();
      await cell.scrollIntoViewIfNeeded();
      await expect(docked).toHaveCount(0);
    });
  });
}
