// Lesson 4 answers its question: eight buttons and the learner's own editing bring the difference to 0, the plain cut does not, and
// an unlucky random test only seems to.

import type { Locator, Page } from '@playwright/test';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { readNumber } from './support/numbers.ts';
import { editBlock } from './support/solutions.ts';
import { expect, test } from './support/test.ts';

function meterOf(page: Page, benchId: string): Locator {
  return page.locator(`#${benchId} .side hw-difference`);
}

async function differenceOf(page: Page, benchId: string): Promise<number> {
  return readNumber(await meterOf(page, benchId).locator('.meter-number').innerText())?.value ?? NaN;
}

test('each of the eight constructions brings the difference to 0, and the plain cut does not', async ({
  page,
  open,
}) => {
  await open('same-matrices');
  const { constructions } = await engine();
  const buttons = page.locator('#equal hw-choices').getByRole('button');
  await expect(buttons).toHaveCount(constructions.length + 1);

  for (const [index, construction] of constructions.entries()) {
    await buttons.nth(index).click();
    await expect(buttons.nth(index)).toHaveAttribute('aria-pressed', 'true');
    await expect(meterOf(page, 'equal')).toContainText('equal');
    expect(await differenceOf(page, 'equal'), construction).toBeLessThan(1e-12);
    await expect(page.locator('#equal hw-comparison')).toContainText('All cells agree.');
  }
  await buttons.last().click();
  await expect(meterOf(page, 'equal')).not.toContainText('equal');
  expect(await differenceOf(page, 'equal')).toBeGreaterThan(0.01);
  await expect(page.locator('#equal hw-comparison')).toContainText('cells differ.');
});

test('editing by hand reaches 0: two blocks set to 0 under a causal mask', async ({ page, open }) => {
  await open('same-matrices');
  expect(await differenceOf(page, 'own')).toBeGreaterThan(0.01);
  await editBlock(page, 'q', 1, 'Set to 0');
  await expect(page.locator('#ninth-way .task-verdict')).not.toHaveText(/✓/);
  await editBlock(page, 'k', 2, 'Set to 0');
  await expect(page.locator('#ninth-way .task-verdict')).toHaveText(/✓/);
  expect(await differenceOf(page, 'own')).toBeLessThan(1e-9);
});

test('editing by hand reaches 0: one head silent, the other with the whole map', async ({ page, open }) => {
  await open('same-matrices?v=1&own.mask=none');
  await editBlock(page, 'v', 1, 'Set to 0');
  await editBlock(page, 'q', 1, 'Copy from', 'W_q, block 2');
  await editBlock(page, 'k', 1, 'Copy from', 'W_k, block 2');
  await expect(page.locator('#ninth-way .task-verdict')).not.toHaveText(/✓/);
  await editBlock(page, 'q', 1, 'Multiply by', String(Math.SQRT2 - 1));
  await expect(page.locator('#ninth-way .task-verdict')).toHaveText(/✓/);
  expect(await differenceOf(page, 'own')).toBeLessThan(1e-9);
});

test('a button rebuilt by editing, and an output of zeros, are told from a way of one’s own', async ({
  page,
  open,
}) => {
  await open('same-matrices');
  const exercise = page.locator('#ninth-way');
  for (const block of [1, 2]) await editBlock(page, 'v', block, 'Set to 0');
  expect(await differenceOf(page, 'own')).toBe(0);
  await exercise.getByRole('button', { name: 'Check' }).click();
  const feedback = exercise.locator('hw-feedback').filter({ visible: true });
  await expect(feedback).toContainText('The output is zero everywhere.');
  await page.locator('#own').getByRole('button', { name: 'Undo all' }).click();
  for (const block of [1, 2]) await editBlock(page, 'k', block, 'Set to 0');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(feedback).toContainText('This is button (e)');
});

test('the trap opens on a difference of exactly 0, though the layers differ', async ({ page, open }) => {
  await open('same-matrices');
  await expect(meterOf(page, 'trap').locator('.meter-number')).toHaveText('0');
  await expect(meterOf(page, 'trap')).toContainText('equal to the last bit');
  // It was no accident of the meter: all maps are one-hot.
  const { figures } = await readBench(page, 'trap');
  const maps = figures.filter(({ tag }) => tag === 'hw-matrix').flatMap(({ grids }) => grids);
  expect(maps).toHaveLength(9);
  for (const { cells } of maps) {
    for (const row of cells) expect(row.filter((cell) => cell !== '0' && cell !== '.00')).toHaveLength(1);
  }
  await page.locator('#trap hw-control[name=inputs]').getByRole('radio', { name: 'normal' }).check();
  await page
    .locator('#trap hw-control[name=distribution]')
    .getByRole('radio', { name: 'normal, variance 1/d' })
    .check();
  await expect(meterOf(page, 'trap')).not.toContainText('equal');
});

test('cutting gives the heads matrices of their own: their outputs differ, those of sharing heads do not', async ({
  page,
  open,
}) => {
  await open('same-matrices');
  const similarity = async (benchId: string) => {
    const { figures } = await readBench(page, benchId);
    const grid = figures.find(({ attributes }) => attributes.of === 'similarity.outputs')?.grids[0];
    return readNumber(grid?.cells[0]?.[1] ?? '')?.value;
  };
  expect(await similarity('shared-heads')).toBe(1);
  expect(await similarity('cut-heads')).toBeLessThan(0.95);
});
