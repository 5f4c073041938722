// Lesson 6's film: the bar goes through what was trained, backwards and forwards; a nudge parts what nothing else does; a link brings it back.

import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';
import { lastStep, lesson, opened, runs, Training } from './support/training.ts';

test('the bar shows each step again, as the engine has it, and nothing is trained anew', async ({ page, open }) => {
  const training = await opened(page, open);
  const start = await training.maps();
  await training.playToTheEnd();
  const end = await training.maps();
  expect(end).not.toEqual(start);
  await training.goTo(0);
  expect(await training.maps()).toEqual(start);

  const { createTrainer, attend, compareMatrices } = await engine();
  const trainer = createTrainer({ ...runs.unique, seed: 1 });
  trainer.step(35);
  const { layer } = trainer.probe();
  const [first, second] = attend(layer).heads.map(({ attentionWeights }) => attentionWeights);
  await training.goTo(35);
  const gap = training.element.locator('[data-gap]');
  expect(Number(await gap.getAttribute('data-apart'))).toBe(compareMatrices(first!, second!).largestDifference);
  // Losses are taken every ten steps: those of the last before.
  trainer.reset();
  trainer.step(30);
  expect((await training.losses('[data-run=unique]'))[0]).toBe(trainer.evaluate().loss);
  trainer.dispose();

  await training.bar.press('ArrowRight');
  await expect(training.element).toHaveAttribute('data-step', '40');
  await training.bar.press('End');
  expect(await training.maps()).toEqual(end);
  expect(await training.trained()).toBe(lastStep);
});

test('beyond the end of the film the bar trains to there, and Play goes on from where it stands', async ({
  page,
  open,
}) => {
  const training = await opened(page, open);
  await training.bar.fill('40');
  await training.bar.dispatchEvent('change');
  await expect(training.element).toHaveAttribute('data-trained', '40');
  await training.goTo(10);
  await training.pace('at once');
  await training.button('Play').click();
  await training.is('done');
  expect([await training.step(), await training.trained()]).toEqual([lastStep, lastStep]);
  // Again: the film, from its start.
  await training.pace('slow');
  await training.button('Play again').click();
  await training.reaches(3);
  expect(await training.step()).toBeLessThan(lastStep);
  expect(await training.trained()).toBe(lastStep);
});

test('one number changed by a millionth parts the heads that nothing else parts', async ({ page, open }) => {
  const training = await opened(page, open);
  await training.playToTheEnd();
  await training.watch('equalForever');
  const gap = training.element.locator('[data-gap]');
  await expect(gap).toHaveAttribute('data-gap', '0');
  const before = (await training.losses('[data-run=equalForever]'))[0]!;
  await training.goTo(50);
  await training.nudge.click();
  await expect(training.element.locator('.training-nudge')).toContainText('Nudged after 50 steps');
  await expect(gap).toHaveAttribute('data-gap', '0');
  await training.goTo(lastStep);
  const { createTrainer } = await engine();
  const trainer = createTrainer({ ...runs.equalForever, seed: 1 });
  trainer.step(50);
  trainer.nudgeOutput(0, 0, 1e-6);
  trainer.step(250);
  const after = (await training.losses('[data-run=equalForever]'))[0]!;
  expect(after).toBe(trainer.evaluate().loss);
  expect(after).toBeLessThan(0.1 * before);
  trainer.dispose();
});

test('a link brings back the run, the step and the nudge', async ({ page, open }) => {
  const training = await opened(page, open);
  await training.playToTheEnd();
  await training.watch('equalForever');
  await training.goTo(50);
  await training.nudge.click();
  await training.goTo(200);
  await training.bar.dispatchEvent('change');
  await expect.poll(() => page.url()).toMatch(/runs\.run=equalForever.*runs\.step=200.*runs\.nudge=50/);
  const shown = await training.maps();

  const other = await page.context().newPage();
  await other.goto(page.url());
  const again = new Training(other);
  await other.locator('hw-training').scrollIntoViewIfNeeded();
  await expect(again.element).toHaveAttribute('data-step', '200', { timeout: 50_000 });
  await expect(again.element.locator('.training-nudge')).toContainText('Nudged after 50 steps');
  expect(await again.maps()).toEqual(shown);
});

test('what becomes of the runs is covered until it has been seen', async ({ page, open }) => {
  const training = await opened(page, open);
  const told = page.getByText('has fallen to the bound and stays there');
  await expect(told).toBeHidden();
  await training.playToTheEnd();
  await expect(told).toBeVisible();
  await page.reload();
  // The step is in the address, so it is trained to there again.
  await page.locator('hw-training').scrollIntoViewIfNeeded();
  await expect(told).toBeVisible({ timeout: 50_000 });
});

test('whoever does not want to train may ask what becomes of the runs', async ({ page, open }) => {
  await open(lesson);
  const told = page.getByText('has fallen to the bound and stays there');
  await expect(told).toBeHidden();
  await page.getByRole('button', { name: 'Show it now' }).click();
  await expect(told).toBeVisible();
});

test('the exercises of the film ask for what only the film shows', async ({ page, open }) => {
  const training = await opened(page, open);
  const parting = page.locator('#parting');
  const check = parting.getByRole('button', { name: 'Check' });
  await check.click();
  await expect(parting).toContainText('That is another run.');
  await training.watch('equalStart');
  await check.click();
  await expect(parting).toContainText('There is no film yet.');
  await training.playToTheEnd();
  await check.click();
  await expect(parting).toContainText('Here they have parted already');
  const gap = training.element.locator('[data-gap]');
  for (let step = 0; step <= lastStep; step += 5) {
    await training.goTo(step);
    if (Number(await gap.getAttribute('data-apart')) > 0.1) break;
  }
  await check.click();
  await expect(parting).toContainText('✓');
});
