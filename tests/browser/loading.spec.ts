// What servers do wrong: the lesson stays readable, a sentence says what happened, and trying again works once the server is right.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { siteFolder, typeOf, type Answer, type Site } from './support/site.ts';
import { computed, expect, test } from './support/test.ts';

async function numbersAreRight(page: Page): Promise<void> {
  await computed(page);
  const headwise = await engine();
  await expect.poll(async () => faultsOf(headwise, await readBench(page, 'cut'))).toEqual([]);
}

const oddTypes = ['application/octet-stream', 'text/plain', 'text/html', ''];

for (const type of oddTypes) {
  test(`the module may come as ${type || 'no type at all'}`, async ({ page, site, open }) => {
    site.misbehave('.wasm', (response, file) => {
      response.writeHead(200, type === '' ? {} : { 'Content-Type': type }).end(readFileSync(file));
    });
    await open('same-matrices');
    await numbersAreRight(page);
  });
}

const html = '<!doctype html><title>Not found</title><p>The page you are looking for is not here.</p>';

const failures: readonly { readonly name: string; readonly answer: Answer; readonly says: RegExp }[] = [
  {
    name: 'a page of HTML in place of the module',
    answer: (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(html),
    says: /A web page came in place of headwise-module\.wasm/,
  },
  {
    name: 'no module on the server',
    answer: (response) => void response.writeHead(404, { 'Content-Type': 'text/html' }).end(html),
    says: /was not found.*404/,
  },
  {
    name: 'a server that fails',
    answer: (response) => void response.writeHead(503).end('busy'),
    says: /did not give out the computing part.*503.*in a while/,
  },
  {
    name: 'half a module',
    answer(response, file) {
      const bytes = readFileSync(file);
      response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(bytes.subarray(0, bytes.length / 2));
    },
    says: /damaged or cut off/,
  },
  {
    name: 'a connection that breaks off',
    answer(response, file) {
      const bytes = readFileSync(file);
      response.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 5000), () => response.destroy());
    },
    says: /broke off|could not be fetched/,
  },
  { name: 'no connection', answer: (response) => void response.destroy(), says: /could not be fetched/ },
  {
    name: 'an empty file',
    answer: (response) => void response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(),
    says: /empty/,
  },
];

for (const { name, answer, says } of failures) {
  test(`${name} gets a sentence, and “Try again” works afterwards`, async ({ page, site, watch }) => {
    watch.expect(/Failed to load resource|net::ERR/);
    site.misbehave('.wasm', answer);
    await page.goto(`${site.url}#same-matrices?v=1&cut.heads=3`);
    const notice = page.locator('#load-notice');
    await expect(notice).toContainText(says);
    // A sentence for people: no stack, no name of a class.
    await expect(notice).not.toContainText(/Error:|undefined|\bat \w+ \(/);

    // The text is there, and so are the figures' first numbers.
    await expect(page.locator('#same-matrices h1')).toBeVisible();
    await expect(page.getByText('You wrote one attention head and it worked.')).toBeVisible();
    const cells = page.locator('#cut hw-matrix td:not(.corner)').filter({ visible: true });
    await expect(cells.first()).toHaveText(/\d/);

    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(notice.getByRole('button', { name: 'Try again' })).toBeEnabled();
    await expect(notice).toContainText(says);
    site.recover();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(notice).toBeEmpty();
    await numbersAreRight(page);
  });
}

test('“Read on without” closes the notice', async ({ page, site, watch }) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.wasm', (response) => void response.writeHead(404).end());
  await page.goto(`${site.url}#one-head`);
  await page.locator('#load-notice').getByRole('button', { name: 'Read on without' }).click();
  await expect(page.locator('#load-notice')).toBeEmpty();
  await expect(page.locator('#one-head h1')).toBeVisible();
});

test('without numbers settings are off, figures are marked and exercises say so, until they are there', async ({
  page,
  site,
  watch,
}) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.wasm', (response) => void response.writeHead(403).end());
  await page.goto(`${site.url}#same-matrices?v=1&cut.heads=3`);
  await page.locator('#load-notice').getByRole('button', { name: 'Read on without' }).click();

  const article = page.locator('article#same-matrices');
  const settings = article.locator(':is(hw-control, hw-choices, hw-editor) :is(input, button, select)');
  const exercise = page.locator('#joined-shape');
  const numbers = article.locator(':is(hw-matrix, hw-difference, hw-number, hw-comparison)');
  const marked = () => numbers.evaluateAll((all) => all.filter((one) => one.classList.contains('start-values')).length);
  const mark = (selector: string) =>
    article
      .locator(selector)
      .first()
      .evaluate((figure) => getComputedStyle(figure, '::before').content);

  expect(await settings.count()).toBeGreaterThan(30);
  for (const setting of await settings.all()) await expect(setting).toBeDisabled();
  expect(await marked()).toBe(await numbers.count());
  expect(await mark('#equal > .side hw-difference')).toBe('"start values"');
  expect(await mark('#equal hw-equation')).toBe('"start values"');
  await expect(exercise.locator('.task-verdict')).toHaveText(
    'This needs the numbers, and they could not be computed here.',
  );
  await expect(exercise.getByRole('button', { name: 'Check' })).toBeDisabled();

  site.recover();
  await page.reload();
  await numbersAreRight(page);
  expect(await marked()).toBe(0);
  await expect(page.locator('#cut hw-control[name=heads] input')).toBeEnabled();
  await expect(exercise.locator('.task-verdict')).toBeEmpty();
  expect(await mark('#equal hw-equation')).toBe('none');
});

test('what is tried again and works puts everything on', async ({ page, site, watch }) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.wasm', (response) => void response.writeHead(500).end());
  await page.goto(`${site.url}#same-matrices?v=1&cut.heads=3`);
  const slider = page.locator('#cut hw-control[name=heads] input');
  await expect(slider).toBeDisabled();
  await expect(page.locator('#joined-shape .task-verdict')).toHaveText(/needs the numbers/);
  site.recover();
  await page.locator('#load-notice').getByRole('button', { name: 'Try again' }).click();
  await expect(slider).toBeEnabled();
  await numbersAreRight(page);
  await expect(page.locator('article#same-matrices .start-values')).toHaveCount(0);
  await expect(page.locator('#joined-shape .task-verdict')).toBeEmpty();
});

test('a bet that numbers decide is not judged without them, but what it covers can be read', async ({
  page,
  site,
  watch,
}) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.wasm', (response) => void response.writeHead(404).end());
  await page.goto(`${site.url}#same-matrices`);
  await page.locator('#load-notice').getByRole('button', { name: 'Read on without' }).click();
  const bet = page.locator('#bet');
  await bet.locator('.option').first().click();
  await expect(bet.locator('.task-verdict')).toHaveText(/needs the numbers/);
  await expect(bet.locator('.verdict', { hasText: /✓|✗/ })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('headwise.progress.1'))).toBeNull();
  await expect(bet.locator('.after')).toBeVisible();
  await expect(page.locator('[after="bet"].covered')).toHaveCount(0);
});

test('numbers that are long on their way are announced', async ({ page, site }) => {
  let answer = (): void => undefined;
  site.misbehave('.wasm', (response, file) => {
    answer = () => response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(readFileSync(file));
  });
  const notice = page.locator('#load-notice');
  await page.goto(`${site.url}#same-matrices?v=1&cut.heads=3`);
  await expect(notice).toHaveText('The numbers are being fetched …');
  await expect(notice.getByRole('status')).toBeVisible();
  answer();
  await expect(notice).toBeEmpty();
  await numbersAreRight(page);
});

test('numbers that are very long on their way are told with what to do, and taken when they come', async ({
  page,
  site,
}) => {
  const answers: (() => void)[] = [];
  site.misbehave('.wasm', (response, file) => {
    answers.push(() => response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(readFileSync(file)));
  });
  await page.clock.install();
  await page.goto(`${site.url}#same-matrices?v=1&cut.heads=3`);
  await expect(page.locator('html')).toHaveClass(/started/);
  const notice = page.locator('#load-notice');
  await page.clock.fastForward(2_000);
  await expect(notice).toHaveText('The numbers are being fetched …');
  await page.clock.fastForward(30_000);
  await expect(notice).toContainText('The numbers have not come yet: the connection is slow');
  await expect(notice.getByRole('status')).toBeVisible();
  await expect(notice.getByRole('button')).toHaveText(['Load the page again', 'Read on without']);
  for (const answer of answers) answer();
  await expect(notice).toBeEmpty();
  await page.clock.resume();
  await numbersAreRight(page);
});

test('the module is asked for before the program has come', async ({ page, site }) => {
  let answer = (): void => undefined;
  site.misbehave(/index-.*\.js$/, (response, file) => {
    answer = () => response.writeHead(200, { 'Content-Type': typeOf(file) }).end(readFileSync(file));
  });
  const asked = page.waitForRequest(/\.wasm$/);
  await page.goto(`${site.url}#same-matrices`, { waitUntil: 'commit' });
  await asked;
  expect(site.requests.some((path) => /training-worker|uPlot/.test(path))).toBe(false);
  await expect(page.locator('html')).not.toHaveClass(/started/);
  answer();
  await numbersAreRight(page);
  expect(site.requests.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
});

/** (module (func (export "f") (result i32) i32.const 42)) */
const moduleWithOneFunction = Buffer.from(
  '0061736d010000000105016000017f03020100070501016600000a06010400412a0b',
  'hex',
);

const causes: readonly {
  readonly name: string;
  readonly prepare: (page: Page, site: Site) => Promise<void>;
  readonly says: RegExp;
  readonly again: boolean;
}[] = [
  {
    name: 'a policy that forbids WebAssembly',
    prepare: async (_, site) =>
      site.misbehave('index.html', (response, file) => {
        const html = readFileSync(file, 'utf8').replace(" 'wasm-unsafe-eval'", '');
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
      }),
    says: /policy does not allow WebAssembly.*'wasm-unsafe-eval'/,
    again: false,
  },
  {
    name: 'WebAssembly that is switched off',
    prepare: async (page) => {
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
    },
    says: /There is no WebAssembly here.*switched off/,
    again: false,
  },
  {
    name: 'a browser whose WebAssembly knows no exceptions',
    prepare: async (page) => {
      await page.addInitScript(() => {
        WebAssembly.validate = () => false;
      });
    },
    says: /This browser is too old.*Update the browser, or use another/,
    again: false,
  },
  {
    name: 'a working module that is another one',
    prepare: async (_, site) =>
      site.misbehave('.wasm', (response) =>
        response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(moduleWithOneFunction),
      ),
    says: /of another build/,
    again: true,
  },
  {
    name: 'a module of another build',
    prepare: async (_, site) =>
      site.misbehave('.wasm', (response) =>
        response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(Buffer.from([0, 97, 115, 109, 1, 0, 0, 0])),
      ),
    says: /of another build/,
    again: true,
  },
];

for (const { name, prepare, says, again } of causes) {
  test(`${name} is named, with advice`, async ({ page, site, watch }) => {
    watch.expect(/Content Security Policy|unsafe-eval/);
    await prepare(page, site);
    await page.goto(`${site.url}#one-head`);
    const notice = page.locator('#load-notice');
    await expect(notice).toContainText(says);
    await expect(notice.getByRole('alert')).toBeVisible();
    await expect(notice.getByRole('button', { name: 'Try again' })).toHaveCount(again ? 1 : 0);
    await expect(page.locator('#steps hw-control[name=seed] input')).toBeDisabled();
  });
}

/** The page in a frame of somebody else's, with these permissions. */
async function openFramed(page: Page, site: Site, sandbox: string, hash: string): Promise<FrameLocator> {
  await page.setContent(`<iframe sandbox="${sandbox}" src="${site.url}#${hash}" width="1200" height="800"></iframe>`);
  return page.frameLocator('iframe');
}

test('a frame that is kept from the site is told from an old browser, and the page’s own address is given', async ({
  page,
  site,
  watch,
}) => {
  // The module that was asked for ahead is never used there, of which the browser warns after some seconds.
  watch.expect(/CORS|net::ERR_FAILED|sandboxed|preloaded using link preload but not used/);
  const frame = await openFramed(page, site, 'allow-scripts', 'one-head?v=1&steps.seed=3');
  await expect(frame.getByText('give it allow-same-origin')).toBeVisible();
  await expect(frame.getByRole('link', { name: `${site.url}#one-head?v=1&steps.seed=3` })).toBeVisible();
  await expect(frame.locator('.not-understood, .not-fetched')).toHaveCount(2);
  for (const other of ['.not-understood', '.not-fetched', '.from-file'])
    await expect(frame.locator(other)).toBeHidden();
  await expect(frame.locator('#one-head h1')).toBeVisible();
});

test('in such a frame that may fetch, all but training runs, and that says why', async ({ page, site, watch }) => {
  watch.expect(/sandboxed|Failed to construct 'Worker'|origin 'null'/);
  site.misbehave(/\.(?:js|css|wasm|html)$/, (response, file) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Content-Type', typeOf(file));
    response.end(readFileSync(file));
  });
  const frame = await openFramed(page, site, 'allow-scripts', 'heads-that-specialise');
  await frame.locator('hw-training').scrollIntoViewIfNeeded();
  const notice = frame.locator('hw-training .notice');
  await expect(notice).toContainText(
    'does not let this page train beside what it shows. Open the page by itself: http',
  );
  await expect(notice).not.toContainText(/Failed|Worker|Reset/);
  await expect(frame.locator('.training-controls').getByRole('button', { name: 'Reset' })).toBeDisabled();
});

test('in a frame that allows no forms, “Check” and Enter answer, and so do the tools of the editor', async ({
  page,
  site,
}) => {
  const frame = await openFramed(page, site, 'allow-scripts allow-same-origin', 'projection-shapes');
  const exercise = frame.locator('#projection-shapes hw-exercise[kind=shape]').first();
  const verdict = exercise.locator('.task-verdict');
  for (const field of await exercise.locator('input').all()) await field.fill('999');
  await exercise.getByRole('button', { name: 'Check' }).click();
  await expect(verdict).toHaveText(/Not yet/);
  await exercise.locator('input').first().fill('many');
  await exercise.locator('input').first().press('Enter');
  await expect(verdict).toHaveText(/Two whole numbers/);

  const other = await openFramed(page, site, 'allow-scripts allow-same-origin', 'same-matrices');
  const editor = other.locator('#own hw-editor');
  await editor.locator('td[data-row]:visible').first().click();
  await editor.locator('.cell-value').fill('1.5');
  await editor.locator('.cell-value').press('Enter');
  await editor.locator('.factor').fill('-2');
  await editor.getByRole('button', { name: 'Multiply by' }).click();
  await expect(editor.locator('.edits li')).toHaveText([/row 1, column 1 = 1\.5/, /block 1 times -2/]);
});

const notStarted = [
  {
    name: 'that does not arrive',
    answer: (response: Parameters<Answer>[0]) => void response.writeHead(404).end(),
    says: /could not be fetched/,
  },
  {
    name: 'in a language that is too new',
    answer: (response: Parameters<Answer>[0]) =>
      void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('export const x = 1 |> f(%);'),
    says: /too old for the page's program/,
  },
] as const;

for (const { name, answer, says } of notStarted) {
  test(`a program ${name} leaves the whole text, and says so`, async ({ page, site, watch }) => {
    // What is fetched ahead for a program that does not run is not used.
    watch.expect(/Failed to load resource|uncaught|preloaded/);
    site.misbehave('.js', (response, file) => {
      if (file.endsWith('first-paint.js'))
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(file));
      else answer(response);
    });
    await page.goto(`${site.url}#one-head`);
    await expect(page.locator('#needs-server > p').filter({ visible: true })).toHaveText(says);
    await expect(page.locator('#one-head h1')).toBeVisible();
    await expect(page.locator('#same-matrices h1')).toBeVisible();
  });
}

test('opened as a file, the page says that it needs a web server, and can be read', async ({ page, watch }) => {
  // The browser refuses to run a module from a file, and says so.
  watch.expect(/file:|net::ERR_FAILED/);
  await page.goto(pathToFileURL(join(siteFolder, 'index.html')).href);
  await expect(page.getByText('The numbers need a web server')).toBeVisible();
  await expect(page.locator('#same-matrices h1')).toBeVisible();
  await expect(page.locator('#cut hw-matrix td:not(.corner)').first()).toHaveText(/\d/);
});

test.describe('in a sub-folder', () => {
  test.use({ folder: '/courses/attention/v1/' });

  test('the page works', async ({ page, site, open }) => {
    await open('same-matrices');
    await numbersAreRight(page);
    expect(site.requests.filter((path) => !path.startsWith('/courses/attention/v1/'))).toEqual([]);
  });
});

test('reading a lesson asks the server once for each file and no other place', async ({ page, site, open }) => {
  await open('same-matrices');
  await numbersAreRight(page);
  const asked = site.requests.map((path) => path.slice(1));
  expect(asked.length).toBe(new Set(asked).size);
  expect(asked.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
});
