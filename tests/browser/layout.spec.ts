// On a phone nothing is wider than the screen and everything is large enough for a finger; on paper the open lesson is there.

import { articles, lessons } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

for (const id of articles) {
  test(`${id} has no line of text that a flex or grid box takes apart`, async ({ page, open }) => {
    await open(id);
    const torn = await page.evaluate(() =>
      [...document.querySelectorAll('main *')].flatMap((element) => {
        if (!element.checkVisibility() || !/flex|grid/.test(getComputedStyle(element).display)) return [];
        const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
        const hasPieces = [...element.children].some((child) =>
          child.matches('sub, sup, em, strong, i, b, code, math'),
        );
        return hasText && hasPieces
          ? [`“${element.textContent.trim().slice(0, 40)}” in ${element.closest('[id]')?.id}`]
          : [];
      }),
    );
    expect(torn).toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  for (const id of articles) {
    test(`${id} does not scroll sideways`, async ({ page, open }) => {
      await open(id);
      const wide = await page.evaluate(() => {
        const screen = document.documentElement.clientWidth;
        // What scrolls inside a frame of its own may be wider.
        const framed = (element: Element): boolean => {
          for (let around = element.parentElement; around; around = around.parentElement) {
            if (
              /auto|scroll|hidden|clip/.test(getComputedStyle(around).overflowX) &&
              around !== document.documentElement
            )
              return true;
          }
          return false;
        };
        const over = [...document.querySelectorAll('body *')].filter(
          (element) =>
            element.checkVisibility() && element.getBoundingClientRect().right > screen + 1 && !framed(element),
        );
        const names = over.map(
          (element) => `${element.tagName.toLowerCase()}.${element.className} in ${element.closest('[id]')?.id}`,
        );
        return { page: document.documentElement.scrollWidth - screen, names };
      });
      expect(wide).toEqual({ page: 0, names: [] });
    });
  }

  for (const { id } of lessons) {
    test(`${id} has targets that a finger can hit`, async ({ page, open }) => {
      await open(id);
      const small = await page.evaluate(() => {
        const targets = [
          ...document.querySelectorAll<HTMLElement>('button, input, select, summary, nav a, .grid td[data-row]'),
        ];
        return targets.flatMap((element) => {
          if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
          // A hidden box inside a label is hit through the label.
          const label = element.matches('input[type=radio], input[type=checkbox]') ? element.closest('label') : null;
          const { width, height } = (label ?? element).getBoundingClientRect();
          if (width === 0) return [];
          // Cells of a large map may be smaller: arrow keys, and a number below it, serve those.
          if (element.matches('.compact td')) return [];
          const main = element.matches('button:not(td *), input, select') && !element.closest('.grid, .views');
          const least = main ? 44 : 24;
          // A slider is dragged along its length; its height is what a finger has to hit.
          if (height >= least - 0.5 && width >= Math.min(least, 24) - 0.5) return [];
          return [
            `${element.tagName.toLowerCase()} “${element.textContent.trim().slice(0, 20)}” in ${element.closest('[id]')?.id}: ${width.toFixed(0)} × ${height.toFixed(0)}`,
          ];
        });
      });
      expect([...new Set(small)]).toEqual([]);
    });
  }

  test('the meter stays in sight while a learner scrolls through its bench', async ({ page, open }) => {
    await open('same-matrices?v=1&equal.construction=fullScores');
    await page.locator('#equal hw-comparison').scrollIntoViewIfNeeded();
    const bar = page.locator('#equal .bench-bar hw-difference');
    await expect(bar).toBeInViewport();
    await expect(bar.locator('.meter-number')).toHaveText(await page.locator('#equal .side .meter-number').innerText());
  });

  test('the lessons fold behind a button that a finger opens', async ({ page, open }) => {
    await open('one-head');
    const menu = page.locator('#menu');
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    await menu.tap();
    await page.locator('#lessons a[data-lesson="many-heads"]').tap();
    await expect(page).toHaveTitle(/Many heads/);
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    await menu.tap();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    await expect(menu).toBeFocused();
  });

  test('a finger opens a cell', async ({ page, open }) => {
    await open('same-matrices');
    await page.locator('#cut .grid[data-path="single.heads[0].attentionWeights"] td').nth(7).tap();
    await expect(page.locator('#cut hw-product .product-title')).toContainText('looks at');
  });
});

test.describe('on paper', () => {
  for (const { id } of lessons) {
    test(`${id} is printed with its text, formulas and figures`, async ({ page, open }) => {
      await open(id);
      // What an A4 sheet leaves between Chromium's margins.
      await page.setViewportSize({ width: 717, height: 1000 });
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await expect(page.locator(`#${id} h1`)).toBeVisible();
      await expect(page.locator(`#${id} math`).first()).toBeVisible();
      await expect(page.locator(`#${id} hw-matrix td, #${id} .shape-box`).first()).toBeVisible();
      for (const part of ['#theme', '#copy-link', '.bench-bar']) {
        for (const element of await page.locator(part).all()) await expect(element).toBeHidden();
      }
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      const pdf = await page.pdf();
      expect(pdf.length).toBeGreaterThan(20_000);
    });
  }
});
