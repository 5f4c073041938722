// Scrollbars that take room, as on most desktops: there is one where there is something behind it, and nowhere else.

import { articles } from './support/lessons.ts';
import { launchOptions } from './support/browser.ts';
import { expect, test } from './support/test.ts';

// Playwright hides them, unless it is told not to.
test.use({ launchOptions: { ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }, deviceScaleFactor: 1 });

// Less than this is nobody's content, but a line or a margin.
const something = 30;

for (const width of [1280, 768]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const id of articles) {
      test(`${id}: no scrollbar leads nowhere`, async ({ page, open }) => {
        await open(id);
        expect(
          await page.evaluate(() => innerWidth - document.documentElement.clientWidth),
          'bars take room',
        ).toBeGreaterThan(5);
        const idle = await page.locator(`#${id} *`).evaluateAll(
          (elements, something) =>
            elements
              .filter((element) => element.checkVisibility())
              .flatMap((element) => {
                if (!(element instanceof HTMLElement)) return [];
                const style = getComputedStyle(element);
                const sum = (...sides: string[]) =>
                  sides.reduce((total, side) => total + parseFloat(style.getPropertyValue(side)), 0);
                const across =
                  element.offsetHeight - element.clientHeight - sum('border-top-width', 'border-bottom-width');
                const down = element.offsetWidth - element.clientWidth - sum('border-left-width', 'border-right-width');
                const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
                const name = `${element.tagName}.${element.className} in #${element.closest('[id]')?.id}`;
                const beyond = {
                  x: element.scrollWidth - element.clientWidth,
                  y: element.scrollHeight - element.clientHeight,
                };
                return [
                  ...(scrolls(style.overflowX) && across > 4 && beyond.x < something
                    ? [`${name}: ${beyond.x} px to the side`]
                    : []),
                  ...(scrolls(style.overflowY) && down > 4 && beyond.y < something
                    ? [`${name}: ${beyond.y} px down`]
                    : []),
                ];
              }),
          something,
        );
        expect(idle).toEqual([]);
      });
    }
  });
}
