// Cells that stand for the same thing elsewhere: one weight in every layout, one score in both layers.

import type { CompleteDimensions, Headwise, LayoutName, RoleName, WeightCell } from 'headwise';
import type { DescribedMatrix, Highlight } from '../described.ts';
import type { Results } from '../results.ts';
import type { LayerTree } from './layer-tree.ts';

const layoutNames: readonly LayoutName[] = ['gpt2', 'torch', 'interleaved'];
// In interleaved order each query head stands beside a key and a value head of its own.
const layoutsOf = (dims: CompleteDimensions) =>
  layoutNames.filter((name) => name !== 'interleaved' || dims.num_kv_heads === dims.num_heads);
const roles: readonly { role: RoleName; weights: 'W_q' | 'W_k' | 'W_v' }[] = [
  { role: 'query', weights: 'W_q' },
  { role: 'key', weights: 'W_k' },
  { role: 'value', weights: 'W_v' },
];

// The weight that stands in this cell, if the matrix holds weights of heads.
function weightCell(
  engine: Headwise,
  layer: LayerTree,
  dims: CompleteDimensions,
  matrix: DescribedMatrix,
  row: number,
  column: number,
): WeightCell | undefined {
  for (const { role, weights } of roles) {
    const head = layer.weights[weights].findIndex(({ id }) => id === matrix.id);
    if (head >= 0) return { role, head, row, column };
    const width = dims.p_q;
    if (matrix.id === layer.wide[role].id)
      return { role, head: Math.floor(column / width), row, column: column % width };
  }
  const layout = layoutsOf(dims).find((name) => matrix.id === layer.layouts[name].id);
  return layout && engine.cellAt(layout, dims, { row, column });
}

/** The same weight in the heads' matrices, the wide matrix and the layouts there are for such heads. */
export function layoutLinks(
  engine: Headwise,
  results: Results,
  matrix: DescribedMatrix,
  row: number,
  column: number,
): Highlight[] {
  const layer = results as unknown as LayerTree;
  const { dims } = layer;
  const fused = layoutsOf(dims);
  const isWeight = matrix.origin?.field.part === 'weight' || matrix.isArrangement;
  const cell = isWeight && weightCell(engine, layer, dims, matrix, row, column);
  if (!cell) return [];
  const { weights } = roles.find(({ role }) => role === cell.role)!;
  return [
    { id: layer.weights[weights][cell.head]!.id, row: cell.row, column: cell.column },
    { id: layer.wide[cell.role].id, row: cell.row, column: cell.head * dims.p_q + cell.column },
    ...fused.map((name) => ({ id: layer.layouts[name].id, ...engine.positionIn(name, dims, cell) })),
  ];
}

/** The same cell of the single head, of every head and of the terms of the sum; and of both layers' outputs. */
export function pairLinks(
  _engine: Headwise,
  results: Results,
  matrix: DescribedMatrix,
  row: number,
  column: number,
): Highlight[] {
  const { single, multi, decomposition } = results as unknown as {
    single: LayerTree;
    multi: LayerTree;
    decomposition: { sum: DescribedMatrix };
  };
  const at = ({ id }: DescribedMatrix): Highlight => ({ id, row, column });
  const field = matrix.origin?.field;
  const isSum = matrix.id === decomposition.sum.id;
  if (isSum || (field?.rows === 'n_q' && field.columns === 'n_kv')) {
    const name = (isSum ? 'rawScores' : field!.path.split('.')[1]) as keyof LayerTree['heads'][number];
    const maps = [...single.heads, ...multi.heads].map((head) => at(head[name]));
    return name === 'rawScores' ? [...maps, at(decomposition.sum)] : maps;
  }
  if (field?.part === 'input') return [at(single.input), at(multi.input)];
  if (field?.path === 'concatenated' || field?.path === 'output')
    return [at(single[field.path]), at(multi[field.path])];
  return [];
}
