// Near-valid calls of every function of the wrapper: golden and made-up cases with something wrong in them, sizes at limits, hostile objects.
// Allowed are a result whose numbers are finite, a HeadwiseError with a code that says what is wrong, and the caller's own exception.
//
//   node wrapper.fuzz.mjs [--seconds N] [--calls N] [--every N] [--seed N] [--path P]
//
// A failure prints its seed and path, which bring the same calls again.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { errorCodes, HeadwiseError, loadHeadwise, nearestName } from 'headwise';
import { fromGolden } from 'headwise/golden';
import { golden, goldenFiles } from './golden.mjs';
import { build, OwnError } from './hostile.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    calls: { type: 'string', default: '1000000000' },
    /** so many calls between two looks at the engine: 1 finds the call after which it had changed */
    every: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
});

const headwise = await loadHeadwise();
const files = goldenFiles.map(golden);
const cases = [
  ...files.filter(({ kind }) => kind !== 'training').flatMap((file) => fromGolden(headwise, file)),
  ...['mha', 'additive_mha'].flatMap((kind) =>
    [1, 2].map((num_heads) =>
      headwise.randomCase({ kind, dims: { n_q: 2, d_q: 4, num_heads, a: 3 }, seed: num_heads, biases: num_heads > 1 }),
    ),
  ),
];
const singles = cases.map((one, i) => [one, i]).filter(([{ kind, dims }]) => kind === 'mha' && dims?.num_heads === 1);

// --- What is asked ---

const extreme = fc.constantFrom(
  ...[
    0,
    -1,
    1.5,
    -0,
    NaN,
    Infinity,
    -Infinity,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    46340 ** 2,
    65536,
    4096,
    1e308,
    5e-324,
    -1e308,
  ],
);
const number = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }) }, { weight: 1, arbitrary: extreme });
const size = fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 1, max: 8 }) }, { weight: 1, arbitrary: extreme });
const index = fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 0, max: 4 }) }, { weight: 1, arbitrary: extreme });
const seed = fc.oneof({ weight: 8, arbitrary: fc.nat() }, { weight: 1, arbitrary: extreme });
const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
const named = (...names) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() });
const some = (shape) => fc.record(shape, { requiredKeys: [] });
// By its number: the counterexample stays short.
const given = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: cases.length - 1 }).map((number) => ({ $case: number })) },
  { weight: 2, arbitrary: fc.nat({ max: cases.length - 1 }).map((number) => ({ $open: number })) },
  { weight: 1, arbitrary: fc.nat({ max: cases.length - 1 }).map((number) => ({ $disposed: number })) },
);
const single = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...singles.map(([, number]) => ({ $case: number }))) },
  { weight: 1, arbitrary: given },
);
const pair = fc.oneof(
  fc.tuple(single, fc.integer({ min: 1, max: 4 })).map(([one, heads]) => [one, { $split: one, heads }]),
  fc.tuple(single, given),
);
const rows = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([r, c]) => fc.array(fc.array(number, { minLength: c, maxLength: c }), { minLength: r, maxLength: r }));
const matrix = fc.oneof(
  { weight: 3, arbitrary: rows },
  { weight: 2, arbitrary: rows.map((all) => ({ $matrix: all })) },
  { weight: 1, arbitrary: rows.map((all) => ({ shape: [all.length, all[0].length], data: all.flat() })) },
);
const matrices = fc.oneof(
  fc.array(matrix, { maxLength: 4 }),
  fc.tuple(rows, fc.integer({ min: 1, max: 4 })).map(([all, count]) => Array(count).fill(all)),
);
const words = fc.array(fc.oneof(fc.string(), fc.constantFrom('the', 'cat', '😀', '\0', '\ud83d')), { maxLength: 6 });
const dims = some({
  n_q: size,
  n_kv: size,
  d_q: size,
  d_k: size,
  d_v: size,
  num_heads: size,
  num_kv_heads: size,
  p_q: size,
  p_k: size,
  p_v: size,
  p_o: size,
  a: size,
});
const usualDims = fc
  .tuple(size, fc.integer({ min: 1, max: 4 }))
  .map(([n_q, num_heads]) => ({ n_q, d_q: 4 * num_heads, num_heads }));
const anyDims = fc.oneof(dims, usualDims);
const kind = named('sdpa', 'mha', 'additive', 'additive_mha');
const pattern = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 });
const oneMask = fc.oneof(
  fc.constant(null),
  some({ type: fc.constant('causal'), alignment: named('topLeft', 'bottomRight'), keep: pattern }),
  some({ type: fc.constant('sliding'), window: size, alignment: named('topLeft', 'bottomRight') }),
  some({ type: fc.constant('valid_lens'), valid_lens: fc.array(index, { maxLength: 4 }) }),
  some({ type: fc.constant('keep'), keep: pattern }),
  some({ type: fc.constant('additive'), values: fc.oneof(matrix, matrices) }),
);
const mask = fc.oneof(oneMask, fc.array(oneMask, { maxLength: 3 }));
const scale = fc.oneof(named('perHeadWidth', 'totalWidth', 'modelWidth', 'none'), number);
const sharing = some({ sharing: named('none', 'keysAndValuesPerGroup', 'keysAndValues', 'all'), groupSize: size });
const layout = named('gpt2', 'torch', 'interleaved');
const construction = named(...headwise.constructions);
const fieldPath = fc.oneof(
  fc
    .tuple(fc.constantFrom(...headwise.fields.filter(({ part }) => part === 'trace').map(({ path }) => path)), index)
    .map(([path, at]) => path.replace('[]', `[${at}]`)),
  fc.string(),
);
const decisions = some({
  scale,
  ...Object.fromEntries(
    [
      'scaleAfterSoftmax',
      'wideProjections',
      'transposeScores',
      'shareAttention',
      'transposeWeights',
      'firstBlockOnly',
      'projectOutput',
      'addInput',
    ].map((name) => [name, fc.boolean()]),
  ),
  split: named('blocks', 'withoutTranspose', 'strided'),
  merge: named('blocks', 'withoutTranspose', 'strided'),
  hide: named('minusInfinity', 'fill', 'multiplyWeights', 'multiplyWeightsAndRenormalise'),
  fillValue: number,
  normaliseOver: named('keys', 'queries', 'heads', 'headsAndKeys', 'nothing'),
  combine: named('concatenate', 'average', 'sum'),
});
const state = fc.oneof(
  fc.constantFrom('gpt2', 'torch', 'neox').map((framework) => ({ $stored: framework })),
  some({
    'a.q_proj.weight': rows,
    'a.k_proj.weight': rows,
    'a.v_proj.weight': rows,
    'a.o_proj.weight': rows,
    'a.q_proj.bias': fc.array(number),
  }),
  some({ in_proj_weight: rows, in_proj_bias: fc.array(number), 'out_proj.weight': rows }),
);
const trainerRequest = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 6 }),
    some({
      seed,
      batchSize: size,
      heldOutSize: size,
      learningRate: number,
      groupSize: size,
      sharing: named('none', 'keysAndValuesPerGroup', 'keysAndValues', 'all'),
      initialisation: named('independent', 'equalHeads', 'equalHeadsAndOutput'),
      optimizer: named('adam', 'sgd'),
      headCount: size,
      headSize: size,
    }),
  )
  .map(([headCount, headSize, more]) => ({ headCount, headSize, seed: 1, batchSize: 4, heldOutSize: 4, ...more }));

/** The arguments of each function, and what is asked of a handle that comes back. */
const generators = {
  attend: [given],
  forward: [given, decisions],
  explainCell: [given, fieldPath, index, index],
  openLayer: [given],
  outputContributions: [given],
  randomCase: [
    fc
      .tuple(
        anyDims,
        some({
          kind: named('mha', 'additive_mha'),
          seed,
          tokens: words,
          keyTokens: words,
          inputs: named('normal', 'scaledNormal', 'uniform', 'zeros'),
          weights: named('normal', 'scaledNormal', 'uniform', 'zeros'),
          biases: fc.boolean(),
          mask,
          options: some({ scale }),
        }),
      )
      .map(([sizes, more]) => ({ seed: 1, dims: sizes, ...more })),
  ],
  layerFrom: [
    state,
    fc
      .tuple(
        named('torch', 'gpt2', 'separate', 'llama', 'grouped', 'timm', 'megatron'),
        size,
        some({ inputs: some({ X: matrix }), mask, options: some({ scale }) }),
      )
      .map(([of, num_heads, more]) => ({ layout: of, dims: { num_heads }, ...more })),
  ],
  splitSingleHead: [single, size],
  decomposeScores: pair,
  constructEqualPair: [construction, single, size],
  distanceFrom: fc.tuple(construction, pair).map(([of, both]) => [of, ...both]),
  judgeOwnConstruction: pair,
  backward: [
    given,
    fc.oneof({ weight: 4, arbitrary: fc.constant({ $outputOf: 0 }) }, { weight: 1, arbitrary: matrix }),
    fc.oneof(sharing, fc.constant({})),
  ],
  shareWeights: [given, sharing],
  equivalentSingleHead: [given],
  withEqualOutputBlocks: [given],
  fuse: [given, layout],
  wideMatrix: [given, named('query', 'key', 'value')],
  compareMatrices: [matrix, matrix],
  cosineSimilarity: [matrices],
  largestCell: [matrix],
  numericalRank: [matrix],
  softmaxRows: [matrix],
  entropyOfRows: [matrix],
  histogram: [matrix, number, number, size],
  mayAttend: [mask, size, size, index],
  splitHeads: [matrix, size, some({ transpose: fc.boolean() })],
  mergeHeads: [matrices, some({ transpose: fc.boolean() })],
  randomMatrix: [size, size, named('normal', 'scaledNormal', 'uniform', 'zeros'), seed],
  tokenEmbeddings: [words, size, seed],
  studyScale: [
    fc
      .tuple(size, size, size, seed)
      .map(([keySize, queryCount, keyCount, of]) => ({ keySize, queryCount, keyCount, seed: of })),
  ],
  shapes: [fc.oneof(given, fc.record({ kind, dims: anyDims }))],
  layerCost: [
    fc.oneof(given, fc.record({ kind, dims: anyDims })),
    fc
      .tuple(sharing, some({ bytesPerNumber: fc.integer({ min: -1, max: 20 }) }))
      .map(([shared, other]) => ({ ...shared, ...other })),
  ],
  sharingCost: [fc.oneof(given, fc.record({ dims: anyDims })), sharing],
  divisorsOf: [size],
  positionIn: [
    layout,
    anyDims,
    fc.record({ role: named('query', 'key', 'value'), head: index, row: index, column: index }),
  ],
  cellAt: [layout, anyDims, fc.record({ row: index, column: index })],
  createTrainer: [trainerRequest],
};
/** What is exported beside the engine. */
const others = {
  fromGolden: {
    call: (file) => fromGolden(headwise, file),
    arguments: [fc.nat({ max: files.length - 1 }).map((number) => ({ $file: number }))],
  },
  nearestName: { call: nearestName, arguments: [fc.string(), fc.constant(['torch', 'gpt2'])] },
};
/** What handles are asked. */
const methods = {
  attend: [],
  explainCell: [fieldPath, index, index],
  step: [maybe(size)],
  reset: [],
  nudgeOutput: [index, index, extreme],
  evaluate: [maybe(some({ withoutHeads: fc.array(index, { maxLength: 3 }) }))],
  probe: [],
  dispose: [],
};

const functions = Object.keys(headwise).filter((name) => typeof headwise[name] === 'function');
const missing = functions.filter((name) => !(name in generators));
const gone = Object.keys(generators).filter((name) => !functions.includes(name));
if (missing.length + gone.length > 0) {
  console.error(
    `wrapper.fuzz.mjs has no generator for ${missing.join(', ') || 'nothing'}, and one too many for ${gone.join(', ') || 'nothing'}`,
  );
  process.exit(1);
}

const argumentsOf = (entry) => (Array.isArray(entry) ? fc.tuple(...entry) : entry);
const mutation = fc.record({
  /** Which argument, then which key of it, and so on. */
  at: fc.array(fc.nat({ max: 63 }), { minLength: 1, maxLength: 6 }),
  kind: fc.nat({ max: 31 }),
  value: extreme,
});
const followUps = fc.array(
  fc.oneof(...Object.entries(methods).map(([method, entry]) => argumentsOf(entry).map((list) => ({ method, list })))),
  { maxLength: 4 },
);
const call = fc.oneof(
  ...[...Object.entries(generators), ...Object.entries(others).map(([name, other]) => [name, other.arguments])].map(
    ([name, entry]) =>
      fc.record({
        name: fc.constant(name),
        list: argumentsOf(entry),
        mutations: fc.oneof(
          { weight: 1, arbitrary: fc.constant([]) },
          { weight: 2, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
        ),
        then: name === 'openLayer' || name === 'createTrainer' ? followUps : fc.constant([]),
      }),
  ),
);

// --- What may come of it ---

const counts = { calls: 0, answered: 0, refused: 0, own: 0 };
const slowest = { seconds: 0, name: '' };

// Hidden scores, the numbers that explain them, and a distance that sizes forbid.
const mayBeInfinite = (name, path) =>
  name === 'distanceFrom' ||
  /\.maskedScores\b|^(left|right|terms|addend|result)\b/.test(path) ||
  /expected|inputs|weights/.test(path);

function checkNumbers(name, value, path = '') {
  // The caller's own, not copied: what a case is called, its mask and options, and the case of an open layer. An accessor in them may say NaN
  // when it is read again.
  if (/(^|\.)(name|mask|options)$|^case(\.|$)/.test(path)) return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) && (Number.isNaN(value) || !mayBeInfinite(name, path)))
      throw new Error(`${name} gave ${value} at ${path || 'the top'}`);
  } else if (ArrayBuffer.isView(value)) {
    for (let i = 0; i < value.length; ++i) if (!Number.isFinite(value[i])) checkNumbers(name, value[i], `${path}.data`);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) checkNumbers(name, value[key], path === '' ? key : `${path}.${key}`);
  }
}

// The core's own words for sizes. Some functions have one of them as an argument.
const coreWord =
  /\b(queryInputSize|keyInputSize|valueInputSize|keyValueHeadCount|querySize|valueSize|outputSize|scoreHiddenSize|scoreQuery|validLengths)\b/;

function checkError(name, error) {
  if (error instanceof OwnError) return 'own';
  if (!(error instanceof HeadwiseError)) throw new Error(`${name} threw what is no HeadwiseError`, { cause: error });
  if (!errorCodes.includes(error.code) || error.code === 'internal')
    throw new Error(`${name} has code ${error.code}`, { cause: error });
  if (error.message.length > 1000)
    throw new Error(`the message of ${name} has ${error.message.length} characters`, { cause: error });
  if (coreWord.test(error.message))
    throw new Error(`the message of ${name} is in the core's words: ${error.message}`, { cause: error });
  return 'refused';
}

function outcomeOf(name, action) {
  ++counts.calls;
  const begin = performance.now();
  let result;
  try {
    result = action();
    // fromGolden computes nothing: what is in the file stays.
    if (name !== 'fromGolden') checkNumbers(name, result);
    ++counts.answered;
  } catch (error) {
    ++counts[checkError(name, error)];
  }
  const seconds = (performance.now() - begin) / 1000;
  if (seconds > slowest.seconds) Object.assign(slowest, { seconds, name });
  return result;
}

const sentinel = cases.find(({ name }) => /bias/.test(name ?? '')) ?? cases[0];
const bits = (trace) =>
  JSON.stringify(trace, (_, value) => (value instanceof Float64Array ? Array.from(value) : value));
const expected = bits(headwise.attend(sentinel));
const large = new Float64Array(70_000);
// A request this large makes the module give back the memory that it keeps for the next.
function bytesHeld() {
  headwise.largestCell({ rows: 1, columns: large.length, data: large });
  return headwise.memoryBytes;
}
// The allocator leaves the gap before an aligned block to the block in front of it, and takes it back with that: up to 8 bytes for each of the few
// blocks that stay for good.
const gaps = 64;
const heldBefore = bytesHeld();

function checkEngine() {
  if (bits(headwise.attend(sentinel)) !== expected) throw new Error('a known case has other bits than before');
  const held = bytesHeld();
  if (Math.abs(held - heldBefore) > gaps) throw new Error(`the module holds ${held} bytes, and held ${heldBefore}`);
}

function run({ name, list, mutations, then }) {
  const built = build({ headwise, cases, files, list, mutations });
  try {
    const action = name in others ? others[name].call : headwise[name];
    const result = outcomeOf(name, () => action(...built.list));
    if (typeof result?.dispose === 'function') {
      for (const { method, list: more } of then)
        if (method in result) outcomeOf(`${name}.${method}`, () => result[method](...more));
      result.dispose();
    }
  } finally {
    built.dispose();
  }
  if (counts.calls % Number(options.every) < then.length + 1) checkEngine();
}

const details = fc.check(fc.property(call, run), {
  numRuns: Number(options.calls),
  interruptAfterTimeLimit: options.path === undefined ? Number(options.seconds) * 1000 : undefined,
  ...(options.seed === undefined ? {} : { seed: Number(options.seed) }),
  ...(options.path === undefined ? {} : { path: options.path }),
});

let faults = 0;
if (details.failed) {
  faults = 1;
  console.error(`wrapper: ${details.errorInstance?.stack ?? details.errorInstance}`);
  if (details.errorInstance?.cause)
    console.error(`caused by ${details.errorInstance.cause.stack ?? details.errorInstance.cause}`);
  console.error(`the call: ${fc.stringify(details.counterexample)}`);
  console.error(`again: node tests/fuzz/wrapper.fuzz.mjs --seed ${details.seed} --path ${details.counterexamplePath}`);
} else {
  try {
    checkEngine();
  } catch (error) {
    faults = 1;
    console.error(`wrapper: at the end ${error.message} (seed ${details.seed})`);
  }
}
const text = (count) => count.toLocaleString('en');
console.log(
  `wrapper: ${text(counts.calls)} calls of ${functions.length} functions, ${text(counts.answered)} answered, ${text(counts.refused)} refused, ` +
    `${text(counts.own)} ended by the caller's own exceptions; ${faults} faults; bytes held ${heldBefore} before, ${bytesHeld()} after; ` +
    `slowest ${slowest.seconds.toFixed(1)} s (${slowest.name}); seed ${details.seed}`,
);
process.exitCode = faults;
