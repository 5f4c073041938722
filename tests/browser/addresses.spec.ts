// An address restores what was there; Back and Forward go between lessons; a teacher can hide controls; nonsense does no harm.

import type { Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { readBench, seen, type DisplayedBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { lesson, lessons } from './support/lessons.ts';
import { computed, expect, test } from './support/test.ts';

async function displayed(page: Page, lessonId: string): Promise<DisplayedBench[]> {
  const benches: DisplayedBench[] = [];
  for (const id of lesson(lessonId).benches) benches.push(await readBench(page, id));
  return benches;
}

/** What every bench of a lesson shows, checked against the address. */
async function shown(page: Page, lessonId: string): Promise<string[]> {
  const headwise = await engine();
  await expect
    .poll(async () => (await displayed(page, lessonId)).flatMap((bench) => faultsOf(headwise, bench)), {
      message: `what ${lessonId} displays at ${page.url()}`,
      timeout: 5_000,
    })
    .toEqual([]);
  return (await displayed(page, lessonId)).map(seen);
}

const states: Readonly<Record<string, string>> = {
  'projection-shapes':
    'v=1&views.heads=4&views.width=16&views.seed=12&views.tokens=a+b+c&own-width.projectionWidth=24&slice.nudge=-1.5&uneven.headWidth=2',
  'one-head':
    'v=1&steps.mask=causal&steps.seed=99&scale.keySize=64&masks.mask=padding&masks.length=0&cross.keyTokens=I+like',
  'many-heads': 'v=1&layer.heads=3&layer.mask=causal&layouts.seed=1&reshape.width=8&reshape.heads=4&sum.tokens=one+two',
  'same-matrices':
    'v=1&cut.heads=3&cut.tokens=h%C3%A9+%26+%E2%88%9E&equal.construction=equalBlocks&own.edits=q/0:0,k.1.2:-0.5,v/1*2&trap.seed=5',
  'weight-sharing':
    'v=1&share.heads=6&share.sharing=keysAndValuesPerGroup&share.groupSize=2&one.sharing=none&tied.outputBlocks=equal',
  'what-heads-cost': 'v=1&price.heads=16&price.length=64&price.headWidth=full',
  'sharing-on-purpose':
    'v=1&cache.keyValueHeads=4&cache.bytes=4&wires.partners=1+2+1+2+1+2&wires.seed=9&repair.partners=1+1+2+2+3+3',
  'heads-that-specialise': 'v=1&runs.seed=3&runs.learningRate=0.05',
};

for (const { id } of lessons) {
  test(`${id}: its address restores what it shows`, async ({ page, open }) => {
    const state = states[id];
    if (!state) throw new Error(`no state to try ${id} with: add one`);
    await open(id);
    const start = await shown(page, id);
    await page.goto(`${page.url().split('#')[0]}#${id}?${state}`);
    const changed = await shown(page, id);
    expect(changed).not.toEqual(start);
    const address = page.url();

    await page.reload();
    await computed(page);
    expect(await shown(page, id)).toEqual(changed);
    expect(page.url()).toBe(address);
  });
}

test('“Copy link” gives an address that shows the same on another page', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('same-matrices');
  await page.locator('#cut hw-control[name=heads] input').press('ArrowRight');
  await page.locator('#equal hw-choices').getByRole('button', { name: '(h)' }).click();
  const copy = page.locator('#copy-link');
  await copy.click();
  await expect(copy).toHaveText('Copied');
  const here = await shown(page, 'same-matrices');

  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('cut.heads=3');
  expect(link).toContain('equal.construction=rescaledHeads');
  const other = await context.newPage();
  await other.goto(link);
  await computed(other);
  expect(await shown(other, 'same-matrices')).toEqual(here);
});

test('Back and Forward go between lessons, and each keeps its state', async ({ page, open }) => {
  await open('');
  await expect(page).toHaveTitle(/^Headwise/);
  await page.getByRole('link', { name: /Start with lesson 1/ }).click();
  await expect(page).toHaveTitle(/Projection shapes/);
  await computed(page);
  // Changes are no stops on the way back.
  for (let presses = 0; presses < 3; ++presses)
    await page.locator('#views hw-control[name=seed]').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/views\.seed=10/);
  const first = await shown(page, 'projection-shapes');

  await page.locator('#lessons a[data-lesson="many-heads"]').click();
  await computed(page);
  await page.locator('#layer hw-control[name=heads]').getByRole('button', { name: 'more' }).click();
  await expect(page).toHaveURL(/#many-heads\?v=1&layer\.heads=3/);
  const third = await shown(page, 'many-heads');

  await page.goBack();
  await expect(page).toHaveTitle(/Projection shapes/);
  await expect(page).toHaveURL(/views\.seed=10/);
  expect(await shown(page, 'projection-shapes')).toEqual(first);
  await page.goBack();
  await expect(page).toHaveTitle(/^Headwise/);
  await page.goForward();
  await page.goForward();
  await expect(page).toHaveTitle(/Many heads/);
  expect(await shown(page, 'many-heads')).toEqual(third);
});

test('hide= takes controls away and leaves their values', async ({ page, open }) => {
  await open('same-matrices?v=1&cut.heads=3&hide=seed,heads,construction');
  for (const name of ['seed', 'heads']) {
    for (const control of await page.locator(`hw-control[name=${name}]`).all()) await expect(control).toBeHidden();
  }
  await expect(page.locator('hw-choices[set=construction]')).toBeHidden();
  await expect(page.locator('#cut hw-control[name=width]')).toBeVisible();
  expect(
    (await readBench(page, 'cut')).figures.find(({ tag }) => tag === 'hw-equation' || tag === 'hw-matrix'),
  ).toBeDefined();
  await shown(page, 'same-matrices');
  // What a learner changes now keeps the controls hidden in the link.
  await page.locator('#cut hw-control[name=width] input').press('ArrowRight');
  await expect(page).toHaveURL(/hide=seed,heads,construction/);
});

test('hide=bar leaves a lesson without the bar, for a frame', async ({ page, open }) => {
  await open('one-head?v=1&hide=bar');
  await expect(page.locator('#bar')).toBeHidden();
  await expect(page.locator('#one-head h1')).toBeVisible();
  await shown(page, 'one-head');
});

test('an address inside a lesson opens it there, also when it is the page’s own link', async ({ page, open }) => {
  await open('same-matrices--the-experiment');
  await expect(page.locator('#same-matrices--the-experiment')).toBeInViewport();
  await expect(page.locator('#same-matrices')).toBeVisible();
  await page.goto(`${page.url().split('#')[0]}#ninth-way`);
  await expect(page.locator('#ninth-way')).toBeInViewport();
});

const nonsense = [
  'same-matrices?v=1&cut.heads=banana&cut.width=1e99&cut.seed=-7&cut.tokens=',
  'same-matrices?v=1&cut.heads=4&cut.width=6&equal.construction=nothing&own.edits=q.99.99:1,x/9:0,%00,k/0:q/77',
  'same-matrices?v=1&nobody.heads=2&cut.=3&.heads=3&cut.toString=1&cut.__proto__=1&&&=&==',
  'same-matrices?v=1&cut.tokens=%E0%A4%A+%3Cimg+src%3Dx+onerror%3Dalert(1)%3E',
  'one-head?v=1&steps.mask=__proto__&masks.length=999999999999&scale.keySize=0',
  'projection-shapes?v=1&views.heads=7&uneven.headWidth=0',
  'many-heads?v=1&layer.width=64&layer.heads=16&layer.tokens=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p',
  'same-matrices?v=1&trap.width=512&trap.heads=512&trap.rows=64',
  'same-matrices?',
  'same-matrices?v=',
];

for (const hash of nonsense) {
  test(`#${hash} does no harm`, async ({ page, open }) => {
    page.on('dialog', (dialog) => {
      throw new Error(`the address opened a dialog: ${dialog.message()}`);
    });
    await open(hash);
    const id = hash.split('?')[0] ?? '';
    await expect(page.locator(`article#${id}`)).toBeVisible();
    await expect(page.locator('article:not([hidden]) img')).toHaveCount(0);
    // Every bench computes, or says why not.
    for (const bench of await page.locator(`#${id} hw-bench`).all()) {
      const notice = bench.locator(':scope > .bench-notice');
      if (await notice.isVisible()) await expect(notice).toHaveText(/\w+.*\./);
    }
    await page.locator(`#${id} hw-controls:visible`).first().getByRole('button').first().focus();
  });
}

test('unknown lessons and other versions are told in a sentence', async ({ page, open }) => {
  await open('nowhere');
  await expect(page.locator('#route-notice')).toContainText('Nothing here is called “nowhere”');
  await expect(page.locator('article#home')).toBeVisible();
  await page.goto(`${page.url().split('#')[0]}#same-matrices?v=9&cut.heads=3`);
  await expect(page.locator('#route-notice')).toContainText('another version of the page');
  await shown(page, 'same-matrices');
  for (const hash of ['%', '%E0%A4%A', '?', '??&', 'a/b', '"><b>', 'main', 'bar']) {
    await page.goto(`${page.url().split('#')[0]}#${hash}`);
    await expect(page.locator('main > article:not([hidden])')).toHaveCount(1);
  }
});

test('a word that ends in an emoji is cut between letters, and the address goes on following', async ({
  page,
  open,
}) => {
  const words = `${'a'.repeat(13)}😀😀 b`;
  await open(`many-heads?v=1&layer.tokens=${encodeURIComponent(words)}`);
  await shown(page, 'many-heads');
  await expect(page.locator('#layer hw-matrix tbody th').first()).toHaveText(`${'a'.repeat(13)}😀`);
  await page.locator('#layer hw-control[name=seed]').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/layer\.seed=8/);
  await page.locator('#layer hw-control[name=tokens] input').fill(`${'b'.repeat(13)}👨‍👩‍👧‍👦👨‍👩‍👧‍👦 c`);
  await expect(page).toHaveURL(/layer\.tokens=b{13}%F0%9F%91%A8[^+]*%A6\+c/);
  await shown(page, 'many-heads');
});

test('what is repeated of an address is short', async ({ page, open }) => {
  await open('x'.repeat(60_000));
  const notice = page.locator('#route-notice');
  await expect(notice).toHaveText(`Nothing here is called “${'x'.repeat(40)}…”. These are the lessons there are.`);
  await page.goto(`${page.url().split('#')[0]}#one-head?v=1&${'y'.repeat(9_000)}=1&steps.mask=${'z'.repeat(9_000)}`);
  await expect(notice).toContainText('z');
  expect((await notice.innerText()).length).toBeLessThan(400);
});

for (const stored of ['9007199254740991 5', '1e308 5', '-3 5', '2 1e308', 'NaN x']) {
  test(`Back goes back with “${stored}” stored as the last place`, async ({ page, open }) => {
    await page.addInitScript((stored) => sessionStorage.setItem('headwise.scroll', stored), stored);
    await open('one-head');
    await page.locator('#lessons a[data-lesson="many-heads"]').click();
    await expect(page.locator('article#many-heads')).toBeVisible();
    await page.goBack();
    await expect(page.locator('article#one-head')).toBeVisible();
  });
}

test('what a link asks for in vain is told once, with the nearest that is there', async ({ page, open }) => {
  const notice = page.locator('#route-notice');
  await open('one-head?v=1&masks.mask=slidng&stepz.seed=4&steps.sed=4');
  await expect(notice).toHaveText(
    'Not all of this link means something here: “masks.mask=slidng”, “stepz.seed” (nearest: “steps.seed”), “steps.sed” (nearest: “steps.seed”).',
  );
  await page
    .locator('#bar')
    .getByRole('link', { name: /Headwise/ })
    .click();
  await expect(notice).toBeEmpty();
  await page.goBack();
  await expect(page.locator('article#one-head')).toBeVisible();
  await expect(notice).toBeEmpty();
});

test('a link that a lesson wrote itself has nothing to tell', async ({ page, open }) => {
  await open('same-matrices');
  await page.locator('#cut hw-control[name=heads] input').press('End');
  await page.locator('#equal hw-choices').getByRole('button').nth(2).click();
  await page.locator('#own hw-editor').getByRole('button', { name: 'Set to 0' }).click();
  await expect(page).toHaveURL(/own\.edits=/);
  const hash = new URL(page.url()).hash.slice(1);
  await page.goto('about:blank');
  await open(`${hash}&hide=seed,construction,bar`);
  await expect(page.locator('#route-notice')).toBeEmpty();
});
