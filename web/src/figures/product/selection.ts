// What choosing a cell means: the arithmetic behind it and every place to light, from one question to the engine.

import type { Explanation, Headwise } from 'headwise';
import { highlightOf, type DescribedMatrix, type Highlight } from '../../bench/described.ts';
import type { Recipe } from '../../bench/parameters.ts';
import type { Results } from '../../bench/results.ts';

/** The arithmetic behind a cell; undefined for what the engine did not compute from something else: inputs, weights and derived results. */
export function explain(matrix: DescribedMatrix, row: number, column: number): Explanation | undefined {
  const { origin } = matrix;
  if (!origin || origin.field.operation === 'given') return undefined;
  return origin.layer.explainCell(origin.path, row, column);
}

/** Every row, column or cell to light when this cell is chosen, itself included. */
export function highlightsOf(
  engine: Headwise,
  recipe: Recipe,
  results: Results,
  matrix: DescribedMatrix,
  row: number,
  column: number,
  explanation: Explanation | undefined,
): Highlight[] {
  const links = recipe.links?.(engine, results, matrix, row, column) ?? [];
  const { origin } = matrix;
  const sources = origin && explanation ? explanation.sources.map((place) => highlightOf(origin.layer, place)) : [];
  return [{ id: matrix.id, row, column }, ...links, ...sources];
}
