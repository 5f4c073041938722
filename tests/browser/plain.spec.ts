// Without JavaScript every lesson can be read, and its figures are tables with the same first numbers.

import type { Page } from '@playwright/test';
import { articles, lessons } from './support/lessons.ts';
import { computed, expect, test } from './support/test.ts';

const figures = 'hw-matrix, hw-comparison, hw-difference, hw-number, hw-shape, hw-text, hw-product, hw-shapes';

/** Numbers and texts of every figure of a lesson. Those in sight only sometimes are there all the same. */
function numbersOf(page: Page, lessonId: string): Promise<string[]> {
  return page
    .locator(`#${lessonId}`)
    .locator(figures)
    .evaluateAll((elements) =>
      elements
        // The bar at the foot repeats a meter, and the editor and the layouts are there only with the program.
        .filter((element) => !element.closest('.bench-bar, hw-editor, hw-layouts, .answer'))
        .map((element) => {
          const cells = [
            ...element.querySelectorAll('td:not(.corner), .meter-number, .step-line, .shape-rows, .shape-columns'),
          ];
          const text = (cells.length > 0 ? cells : [element]).map((cell) =>
            cell.textContent.replace(/\s+/g, ' ').trim(),
          );
          const where = element.closest('hw-when[hidden]') ? 'hidden ' : '';
          return `${where}${element.tagName} ${element.getAttribute('of') ?? ''}: ${text.join(' ')}`;
        }),
    );
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('all text is there, one lesson below the other', async ({ page, site }) => {
    await page.goto(site.url);
    for (const id of articles) await expect(page.locator(`#${id} h1`)).toBeVisible();
    await expect(page.locator('noscript .notice')).toBeVisible();
    await expect(page.locator('#needs-server')).toBeHidden();
    // What only a program can do is not offered.
    for (const button of await page.getByRole('button').all()) await expect(button).toBeHidden();
    // Formulas are part of the page.
    await expect(page.locator('#one-head math').first()).toBeVisible();
  });

  test('links inside the page work', async ({ page, site }) => {
    await page.goto(site.url);
    await page.locator('#lessons a[data-lesson="same-matrices"]').click();
    await expect(page.locator('#same-matrices h1')).toBeInViewport();
  });

  for (const { id } of lessons) {
    test(`${id}: the tables hold the numbers that the program starts with`, async ({ page, site, browser }) => {
      await page.goto(site.url);
      const plain = await numbersOf(page, id);
      const scripted = await browser.newContext({ javaScriptEnabled: true });
      const other = await scripted.newPage();
      await other.goto(`${site.url}#${id}`);
      await computed(other);
      const program = await numbersOf(other, id);
      await scripted.close();
      expect(plain.length).toBeGreaterThan(0);
      expect(plain).toHaveLength(program.length);
      // The program covers what exercises ask for.
      for (const [index, text] of program.entries()) {
        const parts = text.split('?').map((part) => part.replace(/[-\\^$*+.()|[\]{}]/g, '\\$&'));
        expect(plain[index]).toMatch(new RegExp(`^${parts.join('.+?')}$`));
      }
      expect(
        plain.filter((text) => /^HW.*: *$/.test(text)),
        'figures without content',
      ).toEqual([]);
    });
  }
});
