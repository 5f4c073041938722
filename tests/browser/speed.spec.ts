// A slider dragged fast: no event is lost at the end, and nothing breaks on the way. How long it takes is for tests/benchmark.

import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';

test('two hundred slider events in one go end on the right numbers', async ({ page, open }) => {
  await open('same-matrices');
  const slider = page.locator('#cut hw-control[name=width] input[type=range]');
  const drawn = await slider.evaluate(async (input: HTMLInputElement) => {
    let drawn = 0;
    input.closest('hw-bench')?.addEventListener('hw-results', () => ++drawn);
    const [from, to] = [Number(input.min), Number(input.max)];
    for (let event = 0; event < 200; ++event) {
      input.value = String(from + (event % (to - from + 1)));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // Some events share a frame and some do not, as under a fast hand.
      if (event % 7 === 0) await new Promise(requestAnimationFrame);
    }
    input.value = '12';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return drawn;
  });
  // Once a frame at most.
  expect(drawn).toBeLessThan(40);
  await expect(page).toHaveURL(/cut\.width=12/);
  const headwise = await engine();
  await expect.poll(async () => faultsOf(headwise, await readBench(page, 'cut'))).toEqual([]);
});
