// Shapes to scale: each row and column that is said is drawn, whatever the screen's pixel ratio.

import { computed, expect, test } from './support/test.ts';
import { pictureOf, type Picture } from './support/picture.ts';

/** How many lines cross the middle of the picture's first cell row, and of its first cell column; the border's two with them. */
function linesIn(picture: Picture, rows: number, columns: number): { across: number; down: number } {
  const { width, height } = picture;
  const brightness = (x: number, y: number) => picture.colourAt(x, y).reduce((sum, part) => sum + part);
  const [x, y] = [Math.round(width / columns / 2), Math.round(height / rows / 2)];
  // A line is a run of pixels unlike the middle of the cell beside it.
  const runs = (length: number, at: (place: number) => number) => {
    const differs = Array.from({ length }, (_, place) => Math.abs(at(place) - brightness(x, y)) > 40);
    return differs.filter((here, place) => here && !differs[place - 1]).length;
  };
  return { across: runs(width, (place) => brightness(place, y)), down: runs(height, (place) => brightness(x, place)) };
}

for (const deviceScaleFactor of [1, 1.25, 1.5, 2, 3]) {
  for (const width of [1280, 1920, 390]) {
    test(`at ${deviceScaleFactor} pixels to one and ${width} wide every line is there`, async ({ browser, site }) => {
      const context = await browser.newContext({ deviceScaleFactor, viewport: { width, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${site.url}#projection-shapes`);
      await computed(page);
      const boxes = page.locator('#projection-shapes .shape-box:has(path)').filter({ visible: true });
      const count = await boxes.count();
      expect(count).toBeGreaterThan(8);
      for (let index = 0; index < count; ++index) {
        const box = boxes.nth(index);
        const [columns, rows] = (await box.getAttribute('viewBox'))!.split(' ').slice(2).map(Number) as [
          number,
          number,
        ];
        expect(linesIn(await pictureOf(box), rows, columns), `${rows} × ${columns}, box ${index}`).toEqual({
          across: columns + 1,
          down: rows + 1,
        });
      }
      await context.close();
    });
  }
}
