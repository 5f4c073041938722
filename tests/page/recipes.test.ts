import { loadHeadwise, type Case, type Headwise, type Matrix } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../web/src/bench/settings.ts';
import { cellOf, gridOf } from '../../web/src/figures/matrix/grid.ts';
import { meterOf } from '../../web/src/text/inline.ts';
import type { DescribedMatrix } from '../../web/src/bench/described.ts';
import {
  changesBetween,
  run as runRecipe,
  settle,
  startValues,
  withChanges,
  type State,
} from '../../web/src/bench/parameters.ts';
import { recipes } from '../../web/src/bench/recipes/index.ts';
import { isMatrix, matrixAt as describedAt, resolvePath, type Results } from '../../web/src/bench/results.ts';
import { explain, highlightsOf } from '../../web/src/figures/product/selection.ts';
import { nothingAsked } from '../../web/src/bench/covers.ts';
import { workingOf } from '../../web/src/figures/product/working.ts';
import { runs } from '../../web/src/training/runs.ts';

let engine: Headwise;
beforeAll(async () => {
  engine = await loadHeadwise();
});

function recipe(name: string) {
  return recipes.get(name) ?? expect.fail(`no recipe ${name}`);
}

function run(name: string, values: Record<string, string> = {}): Results {
  const own = recipe(name);
  const state: State = settle(
    own,
    engine,
    withChanges(
      own,
      startValues(own, () => null),
      new Map(Object.entries(values)),
    ),
  );
  return runRecipe(own, engine, state);
}

const matrixAt = (results: Results, path: string): DescribedMatrix =>
  describedAt(results, path) ?? expect.fail(`${path} is no described matrix`);
const grid = (results: Results, path: string) => gridOf(results, path, matrixAt(results, path), {});
/** The numbers alone, of two runs whose layers are two. */
const numbers = ({ rows, columns, data }: Matrix) => ({ rows, columns, data });
const highlights = (name: string, results: Results, path: string, row: number, column: number) => {
  const matrix = matrixAt(results, path);
  return highlightsOf(engine, recipe(name), results, matrix, row, column, explain(matrix, row, column));
};

describe('parameters', () => {
  it('start with the recipe, then attributes, then the address', () => {
    const split = recipe('split');
    const start = startValues(split, (name) => (name === 'heads' ? '3' : null));
    expect(start.heads).toBe(3);
    expect(withChanges(split, start, new Map([['heads', '2']])).heads).toBe(2);
    expect(changesBetween(split, start, { ...start, heads: 2 })).toEqual(new Map([['heads', '2']]));
    expect(changesBetween(split, start, start).size).toBe(0);
  });

  it('with nonsense in the address keep their start', () => {
    const layer = recipe('layer');
    const start = startValues(layer, () => null);
    const nonsense = new Map(
      Object.entries({ heads: 'many', mask: 'everything', seed: '1.5', biases: 'perhaps', unknown: '1' }),
    );
    expect(withChanges(layer, start, nonsense)).toEqual(start);
  });

  it('are kept in bounds', () => {
    const layer = recipe('layer');
    const start = startValues(layer, () => null);
    const wild = withChanges(
      layer,
      start,
      new Map(Object.entries({ width: '999999', seed: '-3', tokens: 'a '.repeat(50) })),
    );
    expect(wild).toMatchObject({ width: 64, seed: 0 });
    expect(wild.tokens).toHaveLength(12);
  });

  it('of cut heads settle on a divisor of the width', () => {
    const split = recipe('split');
    const start = startValues(split, () => null);
    expect(settle(split, engine, { ...start, width: 8, heads: 3 }).heads).toBe(2);
    expect(settle(split, engine, { ...start, width: 7, heads: 6 }).heads).toBe(1);
    // Heads of full width are as many as the memory holds.
    const wide = { ...start, width: 512, heads: 512 };
    expect(settle(split, engine, { ...wide, construction: 'zeroKey' }).heads).toBe(512);
    for (const construction of ['fullScores', 'equalBlocks', 'rescaledHeads'])
      expect(settle(split, engine, { ...wide, construction }).heads).toBe(4);
  });
});

/** What the engine refuses of a recipe's layer, with a sentence: values of the task read another width than queries. */
const impossible = new Map([[/^training\.layouts\./, /one input width/]]);

describe('every recipe', () => {
  it.each([...recipes.keys()])('%s: each member can be reached, lazy ones too', (name) => {
    const walk = (value: unknown, path: string, depth: number): void => {
      if (depth > 4 || typeof value !== 'object' || value === null || isMatrix(value) || ArrayBuffer.isView(value))
        return;
      for (const key of Object.keys(value)) {
        const reach = () => (value as Record<string, unknown>)[key];
        const refusal = [...impossible].find(([pattern]) => pattern.test(`${path}.${key}`));
        if (refusal) {
          expect(reach, `${path}.${key}`).toThrow(refusal[1]);
          continue;
        }
        expect(reach, `${path}.${key}`).not.toThrow();
        walk((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1);
      }
    };
    walk(run(name), name, 0);
  });

  it.each([...recipes.keys()])('%s: every choice can be computed', (name) => {
    for (const parameter of recipe(name).parameters) {
      for (const choice of parameter.choices ?? []) run(name, { [parameter.name]: choice.value });
      if (parameter.kind === 'flag') run(name, { [parameter.name]: 'on' });
    }
  });
});

describe('split', () => {
  it('cuts the same numbers, adds up to the same scores, and gives another output', () => {
    const results = run('split');
    const wide = matrixAt(results, 'single.weights.W_q[0]');
    const block = matrixAt(results, 'multi.weights.W_q[1]');
    expect(block.data[0]).toBe(wide.data[3]);
    expect(resolvePath(results, 'decomposition.largestDifference')).toBeLessThan(1e-12);
    expect(resolvePath(results, 'comparison.concatenated.equal')).toBe(false);
  });

  it('is equal in all eight constructions', () => {
    for (const construction of engine.constructions) {
      const results = run('split', { construction });
      expect(resolvePath(results, 'comparison.concatenated.equal'), construction).toBe(true);
      expect(resolvePath(results, 'judge.used'), construction).not.toBe(null);
    }
  });

  it('accepts a ninth way: a causal mask, one block of W_q and the other of W_k zero', () => {
    const results = run('split', { mask: 'causal', edits: 'q/0:0,k/1:0' });
    expect(resolvePath(results, 'judge.accepted')).toBe(true);
  });

  it('is fooled by uniform numbers at width 512', () => {
    const results = run('split', { width: '512', heads: '8', inputs: 'uniform', distribution: 'uniform', seed: '2' });
    expect(resolvePath(results, 'comparison.concatenated.largestDifference')).toBe(0);
    expect(meterOf(results, 'comparison.concatenated')?.words).toBe('equal to the last bit');
  });

  it('shows shared heads by copying blocks', () => {
    const results = run('split', { edits: 'q/1:q/0,k/1:k/0,v/1:v/0' });
    const similarity = matrixAt(results, 'similarity.outputs');
    expect(similarity.data[1]).toBeCloseTo(1, 12);
  });
});

describe('layer', () => {
  it('runs fused to the same output, and not with a transpose left out', () => {
    const results = run('layer');
    expect(resolvePath(results, 'comparison.fused.equal')).toBe(true);
    expect(resolvePath(results, 'comparison.wrongSplit.equal')).toBe(false);
    expect(resolvePath(results, 'comparison.wrongMerge.equal')).toBe(false);
  });

  it('names keys of another sequence', () => {
    const results = run('layer', { keyTokens: 'one two', tokens: 'a b c' });
    expect(grid(results, 'heads[0].attentionWeights')).toMatchObject({
      rowNames: ['a', 'b', 'c'],
      columnNames: ['one', 'two'],
    });
  });

  it('hides cells and shows what filling them does', () => {
    const results = run('layer', { mask: 'padding', length: '0' });
    expect(cellOf(grid(results, 'heads[0].maskedScores'), 0, 0)).toMatchObject({
      text: '−∞',
      sign: 'hidden',
    });
    expect(resolvePath(results, 'emptyRows.length')).toBe(5);
    expect(resolvePath(results, 'wrongMasks.minus1e4[0](0, 0)')).toBeCloseTo(0.2, 12);
  });

  it('moves every head when one feature changes', () => {
    const results = run('layer', { nudgeToken: '2', nudgeFeature: '5', nudge: '2' });
    expect(resolvePath(results, 'nudged.headsChanged')).toBe('all');
    const change = matrixAt(results, 'nudged.queryChanges[0]');
    const feature = matrixAt(results, 'weights.W_q[0]');
    // Row of token 2: twice row 5 of the weights; the rest 0.
    expect(change.data[1 * change.columns]).toBeCloseTo(2 * feature.data[4 * feature.columns]!, 12);
    expect(change.data[0]).toBe(0);
  });

  it('says in the engine’s words when heads do not divide the width', () => {
    expect(() => run('layer', { heads: '5' })).toThrow(/5 does not divide .*12/);
    expect(matrixAt(run('layer', { heads: '5', headWidth: '3' }), 'weights.W_o')).toMatchObject({
      rows: 15,
      columns: 12,
    });
  });
});

/** How much Σ output∘G of a layer grows with one cell of a head's matrix, by central differences; G is drawn from the bench's seed. */
function slopeByCell(layer: Case, seed: number, name: ProjectionName, head: number, cell: number): number {
  const step = 1e-5; // errors of about step² and of rounding / step are both below 1e-9
  const [lower, upper] = [-step, step].map((change) => {
    const changed = structuredClone(layer);
    (changed.weights[name] as Matrix[])[head]!.data[cell]! += change;
    const { output } = engine.attend(changed);
    const direction = engine.randomMatrix(output.rows, output.columns, 'normal', seed);
    return output.data.reduce((sum, number, i) => sum + number * direction.data[i]!, 0);
  });
  return (upper! - lower!) / (2 * step);
}
type ProjectionName = 'W_q' | 'W_k' | 'W_v';
const projectionNames: readonly ProjectionName[] = ['W_q', 'W_k', 'W_v'];
/** As many words as there can be, so that few rows of a weight matrix have a number that is no token's. */
const manyTokens = 'a b c d e f g h i j k l';

describe('gradients of a split', () => {
  it.each(projectionNames)('by %s are of all heads side by side, for one loss', (name) => {
    const results = run('split');
    for (const [layer, of, heads] of [
      ['single', results.layers[0]!.case, 1],
      ['multi', results.layers[1]!.case, 2],
    ] as const) {
      const wide = matrixAt(results, `gradients.${name}.${layer}`);
      expect([wide.rows, wide.columns]).toEqual([6, 6]);
      // Row 1 and the last column of the wide matrix: the last head's last column.
      const cell = 2 * (6 / heads) - 1;
      expect(wide.data[11]).toBeCloseTo(slopeByCell(of, 7, name, heads - 1, cell), 8);
    }
  });

  it('are matrices whose rows are no tokens', () => {
    const words = meterOf(run('split', { width: '12', tokens: manyTokens }), 'gradients.comparison.W_q')?.words;
    expect(words).toMatch(/^in row \d+, column/);
  });

  it.each(projectionNames)('differ by %s, and in the order of the columns are the same for one head', (name) => {
    expect(resolvePath(run('split'), `gradients.comparison.${name}.equal`)).toBe(false);
    expect(resolvePath(run('split', { heads: '1' }), `gradients.comparison.${name}.equal`)).toBe(true);
  });

  it('are refused no construction; where heads are wider than blocks the shapes differ', () => {
    for (const construction of engine.constructions)
      expect(resolvePath(run('split', { construction }), 'gradients.comparison.W_v.sameShape'), construction).toBe(
        true,
      );
    const results = run('split', { construction: 'fullScores' });
    expect(matrixAt(results, 'gradients.W_q.multi').columns).toBe(12);
    expect(meterOf(results, 'gradients.comparison.W_q')?.words).toBe('the shapes differ');
  });

  it('follow the seed', () => {
    const gradientFor = (seed: string) => Array.from(matrixAt(run('split', { seed }), 'gradients.W_v.single').data);
    expect(gradientFor('8')).not.toEqual(gradientFor('7'));
    expect(gradientFor('7')).toEqual(gradientFor('7'));
  });
});

describe('sharing', () => {
  const sharings = ['none', 'keysAndValuesPerGroup', 'keysAndValues', 'all'];

  it('publishes a layer, its rank, its cost, the one head, gradients and a comparison', () => {
    const results = run('sharing');
    for (const path of [
      'heads[2].attentionWeights',
      'weights.W_o_blocks[2]',
      'similarity.outputs',
      'rank.singularValues',
      'one.heads[0].attentionWeights',
      'one.weights.W_o',
      'gradients.untied.W_v[2]',
      'gradients.tied.W_k[2]',
    ])
      matrixAt(results, path);
    expect(results.names.tokens).toHaveLength(8);
  });

  it('lets heads use the matrices of those they share with', () => {
    const users = (name: string, values: Record<string, string>) => {
      const results = run('sharing', { heads: '6', groupSize: '3', ...values });
      const matrices = Array.from({ length: 6 }, (_, head) =>
        matrixAt(results, `weights.${name}[${head}]`).data.join(),
      );
      return matrices.map((matrix) => matrices.indexOf(matrix));
    };
    const own = [0, 1, 2, 3, 4, 5];
    const keys = { none: own, keysAndValuesPerGroup: [0, 0, 0, 3, 3, 3], keysAndValues: Array(6).fill(0) };
    for (const [sharing, expected] of Object.entries(keys)) {
      expect(users('W_k', { sharing }), sharing).toEqual(expected);
      expect(users('W_v', { sharing }), sharing).toEqual(expected);
      expect(users('W_q', { sharing }), sharing).toEqual(own);
    }
    for (const name of ['W_q', 'W_k', 'W_v']) expect(users(name, { sharing: 'all' }), name).toEqual(Array(6).fill(0));
  });

  it('gives every head the first head’s block of the output matrix if asked to', () => {
    const blocks = (outputBlocks: string) =>
      [0, 1, 2].map((head) => matrixAt(run('sharing', { outputBlocks }), `weights.W_o_blocks[${head}]`).data);
    expect(blocks('equal')).toEqual(Array(3).fill(blocks('own')[0]));
    expect(blocks('own')[1]).not.toEqual(blocks('own')[0]);
  });

  it('counts rank and parameters as worked by hand for width 12, 3 heads and 8 tokens', () => {
    // W_q, W_k and W_v of a head are 12 · 4 = 48 each, W_o is 144; sharing all, the one head has 3 · 48 and a block of 48.
    const counted = sharings.map((sharing) => {
      const results = run('sharing', { sharing });
      const paths = ['rank.rank', 'rank.most', 'cost.parametersUnshared', 'cost.parameters', 'cost.parametersMerged'];
      return [...paths, 'cost.parametersThatMatter'].map((path) => resolvePath(results, path));
    });
    // A product of [a × 4] and [4 × b] has 4(a + b − 4) free numbers: with m heads on one pair of keys and values a = 12 and b = 12 m.
    expect(counted).toEqual([
      [8, 8, 576, 576, 576, 3 * 2 * 80],
      [8, 8, 576, 384, 384, 2 * 4 * (12 + 36 - 4)], // one group of three
      [8, 8, 576, 384, 384, 2 * 4 * (12 + 36 - 4)],
      [4, 8, 576, 288, 192, 2 * 80],
    ]);
  });

  it('is one head where all share, and only there', () => {
    for (const sharing of sharings)
      expect(resolvePath(run('sharing', { sharing }), 'comparison.one.equal'), sharing).toBe(sharing === 'all');
    const results = run('sharing', { sharing: 'all' });
    expect(resolvePath(results, 'one.heads.length')).toBe(1);
    expect(matrixAt(results, 'one.weights.W_o')).toMatchObject({ rows: 4, columns: 12 });
    // W^o′ is the sum of the blocks.
    const blocks = [0, 1, 2].map((head) => matrixAt(results, `weights.W_o_blocks[${head}]`).data[5]!);
    expect(matrixAt(results, 'one.weights.W_o').data[5]).toBeCloseTo(blocks[0]! + blocks[1]! + blocks[2]!, 12);
  });

  it('ties gradients to their sum; untied they differ unless the output blocks are equal', () => {
    const results = run('sharing', { sharing: 'all' });
    const untied = [0, 1, 2].map((head) => matrixAt(results, `gradients.untied.W_q[${head}]`).data[9]!);
    for (const head of [0, 1, 2])
      expect(matrixAt(results, `gradients.tied.W_q[${head}]`).data[9]).toBeCloseTo(
        untied[0]! + untied[1]! + untied[2]!,
        12,
      );
    expect(untied[1]).toBeCloseTo(slopeByCell(results.layers[0]!.case, 7, 'W_q', 1, 9), 8);
    expect(resolvePath(results, 'gradients.comparison.tied.largestDifference')).toBe(0);
    expect(resolvePath(results, 'gradients.comparison.untied.equal')).toBe(false);
    const named = run('sharing', { sharing: 'all', tokens: manyTokens });
    expect(meterOf(named, 'gradients.comparison.untied')?.words).toMatch(/^in row \d+, column/);
    const equal = run('sharing', { sharing: 'all', outputBlocks: 'equal' });
    expect(resolvePath(equal, 'gradients.comparison.untied.largestDifference')).toBe(0);
  });

  it('draws its weights from the seed', () => {
    const weightsFor = (seed: string) => matrixAt(run('sharing', { seed }), 'weights.W_o');
    expect(numbers(weightsFor('8'))).not.toEqual(numbers(weightsFor('7')));
    expect(numbers(weightsFor('7'))).toEqual(numbers(weightsFor('7')));
  });

  it('without sharing has nothing to tie', () => {
    const results = run('sharing');
    expect(numbers(matrixAt(results, 'gradients.tied.W_k[1]'))).toEqual(
      numbers(matrixAt(results, 'gradients.untied.W_k[1]')),
    );
  });

  it('keeps at least two heads that divide the width, in groups that divide the heads', () => {
    const sharing = recipe('sharing');
    const start = startValues(sharing, () => null);
    const settled = (values: Record<string, number>) => {
      const { width, heads, groupSize } = settle(sharing, engine, { ...start, ...values });
      return [width, heads, groupSize];
    };
    expect(settled({ width: 12, heads: 5, groupSize: 3 })).toEqual([12, 4, 2]);
    expect(settled({ width: 7, heads: 3 })).toEqual([7, 7, 1]);
    expect(settled({ width: 2, heads: 24, groupSize: 24 })).toEqual([2, 2, 2]);
    const wild = new Map(
      Object.entries({ width: '99', heads: '1', groupSize: '-4', sharing: 'queries', outputBlocks: 'x' }),
    );
    expect(withChanges(sharing, start, wild)).toEqual({ ...start, width: 24, heads: 2, groupSize: 1 });
  });

  it('can be computed for every width and every number of heads', () => {
    for (let width = 2; width <= 24; ++width)
      for (const heads of engine.divisorsOf(width).filter((divisor) => divisor > 1)) {
        const results = run('sharing', { width: String(width), heads: String(heads), sharing: 'all', tokens: 'a b' });
        expect(resolvePath(results, 'comparison.one.equal'), `width ${width}, ${heads} heads`).toBe(true);
      }
  });

  it('writes cells out', () => {
    const results = run('sharing', { sharing: 'all' });
    expect(workingOf(engine, results, nothingAsked, 'heads[2].attentionWeights', { row: 1, column: 2 })).toBeDefined();
  });
});

describe('training', () => {
  it('publishes the layer before the first step, on one sequence of the held-out set', () => {
    const results = run('training');
    const input = matrixAt(results, 'input');
    expect([input.rows, input.columns]).toEqual([6, 12]);
    for (const [path, rows, columns] of [
      ['heads[1].attentionWeights', 6, 6],
      ['weights.W_q[1]', 12, 6],
      ['weights.W_v[1]', 6, 6],
      ['output', 6, 12],
      ['target', 6, 12],
    ] as const)
      expect(matrixAt(results, path), path).toMatchObject({ rows, columns });
    expect(grid(results, 'heads[0].attentionWeights')).toMatchObject({
      rowNames: ['t = 0', 't = 1', 't = 2', 't = 3', 't = 4', 't = 5'],
      columnNames: ['t = 0', 't = 1', 't = 2', 't = 3', 't = 4', 't = 5'],
    });
  });

  it('asks for the content before, going round, beside the first', () => {
    const results = run('training');
    const row = (path: string, t: number, from: number) =>
      Array.from(matrixAt(results, path).data.slice(t * 12 + from, t * 12 + from + 6));
    for (let t = 0; t < 6; ++t) {
      expect(row('target', t, 0)).toEqual(row('input', (t + 5) % 6, 0));
      expect(row('target', t, 6)).toEqual(row('input', 0, 0));
    }
  });

  it('has other weights for another seed, and the same held-out sequence', () => {
    const [one, two] = [run('training', { seed: '1' }), run('training', { seed: '2' })];
    expect(numbers(matrixAt(two, 'target'))).toEqual(numbers(matrixAt(one, 'target')));
    expect(numbers(matrixAt(two, 'weights.W_o'))).not.toEqual(numbers(matrixAt(one, 'weights.W_o')));
  });

  it('starts as the run of two heads does', () => {
    const trainer = engine.createTrainer({ ...runs.find(({ name }) => name === 'unique')!.layer, seed: 3 });
    const { layer, target } = trainer.probe();
    trainer.dispose();
    const results = run('training', { seed: '3' });
    expect(results.layers[0]!.case).toEqual(layer);
    expect(results.target).toMatchObject(target);
  });

  it('keeps its parameters in bounds', () => {
    const training = recipe('training');
    const start = startValues(training, () => null);
    const changed = (values: Record<string, string>) => withChanges(training, start, new Map(Object.entries(values)));
    const film = { run: 'unique', step: 0, nudge: -1 };
    expect(start).toEqual({ seed: 1, learningRate: 0.02, ...film });
    expect(changed({ seed: '12345', learningRate: '5' })).toEqual({ seed: 9999, learningRate: 0.05, ...film });
    expect(changed({ seed: '-1', learningRate: '0' })).toEqual({ seed: 0, learningRate: 0.01, ...film });
    expect(changed({ run: 'shared', step: '1000', nudge: '-7' })).toMatchObject({
      run: 'shared',
      step: 300,
      nudge: -1,
    });
    expect(changed({ seed: '0.5', learningRate: 'fast' })).toEqual(start);
  });

  const { min, max } = recipe('training').parameters.find(({ name }) => name === 'learningRate')!;
  it.each(runs.flatMap(({ name, layer }) => [min!, max!].map((learningRate) => ({ name, learningRate, layer }))))(
    'every run learns at both ends of the learning rate: $name at $learningRate',
    ({ learningRate, layer }) => {
      const trainer = engine.createTrainer({ ...layer, seed: 1, learningRate, heldOutSize: 64 });
      const before = trainer.evaluate().loss;
      trainer.step(100);
      expect(trainer.evaluate().loss).toBeLessThan(before);
      trainer.dispose();
    },
  );

  it('leaves no trainer behind, and no layer that is disposed of', async () => {
    // An engine of its own: layers of other tests may be collected meanwhile.
    const own = await loadHeadwise();
    const training = recipe('training');
    const runOnce = (seed: number) => {
      const start = startValues(training, () => null);
      for (const layer of runRecipe(training, own, { ...start, seed }).layers) layer.dispose();
    };
    runOnce(0);
    const before = own.memoryBytes;
    for (let seed = 1; seed < 20; ++seed) runOnce(seed);
    expect(own.memoryBytes).toBe(before);
  });
});

describe('head', () => {
  it('starts as a layer of that width and seed does, to the last bit', () => {
    const head = run('head', { tokens: 'a b c', width: '5', seed: '3', mask: 'causal' });
    const layer = run('layer', { tokens: 'a b c', width: '5', seed: '3', mask: 'causal', heads: '1', headWidth: '2' });
    for (const name of ['queries', 'keys', 'values', 'rawScores', 'maskedScores', 'attentionWeights', 'output'])
      expect(numbers(matrixAt(head, `heads[0].${name}`)), name).toEqual(numbers(matrixAt(layer, `heads[0].${name}`)));
  });

  it('moves what was moved among its own numbers, within bounds, and nothing else', () => {
    const start = run('head', { tokens: 'a b c' });
    const moved = run('head', { tokens: 'a b c', moved: '7,k2:0.5:99,q9:1:1,v1:1:1,k0:1:1' });
    expect(resolvePath(moved, 'moved.arrows')).toBe('k2');
    const keys = [...matrixAt(start, 'heads[0].keys').data];
    expect([...matrixAt(moved, 'heads[0].keys').data]).toEqual([...keys.slice(0, 2), 0.5, 5, ...keys.slice(4)]);
    expect(numbers(matrixAt(moved, 'heads[0].queries'))).toEqual(numbers(matrixAt(start, 'heads[0].queries')));
    const other = run('head', { tokens: 'a b c', seed: '8', moved: '7,k2:0.5:2' });
    expect(resolvePath(other, 'moved.arrows')).toBe('none');
  });

  it('opens what is computed, and not what it starts from', () => {
    const results = run('head', { tokens: 'a b c' });
    expect(explain(matrixAt(results, 'heads[0].queries'), 0, 0)).toBeUndefined();
    expect(explain(matrixAt(results, 'heads[0].rawScores'), 0, 0)?.terms).toHaveLength(2);
    expect(highlights('head', results, 'heads[0].rawScores', 1, 2)).toContainEqual({
      id: matrixAt(results, 'heads[0].queries').id,
      row: 1,
    });
  });
});

describe('shapes', () => {
  it('knows a head’s matrices without computing them', () => {
    const results = run('shapes', { width: '768', heads: '12', projectionWidth: '1152' });
    expect(resolvePath(results, 'shapes.W_k')).toEqual([768, 96]);
    expect(resolvePath(results, 'shapes.W_k_transposed')).toEqual([96, 768]);
    expect(resolvePath(results, 'shapes.W_o')).toEqual([1152, 768]);
  });

  it('says in the engine’s words when the width cannot be shared', () => {
    expect(() => run('shapes', { width: '12', heads: '5' })).toThrow(/5 does not divide .*12/);
  });
});

describe('explanations', () => {
  it('light the row and column behind a cell, and the same cell of the other layer', () => {
    const results = run('split');
    const lit = highlights('split', results, 'single.heads[0].rawScores', 2, 3);
    const id = (path: string) => matrixAt(results, path).id;
    expect(lit).toContainEqual({ id: id('single.heads[0].queries'), row: 2 });
    expect(lit).toContainEqual({ id: id('single.keyValueHeads[0].keys'), row: 3 });
    expect(lit).toContainEqual({ id: id('multi.heads[1].rawScores'), row: 2, column: 3 });
  });

  it.each([
    { settings: {}, layouts: ['gpt2', 'torch', 'interleaved'] },
    { settings: { width: '8', heads: '4', keyValueHeads: '2' }, layouts: ['gpt2', 'torch'] },
  ])('find a weight in every layout there is for %j', ({ settings, layouts }) => {
    const results = run('layer', settings);
    const lit = highlights('layer', results, 'weights.W_k[1]', 0, 1);
    const value = resolvePath(results, 'weights.W_k[1](0, 1)');
    for (const layout of layouts) {
      const found = lit.find(({ id }) => id === matrixAt(results, `layouts.${layout}`).id);
      expect(resolvePath(results, `layouts.${layout}(${found?.row}, ${found?.column})`), layout).toBe(value);
    }
  });

  it('write a weight out from its score to its share', () => {
    const results = run('layer');
    const working = workingOf(engine, results, nothingAsked, 'heads[0].attentionWeights', { row: 2, column: 3 });
    expect(working?.steps.map(({ name }) => name)).toEqual(['query · key', 'scale', 'softmax']);
    expect(working?.title.map(({ text }) => text).join('')).toContain('“sat” looks at “on”');
    expect(working?.steps[2]?.rows).toHaveLength(5);
  });

  it.each([
    'heads[0].queries',
    'keyValueHeads[0].values',
    'heads[1].output',
    'concatenated',
    'output',
    'heads[0].maskedScores',
  ])('exist for %s', (path) => {
    expect(
      workingOf(engine, run('layer', { mask: 'causal', biases: 'on' }), nothingAsked, path, { row: 0, column: 1 }),
    ).toBeDefined();
    expect(
      workingOf(engine, run('layer', { pooling: 'additive' }), nothingAsked, path, { row: 0, column: 1 }),
    ).toBeDefined();
  });

  it('do not exist for what is given', () => {
    expect(workingOf(engine, run('layer'), nothingAsked, 'input', { row: 0, column: 0 })).toBeUndefined();
  });
});

describe('what results say of themselves', () => {
  it('a layer of one head inside another’s results is drawn and opens as what it is', () => {
    const results = run('sharing', { heads: '2', sharing: 'all' });
    expect(grid(results, 'one.concatenated')).toMatchObject({ shape: '8 × 6', columnStarts: new Set() });
    expect(grid(results, 'one.weights.W_o').rowStarts).toEqual(new Set());
    expect(grid(results, 'concatenated').shape).toBe('8 × (6 + 6)');
    expect(grid(results, 'weights.W_o').rowStarts).toEqual(new Set([6]));
    expect(workingOf(engine, results, nothingAsked, 'one.output', { row: 1, column: 2 })).toBeDefined();
    const pooled = run('layer');
    expect(
      workingOf(engine, pooled, nothingAsked, 'poolings.additive.heads[0].attentionWeights', { row: 1, column: 2 }),
    ).toBeDefined();
  });

  it('names, colours and rows come with every matrix of a layer, numbered where there are several heads', () => {
    const results = run('layer', { keyTokens: 'one two', biases: 'on', keyValueHeads: '1' });
    const look = (path: string) => matrixAt(results, path).look;
    expect(look('heads[1].attentionWeights')).toMatchObject({
      label: 'A_{j}',
      numbers: { j: 2 },
      tone: 'attention',
      scale: 'probability',
      rows: 'tokens',
      columns: 'keyTokens',
    });
    expect(grid(results, 'heads[1].attentionWeights').label).toBe('A_2');
    // One key/value head has no number.
    expect(grid(results, 'heads[1].rawScores').label).toBe('Q_2 K^T');
    expect(grid(results, 'keyValueHeads[0].keys').label).toBe('K');
    expect(look('weights.b_q[2]')).toMatchObject({ tone: 'query', numbers: { j: 3 } });
    expect(look('concatenated').columnBlocks).toBe(3);
    expect(grid(run('split'), 'single.heads[0].queries').label).toBe('Q');
  });

  it('two places that show one matrix have one id', () => {
    const results = run('layer', { keyValueHeads: '1' });
    const id = (path: string) => matrixAt(results, path).id;
    expect(id('heads[2].keys')).toBe(id('keyValueHeads[0].keys'));
    expect(id('keyInput')).toBe(id('input'));
    const pair = run('split');
    expect(matrixAt(pair, 'decomposition.terms[1]').id).toBe(matrixAt(pair, 'multi.heads[1].rawScores').id);
    expect(matrixAt(pair, 'single.output').id).not.toBe(matrixAt(pair, 'multi.output').id);
  });

  it('a cell is explained by the layer that stays in the module', () => {
    const results = run('layer');
    const matrix = matrixAt(results, 'heads[1].rawScores');
    const { sources, result } = explain(matrix, 2, 3)!;
    expect(sources).toEqual([
      { path: 'heads[1].queries', row: 2 },
      { path: 'keyValueHeads[1].keys', row: 3 },
    ]);
    expect(result).toBe(matrix.data[2 * matrix.columns + 3]);
  });

  it('edits that did nothing are told', () => {
    expect(run('split', { edits: 'q/0:0' }).notes).toEqual([]);
    expect(run('split', { edits: 'q/0:0,q/9:0' }).notes).toEqual([
      'Without effect: q/9:0, which names a cell or block that this layer does not have.',
    ]);
    // Under cross-attention there is no one input to edit.
    expect(run('layer', { keyTokens: 'one two', edits: 'x.0.0:5' }).notes).toHaveLength(1);
  });

  it('the picture of half a million cells is made without a text or an object for each', () => {
    const data = new Float64Array(768 * 2304).fill(0.5);
    const big = { ...matrixAt(run('layer'), 'output'), rows: 768, columns: 2304, data };
    const drawn = gridOf(run('layer'), 'output', big, { compact: true });
    expect(drawn).toMatchObject({ isPicture: true, compact: true });
    expect(Object.values(drawn).filter((value) => Array.isArray(value) && value.length > 768)).toEqual([]);
  });
});

describe('settings', () => {
  it('are gone through one after the other', () => {
    expect(parseSettings('width=512 heads=8; width=768 heads=12')).toEqual([
      { width: '512', heads: '8' },
      { width: '768', heads: '12' },
    ]);
    expect(parseSettings('seed')).toEqual([]);
  });
});
