// Cells that stand for the same thing elsewhere: one weight in every layout, one score in both layers.

import type { CaseDimensions, Headwise, LayoutName, RoleName, WeightCell } from 'headwise';
import type { Highlight } from '../parameters.ts';
import type { Results } from '../results.ts';

const layouts: readonly LayoutName[] = ['gpt2', 'torch', 'interleaved'];
const roleOfMatrix: Readonly<Record<string, RoleName>> = { W_q: 'query', W_k: 'key', W_v: 'value' };
const matrixOfRole: Readonly<Record<RoleName, string>> = { query: 'W_q', key: 'W_k', value: 'W_v' };

function weightCell(
  engine: Headwise,
  dims: CaseDimensions,
  path: string,
  row: number,
  column: number,
): WeightCell | undefined {
  const layout = layouts.find((name) => path === `layouts.${name}`);
  if (layout) return engine.cellAt(layout, dims, { row, column });
  const head = /^weights\.(W_[qkv])\[(\d+)\]$/.exec(path);
  const role = head && roleOfMatrix[head[1] ?? ''];
  if (head && role) return { role, head: Number(head[2]), row, column };
  const wide = /^wide\.(query|key|value)$/.exec(path);
  const width = dims.p_q;
  if (!wide || !width) return undefined;
  return { role: wide[1] as RoleName, head: Math.floor(column / width), row, column: column % width };
}

/** The same weight in the heads' matrices, the wide matrix and the three layouts. */
export function layoutLinks(
  engine: Headwise,
  results: Results,
  path: string,
  row: number,
  column: number,
): Highlight[] {
  const dims = results.cases['']?.dims;
  if (!dims || !/^(layouts|wide|weights)\b/.test(path)) return [];
  // The layouts exist only for heads of one width without shared keys.
  if (dims.num_kv_heads !== undefined && dims.num_kv_heads !== dims.num_heads) return [];
  const cell = weightCell(engine, dims, path, row, column);
  if (!cell) return [];
  const wideColumn = cell.head * (dims.p_q ?? 0) + cell.column;
  return [
    { path: `weights.${matrixOfRole[cell.role]}[${cell.head}]`, row: cell.row, column: cell.column },
    { path: `wide.${cell.role}`, row: cell.row, column: wideColumn },
    ...layouts.map((layout) => ({ path: `layouts.${layout}`, ...engine.positionIn(layout, dims, cell) })),
  ];
}

/** The same cell of the single head, of every head and of the terms of the sum; and of both layers' outputs. */
export function pairLinks(_engine: Headwise, results: Results, path: string, row: number, column: number): Highlight[] {
  const heads = (results.multi as { heads: readonly unknown[] }).heads.length;
  const eachHead = (name: string) =>
    Array.from({ length: heads }, (_, head) => ({ path: `multi.heads[${head}].${name}`, row, column }));
  const map = /^(?:single|multi)\.heads\[\d+\]\.(rawScores|scaledScores|maskedScores|attentionWeights)$/.exec(path);
  const sum = /^decomposition\.(?:sum|terms\[\d+\])$/.test(path);
  if (map || sum) {
    const name = map?.[1] ?? 'rawScores';
    const terms = Array.from({ length: heads }, (_, head) => ({ path: `decomposition.terms[${head}]`, row, column }));
    return [
      { path: `single.heads[0].${name}`, row, column },
      ...eachHead(name),
      ...(name === 'rawScores' ? [...terms, { path: 'decomposition.sum', row, column }] : []),
    ];
  }
  const joined = /^(?:single|multi)\.(concatenated|output|input)$/.exec(path);
  if (joined) return ['single', 'multi'].map((layer) => ({ path: `${layer}.${joined[1]}`, row, column }));
  return [];
}
