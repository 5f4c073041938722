// Where the softmax sits: the picture moves as the handle does, its numbers are the engine's, and what makes layers equal keeps it still.

import type { Matrix } from 'headwise';
import type { Page } from '@playwright/test';
import { resultsFor } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { at } from './support/matrices.ts';
import { shows } from './support/numbers.ts';
import { expect, test } from './support/test.ts';

const figure = (page: Page, bench: string) => page.locator(`#${bench} hw-handle`).first();
const handle = (page: Page, bench: string) =>
  figure(page, bench).getByRole('slider', { name: 'where the softmax sits' });

/** Left and right ends of every bar, in pixels from the figure's side. */
function bars(page: Page, bench: string): Promise<number[][]> {
  return figure(page, bench).evaluate((element) => {
    const from = element.getBoundingClientRect().left;
    return [...element.querySelectorAll('.handle-piece, .handle-lane')].map((bar) => {
      const { left, right } = bar.getBoundingClientRect();
      return [left - from, right - from];
    });
  });
}

test('its numbers are those of both layers, for each token', async ({ page, open }) => {
  await open('same-matrices');
  const headwise = await engine();
  const results = resultsFor(headwise, await readBench(page, 'cut'));
  const matrix = (path: string) => results.at(path) as Matrix;
  await figure(page, 'cut').getByText('The numbers').click();
  for (const [row, token] of results.tokens.entries()) {
    await figure(page, 'cut').getByRole('button', { name: token, exact: true }).click();
    await expect(figure(page, 'cut').locator('.handle-table caption')).toContainText(`“${token}” looks at`);
    const lines = figure(page, 'cut').locator('.handle-table tbody tr');
    for (const [key] of results.keyTokens.entries()) {
      const cells = (await lines.nth(key).locator('td').allInnerTexts()).map((text) => text.trim());
      const expected = ['single.heads[0]', 'multi.heads[0]', 'multi.heads[1]'].flatMap((head) => [
        at(matrix(`${head}.scaledScores`), row, key),
        at(matrix(`${head}.attentionWeights`), row, key),
      ]);
      expect(cells).toHaveLength(expected.length);
      cells.forEach((text, index) =>
        expect(shows(text, expected[index]!), `${token}: ${text}, ${expected[index]}`).toBe(true),
      );
    }
  }
});

test('pieces are end to end at one rest and each on its own at the other; drags, keys and buttons move them', async ({
  page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open('same-matrices');
  const slider = handle(page, 'cut');
  await slider.press('Home');
  const piece = (key: number, head: number) =>
    figure(page, 'cut').locator('.handle-scores').nth(key).locator('.handle-piece').nth(head);
  const box = async (key: number, head: number) => (await piece(key, head).boundingBox())!;
  const axis = (await figure(page, 'cut').locator('.handle-scores').first().boundingBox())!;
  const middle = axis.x + axis.width / 2;
  const results = resultsFor(await engine(), await readBench(page, 'cut'));
  const score = (head: number, key: number) => at(results.at(`multi.heads[${head}].rawScores`) as Matrix, 2, key);
  for (const key of [0, 1, 2, 3, 4]) {
    const [first, second] = [await box(key, 0), await box(key, 1)];
    const end = score(0, key) < 0 ? first.x : first.x + first.width;
    const begin = score(1, key) < 0 ? second.x + second.width : second.x;
    expect(Math.abs(end - begin), `key ${key}: the second piece begins where the first ends`).toBeLessThan(2);
  }
  await expect(figure(page, 'cut')).toContainText('One softmax, one map for all columns.');
  await slider.press('End');
  for (const key of [0, 1, 2, 3, 4]) {
    const second = await box(key, 1);
    const begin = score(1, key) < 0 ? second.x + second.width : second.x;
    expect(Math.abs(begin - middle), `key ${key}: the second piece begins at 0`).toBeLessThan(2);
  }
  await expect(slider).toHaveAttribute('aria-valuetext', 'softmax each');
  await expect(figure(page, 'cut').locator('.handle-verdict .of-each')).toBeVisible();
  const apart = await bars(page, 'cut');
  await figure(page, 'cut').getByRole('button', { name: 'add, then softmax' }).click();
  const together = await bars(page, 'cut');
  expect(together).not.toEqual(apart);
  await slider.fill('50');
  const between = await bars(page, 'cut');
  expect(between).not.toEqual(apart);
  expect(between).not.toEqual(together);
});

for (const construction of (await engine()).constructions) {
  test(`${construction}: the weights stay where they are, and the outputs are equal`, async ({ page, open }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(`same-matrices?v=1&equal.construction=${construction}`);
    const slider = handle(page, 'equal');
    const lanes = () =>
      figure(page, 'equal')
        .locator('.handle-lane')
        .evaluateAll((lanes) => lanes.map((lane) => Math.round(lane.getBoundingClientRect().width * 10) / 10));
    await slider.press('Home');
    const before = await lanes();
    expect(before.length).toBeGreaterThan(0);
    await slider.press('End');
    expect(await lanes()).toEqual(before);
    await expect(figure(page, 'equal').locator('.handle-verdict')).toHaveClass(/equal/);
  });
}

test('the surprise is the first thing on the home page', async ({ page, open }) => {
  await open('home');
  await expect(page.locator('#first-bet hw-handle')).toBeHidden();
  await page.locator('#first-bet').getByRole('button', { name: 'the same numbers' }).click();
  await expect(figure(page, 'first-look')).toBeVisible();
  await handle(page, 'first-look').press('End');
  await expect(figure(page, 'first-look').locator('.handle-verdict')).toContainText('other numbers');
});
