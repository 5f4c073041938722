// How wide cells may be, so that a line of matrices fills the width it has and breaks into as few lines as it can.

import { cellOf as gridCell, type Grid } from './grid.ts';

export interface Term {
  /** Width of the operator before the matrix, gap included. */
  readonly lead: number;
  readonly columns: number;
  /** Gaps between blocks of columns. */
  readonly blockGaps: number;
  readonly names: readonly string[];
  /** Width of its longest number at the smallest size; see textWidth. */
  readonly textWidth: number;
  readonly compact: boolean;
}

export interface Placed {
  readonly cell: number;
  /** Width of the row names. */
  readonly names: number;
  /** Whether row names stand on the line already. */
  readonly continues: boolean;
  /** Size of the numbers. */
  readonly font: number;
}

// Widths in px at the figures' font sizes; matrices.css has the same gaps.
export const cellGap = 2;
export const blockGap = 6;
const nameCharacter = 6.9;
const longestName = 76;
const smallestFont = 11;
const largestFont = 13;
const digitWidth = 6.2;
const pointWidth = 3.1;
const cellPadding = 4;
const largestCell = 46;
const smallestCell = 24;
const termGap = 6;
export const operatorWidth = 26;

/** What layout has to know of a grid. */
export function termOf(grid: Grid, sign: boolean): Term {
  return {
    lead: sign ? operatorWidth : 0,
    columns: grid.matrix.columns,
    blockGaps: grid.columnStarts.size,
    names: grid.rowNames,
    textWidth: grid.compact ? 0 : widestText(grid),
    compact: grid.compact,
  };
}

function widestText(grid: Grid): number {
  let widest = 0;
  for (let row = 0; row < grid.matrix.rows; ++row) {
    for (let column = 0; column < grid.matrix.columns; ++column)
      widest = Math.max(widest, textWidth(gridCell(grid, row, column).text));
  }
  return widest;
}

export function namesWidth(names: readonly string[]): number {
  if (names.length === 0) return 0;
  const longest = names.reduce((longest, name) => Math.max(longest, [...name].length), 0);
  return Math.min(longestName, Math.ceil(longest * nameCharacter) + 8);
}

/** Width of a number in tabular digits at the smallest size. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += character === '.' ? pointWidth : digitWidth;
  return width;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function cellOf(term: Term, cell: number): number {
  // Without numbers in them cells may be small.
  return term.compact ? Math.max(3, Math.min(16, cell * 0.4)) : cell;
}

function flow(
  terms: readonly Term[],
  cell: number,
  width: number,
): { lines: number; fits: boolean; continues: boolean[] } {
  let lines = 1;
  let used = 0;
  let fits = true;
  let onLine: readonly string[] | undefined;
  const continues: boolean[] = [];
  for (const term of terms) {
    const gap = term.compact ? 1 : cellGap;
    // The column of names has a gap of its own, also where the names are hidden.
    const gaps = term.columns + (term.names.length > 0 ? 2 : 1);
    const body = term.columns * cellOf(term, cell) + gaps * gap + term.blockGaps * blockGap;
    const withNames = (repeated: boolean) => term.lead + body + (repeated ? 0 : namesWidth(term.names));
    let repeated = onLine !== undefined && term.names.length > 0 && sameNames(onLine, term.names);
    if (used > 0 && used + termGap + withNames(repeated) > width) {
      ++lines;
      used = 0;
      repeated = false;
    }
    used += (used > 0 ? termGap : 0) + withNames(repeated);
    if (used > width) fits = false;
    onLine = term.names;
    continues.push(repeated);
  }
  return { lines, fits, continues };
}

export function applySize(grid: HTMLElement, size: Placed): void {
  const style = { '--cell': `${size.cell}px`, '--names': `${size.names}px`, '--cell-font': `${size.font}px` };
  for (const [property, value] of Object.entries(style)) {
    // All cells inherit it: setting it anew, though to the same value, would have all of them styled again.
    if (grid.style.getPropertyValue(property) !== value) grid.style.setProperty(property, value);
  }
  grid.toggleAttribute('data-continues', size.continues);
}

/** Cells as large as they can be without more lines than the smallest legible cells need. */
export function place(terms: readonly Term[], width: number): Placed[] {
  const longest = terms.reduce((longest, term) => Math.max(longest, term.compact ? 0 : term.textWidth), 1);
  const least = Math.max(smallestCell, Math.ceil(longest + cellPadding));
  const fewest = flow(terms, least, width).lines;
  let cell = least;
  for (let wider = least + 1; wider <= Math.max(least, largestCell); ++wider) {
    const flowed = flow(terms, wider, width);
    if (flowed.lines > fewest || !flowed.fits) break;
    cell = wider;
  }
  const { continues } = flow(terms, cell, width);
  const font = Math.min(largestFont, Math.max(smallestFont, (smallestFont * (cell - cellPadding)) / longest));
  return terms.map((term, index) => {
    const repeated = continues[index] ?? false;
    const own = cellOf(term, cell);
    // A compact map wider than the page shrinks; numbers scroll instead.
    const room = width - term.lead - namesWidth(term.names);
    const fitted = term.compact ? Math.min(own, room / term.columns - 1) : own;
    return { cell: Math.max(1, fitted), names: repeated ? 0 : namesWidth(term.names), continues: repeated, font };
  });
}
