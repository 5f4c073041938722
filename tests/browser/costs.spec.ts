// What heads cost: curves, formulas and tables hold the engine's counts; slider, drags and presets move them; times are measured here.

import type { LayerCost } from 'headwise';
import type { Page } from '@playwright/test';
import { resultsFor } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { shows } from './support/numbers.ts';
import { expect, test } from './support/test.ts';

type Total = Exclude<keyof LayerCost, 'terms'>;
interface Point {
  readonly heads: number;
  readonly cost: LayerCost;
  readonly full: LayerCost;
}

const figure = (page: Page, bench: string) => page.locator(`#${bench} hw-costs`);
const slider = (page: Page, bench: string) => figure(page, bench).getByRole('slider');
const number = (text: string) => Number(text.replaceAll(/[^\d]/g, ''));

async function openCosts(page: Page, open: (hash: string) => Promise<unknown>, hash: string, bet: string) {
  await open(hash);
  await page.locator(`#${bet}`).getByRole('button').first().click();
}

async function results(page: Page, bench: string) {
  return resultsFor(await engine(), await readBench(page, bench));
}

/** Numbers over the curves, formulas and table against the engine's. */
async function expectCounts(page: Page, bench: string, list: string, totals: readonly Total[], both: boolean) {
  const found = await results(page, bench);
  const cost = found.at('cost') as LayerCost;
  for (const of of totals) {
    const panel = figure(page, bench).locator(`.costs-panel[data-count="${of}"]`);
    const shown = (await panel.locator('.costs-number').allInnerTexts()).map(number);
    const [within, full] = [found.at('within') as LayerCost, found.at('full') as LayerCost];
    expect(shown).toEqual(both && within[of] !== full[of] ? [within[of], full[of]] : [within[of]]);
  }
  for (const body of await figure(page, bench).locator('.costs-formulas tbody').all()) {
    const count = (await body.getAttribute('data-count')) as Total;
    const rows = await body.locator('tr').all();
    expect(number((await rows[0]!.locator('td').allInnerTexts())[0]!)).toBe(cost[count]);
    const terms = cost.terms.filter((term) => term.count === count);
    expect(rows).toHaveLength(terms.length + 1);
    for (const [at, term] of terms.entries()) {
      const [letters = '', sizes = '', value = ''] = await rows[at + 1]!.locator('td').allTextContents();
      expect(letters.replaceAll(/\s/g, '')).toBe(term.factors.map(({ symbol }) => symbol.replace('_', '')).join('·'));
      expect(sizes.split('·').map(number)).toEqual(term.factors.map(({ size }) => size));
      expect(number(value)).toBe(term.value);
    }
  }
  const points = found.at(list) as Point[];
  const rows = await figure(page, bench).locator('.costs-table tbody tr').all();
  expect(rows).toHaveLength(points.length);
  for (const [at, point] of points.entries()) {
    const cells = (await rows[at]!.locator('td').allTextContents()).map(number);
    expect(cells).toEqual(totals.flatMap((of) => (both ? [point.cost[of], point.full[of]] : [point.cost[of]])));
  }
}

test('counts, formulas and table are the engine’s at every number of heads', async ({ page, open }) => {
  await openCosts(page, open, 'what-heads-cost', 'price-bet');
  const totals = ['parameters', 'multiplyAdds', 'softmaxTerms'] as const;
  await slider(page, 'price').press('Home');
  for (const heads of [1, 2, 4, 8, 16, 32]) {
    await expect(slider(page, 'price')).toHaveAttribute('aria-valuetext', String(heads));
    await expectCounts(page, 'price', 'byHeads', totals, true);
    await slider(page, 'price').press('ArrowRight');
  }
  await figure(page, 'price').getByRole('button', { name: 'heads of width d', exact: true }).click();
  await expectCounts(page, 'price', 'byHeads', totals, true);
  for (const model of ['GPT-2 small', 'grouped, 8 billion', 'Transformer base']) {
    await figure(page, 'price').getByRole('button', { name: model }).click();
    await expect(figure(page, 'price').getByRole('button', { name: model })).toHaveAttribute('aria-pressed', 'true');
    await expectCounts(page, 'price', 'byHeads', totals, true);
  }
});

test('within the budget the line stands still while the other rises, and a drag in a picture moves the heads', async ({
  page,
  open,
}) => {
  await openCosts(page, open, 'what-heads-cost', 'price-bet');
  const panel = (of: Total) => figure(page, 'price').locator(`.costs-panel[data-count="${of}"]`);
  const heights = async (of: Total, line: string) =>
    ((await panel(of).locator(line).getAttribute('points')) ?? '')
      .split(' ')
      .map((point) => Number(point.split(',')[1]));
  for (const of of ['parameters', 'multiplyAdds'] as const) {
    expect(new Set(await heights(of, '.costs-line:not(.full)')).size).toBe(1);
    const full = await heights(of, '.costs-line.full');
    expect(full).toEqual([...full].sort((a, b) => b - a));
    expect(full[0]).toBeGreaterThan(full.at(-1)!);
  }
  const softmax = await heights('softmaxTerms', '.costs-line:not(.full)');
  expect(softmax[0]).toBeGreaterThan(softmax.at(-1)!);
  await panel('parameters').locator('svg').scrollIntoViewIfNeeded();
  const box = (await panel('parameters').locator('svg').boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(slider(page, 'price')).toHaveAttribute('aria-valuetext', '1');
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2);
  await expect(slider(page, 'price')).toHaveAttribute('aria-valuetext', '32');
  await page.mouse.up();
  await expect(page).toHaveURL(/price\.heads=32/);
});

test('three layers are timed on this machine, and other sizes take the times away', async ({ page, open }) => {
  await openCosts(page, open, 'what-heads-cost?v=1&price.width=64&price.length=16', 'price-bet');
  const timing = page.locator('#price hw-timing');
  await timing.getByRole('button', { name: 'Measure on this machine' }).click();
  await expect(timing.locator('tbody td:last-child')).toHaveText([/ ms$/, / ms$/, / ms$/], { timeout: 30_000 });
  const found = await results(page, 'price');
  const counts = await timing.locator('tbody td:nth-child(2)').allInnerTexts();
  for (const [at, name] of ['one', 'within', 'full'].entries())
    expect(shows(counts[at]!, (found.at(name) as LayerCost).multiplyAdds)).toBe(true);
  await slider(page, 'price').press('End');
  await expect(timing.locator('tbody td:last-child')).toHaveText(['–', '–', '–']);
});

test('what is kept of each token is the engine’s at every number of key and value heads', async ({ page, open }) => {
  await openCosts(page, open, 'sharing-on-purpose', 'cache-bet');
  const totals = ['cacheBytesPerToken', 'parameters', 'softmaxTerms'] as const;
  await slider(page, 'cache').press('Home');
  for (const heads of [1, 2, 4, 8, 16, 32]) {
    await expect(slider(page, 'cache')).toHaveAttribute('aria-valuetext', String(heads));
    await expectCounts(page, 'cache', 'byKeyValueHeads', totals, false);
    await slider(page, 'cache').press('ArrowRight');
  }
});

test('wires: repeat gives the trained output, tile another; marks, lines and meter say which heads', async ({
  page,
  open,
}) => {
  await open('sharing-on-purpose');
  const wires = page.locator('#wires hw-partners');
  const heads = wires.locator('.partners-queries button');
  const told = async () => {
    const found = await results(page, 'wires');
    const { now } = found.at('partners') as { now: number[] };
    const equal = found.at('wired.heads') as boolean[];
    for (const [at, partner] of now.entries())
      await expect(heads.nth(at)).toHaveAccessibleName(
        `Q${at + 1}: key and value head ${partner}, ${equal[at] ? 'output as trained' : 'another output'}`,
      );
    const ends = await wires
      .locator('svg line')
      .evaluateAll((lines) => lines.map((line) => [Number(line.getAttribute('x1')), Number(line.getAttribute('x2'))]));
    const span = now.length / (found.at('partners.keyValueHeads') as number);
    expect(ends).toEqual(now.map((partner, at) => [20 * (at + 0.5), 20 * span * (partner - 0.5)]));
    return equal;
  };
  expect(await told()).toEqual([true, true, true, true, true, true]);
  await wires.getByRole('button', { name: 'tile: round and round' }).click();
  await expect(page).toHaveURL(/wires\.partners=1\+2\+1\+2\+1\+2/);
  // The luck of tile: heads 1 and 3 of the first group, 4 and 6 of the second.
  expect(await told()).toEqual([true, false, true, true, false, true]);
  await heads.nth(1).press('Enter');
  expect((await told())[1]).toBe(true);
  await wires.getByRole('slider').press('End');
  await expect(wires.locator('output')).toHaveText('6');
  await wires.getByRole('button', { name: 'tile: round and round' }).click();
  expect(await told()).toEqual([true, true, true, true, true, true]);
});
