// axe-core finds nothing on any article, in both themes, on a desktop and on a phone.

import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { articles } from './support/lessons.ts';
import { expect, test } from './support/test.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme, reducedMotion: 'reduce' });

      for (const id of articles) {
        test(`${id} has no fault that axe-core finds`, async ({ page, open }) => {
          test.slow();
          // Before the page's policy is in force, which allows no script but its own.
          await page.addInitScript({ path: axePath });
          await open(id);
          const { violations } = await page.evaluate(async () => {
            const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
            return axe.run({ resultTypes: ['violations'] });
          });
          const faults = violations.flatMap(({ id: rule, impact, nodes }) =>
            nodes.map((node) => `${impact}: ${rule} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
          );
          expect(faults).toEqual([]);
        });
      }
    });
  }
}
