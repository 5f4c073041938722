// Native against WebAssembly: `attend` with its whole trace, and a step of training, in turns within one run, so that whatever else the
// machine does falls on both. Medians over all calls. Wrapper: with the checks and copies of headwise.mjs, as a page calls it. And what a
// hover costs: the arithmetic of one cell of a layer that is open, and of one that is sent along.
//
//   cmake --preset release
//   cmake --build --preset release --target headwise_benchmark headwise_training_benchmark
//   cmake --workflow --preset wasm
//   npm run benchmark -- [--programs folder] [--before folder]   (in tests/)
//
// --programs names another folder with the two native programs; --before the wasm/ folder of another build, whose `attend` is then called in
// turns with this one's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadHeadwise } from 'headwise';

const { values: options } = parseArgs({ options: { programs: { type: 'string' }, before: { type: 'string' } } });
const folder = options.programs ?? fileURLToPath(new URL('../../build/release/tests/benchmark', import.meta.url));
const programs = ['headwise_benchmark', 'headwise_training_benchmark'];
for (const name of programs) {
  if (existsSync(`${folder}/${name}`)) continue;
  console.error(
    `${folder}/${name} is missing; build it with: cmake --preset release && cmake --build --preset release --target ${programs.join(' ')}`,
  );
  process.exit(1);
}

const rounds = 20;
const headwise = await loadHeadwise();

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The times a native program prints, in microseconds, and what it computed. */
function nativeTimes(name, ...numbers) {
  const { stdout, stderr, status } = spawnSync(`${folder}/${name}`, numbers.map(String), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  return { times: stdout.trim().split('\n').map(Number), checksum: Number(stderr.split(' ')[1]) };
}

/** The same of so many calls here. */
function timesOf(calls, call) {
  const results = [];
  const times = Array.from({ length: calls }, () => {
    const start = performance.now();
    results.push(call());
    return (performance.now() - start) * 1000;
  });
  return { times, results };
}

/** A row of the first table: `native` and `wasm` each give { times, checksum }. */
function compare(native, wasm, tolerance) {
  const [nativeAll, wasmAll] = [[], []];
  for (let round = 0; round < rounds; ++round) {
    const [a, b] = [native(), wasm()];
    if (!(Math.abs(a.checksum - b.checksum) < tolerance))
      throw new Error(`native gives ${a.checksum}, WebAssembly ${b.checksum}`);
    // The first tenth of each turn warms up.
    nativeAll.push(...a.times.slice(Math.ceil(a.times.length / 10)));
    wasmAll.push(...b.times.slice(Math.ceil(b.times.length / 10)));
  }
  const [nativeMedian, wasmMedian] = [median(nativeAll), median(wasmAll)];
  return {
    'native, µs': Number(nativeMedian.toFixed(1)),
    'wrapper in WebAssembly, µs': Number(wasmMedian.toFixed(1)),
    ratio: Number((wasmMedian / nativeMedian).toFixed(1)),
    calls: nativeAll.length,
  };
}

function attendRow({ tokens, modelSize, headCount, calls }) {
  const layer = headwise.randomCase({ dims: { n_q: tokens, d_q: modelSize, num_heads: headCount }, seed: 1 });
  const wasm = () => {
    const { times, results } = timesOf(calls, () => headwise.attend(layer).output.data[0]);
    return { times, checksum: results.reduce((sum, result) => sum + result, 0) / calls };
  };
  return compare(() => nativeTimes('headwise_benchmark', tokens, modelSize, headCount, calls), wasm, 1e-9);
}

// The two-head run of lesson 6; its steps draw their batches.
function trainingRow(steps) {
  const trainer = headwise.createTrainer({ headCount: 2, headSize: 6, seed: 1, batchSize: 64, heldOutSize: 1 });
  const wasm = () => {
    trainer.reset();
    const { times, results } = timesOf(steps, () => trainer.step().loss);
    return { times, checksum: results.at(-1) };
  };
  // Two libraries' exp and log differ in their last bits, and each step builds on the one before.
  const row = compare(() => nativeTimes('headwise_training_benchmark', steps), wasm, 1e-9);
  trainer.dispose();
  return row;
}

/** Two of the wrapper's calls in turns. */
function inTurns(names, calls, count) {
  const all = calls.map(() => []);
  for (let round = 0; round < rounds; ++round)
    calls.forEach((call, i) => all[i].push(...timesOf(count, call).times.slice(Math.ceil(count / 10))));
  const medians = all.map(median);
  return {
    ...Object.fromEntries(names.map((name, i) => [`${name}, µs`, Number(medians[i].toFixed(1))])),
    ratio: Number((medians[1] / medians[0]).toFixed(2)),
    calls: all[0].length,
  };
}

function hoverRow() {
  const given = headwise.randomCase({ dims: { n_q: 64, d_q: 768, num_heads: 12 }, seed: 1 });
  const layer = headwise.openLayer(given);
  const cell = ['heads[7].rawScores', 63, 5];
  layer.explainCell(...cell);
  const before = headwise.forwardPasses;
  layer.explainCell(...cell);
  console.log(`Forward passes in a hover over an open layer: ${headwise.forwardPasses - before}`);
  const row = inTurns(
    ['case', 'open layer'],
    [() => headwise.explainCell(given, ...cell), () => layer.explainCell(...cell)],
    10,
  );
  layer.dispose();
  return row;
}

async function beforeRow() {
  const other = await import(pathToFileURL(resolve(options.before, 'headwise.mjs')).href);
  const before = await other.loadHeadwise();
  const layer = before.randomCase({ dims: { n_q: 5, d_q: 12, num_heads: 3 }, seed: 1 });
  return inTurns(['before', 'now'], [() => before.attend(layer), () => headwise.attend(layer)], 2000);
}

console.table({
  'attend, 5 × 12, 3 heads': attendRow({ tokens: 5, modelSize: 12, headCount: 3, calls: 500 }),
  'attend, 128 × 256, 8 heads': attendRow({ tokens: 128, modelSize: 256, headCount: 8, calls: 10 }),
  'step of training, 2 heads of 6, batch 64': trainingRow(300),
});
console.table({ 'hover, 64 × 768, 12 heads': hoverRow() });
if (options.before) console.table({ 'attend, 5 × 12, 3 heads': await beforeRow() });
