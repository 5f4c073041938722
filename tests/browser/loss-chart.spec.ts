// Lesson 6's chart: drawn where it can be, and where not, why.

import { expect, test } from './support/test.ts';

const charts = [
  {
    name: 'is drawn where the browser names a language that Intl refuses',
    prepare: () => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' }),
    says: undefined,
  },
  {
    name: 'that the browser does not draw is told from one that was not fetched',
    prepare: () => {
      HTMLCanvasElement.prototype.getContext = () => null;
    },
    says: 'This browser does not let the chart be drawn. The tables below hold its numbers.',
  },
] as const;

for (const { name, prepare, says } of charts) {
  test(`a chart ${name}`, async ({ page, open }) => {
    await page.addInitScript(prepare);
    await open('heads-that-specialise');
    const chart = page.locator('.chart-host');
    await chart.scrollIntoViewIfNeeded();
    if (says === undefined) await expect(chart.locator('canvas')).toBeVisible();
    else await expect(chart).toHaveText(says);
  });
}

test('a chart whose program does not come says so', async ({ page, site, open, watch }) => {
  watch.expect(/Failed to load resource/);
  site.misbehave(/uPlot.*\.js$/, (response) => void response.writeHead(404).end());
  await open('heads-that-specialise');
  const chart = page.locator('.chart-host');
  await chart.scrollIntoViewIfNeeded();
  await expect(chart).toHaveText('The chart could not be fetched. The tables below hold its numbers.');
});
