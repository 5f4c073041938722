// Layers from the state in an address, rebuilt from what docs/writing-a-lesson.md says of the recipes and not from the page's code.

import type { CompleteCase, CaseMask, ConstructionName, DistributionName, Headwise, Matrix } from 'headwise';
import type { Texts } from './address.ts';
import { asMatrix } from './matrices.ts';

const layerStart: Readonly<Record<string, string>> = {
  tokens: 'the cat sat on mats',
  keyTokens: '',
  width: '12',
  heads: '3',
  headWidth: '0',
  outputWidth: '0',
  keyValueHeads: '0',
  seed: '7',
  mask: 'none',
  length: '3',
  scale: 'perHeadWidth',
  pooling: 'dot',
  scoreHidden: '4',
  biases: 'off',
  distribution: 'scaledNormal',
  edits: '',
  nudgeToken: '1',
  nudgeFeature: '1',
  nudge: '0',
  notation: 'rows',
};
const starts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  layer: layerStart,
  split: { ...layerStart, width: '6', heads: '2', inputs: 'words', rows: '10', construction: '' },
  head: { tokens: layerStart.tokens!, width: '4', seed: '7', mask: 'none', length: '3', row: '1', moved: '' },
  shapes: {
    length: '5',
    keyLength: '0',
    width: '512',
    heads: '8',
    projectionWidth: '0',
    headWidth: '0',
    valueWidth: '0',
    keyValueHeads: '0',
    outputWidth: '0',
  },
  sharing: {
    tokens: 'the old cat sat on two soft mats',
    width: '12',
    heads: '3',
    sharing: 'none',
    groupSize: '3',
    seed: '7',
    outputBlocks: 'own',
    partners: '',
  },
  costs: { width: '512', heads: '8', keyValueHeads: '0', headWidth: 'budget', length: '128', bytes: '2' },
  training: { seed: '1', learningRate: '0.02' },
  scale: { keySize: '16', queries: '32', keys: '16', reach: '24', seed: '7' },
};

/** A parameter's text, or its start. */
export type Read = (name: string) => string;

export function reader(recipe: string, texts: Texts): Read {
  return (name) => texts.get(name) ?? starts[recipe]?.[name] ?? '';
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const cut = (word: string) => Array.from(letters.segment(word), ({ segment }) => segment).slice(0, 14);
  return words.slice(0, 12).map((word) => cut(word).join(''));
}

function maskOf(read: Read, keyCount: number): CaseMask | null {
  const mask = read('mask');
  if (mask === 'causal') return { type: 'causal', alignment: 'topLeft' };
  if (mask === 'causalEnd') return { type: 'causal', alignment: 'bottomRight' };
  if (mask === 'padding') return { type: 'valid_lens', valid_lens: [Math.min(Number(read('length')), keyCount)] };
  return null;
}

function optionsOf(read: Read) {
  return { scale: read('scale') as 'perHeadWidth' | 'totalWidth' | 'none' };
}

export function layerCase(engine: Headwise, read: Read, pooling = read('pooling')): CompleteCase {
  const tokens = wordsOf(read('tokens'));
  const keyTokens = wordsOf(read('keyTokens'));
  const size = (name: string) => Number(read(name));
  const layer = engine.randomCase({
    kind: pooling === 'additive' ? 'additive_mha' : 'mha',
    dims: {
      d_q: size('width'),
      num_heads: size('heads'),
      ...(size('headWidth') > 0 && { p_q: size('headWidth'), p_k: size('headWidth'), p_v: size('headWidth') }),
      ...(size('outputWidth') > 0 && { p_o: size('outputWidth') }),
      ...(size('keyValueHeads') > 0 && { num_kv_heads: size('keyValueHeads') }),
      ...(pooling === 'additive' && { a: size('scoreHidden') }),
    },
    seed: size('seed'),
    tokens,
    ...(keyTokens.length > 0 && { keyTokens }),
    weights: read('distribution') as DistributionName,
    biases: read('biases') === 'on',
    mask: maskOf(read, keyTokens.length || tokens.length),
    options: optionsOf(read),
  });
  return edited(layer, read('edits'), size('heads'));
}

/** Queries, keys and values of one head, without projections: a layer's, but for those that were moved. */
export function headCase(engine: Headwise, read: Read): { Q: Matrix; K: Matrix; V: Matrix; mask: CaseMask | null } {
  const tokens = wordsOf(read('tokens'));
  const dims = { d_q: Number(read('width')), num_heads: 1, p_q: 2, p_k: 2, p_v: 2 };
  const trace = engine.attend(engine.randomCase({ kind: 'mha', dims, seed: Number(read('seed')), tokens }));
  const { keys, values } = trace.keyValueHeads[0]!;
  const rows = { q: wideRows([trace.heads[0]!.queries]), k: wideRows([keys]) };
  const [seed, ...moves] = read('moved').split(',');
  for (const move of seed === read('seed') ? moves : []) {
    const [place = '', x, y] = move.split(':');
    rows[place.charAt(0) as 'q' | 'k'][Number(place.slice(1)) - 1] = [Number(x), Number(y)];
  }
  return { Q: asMatrix(rows.q), K: asMatrix(rows.k), V: asMatrix(values), mask: maskOf(read, tokens.length) };
}

/** Heads that do not divide the width become the next fewer that do. */
function headsThatDivide(engine: Headwise, heads: number, width: number): number {
  return engine
    .divisorsOf(width)
    .filter((divisor) => divisor <= heads)
    .reduce((most, divisor) => Math.max(most, divisor), 1);
}

export function splitCases(engine: Headwise, read: Read): { single: CompleteCase; multi: CompleteCase } {
  const words = read('inputs') === 'words';
  const tokens = wordsOf(read('tokens'));
  const rows = Number(read('rows'));
  const width = Number(read('width'));
  const most = ['fullScores', 'equalBlocks', 'rescaledHeads'].includes(read('construction'))
    ? Math.floor(2 ** 20 / width ** 2)
    : Infinity;
  const heads = headsThatDivide(engine, Math.min(Number(read('heads')), most), width);
  const drawn = engine.randomCase({
    kind: 'mha',
    dims: { d_q: width, num_heads: 1, ...(!words && { n_q: rows, n_kv: rows }) },
    seed: Number(read('seed')),
    ...(words ? { tokens } : { inputs: read('inputs') as DistributionName }),
    weights: read('distribution') as DistributionName,
    mask: maskOf(read, words ? tokens.length : rows),
    options: optionsOf(read),
  });
  const single = edited(drawn, read('edits'), heads);
  const construction = read('construction');
  if (construction !== '') return engine.constructEqualPair(construction as ConstructionName, single, heads);
  return { single, multi: engine.splitSingleHead(single, heads) };
}

/** The head whose query matrix, and whose key and value matrices, each head uses. */
export function usedBy(read: Read): { query: number[]; keyValue: number[] } {
  const heads = Array.from({ length: Number(read('heads')) }, (_, head) => head);
  const sharing = read('sharing');
  const group = Number(read('groupSize'));
  const keyValueOf = (head: number) =>
    sharing === 'none' ? head : sharing === 'keysAndValuesPerGroup' ? head - (head % group) : 0;
  return { query: heads.map((head) => (sharing === 'all' ? 0 : head)), keyValue: heads.map(keyValueOf) };
}

export function sharingCase(engine: Headwise, read: Read): CompleteCase {
  const heads = Number(read('heads'));
  const drawn = engine.randomCase({
    kind: 'mha',
    dims: { d_q: Number(read('width')), num_heads: heads },
    seed: Number(read('seed')),
    tokens: wordsOf(read('tokens')),
  });
  const { query, keyValue } = usedBy(read);
  const of = (matrices: CompleteCase['weights']['W_q'], users: readonly number[]) =>
    users.map((user) => matrices[user]!);
  const { W_q, W_k, W_v, W_o } = drawn.weights;
  const rows = wideRows([W_o]);
  const first = rows.slice(0, rows.length / heads);
  return {
    ...drawn,
    weights: {
      ...drawn.weights,
      W_q: of(W_q, query),
      W_k: of(W_k, keyValue),
      W_v: of(W_v, keyValue),
      W_o: asMatrix(read('outputBlocks') === 'equal' ? Array.from({ length: heads }, () => first).flat() : rows),
    },
  };
}

/** A matrix, or several with their columns side by side, as rows of numbers that may be written to. */
function wideRows(matrices: readonly Matrix[]): number[][] {
  return Array.from({ length: matrices[0]!.rows }, (_, row) =>
    matrices.flatMap(({ columns, data }) => [...data.slice(row * columns, (row + 1) * columns)]),
  );
}

function narrowParts(rows: readonly number[][], count: number): number[][][] {
  const width = (rows[0]?.length ?? 0) / count;
  return Array.from({ length: count }, (_, part) => rows.map((row) => row.slice(part * width, (part + 1) * width)));
}

/** matrix.row.column:number, matrix/block:0, matrix/block:matrix/block, matrix/block*factor; joined by commas. */
function edited(layer: CompleteCase, edits: string, heads: number): CompleteCase {
  if (edits === '') return layer;
  const { W_q, W_k, W_v, W_o } = layer.weights;
  const wide: Record<string, number[][]> = {
    q: wideRows(W_q),
    k: wideRows(W_k),
    v: wideRows(W_v),
    o: wideRows([W_o]),
    ...('X' in layer.inputs && { x: wideRows([layer.inputs.X]) }),
  };
  // A block is the columns of one head; of o, its rows.
  const cellsOf = (name: string, block: number): [row: number, column: number][] => {
    const matrix = wide[name] ?? [];
    const columns = matrix[0]?.length ?? 0;
    const within = (row: number, column: number) =>
      Math.floor(name === 'o' ? row / (matrix.length / heads) : column / (columns / heads)) === block;
    return matrix.flatMap((cells, row) =>
      cells.flatMap((_, column): [number, number][] => (within(row, column) ? [[row, column]] : [])),
    );
  };
  for (const edit of edits.split(',')) {
    const [place = '', setting = ''] = edit.split(/[:*]/);
    const [name = ''] = place;
    if (place.includes('.')) {
      const [, row, column] = place.split('.').map(Number);
      wide[name]![row!]![column!] = Number(setting);
      continue;
    }
    const source = /^([qkvo])\/(\d+)$/.exec(setting);
    const from =
      source && cellsOf(source[1]!, Number(source[2])).map(([row, column]) => wide[source[1]!]![row]![column]!);
    cellsOf(name, Number(place.slice(2))).forEach(([row, column], at) => {
      const old = wide[name]![row]![column]!;
      wide[name]![row]![column] = from ? from[at]! : edit.includes('*') ? old * Number(setting) : 0;
    });
  }
  return {
    ...layer,
    inputs: wide.x ? { X: asMatrix(wide.x) } : layer.inputs,
    weights: {
      ...layer.weights,
      W_q: narrowParts(wide.q!, W_q.length).map(asMatrix),
      W_k: narrowParts(wide.k!, W_k.length).map(asMatrix),
      W_v: narrowParts(wide.v!, W_v.length).map(asMatrix),
      W_o: asMatrix(wide.o!),
    },
  };
}
