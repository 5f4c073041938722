// What servers do wrong: the lesson stays readable, a sentence says what happened, and trying again works once the server is right.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { faultsOf } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { siteFolder, type Answer } from './support/site.ts';
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
    says: /503/,
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

test('a program that does not start leaves the whole text, and says so', async ({ page, site, watch }) => {
  watch.expect(/Failed to load resource/);
  site.misbehave('.js', (response, file) => {
    if (file.endsWith('first-paint.js'))
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await page.goto(`${site.url}#one-head`);
  await expect(page.locator('#needs-server .not-started')).toBeVisible();
  await expect(page.locator('#one-head h1')).toBeVisible();
  await expect(page.locator('#same-matrices h1')).toBeVisible();
});

test('opened as a file, the page says that it needs a web server, and can be read', async ({ page, watch }) => {
  // The browser refuses to run a module from a file, and says so.
  watch.expect(/file:|net::ERR_FAILED/);
  await page.goto(pathToFileURL(join(siteFolder, 'index.html')).href);
  await expect(page.getByText('The numbers need a web server: run web/serve')).toBeVisible();
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
