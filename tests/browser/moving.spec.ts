// What is moved in the document goes on working: pages of other people sort, wrap and re-parent what stands in them.

import type { Locator, Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { editBlock } from './support/solutions.ts';
import { expect, test } from './support/test.ts';

/** Takes the element out, and puts it back into a box of its own, in its place. */
async function move(element: Locator): Promise<void> {
  await element.evaluate((moved) => {
    const box = document.createElement('section');
    moved.before(box);
    moved.remove();
    box.append(moved);
  });
}

async function shows(page: Page, benchId: string): Promise<void> {
  const headwise = await engine();
  await expect.poll(async () => faultsOf(headwise, await readBench(page, benchId))).toEqual([]);
}

const heads = (page: Page, benchId: string): Locator => page.locator(`#${benchId} hw-control[name=heads] input`);

test('a bench follows its controls and the address, and keeps what was set', async ({ page, open }) => {
  await open('same-matrices?v=1&cut.heads=3');
  await move(page.locator('#cut'));
  await expect(heads(page, 'cut')).toHaveAttribute('aria-valuetext', '3');
  await heads(page, 'cut').press('End');
  await expect(page).toHaveURL(/cut\.heads=6/);
  await shows(page, 'cut');

  await page.goto(`${page.url().split('#')[0]}#same-matrices?v=1&cut.heads=1&cut.width=8`);
  await expect(heads(page, 'cut')).toHaveAttribute('aria-valuetext', '1');
  await shows(page, 'cut');

  await page.locator('#cut').getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL(/#same-matrices$/);
  await shows(page, 'cut');
});

test('a bench that is away while the address changes catches up', async ({ page, open }) => {
  await open('same-matrices');
  await page.evaluate(() => {
    const bench = document.getElementById('cut')!;
    const place = document.createComment('');
    bench.replaceWith(place);
    addEventListener('hashchange', () => setTimeout(() => place.replaceWith(bench)), { once: true });
    location.hash = '#same-matrices?v=1&cut.heads=3';
  });
  await expect(heads(page, 'cut')).toHaveAttribute('aria-valuetext', '3');
  await shows(page, 'cut');
});

test('a bench that was moved in a closed lesson computes when the lesson opens', async ({ page, open }) => {
  await open('home');
  await move(page.locator('#cut'));
  await page.goto(`${page.url().split('#')[0]}#same-matrices?v=1&cut.heads=3`);
  await shows(page, 'cut');
});

test('elements inside a bench go on by themselves', async ({ page, open }) => {
  await open('same-matrices');
  for (const element of await page.locator('#cut :is(hw-matrix, hw-difference, hw-control, hw-number, hw-when)').all())
    await move(element);
  await heads(page, 'cut').press('End');
  await expect(page).toHaveURL(/cut\.heads=6/);
  await shows(page, 'cut');
});

test('an equation lays its matrices out, with its signs and one legend', async ({ page, open }) => {
  await open('many-heads');
  const equation = page.locator('#layer hw-equation').nth(1);
  await move(equation);
  await heads(page, 'layer').press('End');
  await shows(page, 'layer');
  await expect(equation.locator('.equation-legend')).toHaveCount(1);
  await expect(equation.locator('hw-operator')).toHaveText(['·', '=']);
  const width = await equation.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(width).toBe(0);
});

test('a figure moved into another bench shows that one’s numbers', async ({ page, open }) => {
  await open('same-matrices?v=1&own.seed=3&own.heads=3');
  const meter = page.locator('#cut > .side hw-difference');
  const wanted = await page.locator('#own > .side hw-difference .meter-number').innerText();
  expect(await meter.locator('.meter-number').innerText()).not.toBe(wanted);
  await page.evaluate(() =>
    document.querySelector('#own')!.append(document.querySelector('#cut > .side hw-difference')!),
  );
  await expect(page.locator('#own > hw-difference .meter-number')).toHaveText(wanted);
});

test('choices set their parameter, and show which is in force', async ({ page, open }) => {
  await open('same-matrices');
  const choices = page.locator('#equal hw-choices');
  await move(choices);
  await choices.getByRole('button').nth(1).click();
  await expect(choices.getByRole('button').nth(1)).toHaveAttribute('aria-pressed', 'true');
  await shows(page, 'equal');
  // hide= reaches them too.
  await page.goto(`${page.url().split('#')[0]}#same-matrices?v=1&hide=construction`);
  await expect(choices).toBeHidden();
});

test('the editor edits, and hears of a chosen cell once', async ({ page, open }) => {
  await open('same-matrices');
  const editor = page.locator('#own hw-editor');
  await move(editor);
  await move(editor);
  await editBlock(page, 'q', 1, 'Set to 0');
  await editBlock(page, 'k', 2, 'Set to 0');
  await expect(page.locator('#ninth-way .task-verdict')).toHaveText(/✓/);
  await shows(page, 'own');
  const selections = await editor.evaluate((element) => {
    let count = 0;
    const own = HTMLInputElement.prototype.select;
    HTMLInputElement.prototype.select = function () {
      ++count;
      own.call(this);
    };
    element.querySelector<HTMLElement>('td[data-row="1"]')?.click();
    return new Promise<number>((resolve) => setTimeout(() => resolve(count), 50));
  });
  expect(selections).toBe(1);
});

test('exercises grade once, and keep what was typed', async ({ page, open }) => {
  await open('many-heads');
  const exercise = page.locator('#wide-shape');
  await exercise.locator('input').first().fill('6');
  await move(exercise);
  await expect(exercise.locator('input').first()).toHaveValue('6');
  await exercise.locator('input').nth(1).fill('6');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(exercise.locator('.task-verdict')).toHaveText('✓ Right: 6 × 6.');
  await expect(exercise.locator('.task-title')).toHaveCount(1);

  const cells = page.locator('#find-cell');
  await move(cells);
  await cells.getByRole('button', { name: 'Choose a cell' }).click();
  await page.locator('#layouts .grid[data-path="layouts.torch"] td[data-row="0"][data-column="0"]').first().click();
  await expect(cells.locator('.task-verdict')).not.toBeEmpty();
});

test('a prediction takes the bet, and uncovers what it kept', async ({ page, open }) => {
  await open('same-matrices');
  const prediction = page.locator('#bet');
  await move(prediction);
  await prediction.locator('.option').first().click();
  await expect(prediction.locator('.verdict').first()).toHaveText(/✓|✗/);
  await expect(page.locator('[after="bet"].covered')).toHaveCount(0);
});

test('a listing lights the figures of the bench it now stands in', async ({ page, open }) => {
  await open('same-matrices');
  const code = page.locator('#cut hw-code').first();
  await move(page.locator('#cut'));
  await move(code);
  await code.locator('.code-line.linked').nth(2).hover();
  await expect(page.locator('#cut .lit-figure')).not.toHaveCount(0);
});

test('training goes on with the steps it has, on the same chart', async ({ page, open }) => {
  await open('heads-that-specialise');
  const training = page.locator('.training');
  await page.locator('hw-training').scrollIntoViewIfNeeded();
  await expect(training).toHaveAttribute('data-state', 'paused', { timeout: 50_000 });
  await training.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(training).toHaveAttribute('data-step', '1');
  await expect(page.locator('.chart-host canvas')).toHaveCount(1);
  await move(page.locator('hw-training'));
  await training.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(training).toHaveAttribute('data-step', '2');
  await expect(page.locator('.chart-host canvas')).toHaveCount(1);

  // Taken out for good, it ends its worker.
  await expect.poll(() => page.workers().length).toBe(1);
  await page.locator('hw-training').evaluate((element) => element.remove());
  await expect.poll(() => page.workers().length).toBe(0);
});
