// What an exercise asks for cannot be copied from the page; what is said of an answer stays while the learner follows it.

import type { Locator, Page } from '@playwright/test';
import { authored } from './support/authored.ts';
import { resultsFor } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { lessons } from './support/lessons.ts';
import { shows } from './support/numbers.ts';
import { expect, test } from './support/test.ts';

const cellIn = (page: Page, bench: string, path: string, row: number, column: number) =>
  page.locator(`#${bench} .grid[data-path="${path}"] td[data-row="${row}"][data-column="${column}"]`).first();
const verdict = (exercise: Locator) => exercise.locator('.task-verdict');

for (const { id, exercises } of lessons) {
  test(`${id}: no figure shows the number or the shape that is asked for`, async ({ page, open }) => {
    await open(id);
    const headwise = await engine();
    for (const exerciseId of exercises) {
      const task = await authored(page, exerciseId);
      const path = task.attributes['answer-of'] ?? '';
      const bench = page.locator(`hw-bench#${task.bench.id}`);
      if (task.attributes.kind === 'number') {
        const [, matrix, row, column] = /^(.*)\((\d+), (\d+)\)$/.exec(path) ?? [];
        if (matrix === undefined) continue;
        const cells = bench.locator(`.grid[data-path="${matrix}"] td[data-row="${row}"][data-column="${column}"]`);
        for (const cell of await cells.all()) await expect(cell, exerciseId).toHaveText('?');
      } else if (task.attributes.kind === 'shape' && path.endsWith('.shape')) {
        const shape = bench.locator(`.grid[data-path="${path.replace(/\.shape$/, '')}"] .figure-shape`);
        for (const told of await shape.all()) await expect(told, exerciseId).toHaveText('? × ?');
        const results = resultsFor(headwise, { attributes: task.bench, hash: '' });
        expect(results.at(path), exerciseId).toHaveLength(2);
      }
    }
  });
}

test('the score that is asked for is nowhere, neither where it goes on nor in the arithmetic, until it is answered', async ({
  page,
  open,
}) => {
  await open('one-head');
  const asked = cellIn(page, 'steps', 'heads[0].rawScores', 2, 0);
  const later = ['scaledScores', 'maskedScores'].map((name) => cellIn(page, 'steps', `heads[0].${name}`, 2, 0));
  for (const cell of [asked, ...later]) {
    await expect(cell).toHaveText('?');
    // Its colour would tell the size.
    await expect(cell).toHaveAttribute('style', /--fill: ?0(?:\.0+)?;?$/);
  }
  const results = page.locator('#steps hw-product .step-line .strong');
  await asked.click();
  await expect(results).toHaveText('?');
  await cellIn(page, 'steps', 'heads[0].attentionWeights', 2, 0).click();
  await expect(results.nth(0)).toHaveText('?');
  await expect(page.locator('#steps hw-product .softmax tr.chosen td').first()).toHaveText('?');

  const exercise = page.locator('#one-score');
  await exercise.getByLabel('Your answer').fill('9');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(asked).toHaveText('?');
  await exercise.getByRole('button', { name: 'Show the answer' }).click();
  await expect(asked).not.toHaveText('?');
  const score = resultsFor(await engine(), await readBench(page, 'steps')).at('heads[0].rawScores(2, 0)') as number;
  expect(shows(await asked.innerText(), score)).toBe(true);
  expect(await verdict(exercise).innerText()).toContain(score.toFixed(1).replace('-', '−'));
  for (const cell of later) await expect(cell).not.toHaveText('?');

  // Another of its kind is another question.
  await exercise.getByRole('button', { name: 'Another' }).click();
  await expect(asked).toHaveText('?');
});

test('what was solved stays uncovered, also in a later visit, until another is asked for', async ({ page, open }) => {
  await open('projection-shapes');
  const told = page.locator('#views .grid[data-path="heads[0].queries"] .figure-shape:visible').first();
  const exercise = page.locator('#read-query-shape');
  await expect(told).toHaveText('? × ?');
  await exercise.getByLabel('Rows').fill('5');
  await exercise.getByLabel('Columns').fill('4');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(exercise)).toHaveText(/✓/);
  await expect(told).toHaveText('5 × 4');
  await page.reload();
  await expect(told).toHaveText('5 × 4');
  await exercise.getByRole('button', { name: 'Another' }).click();
  await expect(told).toHaveText('? × ?');
});

test('another after a solved one is covered, also where only the seed changes', async ({ page, open }) => {
  await open('one-head');
  const asked = cellIn(page, 'steps', 'heads[0].rawScores', 2, 0);
  const exercise = page.locator('#one-score');
  const score = resultsFor(await engine(), await readBench(page, 'steps')).at('heads[0].rawScores(2, 0)') as number;
  await exercise.getByLabel('Your answer').fill(score.toFixed(1));
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(exercise)).toHaveText(/✓/);
  await expect(asked).not.toHaveText('?');
  await exercise.getByRole('button', { name: 'Another' }).click();
  await expect(asked).toHaveText('?');
});

test('a cell that is asked for is not given away by choosing it elsewhere', async ({ page, open }) => {
  await open('many-heads');
  const key = cellIn(page, 'layouts', 'weights.W_k[1]', 0, 1);
  await key.hover();
  await expect(page.locator('#layouts .grid[data-path="layouts.gpt2"] td.chosen')).toHaveCount(1);
  await expect(page.locator('#layouts .grid[data-path="layouts.torch"] td.chosen')).toHaveCount(0);
  // Nor the other way round.
  await cellIn(page, 'layouts', 'layouts.torch', 7, 0).hover();
  await expect(page.locator('#layouts .grid[data-path="weights.W_k[1]"] td.chosen')).toHaveCount(0);

  const exercise = page.locator('#find-cell');
  const start = exercise.getByRole('button', { name: 'Choose a cell' });
  await start.click();
  await expect(page.locator('#layouts .grid.choosing')).toHaveAttribute('data-path', 'layouts.torch');
  await page.keyboard.press('Escape');
  await expect(page.locator('.grid.choosing')).toHaveCount(0);
  await cellIn(page, 'layouts', 'layouts.torch', 7, 0).click();
  await expect(verdict(exercise), 'looking is no answer').toHaveText('');
  await start.click();
  await cellIn(page, 'layouts', 'layouts.torch', 7, 0).click();
  await expect(verdict(exercise)).toHaveText(/✓/);
  await key.hover();
  await expect(page.locator('#layouts .grid[data-path="layouts.torch"] td.chosen')).toHaveCount(1);
});

test('advice stays while it is followed: a verdict that does not hang on the numbers, and the reply to a state', async ({
  page,
  open,
}) => {
  await open('same-matrices');
  const exercise = page.locator('#in-common');
  const wrong = exercise.getByRole('button', { name: 'All scores are 0' });
  await wrong.click();
  const reason = exercise.locator('hw-reason').filter({ hasText: 'Look at the maps under (f)' });
  await expect(reason).toBeVisible();
  await page.locator('#equal hw-choices').getByRole('button', { name: /\(d\)/ }).click();
  await expect(page).toHaveURL(/construction=zeroQuery/);
  await expect(wrong).toHaveAttribute('aria-pressed', 'true');
  await expect(reason).toBeVisible();

  // Other numbers are another question: the verdict on a number goes with them.
  const number = page.locator('#add-scores');
  await number.getByLabel('Your answer').fill('9');
  await number.getByRole('button', { name: 'Check' }).click();
  await expect(verdict(number)).toHaveText(/✗/);
  await page.locator('#cut').getByRole('button', { name: 'New numbers' }).click();
  await expect(verdict(number)).toHaveText('');
});

test('a reply is read out with its verdict', async ({ page, open }) => {
  await open('one-head');
  const exercise = page.locator('#cross-shape');
  for (const side of ['Rows', 'Columns']) await exercise.getByLabel(side).fill('3');
  await exercise.getByRole('button', { name: 'Check' }).click();
  const reply = exercise.locator('[aria-live]');
  await expect(reply).toHaveCount(1);
  await expect(reply.locator('.task-verdict')).toHaveText(/✗/);
  await expect(reply.locator('hw-feedback:visible')).toHaveText('That is the output.');
  await expect(exercise).toHaveAccessibleName(/^Exercise 2\.\d+ Two sequences, one map$/);
});

test('steps are put in order by dragging, too', async ({ page, open }) => {
  await open('weight-sharing');
  const items = page.locator('#come-apart .order > li');
  const texts = () => items.locator('span').allInnerTexts();
  await items.first().scrollIntoViewIfNeeded();
  const before = await texts();
  const [from, to] = [(await items.nth(0).boundingBox())!, (await items.nth(1).boundingBox())!];
  await page.mouse.move(from.x + 60, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 60, to.y + to.height - 4, { steps: 5 });
  await page.mouse.up();
  expect(await texts()).toEqual([before[1], before[0], ...before.slice(2)]);
});
