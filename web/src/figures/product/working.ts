// The arithmetic behind a cell, written out: pieces of text with the colour of what they came from. Numbers are the engine's.

import type { Explanation, Headwise } from 'headwise';
import { appearanceOf, withIndex, type Tone } from '../appearance.ts';
import { fixed, minus, significant } from '../../text/format.ts';
import { caseOf, parseCell, resolvePath, isMatrix, type Cell, type Results } from '../../bench/results.ts';
import { explain, parseSource, type ExplainedCell } from './sources.ts';

export interface Piece {
  readonly text: string;
  /** The text is a name with indices, as labels are written. */
  readonly isLabel?: boolean;
  readonly tone?: Tone;
  readonly strong?: boolean;
  /** Drawn raised, as an exponent. */
  readonly raised?: boolean;
}

export interface Step {
  readonly name: string;
  readonly pieces: readonly Piece[];
  /** A softmax: one line for each key. */
  readonly rows?: readonly {
    readonly key: string;
    readonly score: string;
    readonly exponential: string;
    readonly weight: string;
    readonly chosen: boolean;
  }[];
}

export interface Working {
  readonly title: readonly Piece[];
  readonly steps: readonly Step[];
}

// Longer products are shown with a gap in the middle.
const mostTerms = 12;

const scoreSteps = ['rawScores', 'scaledScores', 'maskedScores', 'attentionWeights'];

/** The cell's own field and the fields that led to it. */
function fieldsBefore(path: string): string[] {
  const dot = path.lastIndexOf('.');
  const [owner, field] = [path.slice(0, dot + 1), path.slice(dot + 1)];
  const last = scoreSteps.indexOf(field);
  return last < 0 ? [path] : scoreSteps.slice(0, last + 1).map((name) => owner + name);
}

function decimalsOf(values: Float64Array): number {
  const largest = values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return largest >= 100 ? 1 : largest >= 0.1 ? 2 : 4;
}

function inBrackets(text: string): string {
  return text.startsWith(minus) ? `(${text})` : text;
}

function toneOf(name: string, fallback: Tone): Tone {
  const source = parseSource(name);
  return source ? appearanceOf(source.path).tone : fallback;
}

function sumOfProducts(explanation: Explanation): Piece[] {
  const { left, right, terms, addend, result } = explanation;
  const [leftDecimals, rightDecimals] = [decimalsOf(left), decimalsOf(right)];
  const leftTone = toneOf(explanation.leftName, 'input');
  const rightTone = toneOf(explanation.rightName, explanation.operation === 'additive' ? 'scores' : 'query');
  const shown = [...terms.keys()];
  const gap = shown.length > mostTerms ? shown.splice(mostTerms - 2, shown.length - mostTerms + 1) : [];
  const pieces: Piece[] = [];
  shown.forEach((at, index) => {
    if (index > 0) pieces.push({ text: ' + ' });
    if (gap.length > 0 && index === shown.length - 1) pieces.push({ text: `… (${gap.length} more) … + ` });
    pieces.push({ text: fixed(left[at] ?? 0, leftDecimals), tone: leftTone });
    pieces.push({ text: ' · ' });
    pieces.push({ text: inBrackets(fixed(right[at] ?? 0, rightDecimals)), tone: rightTone });
  });
  if (addend !== 0) pieces.push({ text: ` + ${inBrackets(fixed(addend, 2))} (bias)` });
  return [...pieces, { text: ' = ' }, { text: significant(result), strong: true }];
}

function softmaxStep(explanation: Explanation, results: Results, cell: Cell): Step {
  const { left, right, terms, addend, result, hidden } = explanation;
  const keys = results.names.keyTokens;
  const rows = [...left.keys()].map((at) => ({
    key: keys[at] ?? `key ${at + 1}`,
    score: fixed(left[at] ?? 0, 2),
    exponential: right[at] === 0 ? '0' : significant(right[at] ?? 0),
    weight: terms[at] === 0 ? '0' : fixed(terms[at] ?? 0, 3),
    chosen: at === cell.column,
  }));
  const own = left[cell.column] ?? 0;
  const pieces: Piece[] = hidden
    ? [{ text: 'hidden, so its weight is exactly ' }, { text: '0', strong: true }]
    : [
        { text: 'e' },
        { text: `${fixed(own, 2)} ${minus} ${inBrackets(fixed(addend, 2))}`, tone: 'scores', raised: true },
        { text: ` / (${rows.map((row) => row.exponential).join(' + ')}) = ` },
        { text: fixed(result, 3), tone: 'attention', strong: true },
      ];
  return { name: 'softmax', pieces, rows };
}

function stepOf(explained: ExplainedCell, results: Results): Step {
  const { explanation, path, row, column } = explained;
  const { left, right, result, hidden } = explanation;
  switch (explanation.operation) {
    case 'product':
    case 'additive':
      return { name: stepName(path, explanation.operation), pieces: sumOfProducts(explanation) };
    case 'scale':
      return {
        name: 'scale',
        pieces: [
          { text: fixed(left[0] ?? 0, 3), tone: 'scores' },
          { text: ' · ' },
          { text: significant(right[0] ?? 0) },
          { text: rootText(results, path) },
          { text: ' = ' },
          { text: significant(result), strong: true },
        ],
      };
    case 'mask':
      return {
        name: 'mask',
        pieces: hidden
          ? [{ text: 'hidden: ' }, { text: `${minus}∞`, strong: true }]
          : [
              {
                text: right[0] === 0 ? 'visible, stays ' : `${fixed(left[0] ?? 0, 3)} + ${fixed(right[0] ?? 0, 3)} = `,
              },
              { text: significant(result), strong: true },
            ],
      };
    case 'softmax':
      return softmaxStep(explanation, results, { row, column });
    case 'copy':
      return {
        name: 'copied',
        pieces: [{ text: `from ${copySource(explanation.leftName)}: ` }, { text: significant(result), strong: true }],
      };
  }
}

// The scale as it is spoken of, where it is the usual one.
function rootText(results: Results, path: string): string {
  const layer = caseOf(results, path)?.layer;
  const width = layer?.dims.p_q;
  return width !== undefined && (layer?.options?.scale ?? 'perHeadWidth') === 'perHeadWidth' ? ` (÷ √${width})` : '';
}

function copySource(name: string): string {
  const head = /heads\[(\d+)\].*, (\d+)\]$/.exec(name);
  return head ? `head ${Number(head[1]) + 1}, column ${Number(head[2]) + 1}` : name;
}

function stepName(path: string, operation: string): string {
  if (operation === 'additive') return 'weights · tanh';
  if (path.endsWith('rawScores')) return 'query · key';
  if (path.endsWith('output') && path.includes('heads[')) return 'weights · values';
  return 'row · column';
}

function titleOf(results: Results, path: string, cell: Cell): Piece[] {
  const looks = appearanceOf(path);
  const name = withIndex(looks.label, path, results);
  const row = results.names.tokens[cell.row];
  const keyRow = results.names.keyTokens[cell.row];
  const column = results.names.keyTokens[cell.column];
  const named: Piece = { text: name, tone: looks.tone, strong: true, isLabel: true };
  if (looks.columns === 'keyTokens' && row && column) return [named, { text: `  “${row}” looks at “${column}”` }];
  const rowName = (looks.rows === 'keyTokens' ? keyRow : row) ?? `row ${cell.row + 1}`;
  return [
    named,
    { text: `  ${rowName === `row ${cell.row + 1}` ? rowName : `“${rowName}”`}, column ${cell.column + 1}` },
  ];
}

/** How a cell came about, step by step; undefined if it is an input or there is no such cell. */
export function workingOf(engine: Headwise, results: Results, path: string, cell: Cell): Working | undefined {
  const matrix = resolvePath(results, path);
  if (!isMatrix(matrix) || cell.row >= matrix.rows || cell.column >= matrix.columns) return undefined;
  const steps = fieldsBefore(path).flatMap((field) => {
    const explained = explain(engine, results, field, cell.row, cell.column);
    return explained ? [stepOf(explained, results)] : [];
  });
  // A mask that hides nothing is not worth a line.
  const worth = steps.filter(
    (step) =>
      step.name !== 'mask' ||
      step.pieces.length !== 2 ||
      !step.pieces[0]?.text.startsWith('visible') ||
      results.state?.mask !== 'none',
  );
  return steps.length === 0 ? undefined : { title: titleOf(results, path, cell), steps: worth };
}

/** The cell that a lesson names, or a plain choice: the second row and column, where there are such. */
export function startingCell(results: Results, path: string, authored: string | null): Cell {
  const named = authored === null ? undefined : parseCell(authored, results.names);
  if (named) return named;
  const matrix = resolvePath(results, path);
  if (!isMatrix(matrix)) return { row: 0, column: 0 };
  return { row: Math.min(1, matrix.rows - 1), column: Math.min(1, matrix.columns - 1) };
}
