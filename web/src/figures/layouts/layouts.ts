// How the fused weights of three libraries are drawn: each row or column of the wide axis named by whose it is.

import type { Headwise, LayoutName, RoleName } from 'headwise';
import { isMatrix, resolvePath, type Results } from '../../bench/results.ts';

export interface LayoutFigure {
  readonly path: string;
  readonly note: string;
  /** Attributes of hw-matrix besides. */
  readonly names:
    { readonly columns: string; readonly blocks: string } | { readonly rows: string; readonly 'row-blocks': string };
}

const letters: Readonly<Record<RoleName, string>> = { query: 'Q', key: 'K', value: 'V' };
const titles: readonly (readonly [LayoutName, string])[] = [
  ['gpt2', 'GPT-2'],
  ['torch', 'PyTorch'],
  ['interleaved', 'interleaved'],
];

export function layoutFigures(engine: Headwise, results: Results): LayoutFigure[] {
  const dims = results.cases['']?.dims;
  if (!dims) return [];
  return titles.flatMap(([layout, note]): LayoutFigure[] => {
    const path = `layouts.${layout}`;
    const matrix = resolvePath(results, path);
    if (!isMatrix(matrix)) return [];
    const asColumns = layout === 'gpt2';
    const names = Array.from({ length: asColumns ? matrix.columns : matrix.rows }, (_, at) => {
      const cell = engine.cellAt(layout, dims, asColumns ? { row: 0, column: at } : { row: at, column: 0 });
      return `${letters[cell.role]}${cell.head + 1}`;
    }).join(',');
    const blocks = String(layout === 'interleaved' ? (dims.num_heads ?? 1) * 3 : 3);
    return [{ path, note, names: asColumns ? { columns: names, blocks } : { rows: names, 'row-blocks': blocks } }];
  });
}
