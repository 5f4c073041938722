// Shapes to scale: each row and column that is said is drawn, whatever the screen's pixel ratio.

import type { Locator, Page } from '@playwright/test';
import { computed, expect, test } from './support/test.ts';

/** How many lines cross the middle of the picture's first cell row, and of its first cell column; the border's two with them. */
async function linesIn(
  page: Page,
  box: Locator,
  rows: number,
  columns: number,
): Promise<{ across: number; down: number }> {
  const picture = (await box.screenshot()).toString('base64');
  return page.evaluate(
    async ({ picture, rows, columns }) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, width, height);
      const brightness = (x: number, y: number) =>
        [0, 1, 2].reduce((sum, at) => sum + data[4 * (y * width + x) + at]!, 0);
      // A line is a run of pixels unlike the middle of the cell beside it.
      const runs = (length: number, at: (place: number) => number, cell: number) => {
        const differs = Array.from({ length }, (_, place) => Math.abs(at(place) - cell) > 40);
        return differs.filter((here, place) => here && !differs[place - 1]).length;
      };
      const [x, y] = [Math.round(width / columns / 2), Math.round(height / rows / 2)];
      return {
        across: runs(width, (place) => brightness(place, y), brightness(x, y)),
        down: runs(height, (place) => brightness(x, place), brightness(x, y)),
      };
    },
    { picture, rows, columns },
  );
}

for (const deviceScaleFactor of [1, 1.25, 1.5, 2, 3]) {
  for (const width of [1280, 1920, 390]) {
    test(`at ${deviceScaleFactor} pixels to one and ${width} wide every line is there`, async ({ browser, site }) => {
      const context = await browser.newContext({ deviceScaleFactor, viewport: { width, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${site.url}#projection-shapes`);
      await computed(page);
      const boxes = page.locator('#projection-shapes hw-shapes .shape-box:has(path)');
      const count = await boxes.count();
      expect(count).toBeGreaterThan(8);
      for (let index = 0; index < count; ++index) {
        const box = boxes.nth(index);
        const [columns, rows] = (await box.getAttribute('viewBox'))!.split(' ').slice(2).map(Number) as [
          number,
          number,
        ];
        expect(await linesIn(page, box, rows, columns), `${rows} × ${columns}, box ${index}`).toEqual({
          across: columns + 1,
          down: rows + 1,
        });
      }
      await context.close();
    });
  }
}
