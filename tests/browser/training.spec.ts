// Lesson 6's runs on the real page: what they end with, for three seeds, against the engine's own trainers in Node.

import { gridFaults } from './support/compare.ts';
import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';
import { lastStep, lesson, opened, runNames, trainersOf, type Run } from './support/training.ts';

for (const seed of [1, 2, 3]) {
  test(`seed ${seed}: after 300 steps the six runs are where theory puts them, and where the engine in Node is`, async ({
    page,
    open,
  }) => {
    test.setTimeout(150_000);
    const training = await opened(page, open, `${lesson}?v=1&runs.seed=${seed}`);
    await training.playToTheEnd();

    const trainers = await trainersOf(seed);
    const bound = trainers.single.evaluate().oneHeadBound;
    // 5/12 in expectation; the bound of 4,096 sequences is within 0.01 of it.
    expect(Math.abs(bound - 5 / 12)).toBeLessThan(0.01);
    await expect(training.element.locator('.chart figcaption')).toContainText(bound.toFixed(4));

    const learns: Readonly<Record<Run, boolean>> = {
      single: false,
      unique: true,
      shared: false,
      equalStart: true,
      equalForever: false,
      // Better than one head, and far from done.
      twelve: false,
    };
    for (const run of runNames) {
      const [loss = NaN, previous, first] = await training.losses(`[data-run=${run}]`);
      if (learns[run]) {
        expect(loss, run).toBeLessThan(0.01);
      } else if (run === 'twelve') {
        expect(loss, run).toBeLessThan(0.75 * bound);
        expect(loss, run).toBeGreaterThan(0.4 * bound);
      } else {
        expect(loss, run).toBeLessThan(bound + 0.01);
        expect(loss, run).toBeGreaterThan(bound - 0.005);
      }
      // The same module, step by step, on the same numbers: the same bits.
      trainers[run].step(lastStep);
      const expected = trainers[run].evaluate();
      expect([loss, previous, first], run).toEqual([expected.loss, expected.previousLoss, expected.firstLoss]);
    }

    await training.watch('equalForever');
    await expect(training.element.locator('[data-gap]')).toHaveAttribute('data-gap', '0');
    await expect(training.element.locator('[data-gap]')).toContainText('equal to the last bit');
    for (const run of ['unique', 'equalStart'] as const) {
      await training.watch(run);
      expect(Number(await training.element.locator('[data-gap]').getAttribute('data-gap'))).toBeGreaterThan(0.1);
      // Each head carries one look-up: without it that one is lost, and the other is not.
      const without = [await training.losses('[data-without="0"]'), await training.losses('[data-without="1"]')];
      const lost = without.map(([, previous = NaN, first = NaN]) => (previous > first ? 'previous' : 'first'));
      expect(lost.toSorted()).toEqual(['first', 'previous']);
      for (const [, ...both] of without) {
        expect(Math.max(...both)).toBeGreaterThan(0.5);
        expect(Math.min(...both)).toBeLessThan(0.1);
      }
    }

    // The maps are the engine's.
    await training.watch('unique');
    const { heads } = (await engine()).attend(trainers.unique.probe().layer);
    const drawn = await training.element.locator('.training-maps .grid').evaluateAll((grids) =>
      grids.map((grid) => ({
        shape: grid.querySelector('.figure-shape')?.textContent ?? '',
        rowNames: [],
        columnNames: [],
        cells: [...grid.querySelectorAll('tbody tr')].map((row) =>
          [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim()),
        ),
        marked: [],
        picture: false,
      })),
    );
    expect(drawn).toHaveLength(2);
    expect(
      heads.flatMap((head, index) => gridFaults(`head ${index}`, drawn[index]!, head.attentionWeights, [])),
    ).toEqual([]);
    for (const trainer of Object.values(trainers)) trainer.dispose();
  });
}

test('the summary, the table of all losses and the chart tell the same', async ({ page, open }) => {
  const training = await opened(page, open);
  await training.pace('at once');
  await training.button('Play').click();
  await training.reaches(20);
  await training.button('Pause').click();
  await training.is('paused');
  await expect(training.element.getByRole('status')).toContainText(/After \d+ steps: one head 0\.\d+, two heads/);
  await expect(training.element.getByRole('img')).toHaveAttribute('aria-label', /After \d+ steps: one head/);

  await training.element.getByText('All losses as a table').click();
  const rows = training.element.locator('.training-losses tbody tr');
  // What was under way when the button was pressed still arrives.
  await expect(async () => {
    const last = await rows.last().locator('td').allInnerTexts();
    const now = await training.element.locator('tr[data-run] td:nth-of-type(1)').allInnerTexts();
    expect(last).toEqual(now);
    expect(await rows.count()).toBe((await training.step()) / 10 + 1);
    const summary = await training.element.getByRole('status').innerText();
    for (const loss of now) expect(summary).toContain(loss);
  }).toPass();
  const canvas = training.element.locator('.chart-host canvas');
  await expect(canvas).toBeVisible();
});

test('the heads shown are those chosen last, at the last step, and what is lost without each keeps up', async ({
  page,
  open,
}) => {
  const training = await opened(page, open);
  await training.button('Step').click();
  await training.reaches(1);
  await training.pace('fast');
  await training.button('Play').click();
  await training.reaches(21);
  const without = training.element.locator('table:has([data-without]) caption');
  await expect(without).toContainText(/after (1[0-9]|2[0-9]|[3-9][0-9]|\d{3}) steps/);
  await training.pace('at once');
  // Chosen while a step is under way, perhaps the last.
  await training.reaches(281);
  await training.element.locator('.watched input[value=shared]').check();
  await training.is('done');
  const maps = training.element.locator('.training-maps');
  await expect(maps).toHaveAttribute('data-run', 'shared');
  await expect(maps).toHaveAttribute('data-step', String(lastStep));
});
