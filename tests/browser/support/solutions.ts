// How the exercises of kind "condition" are solved: by operating the page, for no answer is typed there.

import { expect, type Page } from '@playwright/test';
import { changesIn } from './address.ts';
import { lastStep, Training } from './training.ts';

export interface Solution {
  /** Steps that do not solve it, and a part of what the exercise then says. */
  readonly wrong?: { readonly act: (page: Page) => Promise<void>; readonly says: RegExp };
  readonly right: (page: Page) => Promise<void>;
}

const bench = (page: Page, id: string) => page.locator(`#${id}`);

/** Steps from where the slider stands, so that no other value is passed through. */
async function slideTo(page: Page, benchId: string, name: string, wanted: number): Promise<void> {
  const control = bench(page, benchId).locator(`hw-control[name="${name}"]`);
  const stands = async () => Number(await control.locator('output').innerText());
  const from = await stands();
  for (let at = from; at !== wanted; at += Math.sign(wanted - at)) {
    await control.locator('input[type=range]').press(wanted > from ? 'ArrowRight' : 'ArrowLeft');
    if ((await stands()) === wanted) return;
  }
}

async function choose(page: Page, benchId: string, name: string, choice: string): Promise<void> {
  await bench(page, benchId)
    .locator(`hw-control[name="${name}"]`)
    .getByRole('radio', { name: choice, exact: true })
    .check();
}

/** Presses buttons of the editor, as a learner does: matrix, block, tool. */
export async function editBlock(
  page: Page,
  matrix: 'q' | 'k' | 'v',
  block: number,
  tool: string,
  value = '',
): Promise<void> {
  const editor = page.locator('#own hw-editor');
  const index = ['q', 'k', 'v'].indexOf(matrix);
  await editor.getByRole('group', { name: 'Matrix' }).getByRole('button').nth(index).click();
  await editor.getByRole('button', { name: `block ${block}`, exact: true }).click();
  if (tool === 'Multiply by') await editor.getByLabel('Factor').fill(value);
  if (tool === 'Copy from') await editor.getByLabel('Block to copy from').selectOption({ label: value });
  const before = changesIn(page.url(), 'own').get('edits');
  await editor.getByRole('button', { name: tool, exact: true }).click();
  await page.waitForURL((url) => changesIn(url.hash, 'own').get('edits') !== before);
}

/** Chooses an arrow of the row, and sets where it ends by its sliders. */
async function moveArrow(page: Page, arrow: string, across: string, up: string): Promise<void> {
  const mover = page.locator('#steps hw-row').getByRole('group', { name: 'Move an arrow' });
  await mover.getByRole('button', { name: arrow, exact: true }).click();
  await mover.getByRole('slider').first().fill(across);
  await mover.getByRole('slider').last().fill(up);
}

const putBack = (page: Page) => page.locator('#steps hw-row').getByRole('button', { name: 'Put back' }).click();

async function costHeads(page: Page, benchId: string, key: string): Promise<void> {
  await bench(page, benchId).locator('hw-costs').first().getByRole('slider').press(key);
}

async function costWidth(page: Page, benchId: string, width: string): Promise<void> {
  await bench(page, benchId).locator('hw-costs').first().getByRole('button', { name: width, exact: true }).click();
}

export const solutions: Readonly<Record<string, Solution>> = {
  parting: {
    wrong: {
      async act(page) {
        const training = new Training(page);
        await training.appears();
        await training.watch('equalStart');
      },
      says: /There is no film yet/,
    },
    async right(page) {
      const training = new Training(page);
      await training.playToTheEnd();
      for (let step = 0, apart = 0; step <= lastStep && apart <= 0.1; step += 5) {
        await training.goTo(step);
        apart = Number(await training.element.locator('[data-gap]').getAttribute('data-apart'));
      }
    },
  },
  nudge: {
    wrong: {
      async act(page) {
        const training = new Training(page);
        await training.appears();
        await training.playToTheEnd();
        await training.watch('equalForever');
      },
      says: /equal to the last bit/,
    },
    async right(page) {
      const training = new Training(page);
      await training.goTo(0);
      await training.nudge.click();
      await expect(training.element.locator('.training-nudge')).toContainText('Nudged after 0 steps');
      await training.goTo(lastStep);
    },
  },
  'same-budget': {
    wrong: { act: (page) => slideTo(page, 'hand', 'heads', 6), says: /more than d/ },
    right: (page) => slideTo(page, 'hand', 'headWidth', 2),
  },
  'pull-a-key': {
    wrong: { act: (page) => moveArrow(page, 'k I', '1', '0'), says: /The right way/ },
    right: (page) => moveArrow(page, 'k I', '2', '0.5'),
  },
  'even-shares': {
    wrong: { act: (page) => moveArrow(page, 'k tea', '0', '0'), says: /Another arrow is moved/ },
    async right(page) {
      await putBack(page);
      await moveArrow(page, 'q like', '0', '0');
    },
  },
  'empty-row': {
    wrong: {
      act: (page) => choose(page, 'masks', 'mask', 'padding'),
      says: /Not yet/,
    },
    right: (page) => slideTo(page, 'masks', 'length', 0),
  },
  'hide-the-bug': {
    wrong: { act: (page) => slideTo(page, 'reshape', 'heads', 3), says: /Not yet/ },
    right: (page) => slideTo(page, 'reshape', 'heads', 1),
  },
  'break-the-trap': {
    wrong: {
      act: (page) => choose(page, 'trap', 'inputs', 'normal'),
      says: /Put the input back to “from 0 to 1”/,
    },
    async right(page) {
      await choose(page, 'trap', 'inputs', 'from 0 to 1');
      for (let seeds = 0; seeds < 20; ++seeds) {
        const meter = bench(page, 'trap').locator('.side hw-difference .meter-number');
        if ((await meter.innerText()) !== '0') return;
        const before = page.url();
        await bench(page, 'trap').getByRole('button', { name: 'New numbers' }).click();
        await page.waitForURL((url) => url.href !== before);
        await page.waitForFunction(() => document.querySelector('#trap')?.classList.contains('stale') === false);
      }
      throw new Error('twenty seeds, and in none did the layers differ');
    },
  },
  'budget-kept': {
    wrong: {
      async act(page) {
        await page.locator('#price-bet').getByRole('button').first().click();
        await costWidth(page, 'price', 'heads of width d');
        await costHeads(page, 'price', 'End');
      },
      says: /the parameters grew with them/,
    },
    right: (page) => costWidth(page, 'price', 'heads of width d / h'),
  },
  'quarter-cache': {
    wrong: {
      async act(page) {
        await page.locator('#cache-bet').getByRole('button').first().click();
        await costHeads(page, 'cache', 'Home');
      },
      says: /more sets would fit/,
    },
    async right(page) {
      for (let step = 0; step < 3; ++step) await costHeads(page, 'cache', 'ArrowRight');
    },
  },
  rewire: {
    wrong: {
      act: (page) => page.locator('#repair hw-partners').getByRole('button', { name: /^Q1:/ }).click(),
      says: /look for ≠/,
    },
    async right(page) {
      const heads = page.locator('#repair hw-partners').getByRole('button');
      for (const at of [0, 1, 2, 3, 4, 5])
        while (!/as trained/.test((await heads.nth(at).getAttribute('aria-label')) ?? '')) {
          const before = (await heads.nth(at).getAttribute('aria-label')) ?? '';
          await heads.nth(at).click();
          await expect(heads.nth(at)).not.toHaveAttribute('aria-label', before);
        }
    },
  },
  'rank-drops': {
    wrong: { act: (page) => choose(page, 'share', 'sharing', 'Q, K, V'), says: /The rank has dropped/ },
    right: (page) => choose(page, 'share', 'sharing', 'K, V'),
  },
  'ninth-way': {
    wrong: {
      async act(page) {
        for (const block of [1, 2]) await editBlock(page, 'q', block, 'Set to 0');
      },
      says: /This is button \(d\)/,
    },
    async right(page) {
      await page.locator('#own hw-editor').getByRole('button', { name: 'Undo', exact: true }).click();
      await editBlock(page, 'k', 2, 'Set to 0');
    },
  },
};
