// Where the system paints with a few colours of its own, what colour tells can still be seen.

import type { Locator } from '@playwright/test';
import { lessons } from './support/lessons.ts';
import { pictureOf } from './support/picture.ts';
import { expect, test } from './support/test.ts';

test.use({ forcedColors: 'active', colorScheme: 'dark' });

type Place = readonly [x: number, y: number];

/** How far apart two places of what is painted are in colour, 0 to 1; places are parts of its width and height. */
async function contrastIn(locator: Locator, ...places: readonly [Place, Place]): Promise<number> {
  const picture = await pictureOf(locator);
  const [one, other] = places.map(([x, y]) =>
    picture.colourAt(Math.floor(x * (picture.width - 1)), Math.floor(y * (picture.height - 1))),
  );
  return Math.max(...one!.map((part, index) => Math.abs(part - other![index]!))) / 255;
}

for (const { id } of lessons) {
  test(`${id}: in each map the largest number has another colour than the smallest`, async ({ page, open }) => {
    await open(id);
    const grids = page.locator(`#${id} .grid`);
    let seen = 0;
    for (let index = 0; index < (await grids.count()); ++index) {
      const grid = grids.nth(index);
      // Places of the two, as parts of the map: beside their digits.
      const places = await grid.evaluate((element): [Place, Place] | undefined => {
        if (!element.checkVisibility({ visibilityProperty: true })) return undefined;
        const fill = (cell: HTMLElement) => Number(cell.style.getPropertyValue('--fill'));
        const cells = [...element.querySelectorAll<HTMLElement>('td[data-row]')].sort((a, b) => fill(a) - fill(b));
        const [least, most] = [cells[0], cells.at(-1)];
        if (!least || !most || fill(most) - fill(least) < 0.3) return undefined;
        const box = element.getBoundingClientRect();
        const placeOf = (cell: HTMLElement): Place => {
          const { left, top } = cell.getBoundingClientRect();
          return [(left + 3 - box.left) / box.width, (top + 3 - box.top) / box.height];
        };
        return [placeOf(least), placeOf(most)];
      });
      if (!places || places.flat().some((part) => part > 1)) continue;
      ++seen;
      expect(await contrastIn(grid, ...places), `map ${index}`).toBeGreaterThan(0.05);
    }
    // Lesson 7 counts, and has no map.
    expect(seen > 0).toBe((await grids.count()) > 0);
  });
}

test('legends, sliders, meters and what is chosen can be seen', async ({ page, open }) => {
  await open('same-matrices');
  expect(await contrastIn(page.locator('#equal .legend-bar.signed'), [0.05, 0.5], [0.5, 0.5])).toBeGreaterThan(0.1);
  const track = page.locator('#equal input[type=range]').first();
  expect(await contrastIn(track, [0.02, 0.5], [0.02, 0.1]), 'the track').toBeGreaterThan(0.3);
  await page.locator('#trap').scrollIntoViewIfNeeded();
  const [chosen, other] = ['uniform', 'normal'].map((value) =>
    page.locator(`#trap hw-control[name=inputs] label:has(input[value=${value}])`),
  );
  const corner = async (label: Locator) => (await pictureOf(label)).colourAt(8, 8);
  expect(await corner(chosen!)).not.toEqual(await corner(other!));

  await open('many-heads');
  const meter = page.locator('#reshape .meter-bar').first();
  expect(await contrastIn(meter, [0.1, 0.5], [0.98, 0.5]), 'the meter').toBeGreaterThan(0.3);

  await open('one-head');
  const cell = page.locator('#steps [data-path="heads[0].output"] td[data-row="1"][data-column="1"]');
  await cell.click();
  await cell.blur();
  await page.locator('#steps [data-path="heads[0].output"] td[data-row="2"][data-column="0"]').hover();
  await expect(page.locator('#steps td.chosen').first()).toHaveCSS('outline-style', 'solid');
  await expect(page.locator('#steps td.source').first()).toHaveCSS('outline-style', 'dashed');
});
