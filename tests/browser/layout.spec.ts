// On a phone nothing is wider than the screen and everything is large enough for a finger; on paper the open lesson is there.

import type { Locator, Page } from '@playwright/test';
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

  test('the control that was touched last comes along, while its panel is out of sight', async ({ page, open }) => {
    await open('one-head');
    const docked = page.locator('#steps .bench-dock hw-control');
    const panel = page.locator('#steps > .side');
    await panel
      .locator('hw-control[name=mask]')
      .locator('label', { hasText: /^\s*causal\s*$/ })
      .tap();
    await expect(docked, 'beside the panel it would be there twice').toBeHidden();
    const map = page.locator('#steps .grid[data-path="heads[0].maskedScores"]');
    await map.scrollIntoViewIfNeeded();
    await expect(docked).toBeInViewport();
    await expect(docked).toHaveAttribute('name', 'mask');
    await expect(map.locator('td.hidden')).toHaveCount(3);
    // Cause and effect on one screen.
    await docked.locator('label', { hasText: /^\s*none\s*$/ }).tap();
    await expect(map.locator('td.hidden')).toHaveCount(0);
    await expect(map).toBeInViewport();
    await expect(panel.locator('hw-control[name=mask] input[value=none]')).toBeChecked();
  });

  /** As a reader goes there, who first does something: until then the page holds the place that was asked for. */
  async function goTo(page: Page, selector: string): Promise<void> {
    await page.keyboard.press('Shift');
    await page.locator(selector).evaluate((element) => element.scrollIntoView({ block: 'end' }));
  }

  test('a bench that nobody has touched offers the first of its controls', async ({ page, open }) => {
    await open('many-heads');
    await goTo(page, '#reshape hw-microscope');
    await expect(page.locator('#reshape .bench-dock hw-control')).toBeInViewport();
    await expect(page.locator('#reshape .bench-dock hw-control')).toHaveAttribute('name', 'heads');
  });

  test('where the window is low nothing stays in the way', async ({ page, open }) => {
    await page.setViewportSize({ width: 320, height: 225 });
    await open('many-heads');
    await goTo(page, '#reshape hw-microscope');
    await expect(page.locator('#bar')).not.toBeInViewport();
    await expect(page.locator('#reshape .bench-bar')).not.toBeInViewport();
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

/** After what was done has been computed, drawn and laid out. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );
}

async function tooWide(page: Page): Promise<number> {
  await settled(page);
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

// Sizes that no slider reaches: many heads, wide heads, long lists, and all of it at once.
const addresses = [
  'many-heads?v=1&reshape.headWidth=10',
  'many-heads?v=1&reshape.headWidth=24',
  'many-heads?v=1&reshape.width=48&reshape.tokens=a+b+c',
  'many-heads?v=1&reshape.heads=16&reshape.headWidth=64',
  'many-heads?v=1&layouts.heads=16&layouts.width=64&layouts.tokens=a',
  'many-heads?v=1&layer.heads=16&layer.headWidth=64&layer.width=64&layer.outputWidth=64&sum.heads=16&sum.width=64',
  'one-head?v=1&steps.width=64&steps.headWidth=64&masks.width=64&scale.keySize=4096',
  'projection-shapes?v=1&own-width.headWidth=16384&own-width.heads=128&uneven.headWidth=64&uneven.heads=16',
  'projection-shapes?v=1&views.width=64&views.headWidth=64&own-width.width=16384&own-width.projectionWidth=16384',
  'same-matrices?v=1&own.width=14',
  `same-matrices?v=1&own.edits=${'q.0.0:1.25,q.1.1:-2,'.repeat(300)}`,
];
const everything = ['trap', 'cut', 'equal', 'own'].map((bench) => `${bench}.width=512&${bench}.heads=512`).join('&');
const heavy = [
  'same-matrices?v=1&trap.heads=512',
  'same-matrices?v=1&trap.heads=512&trap.rows=33',
  'same-matrices?v=1&trap.heads=512&trap.rows=64&trap.width=16',
  'same-matrices?v=1&cut.width=512&cut.heads=512',
  'same-matrices?v=1&equal.width=512&equal.heads=512',
  `same-matrices?v=1&${everything}`,
];

for (const width of [390, 768, 1280]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    for (const { id } of lessons) {
      test(`${id} scrolls sideways for no slider`, async ({ page, open }) => {
        await open(id);
        const wide: string[] = [];
        const sliders = await page.locator('main > article:not([hidden]) input[type=range]').all();
        const press = async (slider: Locator, key: string) => {
          if (!(await slider.isVisible())) return;
          await slider.press(key);
          const over = await tooWide(page);
          if (over > 0) wide.push(`${over} px too wide after ${key}: ${page.url().split('#')[1]}`);
        };
        for (const slider of sliders) {
          await press(slider, 'Home');
          await press(slider, 'End');
        }
        // All of them stand at their ends now; and all at their starts.
        for (const slider of sliders) await press(slider, 'Home');
        expect(wide).toEqual([]);
      });
    }

    test('no address makes the page scroll sideways', async ({ page, open }) => {
      const wide: string[] = [];
      for (const hash of [...addresses, ...heavy]) {
        await open(hash);
        const over = await tooWide(page);
        if (over > 0) wide.push(`${over} px too wide: ${hash}`);
      }
      expect(wide).toEqual([]);
    });
  });
}

// Letters that are wide, that nothing breaks, and that stand on each other.
const words = ['WWWWWWWWWWWWWWWW', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', `${'Z\u0351\u0352'.repeat(40)}`, '<title>&nbsp;</title>', 'a'];

test.describe('words that fill a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const id of articles) {
    test(`${id} scrolls sideways for no word`, async ({ page, open }) => {
      await open(id);
      await page.evaluate((text) => {
        for (const field of document.querySelectorAll<HTMLInputElement>(
          'main > article:not([hidden]) input[type=text]',
        )) {
          field.value = text;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
      }, words.join(' '));
      expect(await tooWide(page)).toBe(0);
    });
  }
});

test('what an address makes the page draw is bounded, and what is left out is counted', async ({ page, open }) => {
  const large: string[] = [];
  for (const hash of [...addresses, ...heavy]) {
    await open(hash);
    await settled(page);
    const count = await page.locator('main > article:not([hidden]) *').count();
    // A lesson has up to 4,000 at its start.
    if (count > 12_000) large.push(`${count} elements: ${hash}`);
  }
  expect(large).toEqual([]);

  await open('same-matrices?v=1&trap.heads=512');
  const maps = page.locator('#trap hw-matrix[each="multi.heads"]');
  await expect(maps.locator('.left-out')).toHaveText('and 488 more, which are not drawn');
  await expect(maps.locator('.grid')).toHaveCount(24);
  await open('same-matrices?v=1&own.width=512&own.heads=512');
  const editor = page.locator('#own hw-editor');
  await expect(editor.getByRole('group', { name: 'Block', exact: true }).getByRole('button')).toHaveCount(24);
  await expect(editor).toContainText('and 488 more blocks');
  await open('many-heads?v=1&reshape.heads=16&reshape.headWidth=64');
  await expect(page.locator('#reshape hw-microscope')).toHaveText(/5 × 1024: too many elements/);
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
      await expect(page.locator(`#${id} :is(hw-matrix td, .shape-box, hw-costs svg)`).first()).toBeVisible();
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
