// The keyboard alone is enough: every lesson's stops are reached by Tab and show that they have the focus, and a lesson can be done
// from the bet through a control to an exercise without a mouse.

import { engine } from './support/engine.ts';
import { readBench } from './support/displayed.ts';
import { resultsFor } from './support/compare.ts';
import { focused, tabTo } from './support/keyboard.ts';
import { articles } from './support/lessons.ts';
import { at } from './support/matrices.ts';
import { readNumber, shows } from './support/numbers.ts';
import { expect, test } from './support/test.ts';

test('a lesson is done by keyboard: bet, slider, cell, exercise, next lesson', async ({ page, open }) => {
  await open('same-matrices');
  const headwise = await engine();
  const results = async () => resultsFor(headwise, await readBench(page, 'cut'));

  const bet = page.locator('#bet').getByRole('button').nth(1);
  await tabTo(page, bet);
  await page.keyboard.press('Enter');
  await expect(bet).toHaveClass(/right/);
  await expect(page.locator('#cut > hw-comparison')).not.toHaveAttribute('inert');

  const heads = page.locator('#cut hw-control[name=heads] input[type=range]');
  await tabTo(page, heads, 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/cut\.heads=3/);

  const map = page.locator('#cut .grid[data-path="single.heads[0].attentionWeights"]');
  await tabTo(page, map.locator('td[tabindex="0"]'));
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(map.locator('td:focus')).toHaveAttribute('data-row', '1');
  await expect(map.locator('td:focus')).toHaveAttribute('data-column', '1');
  const product = page.locator('#cut hw-product');
  await expect(product.locator('.product-title')).toContainText('“cat” looks at “cat”');
  const weights = (await results()).at('single.heads[0].attentionWeights') as Parameters<typeof at>[0];
  const told = await product.locator('.step-line .strong').last().innerText();
  expect(shows(told, at(weights, 1, 1)), `${told} is ${at(weights, 1, 1)}`).toBe(true);

  const exercise = page.locator('#add-scores');
  await tabTo(page, exercise.getByLabel('Your answer'));
  const answer = (await results()).at('single.heads[0].rawScores(1, 3)') as number;
  await page.keyboard.type(answer.toFixed(2).replace('.', ','));
  await page.keyboard.press('Enter');
  await expect(exercise.locator('.task-verdict')).toHaveText(/✓/);
  await tabTo(page, exercise.locator('summary').first());
  await page.keyboard.press('Space');
  await expect(exercise.locator('hw-hint')).toBeVisible();

  const previous = page.locator('article#same-matrices a[href^="#many-heads"]').last();
  await tabTo(page, previous);
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/Many heads/);
  await expect(page.locator('article#many-heads h1')).toBeFocused();
});

test('a listing lights its figures on focus, and Escape leaves a cell', async ({ page, open }) => {
  await open('same-matrices');
  const line = page.locator('#cut hw-code .code-line.linked').nth(2);
  await tabTo(page, line);
  const map = page.locator('#cut .grid[data-path="single.heads[0].attentionWeights"]').first();
  await expect(map).toHaveClass(/lit-figure/);
  await tabTo(page, map.locator('td[tabindex="0"]'));
  await expect(map).not.toHaveClass(/lit-figure/);
  await expect(map.locator('td.chosen')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(map.locator('td.chosen')).toHaveCount(0);
});

test('choosing a cell lights the row and the column that made it', async ({ page, open }) => {
  await open('projection-shapes');
  const grid = (path: string) => page.locator(`#views .grid[data-path="${path}"]:visible`).first();
  await tabTo(page, grid('heads[0].queries').locator('td[tabindex="0"]'));
  await page.keyboard.press('ArrowDown');
  await expect(grid('input').locator('td.source, td.chosen')).toHaveCount(12);
  for (const cell of await grid('input').locator('td.source, td.chosen').all())
    await expect(cell).toHaveAttribute('data-row', '1');
  await expect(grid('weights.W_q[0]').locator('td.source, td.chosen')).toHaveCount(12);
  const terms = (await page.locator('#views hw-product .step-line').last().innerText()).split('=')[0] ?? '';
  const sum = terms
    .split(' + ')
    .map((term) => term.split('·').map((factor) => readNumber(factor.replace(/[()]/g, ''))?.value ?? NaN))
    .reduce((total, [left = NaN, right = NaN]) => total + left * right, 0);
  const headwise = await engine();
  const query = resultsFor(headwise, await readBench(page, 'views')).at('heads[0].queries(1, 0)') as number;
  // Twelve products of numbers rounded to two decimals.
  expect(Math.abs(sum - query)).toBeLessThan(12 * 0.02);
});

for (const id of articles) {
  test(`${id}: Tab reaches everything that can be operated, in sight and marked`, async ({ page, open }) => {
    test.slow();
    await open(id);
    // Its buttons go on when the session has started, which it does near the screen: before the stops are counted, not while.
    for (const training of await page.locator('hw-training:visible').all()) {
      await training.scrollIntoViewIfNeeded();
      await expect(training.locator('.training')).toHaveAttribute('data-state', 'paused', { timeout: 50_000 });
    }
    await page.evaluate(() => scrollTo(0, 0));
    const stops = await page.evaluate(() => {
      const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
      const radios = new Set<string>();
      const elements = [...document.querySelectorAll<HTMLElement>(focusable)].filter((element) => {
        if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
        if (!element.checkVisibility({ visibilityProperty: true }) || element.classList.contains('skip-link'))
          return false;
        if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
        // Of radio buttons with one name Tab goes to the chosen one.
        return element.checked && !radios.has(element.name) && radios.add(element.name);
      });
      for (const [index, element] of elements.entries()) element.dataset.stop = String(index);
      return elements.length;
    });
    const reached = new Set<string>();
    for (let presses = 0; presses < stops + 5 && reached.size < stops; ++presses) {
      await page.keyboard.press('Tab');
      const stop = await focused(page);
      const number = await page.evaluate(() => (document.activeElement as HTMLElement).dataset.stop);
      if (number === undefined) continue;
      reached.add(number);
      expect(stop, `stop ${number} of ${stops}`).toEqual({ name: stop.name, marked: true, inSight: true });
    }
    expect(reached.size, 'stops that Tab reached').toBe(stops);
  });
}
