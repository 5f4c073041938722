// A browser's translator puts nodes of its own in the place of texts. Whatever is moved afterwards, numbers have to follow.

import type { Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { controlsOf, movesOf } from './support/controls.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { lessons } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

/** As translators do: each text in two elements of its own, but where the page forbids it and in formulas. Their words stay as they are. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('[translate=no], math, script, style')) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });
}

for (const { id, benches } of lessons) {
  test(`${id}: in translation figures and numbers follow the controls`, async ({ page, open }) => {
    const headwise = await engine();
    await open(id);
    await translate(page);
    await expect(page.locator(`#${id} > p font`).first()).toBeAttached();
    for (const benchId of benches) {
      for (const { key, control } of await controlsOf(page, benchId)) {
        for await (const { part, act } of movesOf(key, control)) {
          await act();
          await expect
            .poll(async () => faultsOf(headwise, await readBench(page, benchId)), {
              message: `${benchId}, ${key}: ${part}`,
            })
            .toEqual([]);
          // What follows one move follows the next; an editor's moves go to different places.
          if (key !== 'hw-editor') break;
        }
        const slider = control.locator('input[type=range]');
        if ((await slider.count()) > 0)
          await expect(control.locator('.control-value')).toHaveText(
            (await slider.getAttribute('aria-valuetext')) ?? '',
          );
      }
    }
  });
}

test('in translation the words under a choice are those of the one chosen', async ({ page, open }) => {
  await open('one-head');
  await translate(page);
  const mask = page.locator('#masks hw-control[name=mask]');
  await expect(mask.locator('.control-help font').first()).toBeAttached();
  await mask.locator('input[value=none]').check();
  await expect(mask.locator('.control-help')).toHaveText('every token sees every token');
  await mask.locator('input[value=causal]').check();
  await expect(mask.locator('.control-help')).toHaveText('a token sees itself and what came before');
});
