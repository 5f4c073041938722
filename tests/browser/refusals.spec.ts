// What the engine refuses to compute is a sentence in the bench, in the page's words and beside the control it is about, wherever it
// comes up: when the bench computes, and when a figure reads what is only then computed.

import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { expect, test } from './support/test.ts';

// Fewer key and value heads than heads: only an address says so. The watch on the page fails these tests at an uncaught error.
for (const keyValueHeads of [1, 2]) {
  for (const bench of ['layer', 'reshape']) {
    test(`#many-heads?v=1&${bench}.keyValueHeads=${keyValueHeads} is computed whole`, async ({ page, open }) => {
      await open(`many-heads?v=1&${bench}.width=8&${bench}.heads=4&${bench}.keyValueHeads=${keyValueHeads}`);
      const headwise = await engine();
      await expect.poll(async () => faultsOf(headwise, await readBench(page, bench))).toEqual([]);
    });
  }

  test(`#many-heads?v=1&layouts.keyValueHeads=${keyValueHeads} says what cannot be, and shows the rest`, async ({
    page,
    open,
  }) => {
    const settings = 'layouts.width=8&layouts.heads=4';
    await open(`many-heads?v=1&${settings}&layouts.keyValueHeads=${keyValueHeads}`);
    const notice = page.locator('#layouts > .bench-notice');
    await expect(notice).toHaveText(
      `Heads can be interleaved only with as many key/value heads as query heads, but “key and value heads” is ${keyValueHeads} and “heads” is 4.`,
    );
    await expect(page.locator('#layouts')).not.toHaveClass(/stale/);
    await expect(page.locator('#layouts hw-matrix td[data-row]').first()).toHaveText(/\d/);

    // With as many again, all is there again.
    await page.goto(`${page.url().split('#')[0]}#many-heads?v=1&${settings}`);
    await expect(notice).toBeHidden();
    const headwise = await engine();
    await expect.poll(async () => faultsOf(headwise, await readBench(page, 'layouts'))).toEqual([]);
  });
}

test('what cannot be at all is said in the words of the controls, and exercises wait', async ({ page, open }) => {
  await open('many-heads?v=1&layer.width=8&layer.heads=4&layer.keyValueHeads=3');
  await expect(page.locator('#layer > .bench-notice')).toHaveText(
    '“key and value heads” 3 does not divide “heads” 4; it can be 1, 2 or 4.',
  );
  await expect(page.locator('#layer')).toHaveClass(/stale/);
  const exercise = page.locator('#wide-shape');
  for (const field of await exercise.locator('input').all()) await field.fill('6');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(exercise.locator('.task-verdict')).toHaveText(/not there yet|cannot be computed/);
  // A bet that only numbers decide is neither right nor wrong, and not kept.
  await expect(page.locator('article:not([hidden]) .verdict', { hasText: '✗' })).toHaveCount(0);
});

test('an empty line of tokens is told beside the line, and a word heals it', async ({ page, open }) => {
  await open('many-heads');
  const control = page.locator('#layer hw-control[name=tokens]');
  const field = control.locator('input');
  await field.fill('');
  await expect(control.locator('.control-error')).toHaveText('Type at least one word.');
  await expect(page.locator('#layer > .bench-notice')).toHaveText('Type at least one word.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription('Type at least one word.');
  await expect(page.locator('#layer')).toHaveClass(/stale/);

  await field.pressSequentially('tea');
  await expect(control.locator('.control-error')).toHaveCount(0);
  await expect(field).not.toHaveAttribute('aria-invalid');
  await expect(page.locator('#layer > .bench-notice')).toBeHidden();
  await expect(page.locator('#layer')).not.toHaveClass(/stale/);
});

test('edits that find no cell are told, and nothing else is wrong', async ({ page, open }) => {
  await open('one-head?v=1&cross.edits=q.99.0:5,q.0.0:2');
  const note = page.locator('#cross > .bench-note');
  await expect(note).toContainText('q.99.0:5');
  await expect(note).not.toContainText('q.0.0:2');
  await expect(page.locator('#cross > .bench-notice')).toHaveCount(0);
  await page.goto(`${page.url().split('#')[0]}#one-head?v=1&cross.edits=q.0.0:2`);
  await expect(note).toBeHidden();
});
