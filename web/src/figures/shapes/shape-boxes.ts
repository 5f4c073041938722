// Shapes to be drawn to scale: "input · W_q = queries" as boxes with sizes in symbols and numbers.

import type { CaseDimensions } from 'headwise';
import { appearanceOf, type Tone } from '../appearance.ts';
import { resolvePath, shapeOf, type Results } from '../../bench/results.ts';
import { parsePairs } from '../../bench/settings.ts';

export interface ShapeBox {
  readonly kind: 'box';
  readonly label: string;
  readonly tone: Tone;
  readonly rows: number;
  readonly columns: number;
  readonly rowSymbol: string;
  readonly columnSymbol: string;
}
export interface ShapeSign {
  readonly kind: 'sign';
  readonly text: string;
}

// What each side of a shape is, by the names of the dimensions.
const sides: Readonly<Record<string, readonly [rows: string, columns: string]>> = {
  input: ['n_q', 'd_q'],
  keyInput: ['n_kv', 'd_k'],
  W_q: ['d_q', 'p_q'],
  W_k: ['d_k', 'p_k'],
  W_v: ['d_v', 'p_v'],
  W_o: ['h·p_v', 'p_o'],
  queries: ['n_q', 'p_q'],
  keys: ['n_kv', 'p_k'],
  values: ['n_kv', 'p_v'],
  rawScores: ['n_q', 'n_kv'],
  scaledScores: ['n_q', 'n_kv'],
  maskedScores: ['n_q', 'n_kv'],
  attentionWeights: ['n_q', 'n_kv'],
  headOutput: ['n_q', 'p_v'],
  concatenated: ['n_q', 'h·p_v'],
  output: ['n_q', 'p_o'],
};

const labels: Readonly<Record<string, string>> = {
  input: 'H',
  W_q: 'W_j^q',
  W_k: 'W_j^k',
  W_v: 'W_j^v',
  W_o: 'W^o',
  queries: 'Q_j',
  keys: 'K_j',
  values: 'V_j',
  rawScores: 'Q_j K_j^T',
  attentionWeights: 'A_j',
  headOutput: 'O_j',
  concatenated: 'concat',
  output: 'output',
};

// The usual letters while the sizes are the usual ones.
function usualSymbol(side: string, dims: CaseDimensions): string {
  const { d_q: width = 0, num_heads: heads = 1, p_v: valueWidth = 0 } = dims;
  const usualHead = (size: number | undefined, letter: string) =>
    size !== undefined && size * heads === width ? 'd/h' : letter;
  switch (side) {
    case 'n_q':
      return 'n';
    case 'n_kv':
      return dims.n_kv === dims.n_q ? 'n' : 'n_kv';
    case 'd_q':
    case 'd_k':
    case 'd_v':
      return 'd';
    case 'p_q':
      return usualHead(dims.p_q, 'p_q');
    case 'p_k':
      return usualHead(dims.p_k, 'p_k');
    case 'p_v':
      return usualHead(dims.p_v, 'p_v');
    case 'p_o':
      return dims.p_o === width ? 'd' : 'p_o';
    default:
      return valueWidth * heads === width ? 'd' : 'h·p_v';
  }
}

function dimsOf(results: Results): CaseDimensions {
  const dims = results.dims ?? resolvePath(results, 'multi.dims');
  return typeof dims === 'object' && dims !== null ? (dims as CaseDimensions) : { n_q: 0, n_kv: 0 };
}

export function shapeBoxes(results: Results, of: string, symbols: string): (ShapeBox | ShapeSign)[] {
  const letters = parsePairs(symbols).pairs;
  const dims = dimsOf(results);
  return of
    .trim()
    .split(/\s+/)
    .flatMap((word): (ShapeBox | ShapeSign)[] => {
      if (!/[A-Za-z]/.test(word)) return [{ kind: 'sign', text: word }];
      const shape = shapeOf(resolvePath(results, `shapes.${word}`) ?? resolvePath(results, word));
      if (!shape) return [];
      const name = word.slice(word.lastIndexOf('.') + 1);
      const [rowSide = '', columnSide = ''] = sides[name] ?? [];
      const symbol = (side: string) =>
        letters.get(side) ?? letters.get(side.replace(/_.*/, '')) ?? usualSymbol(side, dims);
      return [
        {
          kind: 'box',
          label: labels[name] ?? name,
          tone: appearanceOf(name === 'headOutput' ? 'heads[0].output' : /^W_[qkv]$/.test(name) ? `${name}[0]` : name)
            .tone,
          rows: shape[0],
          columns: shape[1],
          rowSymbol: rowSide && symbol(rowSide),
          columnSymbol: columnSide && symbol(columnSide),
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
  return Math.max(0.02, Math.min(largestUnit, (width - fixed) / columns, tallest / rows));
}
