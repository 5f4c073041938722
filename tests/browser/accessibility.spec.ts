// axe-core finds nothing on any article, in both themes, on a desktop and on a phone.

import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { articles } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

async function faultsByAxe(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${impact}: ${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`on a ${size}`, () => {
    test.use({ viewport, reducedMotion: 'reduce' });

    for (const id of articles) {
      test(`${id} has no fault that axe-core finds, light or dark`, async ({ page, open }) => {
        test.slow();
        // Before the page's policy is in force, which allows no script but its own.
        await page.addInitScript({ path: axePath });
        await open(id);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // As asked for above; axe would find colours on their way.
          expect(await page.evaluate(() => document.getAnimations().length), 'things that move').toBe(0);
          expect(await faultsByAxe(page), `${id}, ${size}, ${colorScheme}`).toEqual([]);
        }
      });
    }
  });
}
