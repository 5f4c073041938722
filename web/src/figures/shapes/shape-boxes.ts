// Shapes to be drawn to scale: "input · W_q = queries" as boxes with sizes in symbols and numbers.

import type { Axis, CaseDimensions, Field } from 'headwise';
import type { Covers } from '../../bench/covers.ts';
import type { DescribedMatrix, Tone } from '../../bench/described.ts';
import type { FieldShape } from '../../bench/recipes/shapes.ts';
import { resolvePath, shapeOf, type Results, type Shape } from '../../bench/results.ts';
import { parsePairs } from '../../bench/settings.ts';

export interface ShapeBox {
  readonly kind: 'box';
  readonly label: string;
  readonly tone: Tone;
  readonly rows: number;
  readonly columns: number;
  readonly rowSymbol: string;
  readonly columnSymbol: string;
  /** An exercise asks for it. */
  readonly isAsked: boolean;
}
export interface ShapeSign {
  readonly kind: 'sign';
  readonly text: string;
}

// The usual letters while the sizes are the usual ones.
function usualSymbol(axis: Axis, dims: CaseDimensions): string {
  const { d_q: width = 0, num_heads: heads = 1, p_v: valueWidth = 0 } = dims;
  const usualHead = (size: number | undefined) => (size !== undefined && size * heads === width ? 'd/h' : axis);
  switch (axis) {
    case 'n_q':
      return 'n';
    case 'n_kv':
      return dims.n_kv === dims.n_q ? 'n' : axis;
    case 'd_q':
    case 'd_k':
    case 'd_v':
      return 'd';
    case 'p_q':
      return usualHead(dims.p_q);
    case 'p_k':
      return usualHead(dims.p_k);
    case 'p_v':
      return usualHead(dims.p_v);
    case 'p_o':
      return dims.p_o === width ? 'd' : axis;
    case 'h·p_v':
      return valueWidth * heads === width ? 'd' : axis;
    default:
      return axis;
  }
}

function dimsOf(results: Results): CaseDimensions {
  const dims = results.dims ?? resolvePath(results, 'multi.dims');
  return typeof dims === 'object' && dims !== null ? dims : { n_q: 0, n_kv: 0 };
}

// "Q_{j}" → "Q_j": any head. Its key/value head has the same letter, as in the lessons.
function anyHead(symbol: string): string {
  return symbol.replaceAll(/\{[jg]\}/g, 'j');
}

// What a lesson names: a shape, or the shape of a matrix.
function named(
  results: Results,
  word: string,
): { shape: Shape; field: Field | undefined; turned: boolean } | undefined {
  const value = resolvePath(results, `shapes.${word}`) ?? resolvePath(results, word);
  const shape = shapeOf(value);
  if (!shape) return undefined;
  const { field, origin, turned = false } = value as Partial<FieldShape & DescribedMatrix>;
  return { shape, field: field ?? origin?.field, turned };
}

export function shapeBoxes(results: Results, covers: Covers, of: string, symbols: string): (ShapeBox | ShapeSign)[] {
  const letters = parsePairs(symbols).pairs;
  const dims = dimsOf(results);
  return of
    .trim()
    .split(/\s+/)
    .flatMap((word): (ShapeBox | ShapeSign)[] => {
      if (!/[A-Za-z]/.test(word)) return [{ kind: 'sign', text: word }];
      const found = named(results, word);
      if (!found) return [];
      const { shape, field, turned } = found;
      const [rowAxis, columnAxis] = turned ? [field?.columns, field?.rows] : [field?.rows, field?.columns];
      const label = field && anyHead(field.symbol);
      const symbol = (axis: Axis | undefined) =>
        axis && (letters.get(axis) ?? letters.get(axis.replace(/_.*/, '')) ?? usualSymbol(axis, dims));
      return [
        {
          kind: 'box',
          label: label === undefined ? word : turned ? `${label}^T` : label,
          tone: field?.role ?? 'input',
          rows: shape[0],
          columns: shape[1],
          rowSymbol: symbol(rowAxis) ?? '',
          columnSymbol: symbol(columnAxis) ?? '',
          isAsked: covers.hidesShape(field?.path, word, `shapes.${word}`),
        },
      ];
    });
}

const signWidth = 30;
// Room at the left of a box for the size of its rows.
const sideLabelWidth = 58;
const tallest = 150;
const largestUnit = 13;

/** Columns of all boxes together, and pixels that signs and labels take whatever the unit. */
export function widthsOf(parts: readonly (ShapeBox | ShapeSign)[]): { columns: number; fixed: number } {
  const boxes = parts.filter((part): part is ShapeBox => part.kind === 'box');
  const columns = boxes.reduce((sum, box) => sum + box.columns, 0);
  return {
    columns: Math.max(1, columns),
    fixed: (parts.length - boxes.length) * signWidth + boxes.length * sideLabelWidth,
  };
}

/** Pixels for one row or column, so that all boxes fit. */
export function unitFor(parts: readonly (ShapeBox | ShapeSign)[], width: number): number {
  const { columns, fixed } = widthsOf(parts);
  const rows = parts.reduce((most, part) => (part.kind === 'box' ? Math.max(most, part.rows) : most), 1);
  return Math.max(0, Math.min(largestUnit, (width - fixed) / columns, tallest / rows));
}
