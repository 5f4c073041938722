// Native against WebAssembly: `attend` with its whole trace, in turns within one run, so that whatever else the machine does falls
// on both. Medians over all calls. Wrapper: with the checks and copies of headwise.mjs, as a page calls it.
//
//   cmake --workflow --preset release; cmake --build --preset wasm --target headwise-module
//   npm run benchmark            (in tests/; the first argument may name another headwise_benchmark)
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadHeadwise } from 'headwise';

const native =
  process.argv[2] ?? fileURLToPath(new URL('../../build/release/tests/benchmark/headwise_benchmark', import.meta.url));
if (!existsSync(native)) {
  console.error(
    `${native} is missing; build it with: cmake --preset release && cmake --build --preset release --target headwise_benchmark`,
  );
  process.exit(1);
}

const rounds = 20;
const cases = [
  { tokens: 5, modelSize: 12, headCount: 3, calls: 500 },
  { tokens: 128, modelSize: 256, headCount: 8, calls: 10 },
];

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

function nativeTimes({ tokens, modelSize, headCount, calls }) {
  const { stdout, stderr, status } = spawnSync(native, [tokens, modelSize, headCount, calls].map(String), {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${native} failed: ${stderr}`);
  return { times: stdout.trim().split('\n').map(Number), checksum: Number(stderr.split(' ')[1]) };
}

const headwise = await loadHeadwise();

function wasmTimes({ tokens, modelSize, headCount, calls }) {
  const layer = headwise.randomCase({ dims: { n_q: tokens, d_q: modelSize, num_heads: headCount }, seed: 1 });
  let sum = 0;
  const times = Array.from({ length: calls }, () => {
    const start = performance.now();
    sum += headwise.attend(layer).output.data[0];
    return (performance.now() - start) * 1000;
  });
  return { times, checksum: sum / calls };
}

const rows = cases.map((sizes) => {
  const [nativeAll, wasmAll] = [[], []];
  for (let round = 0; round < rounds; ++round) {
    const [a, b] = [nativeTimes(sizes), wasmTimes(sizes)];
    if (!(Math.abs(a.checksum - b.checksum) < 1e-9))
      throw new Error(`native gives ${a.checksum}, WebAssembly ${b.checksum}`);
    // The first tenth of each turn warms up.
    nativeAll.push(...a.times.slice(Math.ceil(sizes.calls / 10)));
    wasmAll.push(...b.times.slice(Math.ceil(sizes.calls / 10)));
  }
  const [nativeMedian, wasmMedian] = [median(nativeAll), median(wasmAll)];
  return {
    'n × d, h': `${sizes.tokens} × ${sizes.modelSize}, ${sizes.headCount}`,
    'native, µs': Number(nativeMedian.toFixed(1)),
    'wrapper in WebAssembly, µs': Number(wasmMedian.toFixed(1)),
    ratio: Number((wasmMedian / nativeMedian).toFixed(1)),
    calls: nativeAll.length,
  };
});
console.table(rows);
