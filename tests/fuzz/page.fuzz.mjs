// Addresses and words that nobody should send, on one page of the built site: known places with extreme, foreign and broken values, percent
// rubbish, other versions, markup, letters of any script. After each nothing may be uncaught, in the console, injected, or wider than the
// screen; after every so many a known lesson shows what it showed at the start.
//
//   npm run build --prefix ../../web
//   node page.fuzz.mjs [--minutes N | --seconds N] [--count N] [--every N] [--seed N] [--path P]
//
// A failure prints its seed and path, which bring the same inputs again. HEADWISE_BROWSER names the browser, HEADWISE_SITE_DIR another build.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { chromium } from 'playwright';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    count: { type: 'string', default: '1000000000' },
    /** so many inputs between two looks at a known lesson */
    every: { type: 'string', default: '250' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
});
const seconds = options.minutes === undefined ? Number(options.seconds) : 60 * Number(options.minutes);
const every = Number(options.every);

const folder = process.env.HEADWISE_SITE_DIR ?? fileURLToPath(new URL('../../web/dist', import.meta.url));
const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname).slice(1) || 'index.html';
    try {
      response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain').end(readFileSync(join(folder, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

const { server, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.HEADWISE_BROWSER || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
// A phone, a tablet, a desktop, by turns.
const widths = [390, 768, 1280];

const heard = [];
page.on('pageerror', (error) => heard.push(`uncaught: ${error.message}`));
page.on('console', (message) => {
  if (['error', 'warning'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
});
page.on('request', (request) => {
  if (!request.url().startsWith(url) && !request.url().startsWith('data:')) heard.push(`asked for ${request.url()}`);
});
page.on('dialog', (dialog) => {
  heard.push(`a dialog: ${dialog.message()}`);
  void dialog.dismiss();
});

await page.goto(url);
await page.waitForFunction(() => document.documentElement.classList.contains('started'));

// What there is to address, as the page itself has it.
const articles = await page.evaluate(() =>
  [...document.querySelectorAll('main > article')].map((article) => ({
    id: article.id,
    parts: [...article.querySelectorAll('[id]')].map(({ id }) => id),
    benches: [...article.querySelectorAll('hw-bench')].map((bench) => ({
      id: bench.id,
      parameters: bench.parameters.map(({ name, kind, min, max, choices }) => ({
        name,
        kind,
        bounds: [min, max].filter((bound) => bound !== undefined),
        choices: (choices ?? []).map(({ value }) => value),
      })),
    })),
  })),
);

// --- What is sent ---

const markup = fc.constantFrom(
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  '"><iframe src=javascript:alert(1)>',
  "'-alert(1)-'",
  '{{7*7}}${7*7}',
  '<a href="javascript:alert(1)">x</a>',
  '</title><math><mtext></table></math>',
);
const letters = fc.constantFrom(
  '😀',
  '👨‍👩‍👧‍👦',
  '🇩🇪🇫🇷',
  'aaaaaaaaaaaaa😀',
  'שלום',
  'مرحبا',
  '\u202Eabc',
  'e\u0301\u0323',
  'Z\u0351\u0352\u0353'.repeat(40),
  '\0',
  '\uFEFF',
  '\u2028',
  'x'.repeat(10_000),
  'word '.repeat(500),
);
const word = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 2, arbitrary: letters },
  { weight: 1, arbitrary: markup },
);
const text = fc.array(word, { maxLength: 14 }).map((words) => words.join(' '));
const strange = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '.', 'v', 'hide', '0');
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 40 }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom('64', '128', '256', '512', '4096', '9999', '16384', '999999', '1000000') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('-1', '1.5', '1e3', '1e308', '1e999', 'NaN', 'Infinity', '٣', '0x10', ' 7 ', '', '1,2'),
  },
);
const matrix = fc.constantFrom('q', 'k', 'v', 'o', 'x', 'w');
const place = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(511, 99999, -1, 1e21));
const edit = fc.oneof(
  fc.tuple(matrix, place, place, number).map(([m, row, column, to]) => `${m}.${row}.${column}:${to}`),
  fc.tuple(matrix, place, number).map(([m, block, by]) => `${m}/${block}*${by}`),
  fc.tuple(matrix, place, matrix, place).map(([m, block, from, other]) => `${m}/${block}:${from}/${other}`),
  fc.tuple(matrix, place).map(([m, block]) => `${m}/${block}:0`),
  word,
);
const edits = fc
  .tuple(fc.array(edit, { maxLength: 8 }), fc.constantFrom(1, 1, 1, 100))
  .map(([list, times]) => Array(times).fill(list.join(',')).join(','));

function valueOf({ kind, bounds, choices }) {
  if (['integer', 'number', 'seed'].includes(kind))
    return bounds.length > 0 ? fc.oneof(number, fc.constantFrom(...bounds.map(String))) : number;
  if (kind === 'choice') return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...choices) }, word);
  if (kind === 'flag') return fc.oneof(fc.constantFrom('on', 'off', '1', ''), word);
  return kind === 'edits' ? edits : text;
}

/** A part of an address, encoded as the page does it, or badly. */
const spelled = (arbitrary) =>
  fc.tuple(arbitrary, fc.integer({ min: 0, max: 19 })).map(([value, way]) => {
    const whole = value.toWellFormed();
    if (way === 0) return whole.replaceAll('&', '%26');
    if (way === 1) return `${encodeURIComponent(whole)}%`;
    if (way === 2) return `%E0%A4%A${encodeURIComponent(whole)}%00%ff`;
    return encodeURIComponent(whole);
  });

const settingOf = ({ id, parameters }) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .constantFrom(...parameters)
        .chain((parameter) => spelled(valueOf(parameter)).map((value) => `${id}.${parameter.name}=${value}`)),
    },
    { weight: 1, arbitrary: fc.tuple(strange, spelled(word)).map(([name, value]) => `${id}.${name}=${value}`) },
  );
const foreign = fc.oneof(
  fc.tuple(strange, strange, spelled(word)).map(([bench, name, value]) => `${bench}.${name}=${value}`),
  spelled(word),
  spelled(word).map((value) => `hide=${value}`),
  fc.constantFrom('hide=bar', 'hide=seed,heads', 'v=0', 'v=2', 'v=', '&&&', '=', '=='),
);
const settingsIn = ({ benches }) => {
  const own = benches.filter(({ parameters }) => parameters.length > 0).map(settingOf);
  const one = fc.oneof({ weight: 6, arbitrary: own.length > 0 ? fc.oneof(...own) : foreign }, foreign);
  return fc.array(one, { maxLength: 7 });
};
const target = (article) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(article.id) },
    { weight: 2, arbitrary: article.parts.length > 0 ? fc.constantFrom(...article.parts) : fc.constant('') },
    { weight: 1, arbitrary: spelled(fc.oneof(word, strange)) },
  );
const address = fc
  .constantFrom(...articles)
  .chain((article) => fc.tuple(target(article), settingsIn(article)))
  .map(([to, settings]) => ({ hash: settings.length > 0 ? `#${to}?v=1&${settings.join('&')}` : `#${to}` }));
const typed = fc.tuple(fc.nat({ max: 20 }), text).map(([field, words]) => ({ field, words }));
const input = fc.oneof({ weight: 7, arbitrary: address }, { weight: 1, arbitrary: typed });

// --- What must hold ---

/** Sends one input, and says what the page is like when it has answered. */
function send(input) {
  return page.evaluate(async (input) => {
    const begin = performance.now();
    if (input.hash !== undefined) location.hash = input.hash;
    else {
      const fields = [...document.querySelectorAll('main > article:not([hidden]) hw-control input[type=text]')];
      const field = fields[input.field % fields.length];
      if (field) {
        field.value = input.words;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }
    // Computed in the next frame, drawn after it, laid out in the one after that.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const foreign =
      'script:not([src]), img, iframe, object, embed, form, body a[href^="javascript"], [onerror], [onload]';
    return {
      milliseconds: performance.now() - begin,
      over: document.documentElement.scrollWidth - innerWidth,
      elements: document.querySelectorAll('main > article:not([hidden]) *').length,
      injected: [...document.querySelectorAll(foreign)].map((element) => element.outerHTML.slice(0, 100)),
      open: document.querySelectorAll('main > article:not([hidden])').length,
      polluted: Object.keys(Object.prototype),
      longest: Math.max(
        ...[...document.querySelectorAll('#route-notice, .bench-notice, .bench-note')].map(
          ({ textContent }) => textContent.length,
        ),
      ),
    };
  }, input);
}

/** Of one lesson. */
const mostElements = 12_000;
const longestNotice = 2_000;
/** Only reported: how long an answer takes is the machine's affair too. */
const slow = 2_000;
const known = '#same-matrices?v=1&cut.heads=3&cut.seed=11&own.edits=q/0:0';
const slowest = [];
const counts = { addresses: 0, words: 0, looks: 0 };
let before = [];

const cellsOf = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('#same-matrices :is(.grid td, .meter-number, hw-number)')].map(
      ({ textContent }) => textContent,
    ),
  );

async function lookAtKnown() {
  await send({ hash: known });
  return cellsOf();
}

/** Where the known lesson differs from what it showed at the start; a busy machine may take a while over it. */
async function differencesFromStart() {
  await send({ hash: known });
  const deadline = performance.now() + 10_000;
  for (;;) {
    const now = await cellsOf();
    const places = Array.from({ length: Math.max(now.length, expected.length) }, (_, i) => i);
    const other = places.filter((i) => now[i] !== expected[i]);
    if (other.length === 0) return '';
    const [first] = other;
    if (performance.now() > deadline)
      return `${other.length} of ${expected.length}, the first at ${first}: ${now[first]} instead of ${expected[first]}`;
    await page.waitForTimeout(100);
  }
}

// Its figures come once the module is there.
await page.evaluate((hash) => (location.hash = hash), known);
await page.waitForFunction(() => document.querySelector('#cut').results !== undefined);
const expected = await lookAtKnown();
if (!expected.some((text) => /\d/.test(text))) throw new Error('the known lesson shows no numbers');

async function hold(input) {
  const answer = await send(input);
  ++counts[input.hash === undefined ? 'words' : 'addresses'];
  before = [...before.slice(-4), input];
  slowest.push({ milliseconds: Math.round(answer.milliseconds), input: JSON.stringify(input).slice(0, 300) });
  slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(5);
  const faults = heard.splice(0);
  if (answer.over > 0) faults.push(`${answer.over} px wider than the screen of ${page.viewportSize().width}`);
  if (answer.elements > mostElements) faults.push(`${answer.elements} elements`);
  if (answer.injected.length > 0) faults.push(`injected: ${answer.injected.join(' ')}`);
  if (answer.open !== 1) faults.push(`${answer.open} articles are open`);
  if (answer.polluted.length > 0) faults.push(`Object.prototype has ${answer.polluted.join(', ')}`);
  if (answer.longest > longestNotice) faults.push(`a notice of ${answer.longest} characters`);
  const sent = counts.addresses + counts.words;
  if (sent % every === 0) {
    ++counts.looks;
    await page.setViewportSize({ width: widths[counts.looks % widths.length], height: 844 });
    const other = await differencesFromStart();
    if (other !== '') faults.push(`the known lesson shows other numbers than at the start: ${other}`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

const begin = performance.now();
const details = await fc.check(fc.asyncProperty(input, hold), {
  numRuns: Number(options.count),
  ...(options.path === undefined ? { interruptAfterTimeLimit: seconds * 1000 } : { path: options.path }),
  ...(options.seed === undefined ? {} : { seed: Number(options.seed) }),
});
const { JSHeapUsedSize } = await (async () => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
})();
await browser.close();
server.close();

console.log(
  `${counts.addresses} addresses and ${counts.words} typed texts in ${Math.round((performance.now() - begin) / 1000)} s, seed ${details.seed}; ` +
    `${counts.looks} looks at a known lesson; heap at the end ${(JSHeapUsedSize / 2 ** 20).toFixed(1)} MiB`,
);
for (const { milliseconds, input } of slowest)
  if (milliseconds > slow) console.log(`slow: ${milliseconds} ms after ${input}`);
if (details.failed) {
  console.log(`FAULT (--seed ${details.seed} --path ${details.counterexamplePath})`);
  console.log(JSON.stringify(details.counterexample?.[0]).slice(0, 3000));
  console.log(details.errorInstance?.message ?? details.error);
  console.log(`sent before it:\n${before.map((one) => JSON.stringify(one).slice(0, 300)).join('\n')}`);
  process.exitCode = 1;
}
