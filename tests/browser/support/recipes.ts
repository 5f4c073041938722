// What each recipe publishes, under the names that docs/writing-a-lesson.md gives it: computed by the tests' own calls of the engine on
// layers that the tests rebuilt, never by the page's code.

import type { CompleteCase, Comparison, Headwise, LayoutName, Matrix, MatrixLike, SharingName } from 'headwise';
import { headCase, layerCase, sharingCase, splitCases, usedBy, type Read } from './layers.ts';
import { asMatrix, at, below, beside, difference, largestCell, matrixFrom, plus, transposed } from './matrices.ts';

export type Tree = Record<string, unknown>;

/** Members computed when asked for: most benches show few of them. */
function lazily(members: Record<string, () => unknown>): Tree {
  const tree: Tree = {};
  for (const [name, make] of Object.entries(members)) {
    let value: unknown;
    Object.defineProperty(tree, name, { enumerable: true, get: () => (value ??= make()) });
  }
  return tree;
}

function merged(...trees: readonly object[]): Tree {
  const all: Tree = {};
  for (const tree of trees) Object.defineProperties(all, Object.getOwnPropertyDescriptors(tree));
  return all;
}

function matrices(weights: CompleteCase['weights']['W_q']): Matrix[] {
  return ((weights ?? []) as readonly MatrixLike[]).map(asMatrix);
}

function judged(comparison: Comparison) {
  const limit = 1e-12 * Math.max(1, comparison.largestMagnitude);
  return { ...comparison, equal: comparison.sameShape && comparison.largestDifference < limit };
}

/** Of matrices whose rows are no tokens. */
function inNumbers(comparison: Comparison) {
  return { ...judged(comparison), rows: 'numbers' };
}

function withTransposes(shapes: Readonly<Record<string, readonly number[]>>): Tree {
  const turned = Object.entries(shapes).map(([name, [rows, columns]]) => [`${name}_transposed`, [columns, rows]]);
  return { ...shapes, ...Object.fromEntries(turned) };
}

/** Trace, input and weights of one layer, and the shapes of all of them. */
function layerTree(engine: Headwise, layer: CompleteCase): Tree & ReturnType<Headwise['attend']> {
  const trace = engine.attend(layer);
  const { inputs } = layer;
  const [input, keyInput] = 'X' in inputs ? [inputs.X, inputs.X] : [inputs.query, inputs.key];
  const { W_q, W_k, W_v, W_o } = layer.weights;
  const output = asMatrix(W_o);
  const blockRows = output.rows / trace.heads.length;
  const weights = {
    W_q: matrices(W_q),
    W_k: matrices(W_k),
    W_v: matrices(W_v),
    W_o: output,
    W_o_blocks: trace.heads.map((_, head) =>
      matrixFrom(blockRows, output.columns, (row, column) => at(output, head * blockRows + row, column)),
    ),
  };
  const [head] = trace.heads;
  const shape = (matrix: Matrix | undefined) => [matrix?.rows ?? 0, matrix?.columns ?? 0];
  const shapes = withTransposes({
    input: shape(asMatrix(input)),
    W_q: shape(weights.W_q[0]),
    W_k: shape(weights.W_k[0]),
    W_v: shape(weights.W_v[0]),
    W_o: shape(weights.W_o),
    queries: shape(head?.queries),
    keys: shape(head?.keys),
    values: shape(head?.values),
    rawScores: shape(head?.rawScores),
    attentionWeights: shape(head?.attentionWeights),
    headOutput: shape(head?.output),
    concatenated: shape(trace.concatenated),
    output: shape(trace.output),
  });
  const lazy = lazily({
    similarity: () => ({
      outputs: engine.cosineSimilarity(trace.heads.map(({ output }) => output)),
      maps: engine.cosineSimilarity(trace.heads.map(({ attentionWeights }) => attentionWeights)),
    }),
  });
  return merged(lazy, trace, { input: asMatrix(input), keyInput: asMatrix(keyInput), weights, shapes }) as ReturnType<
    typeof layerTree
  >;
}

/** The fused weight of each library, put together from the heads' matrices. */
function layouts(weights: { W_q: Matrix[]; W_k: Matrix[]; W_v: Matrix[] }): Record<LayoutName, Matrix> {
  const roles = [weights.W_q, weights.W_k, weights.W_v];
  const gpt2 = beside(roles.flat());
  const interleaved = below(weights.W_q.flatMap((_, head) => roles.map((matrices) => transposed(matrices[head]!))));
  return { gpt2, torch: transposed(gpt2), interleaved };
}

// By how much all queries change if one number of the input does.
function nudged(engine: Headwise, layer: CompleteCase, queries: readonly Matrix[], read: Read) {
  if (!('X' in layer.inputs)) return undefined;
  const [token, feature, change] = ['nudgeToken', 'nudgeFeature', 'nudge'].map((name) => Number(read(name)));
  const input = asMatrix(layer.inputs.X);
  const moved = matrixFrom(input.rows, input.columns, (row, column) => {
    const here = row === (token ?? 0) - 1 && column === (feature ?? 0) - 1;
    return at(input, row, column) + (here ? (change ?? 0) : 0);
  });
  const after = engine.attend({ ...layer, inputs: { X: moved } }).heads;
  const queryChanges = after.map((head, index) => difference(head.queries, queries[index]!));
  const count = queryChanges.filter(({ data }) => data.some((value) => value !== 0)).length;
  return { queryChanges, headsChanged: count === 0 ? 'none' : count === after.length ? 'all' : count };
}

function layerResults(engine: Headwise, read: Read): Tree {
  const layer = layerCase(engine, read);
  const tree = layerTree(engine, layer);
  const weights = tree.weights as { W_q: Matrix[]; W_k: Matrix[]; W_v: Matrix[] };
  const queries = tree.heads.map((head) => head.queries);
  const comparedWith = (reshape: object) => () =>
    judged(engine.compareMatrices(engine.forward(layer, { wideProjections: true, ...reshape }).output, tree.output));
  const pooling = (name: string) => () => {
    const other = layerCase(engine, read, name);
    const { n_q, n_kv, p_q, p_k, p_v } = other.dims;
    const given = { n_q, n_kv, d_q: p_q, d_k: p_k, d_v: p_v };
    const cost =
      name === 'additive'
        ? engine.layerCost({ kind: 'additive', dims: { ...given, a: Number(read('scoreHidden')) } })
        : engine.layerCost({ kind: 'sdpa', dims: given });
    return { ...layerTree(engine, other), cost };
  };
  const filled = (value: number) => () => {
    const seen = engine.mayAttend(layer.mask ?? null, layer.dims.n_q, layer.dims.n_kv);
    return tree.heads.map(({ scaledScores: scores }) =>
      engine.softmaxRows(
        matrixFrom(scores.rows, scores.columns, (row, column) =>
          seen[row]?.[column] ? at(scores, row, column) : value,
        ),
      ),
    );
  };
  const last = tree.heads.length - 1;
  const width = weights.W_k[0]?.columns ?? 0;
  return merged(
    lazily({
      contributions: () => engine.outputContributions(layer),
      wideQueries: () => beside(queries),
      wideSplit: () => queries,
      wide: () => ({ query: beside(weights.W_q), key: beside(weights.W_k), value: beside(weights.W_v) }),
      layouts: () => layouts(weights),
      // Row 1, column 2 of the last head's W_k, counted from 1: in PyTorch's rows after all queries and the other heads' keys.
      layoutTargets: () => ({ torch: { row: (last + 1 + last) * width + 1, column: 0 } }),
      largest: () => ({ attention: largestCell(tree.heads[0]!.attentionWeights) }),
      nudged: () => nudged(engine, layer, queries, read),
      wrongMasks: () => lazily({ zero: filled(0), minus1e4: filled(-1e4) }),
      poolings: () => lazily({ dot: pooling('dot'), additive: pooling('additive') }),
      comparison: () =>
        lazily({
          fused: comparedWith({}),
          wrongSplit: comparedWith({ split: 'withoutTranspose' }),
          wrongMerge: comparedWith({ merge: 'withoutTranspose' }),
        }),
    }),
    tree,
  );
}

function headResults(engine: Headwise, read: Read): Tree {
  const { Q, K, V, mask } = headCase(engine, read);
  const { scaleFactor, emptyRows, heads } = engine.attend({ kind: 'sdpa', inputs: { Q, K, V }, mask });
  const arrows = read('moved')
    .split(',')
    .slice(1)
    .map((move) => move.split(':')[0]);
  return {
    scaleFactor,
    emptyRows,
    heads: heads.map((head) => ({ ...head, queries: Q, keys: K, values: V })),
    keyValueHeads: [{ keys: K, values: V }],
    largest: { attention: largestCell(heads[0]!.attentionWeights) },
    moved: { arrows: arrows.join(' ') || 'none' },
  };
}

function splitResults(engine: Headwise, read: Read): Tree {
  const cases = splitCases(engine, read);
  const single = layerTree(engine, cases.single);
  const multi = layerTree(engine, cases.multi);
  return merged(
    { single, multi },
    lazily({
      comparison: () => ({
        concatenated: judged(engine.compareMatrices(single.concatenated, multi.concatenated)),
        output: judged(engine.compareMatrices(single.output, multi.output)),
      }),
      gradients: () => {
        const direction = engine.randomMatrix(
          single.output.rows,
          single.output.columns,
          'normal',
          Number(read('seed')),
        );
        const wide = (layer: CompleteCase) => beside(matrices(engine.backward(layer, direction).W_q as Matrix[]));
        const W_q = { single: wide(cases.single), multi: wide(cases.multi) };
        return { W_q, comparison: { W_q: inNumbers(engine.compareMatrices(W_q.single, W_q.multi)) } };
      },
      decomposition: () => engine.decomposeScores(cases.single, cases.multi),
      similarity: () => multi.similarity,
      judge: () => engine.judgeOwnConstruction(cases.single, cases.multi),
    }),
  );
}

function sharingResults(engine: Headwise, read: Read): Tree {
  const layer = sharingCase(engine, read);
  const tree = layerTree(engine, layer);
  const heads = tree.heads.length;
  const users = usedBy(read);
  const one = () => {
    const { W_q, W_k, W_v, W_o } = tree.weights as Record<string, Matrix[]> & { W_o: Matrix };
    const size = W_o.rows / heads;
    const summed = matrixFrom(size, W_o.columns, (row, column) =>
      users.query.reduce((sum, _, head) => sum + at(W_o, head * size + row, column), 0),
    );
    const weights = { ...layer.weights, W_q: [W_q![0]!], W_k: [W_k![0]!], W_v: [W_v![0]!], W_o: summed };
    return layerTree(engine, { ...layer, dims: { ...layer.dims, num_heads: 1, num_kv_heads: 1 }, weights });
  };
  // Of each head the key and value head, from 1: neighbours share one, and tile deals them out like cards.
  const partners = () => {
    const first = [...new Set(users.keyValue)];
    const trained = users.keyValue.map((user) => first.indexOf(user) + 1);
    const set = read('partners').split(' ').map(Number);
    return {
      trained,
      tiled: trained.map((_, head) => (head % first.length) + 1),
      now: trained.map((own, head) => (set[head]! >= 1 && set[head]! <= first.length ? set[head]! : own)),
      keyValueHeads: first.length,
    };
  };
  const sharing = read('sharing') as SharingName;
  const options = sharing === 'keysAndValuesPerGroup' ? { sharing, groupSize: Number(read('groupSize')) } : { sharing };
  return merged(
    lazily({
      rank: () => {
        const { rank, singularValues } = engine.numericalRank(tree.concatenated);
        return { rank, most: singularValues.length, full: rank === singularValues.length };
      },
      cost: () => engine.sharingCost(layer, options),
      partners,
      wired: () => {
        const { now, trained } = partners();
        const { W_k, W_v } = tree.weights as Record<'W_k' | 'W_v', Matrix[]>;
        const from = (list: Matrix[]) => now.map((partner) => list[trained.indexOf(partner)]!);
        const other = engine.attend({ ...layer, weights: { ...layer.weights, W_k: from(W_k), W_v: from(W_v) } });
        return {
          comparison: judged(engine.compareMatrices(other.output, tree.output)),
          heads: other.heads.map(({ output }, at) => engine.compareMatrices(output, tree.heads[at]!.output).equal),
        };
      },
      one,
      comparison: () => ({ one: judged(engine.compareMatrices(one().output, tree.output)) }),
      gradients: () => {
        const direction = engine.randomMatrix(tree.output.rows, tree.output.columns, 'normal', Number(read('seed')));
        const untied = matrices(engine.backward(layer, direction).W_q as Matrix[]);
        // What a matrix is used for adds up.
        const tied = users.query.map((owner) =>
          untied.filter((_, head) => users.query[head] === owner).reduce((sum, gradient) => plus(sum, gradient)),
        );
        const compared = ([first, second]: readonly Matrix[]) => inNumbers(engine.compareMatrices(first!, second!));
        return {
          untied: { W_q: untied },
          tied: { W_q: tied },
          comparison: { untied: compared(untied), tied: compared(tied) },
        };
      },
    }),
    tree,
  );
}

// One sequence of the held-out set, and what lesson 6's task asks of it: the content before, and the first.
function trainingResults(engine: Headwise, read: Read): Tree {
  const trainer = engine.createTrainer({ headCount: 2, headSize: 6, seed: Number(read('seed')), heldOutSize: 1 });
  const { layer } = trainer.probe();
  trainer.dispose();
  const contents = asMatrix((layer.inputs as { value: MatrixLike }).value);
  const { rows, columns } = contents;
  const target = matrixFrom(rows, 2 * columns, (row, column) =>
    column < columns ? at(contents, (row + rows - 1) % rows, column) : at(contents, 0, column - columns),
  );
  return { ...layerTree(engine, layer), valueInput: contents, target };
}

/** Counted by hand: each product of an r × c and a c × k matrix takes r·c·k. */
function costOf(n: number, keys: number, d: number, h: number, p: number, valueWidth: number, output: number) {
  const [projections, joined] = [h * d * (2 * p + valueWidth), h * valueWidth * output];
  const queries = n * h * d * p;
  const keysAndValues = keys * h * d * (p + valueWidth);
  const pooling = h * n * keys * (p + valueWidth);
  return { parameters: projections + joined, multiplyAdds: queries + keysAndValues + pooling + n * joined };
}

function shapesResults(engine: Headwise, read: Read): Tree {
  const size = (name: string) => Number(read(name));
  const [n, d, h] = [size('length'), size('width'), size('heads')];
  const total = size('projectionWidth') || d;
  // The engine's own sentence where the heads do not come out even.
  if (size('headWidth') === 0) engine.shapes({ dims: { n_q: 1, n_kv: 1, d_q: total, num_heads: h } });
  const p = size('headWidth') || total / h;
  const [valueWidth, keyCount] = [size('valueWidth') || p, size('keyLength') || n];
  const output = size('outputWidth') || d;
  return {
    shapes: withTransposes({
      input: [n, d],
      W_q: [d, p],
      W_k: [d, p],
      W_v: [d, valueWidth],
      W_o: [h * valueWidth, output],
      queries: [n, p],
      keys: [keyCount, p],
      values: [keyCount, valueWidth],
      rawScores: [n, keyCount],
      attentionWeights: [n, keyCount],
      headOutput: [n, valueWidth],
      concatenated: [n, h * valueWidth],
      output: [n, output],
    }),
    headWidth: p,
    fit: h * valueWidth === d ? 'fills' : h * valueWidth > d ? 'over' : 'under',
    cost: { ...costOf(n, keyCount, d, h, p, valueWidth, output), oneHead: costOf(n, keyCount, d, 1, d, d, output) },
    slips: {
      widthDivided: d % h === 0 ? [d, d / h] : undefined,
      widthDivided_transposed: d % h === 0 ? [d / h, d] : undefined,
      headCount: [d, h],
      headCount_transposed: [h, d],
      square: [d, d],
    },
  };
}

function costsResults(engine: Headwise, read: Read): Tree {
  const [d, h, n, bytesPerNumber] = ['width', 'heads', 'length', 'bytes'].map((name) => Number(read(name))) as [
    number,
    number,
    number,
    number,
  ];
  const shared = Number(read('keyValueHeads'));
  const costOf = (heads: number, keyValueHeads: number, p: number) =>
    engine.layerCost(
      { dims: { n_q: n, n_kv: n, d_q: d, num_heads: heads, num_kv_heads: keyValueHeads, p_q: p, p_k: p, p_v: p } },
      { bytesPerNumber },
    );
  const divisors = (of: number) => Array.from({ length: of }, (_, at) => at + 1).filter((one) => of % one === 0);
  const point = (heads: number, layerHeads: number, keyValueHeads: number) => ({
    heads,
    cost: costOf(layerHeads, keyValueHeads, d / layerHeads),
    full: costOf(layerHeads, keyValueHeads, d),
  });
  const within = costOf(h, shared || h, d / h);
  const full = costOf(h, shared || h, d);
  return {
    one: costOf(1, 1, d),
    within,
    full,
    cost: read('headWidth') === 'full' ? full : within,
    headWidth: d / h,
    byHeads: divisors(d)
      .filter((heads) => heads <= Math.max(32, h))
      .map((heads) => point(heads, heads, heads)),
    byKeyValueHeads: divisors(h).map((heads) => point(heads, h, heads)),
  };
}

function scaleResults(engine: Headwise, read: Read): Tree {
  const size = (name: string) => Number(read(name));
  const study = engine.studyScale({
    keySize: size('keySize'),
    queryCount: size('queries'),
    keyCount: size('keys'),
    seed: size('seed'),
  });
  const reach = size('reach');
  const counts = (scores: Matrix) => ({ counts: engine.histogram(scores, -reach, reach, 24), from: -reach, to: reach });
  return { study, raw: counts(study.rawScores), scaled: counts(study.scaledScores) };
}

export const recipes: Readonly<Record<string, (engine: Headwise, read: Read) => Tree>> = {
  layer: layerResults,
  head: headResults,
  split: splitResults,
  shapes: shapesResults,
  sharing: sharingResults,
  training: trainingResults,
  scale: scaleResults,
  costs: costsResults,
  // Outside of any bench there is nothing to compute.
  '': () => ({}),
};
