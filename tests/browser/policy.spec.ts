// The page's policy: strict, enforced, and nothing that the page does goes against it.

import { articles } from './support/lessons.ts';
import { computed, expect, test } from './support/test.ts';

test('allows only what the page needs', async ({ page, site }) => {
  await page.goto(site.url);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  const directives = new Map(
    (policy ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources.join(' ')];
    }),
  );
  for (const name of ['default-src', 'object-src', 'base-uri', 'form-action'])
    expect(directives.get(name)).toBe("'none'");
  expect(directives.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
  expect(directives.get('require-trusted-types-for')).toBe("'script'");
  const elsewhere = [...directives].filter(([, sources]) =>
    /https?:|\*|unsafe-eval'|blob:/.test(sources.replace("'wasm-unsafe-eval'", '')),
  );
  expect(elsewhere).toEqual([]);
});

test('is enforced', async ({ page, site, watch }) => {
  watch.expect(/Content Security Policy|TrustedHTML|TrustedScript|Trusted Type/);
  await page.goto(site.url);
  await expect(page.locator('html')).toHaveClass(/started/);
  const outcomes = await page.evaluate(async () => {
    const refused = (act: () => unknown): boolean => {
      try {
        act();
        return false;
      } catch {
        return true;
      }
    };
    const stopped = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective === 'form-action') resolve(true);
      });
    });
    const form = document.createElement('form');
    form.action = '/elsewhere';
    document.body.append(form);
    form.submit();
    return {
      markup: refused(() => (document.createElement('p').innerHTML = '<b>text</b>')),
      program: refused(() => (document.createElement('script').src = 'https://example.org/program.js')),
      worker: refused(() => new Worker('https://example.org/worker.js')),
      form: await stopped,
    };
  });
  expect(outcomes).toEqual({ markup: true, program: true, worker: true, form: true });
});

test('nothing in a tour of the whole page goes against it', async ({ page, open }) => {
  // Every page and lesson, one after the other.
  test.setTimeout(150_000);
  await page.addInitScript(() => {
    const seen = ((globalThis as { violations?: string[] }).violations = [] as string[]);
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sourceFile, lineNumber }) =>
      seen.push(`${effectiveDirective} at ${sourceFile}:${lineNumber}`),
    );
  });
  await open('');
  for (const id of articles) {
    await page.evaluate((id) => (location.hash = id), id);
    await expect(page.locator(`article#${id}`)).toBeVisible();
    await computed(page);
    const article = page.locator(`article#${id}`);
    for (const slider of (await article.locator('input[type=range]:visible').all()).slice(0, 3))
      await slider.press('End');
    for (const cell of (await article.locator('td[data-row][tabindex="0"]:visible').all()).slice(0, 3))
      await cell.click();
  }
  await page.evaluate(() => (location.hash = 'heads-that-specialise'));
  const training = page.locator('hw-training');
  await training.scrollIntoViewIfNeeded();
  await training.getByRole('button', { name: 'Step' }).click();
  // One step, or what the tour's slider has trained and a step.
  await expect(training.locator('.training')).not.toHaveAttribute('data-step', '0');
  await expect(training.locator('canvas')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as { violations?: string[] }).violations)).toEqual([]);
});
