// The arithmetic behind a cell, written out: pieces of text with the colour of what they came from. Numbers are the engine's.

import type { Explanation, Field, Headwise, Place } from 'headwise';
import {
  fieldOf,
  idOf,
  indexIn,
  numbered,
  type DescribedMatrix,
  type Origin,
  type Tone,
} from '../../bench/described.ts';
import { questionMark, type Covers } from '../../bench/covers.ts';
import { matrixAt, parseCell, type Cell, type Results } from '../../bench/results.ts';
import { fixed, minus, significant } from '../../text/format.ts';
import { withNumbers } from '../label.ts';

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

// Steps that change a score in its place: what came before them is shown as well.
const inPlace: ReadonlySet<string> = new Set(['scale', 'mask', 'softmax']);

/** The fields that led to this one in its own place, and itself: scores as they were, scaled, masked, and their softmax. */
function fieldsBefore(engine: Headwise, field: Field): Field[] {
  const [before] = inPlace.has(field.operation) ? field.operands : [];
  const earlier = before && engine.fields.find(({ path }) => path === before.path);
  return earlier ? [...fieldsBefore(engine, earlier), field] : [field];
}

function decimalsOf(values: Float64Array): number {
  const largest = values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return largest >= 100 ? 1 : largest >= 0.1 ? 2 : 4;
}

function inBrackets(text: string): string {
  return text.startsWith(minus) ? `(${text})` : text;
}

function toneOf(engine: Headwise, place: Place | undefined, fallback: Tone): Tone {
  return (place && fieldOf(engine, place.path)?.role) ?? fallback;
}

/** What of a step an exercise asks for: its result, what it changes, and of a softmax some keys' scores. */
interface AskedPart {
  readonly result: boolean;
  readonly before: boolean;
  readonly score: (key: number) => boolean;
}

function resultPiece(text: string, isAsked: boolean, tone?: Tone): Piece {
  return { text: isAsked ? questionMark : text, strong: true, ...(tone && { tone }) };
}

function sumOfProducts(engine: Headwise, explanation: Explanation, asked: AskedPart): Piece[] {
  const { operation, sources, left, right, terms, addend, result } = explanation;
  const [leftDecimals, rightDecimals] = [decimalsOf(left), decimalsOf(right)];
  const leftTone = toneOf(engine, sources[0], 'input');
  // What additive scores multiply comes from a query and a key together.
  const rightTone = operation === 'additive' ? 'scores' : toneOf(engine, sources[1], 'query');
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
  return [...pieces, { text: ' = ' }, resultPiece(significant(result), asked.result)];
}

function softmaxStep(explanation: Explanation, results: Results, cell: Cell, asked: AskedPart): Step {
  const { left, right, terms, addend, result, hidden } = explanation;
  const keys = results.names.keyTokens;
  const rows = [...left.keys()].map((at) => ({
    key: keys[at] ?? `key ${at + 1}`,
    score: asked.score(at) ? questionMark : fixed(left[at] ?? 0, 2),
    exponential: asked.score(at) ? questionMark : right[at] === 0 ? '0' : significant(right[at] ?? 0),
    weight: terms[at] === 0 ? '0' : fixed(terms[at] ?? 0, 3),
    chosen: at === cell.column,
  }));
  const own = left[cell.column] ?? 0;
  const pieces: Piece[] = hidden
    ? [{ text: 'hidden, so its weight is exactly ' }, { text: '0', strong: true }]
    : [
        { text: 'e' },
        {
          text: `${asked.score(cell.column) ? questionMark : fixed(own, 2)} ${minus} ${inBrackets(fixed(addend, 2))}`,
          tone: 'scores',
          raised: true,
        },
        { text: ` / (${rows.map((row) => row.exponential).join(' + ')}) = ` },
        resultPiece(fixed(result, 3), asked.result, 'attention'),
      ];
  return { name: 'softmax', pieces, rows };
}

function stepOf(
  engine: Headwise,
  explanation: Explanation,
  origin: Origin,
  cell: Cell,
  results: Results,
  asked: AskedPart,
): Step {
  const { left, right, result, hidden, sources } = explanation;
  switch (explanation.operation) {
    case 'product':
    case 'additive':
      return { name: stepName(engine, explanation), pieces: sumOfProducts(engine, explanation, asked) };
    case 'scale':
      return {
        name: 'scale',
        pieces: [
          { text: asked.before ? questionMark : fixed(left[0] ?? 0, 3), tone: 'scores' },
          { text: ' · ' },
          { text: significant(right[0] ?? 0) },
          { text: rootText(origin) },
          { text: ' = ' },
          resultPiece(significant(result), asked.result),
        ],
      };
    case 'mask':
      return {
        name: 'mask',
        pieces: hidden
          ? [{ text: 'hidden: ' }, { text: `${minus}∞`, strong: true }]
          : [
              {
                text:
                  right[0] === 0
                    ? 'visible, stays '
                    : `${asked.before ? questionMark : fixed(left[0] ?? 0, 3)} + ${fixed(right[0] ?? 0, 3)} = `,
              },
              resultPiece(significant(result), asked.result),
            ],
      };
    case 'softmax':
      return softmaxStep(explanation, results, cell, asked);
    case 'copy':
      return {
        name: 'copied',
        pieces: [{ text: `from ${copySource(sources[0])}: ` }, resultPiece(significant(result), asked.result)],
      };
    default:
      return { name: explanation.operation, pieces: [resultPiece(significant(result), asked.result)] };
  }
}

// The scale as it is spoken of, where it is the usual one.
function rootText({ layer }: Origin): string {
  const { dims, options } = layer.case;
  return (options?.scale ?? 'perHeadWidth') === 'perHeadWidth' ? ` (÷ √${dims.p_q})` : '';
}

function copySource(place: Place | undefined): string {
  return place ? `head ${indexIn(place.path) + 1}, column ${(place.column ?? 0) + 1}` : '';
}

function stepName(engine: Headwise, { operation, sources }: Explanation): string {
  if (operation === 'additive') return 'weights · tanh';
  const [left, right] = sources.map((place) => fieldOf(engine, place.path)?.role);
  if (left === 'attention') return 'weights · values';
  return left === 'query' && right === 'key' ? 'query · key' : 'row · column';
}

function titleOf(results: Results, { look }: DescribedMatrix, cell: Cell): Piece[] {
  const name = withNumbers(look.label, look.numbers);
  const row = results.names.tokens[cell.row];
  const keyRow = results.names.keyTokens[cell.row];
  const column = results.names.keyTokens[cell.column];
  const named: Piece = { text: name, tone: look.tone, strong: true, isLabel: true };
  if (look.columns === 'keyTokens' && row && column) return [named, { text: `  “${row}” looks at “${column}”` }];
  const rowName = look.rows === 'keyTokens' ? keyRow : look.rows === 'tokens' ? row : undefined;
  return [named, { text: `  ${rowName ? `“${rowName}”` : `row ${cell.row + 1}`}, column ${cell.column + 1}` }];
}

/** How a cell came about, step by step; undefined if it is an input or there is no such cell. */
export function workingOf(
  engine: Headwise,
  results: Results,
  covers: Covers,
  path: string,
  cell: Cell,
): Working | undefined {
  const matrix = matrixAt(results, path);
  const origin = matrix?.origin;
  if (!matrix || !origin || origin.field.operation === 'given') return undefined;
  if (cell.row >= matrix.rows || cell.column >= matrix.columns) return undefined;
  const { layer } = origin;
  const index = indexIn(origin.path);
  const isAsked = (field: Field | undefined, column = cell.column) =>
    field !== undefined && covers.hidesCell(idOf(layer, numbered(field.path, index)), cell.row, column);
  const steps = fieldsBefore(engine, origin.field)
    // A mask that is not there is not worth a line.
    .filter((field) => field.operation !== 'mask' || (layer.case.mask ?? null) !== null)
    .map((field) => {
      const explanation = layer.explainCell(numbered(field.path, index), cell.row, cell.column);
      const before = inPlace.has(field.operation)
        ? engine.fields.find((earlier) => earlier.path === field.operands[0]?.path)
        : undefined;
      return stepOf(engine, explanation, origin, cell, results, {
        result: isAsked(field),
        before: isAsked(before),
        score: (key) => isAsked(before, key),
      });
    });
  return { title: titleOf(results, matrix, cell), steps };
}

/** The cell that a lesson names, or a plain choice: the second row and column, where there are such. */
export function startingCell(results: Results, path: string, authored: string | null): Cell {
  const named = authored === null ? undefined : parseCell(authored, results.names);
  if (named) return named;
  const matrix = matrixAt(results, path);
  if (!matrix) return { row: 0, column: 0 };
  return { row: Math.min(1, matrix.rows - 1), column: Math.min(1, matrix.columns - 1) };
}
