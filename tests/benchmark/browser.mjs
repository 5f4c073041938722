// The page in Chromium: from a slider's event to painted figures, what the first visit to a lesson transfers, and lesson 6's training.
//
//   npm run build --prefix web
//   npm run benchmark:browser    (in tests/; HEADWISE_BROWSER names the browser, else chromium on PATH)
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';

const folder = process.env.HEADWISE_SITE_DIR ?? fileURLToPath(new URL('../../web/dist', import.meta.url));
const types = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const eventCount = 200;

/** Serves the built page compressed, as web hosts do, and notes what was asked for. */
async function serve() {
  const sent = new Map();
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname).slice(1) || 'index.html';
    let bytes;
    try {
      bytes = readFileSync(join(folder, path));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const body = gzipSync(bytes, { level: 6 });
    sent.set(path, { raw: bytes.length, compressed: body.length });
    const type = types[extname(path)] ?? 'application/wasm';
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, sent, url: `http://127.0.0.1:${server.address().port}/` };
}

function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Sends input events to a slider, each when the last one is painted, and times them in the page. */
async function slide(page, { bench, name }, count) {
  await page.waitForFunction((id) => document.getElementById(id)?.results !== undefined, bench);
  return page.evaluate(
    async ({ bench, name, count }) => {
      const input = document.querySelector(`#${bench} hw-control[name="${name}"] input`);
      const channel = new MessageChannel();
      const [from, to] = [Number(input.min), Math.min(Number(input.max), 9999)];
      const figure = document.querySelector(`#${bench} hw-matrix .grid`);
      const times = { painted: [], work: [], unchanged: 0 };
      for (let step = 0; step < count; ++step) {
        const before = figure.textContent + document.querySelector(`#${bench} hw-difference`)?.textContent;
        // Wait into the frame by a varying time, as a hand does.
        await new Promise((resolve) => setTimeout(resolve, step % 17));
        input.value = String(input.type === 'range' ? from + (step % (to - from + 1)) : step + 1);
        const sent = performance.now();
        const painted = new Promise((resolve) => {
          // The first callback of the frame: what follows in it is the page's work. The message comes after style, layout and paint.
          requestAnimationFrame(() => {
            const started = performance.now();
            channel.port1.onmessage = () => resolve({ started, ended: performance.now() });
            channel.port2.postMessage(undefined);
          });
        });
        input.dispatchEvent(new Event(input.type === 'range' ? 'input' : 'change', { bubbles: true }));
        const handled = performance.now() - sent;
        const { started, ended } = await painted;
        times.painted.push(ended - sent);
        times.work.push(handled + ended - started);
        const after = figure.textContent + document.querySelector(`#${bench} hw-difference`)?.textContent;
        if (before === after) ++times.unchanged;
      }
      return times;
    },
    { bench, name, count },
  );
}

async function processorSeconds(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ProcessTime').value;
}

const { server, sent, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.HEADWISE_BROWSER || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});

const visitor = await browser.newPage();
await visitor.goto(`${url}#projection-shapes`, { waitUntil: 'networkidle' });
await visitor.waitForFunction(() => document.getElementById('views')?.results !== undefined);
await visitor.close();
const files = [...sent].map(([file, { raw, compressed }]) => ({
  file,
  'raw, kB': Number((raw / 1000).toFixed(1)),
  'gzip, kB': Number((compressed / 1000).toFixed(1)),
}));
const sum = (column) => Number(files.reduce((total, row) => total + row[column], 0).toFixed(1));
console.log('\nThe first visit to lesson 1, everything the page asks for:');
console.table([...files, { file: 'in all', 'raw, kB': sum('raw, kB'), 'gzip, kB': sum('gzip, kB') }]);

const sliders = [
  { figure: 'lesson 4, 5 × 6: heads', lesson: 'same-matrices', bench: 'cut', name: 'heads' },
  { figure: 'lesson 4, 5 × 6: width', lesson: 'same-matrices', bench: 'cut', name: 'width' },
  { figure: 'lesson 4, 10 × 512, h 8: seed', lesson: 'same-matrices', bench: 'trap', name: 'seed' },
  { figure: 'lesson 1, 5 × 12: seed', lesson: 'projection-shapes', bench: 'views', name: 'seed' },
];
const rows = [];
// Slowed four times the processor is about a phone's.
for (const slowdown of [1, 4]) {
  for (const slider of sliders) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${url}#${slider.lesson}`);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await slide(page, slider, 20); // warms up
    const before = await processorSeconds(session);
    const { painted, work, unchanged } = await slide(page, slider, eventCount);
    const processor = ((await processorSeconds(session)) - before) * (1000 / eventCount);
    if (unchanged > eventCount / 2) throw new Error(`${slider.figure}: ${unchanged} events changed nothing`);
    const milliseconds = (numbers, share) => Number(quantile(numbers, share).toFixed(1));
    rows.push({
      slider: slider.figure,
      'processor slowed': `${slowdown} ×`,
      'event to paint, median ms': milliseconds(painted, 0.5),
      'p95 ms': milliseconds(painted, 0.95),
      'work, median ms': milliseconds(work, 0.5),
      'work p95 ms': milliseconds(work, 0.95),
      // Of all threads of the page; unlike the others it does not depend on what else the machine does.
      'processor time, mean ms': Number(processor.toFixed(1)),
    });
    await page.close();
  }
}
console.log(
  `\nFrom a slider's event to painted figures, ${eventCount} events each (a frame is 16.7 ms; waiting for it is part of the first two):`,
);
console.table(rows);

/** Lesson 6: steps of the two-head run by themselves, then all five runs as a learner plays them. */
async function train() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}#heads-that-specialise`);
  await page.waitForFunction(() => document.getElementById('runs')?.results !== undefined);
  const step = await page.evaluate(() => {
    const trainer = document.getElementById('runs').headwise.createTrainer({ headCount: 2, headSize: 6, seed: 1 });
    trainer.step(100); // warms up
    const times = Array.from({ length: 500 }, () => {
      const start = performance.now();
      trainer.step();
      return performance.now() - start;
    });
    trainer.dispose();
    return times.sort((a, b) => a - b)[250];
  });
  await page.locator('hw-training').scrollIntoViewIfNeeded();
  await page.locator('.training[data-state=paused]').waitFor();
  await page.locator('.training').getByRole('radio', { name: '20', exact: true }).check();
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    });
  });
  const start = performance.now();
  await page.locator('.training').getByRole('button', { name: 'Play' }).click();
  await page.locator('.training[data-state=done]').waitFor({ timeout: 300_000 });
  const seconds = (performance.now() - start) / 1000;
  const longest = await page.evaluate(() => Math.max(0, ...longTasks));
  await page.close();
  return {
    'a step of two heads, median ms': Number(step.toFixed(2)),
    'steps a second': Math.round(1000 / step),
    'five runs of 300 steps with 31 evaluations, s': Number(seconds.toFixed(1)),
    'longest task of the page over 50 ms': longest === 0 ? 'none' : `${longest.toFixed(0)} ms`,
  };
}
console.log('\nTraining in lesson 6:');
console.table([await train()]);

await browser.close();
server.close();
