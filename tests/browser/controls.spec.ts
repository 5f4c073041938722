// Every control of every bench is moved, and everything the bench displays is compared with what the engine in Node says about the
// state in the address. A control that changes nothing one can see fails.

import type { Locator, Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { controlsOf, movesOf } from './support/controls.ts';
import { readBench, seen } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { texts } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

/** Waits until figures and address agree, and, after `before`, until something looks different. True if it does. */
async function settled(page: Page, benchId: string, before?: string): Promise<boolean> {
  const headwise = await engine();
  let different = false;
  let faults: string[] = [];
  await expect
    .poll(
      async () => {
        const bench = await readBench(page, benchId);
        different = before === undefined || seen(bench) !== before;
        faults = faultsOf(headwise, bench);
        return faults.length === 0 && different;
      },
      { intervals: [20, 50, 100, 100, 200], timeout: 2_000 },
    )
    .toBe(true)
    .catch(() => undefined);
  expect(faults, `what ${benchId} displays at ${page.url()}`).toEqual([]);
  return different;
}

/** The answers to predictions cover figures. */
async function placeBets(page: Page, benchId: string): Promise<void> {
  for (const prediction of await page.locator(`#${benchId} hw-prediction`).all()) {
    await prediction.getByRole('button').first().press('Enter');
  }
}

/** Operates a control, and after each move those that are there only now, such as the length of a padding. */
async function operate(
  page: Page,
  benchId: string,
  key: string,
  control: Locator,
  operated: Set<string>,
): Promise<void> {
  operated.add(key);
  const effective = new Map<string, boolean>();
  for await (const { part, act, oneOfSeveral } of movesOf(key, control)) {
    const before = seen(await readBench(page, benchId));
    await act();
    const different = await settled(page, benchId, before);
    if (!oneOfSeveral) expect(different, `${key}: ${part} changes something in sight at ${page.url()}`).toBe(true);
    effective.set(part, different || effective.get(part) === true);
    for (const added of await controlsOf(page, benchId)) {
      if (!operated.has(added.key)) await operate(page, benchId, added.key, added.control, operated);
    }
  }
  expect(effective.size, `${key} has something to operate`).toBeGreaterThan(0);
  for (const [part, has] of effective) expect(has, `${key}: ${part} changes something in sight`).toBe(true);
}

for (const { id, benches } of texts) {
  for (const benchId of benches) {
    test(`${id}: every control of “${benchId}” moves its figures, and their numbers are the engine's`, async ({
      page,
      open,
    }) => {
      await open(id);
      await placeBets(page, benchId);
      await settled(page, benchId);
      const start = seen(await readBench(page, benchId));
      const startUrl = page.url();
      const reset = page.locator(`#${benchId} hw-controls`).getByRole('button', { name: 'Reset' }).first();

      const controls = await controlsOf(page, benchId);
      // Each by itself from the start state; those that come and go are operated when they come.
      const operated = new Set(controls.map(({ key }) => key));
      for (const { key, control } of controls) {
        await operate(page, benchId, key, control, operated);
        if (page.url() === startUrl) continue;
        if ((await reset.count()) > 0) {
          await reset.press('Enter');
        } else {
          await page.goto('about:blank');
          await open(id);
        }
        await settled(page, benchId);
        await expect(page).toHaveURL(startUrl);
        expect(seen(await readBench(page, benchId)), `after reset ${benchId} looks as at the start`).toBe(start);
      }
    });
  }
}
