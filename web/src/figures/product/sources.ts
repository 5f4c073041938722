// Which cells made a cell: the engine's names of rows and columns, turned into the paths that figures carry.

import type { Explanation, Headwise } from 'headwise';
import type { Highlight, Recipe } from '../../bench/parameters.ts';
import { caseOf, resolvePath, type Results } from '../../bench/results.ts';

/** heads[j].keys and .values are those of the key/value head that j uses; one spelling for both, so that figures find each other. */
export function canonicalPath(results: Results, path: string): string {
  const match = /^(.*?)heads\[(\d+)\]\.(keys|values)$/.exec(path);
  if (!match || match[1]?.endsWith('keyValueH')) return path;
  const [, prefix = '', head, field = ''] = match;
  const headCount = resolvePath(results, `${prefix}heads.length`);
  const keyValueHeads = resolvePath(results, `${prefix}keyValueHeads`);
  if (typeof headCount !== 'number' || !Array.isArray(keyValueHeads)) return path;
  const index = Math.floor(Number(head) / (headCount / keyValueHeads.length));
  return `${prefix}keyValueHeads[${index}].${field}`;
}

const renamed: readonly [RegExp, string][] = [
  [/^inputs\.(query|key|value)$/, 'input'],
  [/^weights\.heads\[(\d+)\]\.query\.weight$/, 'weights.W_q[$1]'],
  [/^weights\.keyValueHeads\[(\d+)\]\.key\.weight$/, 'weights.W_k[$1]'],
  [/^weights\.keyValueHeads\[(\d+)\]\.value\.weight$/, 'weights.W_v[$1]'],
  [/^weights\.output\.weight$/, 'weights.W_o'],
];

function pathOf(engineName: string, crossAttention: boolean): string {
  if (crossAttention && engineName === 'inputs.key') return 'keyInput';
  if (crossAttention && engineName === 'inputs.value') return 'valueInput';
  for (const [pattern, replacement] of renamed) {
    if (pattern.test(engineName)) return engineName.replace(pattern, replacement);
  }
  return engineName;
}

/** "heads[0].queries[2, :]" → row 2 of heads[0].queries. undefined for names of no matrix, such as scaleFactor. */
export function parseSource(engineName: string, prefix = '', crossAttention = false): Highlight | undefined {
  const match = /^(.*)\[(\d+|:), (\d+|:)\]$/.exec(engineName);
  if (!match || engineName.startsWith('tanh(')) return undefined;
  const [, name = '', row, column] = match;
  return {
    path: prefix + pathOf(name, crossAttention),
    ...(row !== ':' && { row: Number(row) }),
    ...(column !== ':' && { column: Number(column) }),
  };
}

export interface ExplainedCell {
  readonly path: string;
  readonly row: number;
  readonly column: number;
  /** The layer's part of the path, such as "multi." */
  readonly prefix: string;
  readonly explanation: Explanation;
}

// Results that repeat a field of a trace under another name.
function tracePath(path: string): string {
  return path.replace(/^decomposition\.terms\[(\d+)\]$/, 'multi.heads[$1].rawScores');
}

/** The arithmetic behind a cell; undefined for what the engine did not compute from something else: inputs and weights. */
export function explain(
  engine: Headwise,
  results: Results,
  path: string,
  row: number,
  column: number,
): ExplainedCell | undefined {
  const canonical = canonicalPath(results, tracePath(path));
  const owner = caseOf(results, canonical);
  if (!owner || !/^(?:heads\[|keyValueHeads\[|concatenated$|output$)/.test(owner.path)) return undefined;
  const explanation = engine.explainCell(owner.layer, owner.path, row, column);
  return { path, row, column, prefix: owner.prefix, explanation };
}

/** Every row, column or cell to light when this cell is chosen, itself included. */
export function highlightsOf(
  engine: Headwise,
  recipe: Recipe,
  results: Results,
  path: string,
  row: number,
  column: number,
): Highlight[] {
  const own = { path: canonicalPath(results, path), row, column };
  const links = recipe.links?.(engine, results, path, row, column) ?? [];
  const explained = explain(engine, results, path, row, column);
  if (!explained) return [own, ...links];
  const { prefix, explanation } = explained;
  const layer = caseOf(results, canonicalPath(results, tracePath(path)))?.layer;
  const crossAttention = layer !== undefined && !('X' in layer.inputs);
  const sources = [explanation.leftName, explanation.rightName].flatMap(
    (name) => parseSource(name, prefix, crossAttention) ?? [],
  );
  // Additive scores come from a row of queries and a row of keys, named together.
  const additive = /^tanh\((.*\]), (.*\])\)$/.exec(explanation.rightName);
  const pair = additive
    ? [additive[1], additive[2]].flatMap((name) => parseSource(name ?? '', prefix, crossAttention) ?? [])
    : [];
  return [own, ...links, ...sources, ...pair];
}
