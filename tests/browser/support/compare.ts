// Holds what a bench displays against the tests' own results, figure by figure. Each fault is a sentence.

import type { Headwise, Matrix } from 'headwise';
import { benchTexts } from './address.ts';
import type { DisplayedBench, DrawnGrid, Figure } from './displayed.ts';
import { reader } from './layers.ts';
import { at, isMatrix, transposed } from './matrices.ts';
import { readNumber, shows } from './numbers.ts';
import { Results, textOf } from './results.ts';

/** The results for the state that the address holds, by the tests' own calls of the engine. */
export function resultsFor(engine: Headwise, bench: Pick<DisplayedBench, 'attributes' | 'hash'>): Results {
  const recipe = bench.attributes.recipe ?? '';
  return Results.of(engine, recipe, reader(recipe, benchTexts(bench.attributes, bench.hash)));
}

function pathsOf(results: Results, { of = '', each }: Figure['attributes']): string[] {
  if (each === undefined) return [of];
  const list = results.at(each);
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => `${each}[${index}]${of === '' ? '' : '.'}${of}`);
}

/** Of a longer list only the first are drawn. */
const mostDrawn = 24;
/** More cells than this together are pictures. */
const mostCells = 4000;

/** "5 × (3 + 3)" is 5 × 6. */
function sizes(shape: string): string {
  const [rows = '', columns = ''] = shape.split('×');
  const sum = (text: string) => [...text.matchAll(/\d+/g)].reduce((total, [digits]) => total + Number(digits), 0);
  return `${sum(rows)} × ${sum(columns)}`;
}

/** In the place of what an exercise asks for. */
const questionMark = '?';

export function gridFaults(
  path: string,
  grid: DrawnGrid,
  matrix: Matrix,
  asked: readonly string[],
  cellsTogether = 0,
): string[] {
  const faults: string[] = [];
  const expectedShape = `${matrix.rows} × ${matrix.columns}`;
  const isShapeAsked =
    grid.shape === `${questionMark} × ${questionMark}` && asked.some((one) => one.endsWith('.shape'));
  if (!isShapeAsked && sizes(grid.shape) !== expectedShape)
    faults.push(`${path} is said to be ${grid.shape}, but is ${expectedShape}`);
  // Thousands of cells are drawn as a picture, in which no number can be read.
  if (grid.picture)
    return matrix.data.length > 1000 || cellsTogether > mostCells
      ? faults
      : [...faults, `${path} is drawn without numbers`];
  const columns = grid.cells[0]?.length ?? 0;
  if (grid.cells.length !== matrix.rows || columns !== matrix.columns) {
    return [...faults, `${path} has ${grid.cells.length} × ${columns} cells, but is ${expectedShape}`];
  }
  const decimals = Math.max(...grid.cells.flat().map((text) => readNumber(text)?.decimals ?? 0));
  grid.cells.forEach((cells, row) =>
    cells.forEach((text, column) => {
      const value = at(matrix, row, column);
      if (text === questionMark && asked.some((one) => one.endsWith(`(${row}, ${column})`))) return;
      // Beside numbers with decimals a bare 0 or 1 stands for exactly that.
      const bare = decimals > 0 && /^[01]$/.test(text);
      if (bare ? Number(text) !== value : !shows(text, value)) {
        faults.push(`${path}(${row}, ${column}) shows ${text}, but is ${value}`);
      }
    }),
  );
  return faults;
}

function nameFaults(path: string, grid: DrawnGrid, results: Results, compact: boolean): string[] {
  if (!/^heads\[\d+\]\.(?:rawScores|scaledScores|maskedScores|attentionWeights)$/.test(path)) return [];
  const told = `${grid.rowNames.join(' ')} | ${grid.columnNames.join(' ')}`;
  // Columns of a compact map are too narrow for words.
  const expected = `${results.tokens.join(' ')} | ${compact ? '' : results.keyTokens.join(' ')}`;
  return told === expected ? [] : [`${path} has the names ${told}, but they are ${expected}`];
}

function matrixFaults(figure: Figure, results: Results, asked: readonly string[]): string[] {
  const paths = pathsOf(results, figure.attributes);
  const expected = paths.slice(0, mostDrawn).flatMap((path) => {
    const matrix = results.at(path);
    return isMatrix(matrix) ? [{ path, matrix }] : [];
  });
  const cellsTogether = expected.reduce((sum, { matrix }) => sum + matrix.data.length, 0);
  const more = paths.length > mostDrawn ? [`and ${paths.length - mostDrawn} more, which are not drawn`] : [];
  const what = `<hw-matrix of="${figure.attributes.of}">`;
  if (figure.grids.length !== expected.length) {
    return [`${what} draws ${figure.grids.length} matrices, but there are ${expected.length}`];
  }
  const untold = more.filter((told) => !figure.text.includes(told)).map((told) => `${what} does not say “${told}”`);
  const faults = expected.flatMap(({ path, matrix }, index) => {
    const grid = figure.grids[index]!;
    const turned = figure.attributes.transposed !== undefined;
    return [
      ...gridFaults(path, grid, turned ? transposed(matrix) : matrix, asked, cellsTogether),
      ...(turned ? [] : nameFaults(path, grid, results, figure.attributes.compact !== undefined)),
    ];
  });
  return [...untold, ...faults];
}

function comparisonFaults(
  { attributes, grids, text, view }: Figure,
  results: Results,
  asked: readonly string[],
): string[] {
  const [left, right] = [results.at(attributes.left ?? ''), results.at(attributes.right ?? '')];
  const sides = [attributes.left ?? '', attributes.right ?? ''].filter((_, side) => view === 0 || view === side + 1);
  if (!isMatrix(left) || !isMatrix(right) || grids.length !== sides.length) {
    return [`a comparison draws ${grids.length} matrices instead of ${sides.length}`];
  }
  const limit = 1e-12 * Math.max(...left.data.map(Math.abs), ...right.data.map(Math.abs));
  const differing = [...left.data].flatMap((value, index) =>
    Math.abs(value - (right.data[index] ?? NaN)) > limit
      ? [`${Math.floor(index / left.columns)},${index % left.columns}`]
      : [],
  );
  const count =
    differing.length === 0 ? 'All cells agree.' : `${differing.length} of ${left.data.length} cells differ.`;
  return [
    ...sides.flatMap((path, index) => gridFaults(path, grids[index]!, path === attributes.left ? left : right, asked)),
    ...grids
      .filter(({ marked }) => marked.join(' ') !== differing.join(' '))
      .map(({ marked }) => `a comparison marks ${marked.join(' ')}, but these differ: ${differing.join(' ')}`),
    ...(text.includes(count) ? [] : [`a comparison does not say “${count}”`]),
  ];
}

function differenceFaults({ attributes, text }: Figure, results: Results): string[] {
  const comparison = results.at(attributes.of ?? '') as { largestDifference: number; equal: boolean } | undefined;
  const number = /[-−]?[\d.,]+(?:·10[⁻⁰¹²³⁴-⁹]+)?/u.exec(text.replace(attributes.label ?? '', ''))?.[0] ?? '';
  if (!comparison || !shows(number, comparison.largestDifference)) {
    return [`the meter of ${attributes.of} shows ${number}, but the difference is ${comparison?.largestDifference}`];
  }
  const saysEqual = /equal/.test(text.replace(attributes.label ?? '', ''));
  return saysEqual === comparison.equal
    ? []
    : [`the meter of ${attributes.of} says “${text}”, but equal is ${comparison.equal}`];
}

function textFaults({ tag, attributes, text }: Figure, results: Results, asked: readonly string[]): string[] {
  if (text === questionMark && asked.some((path) => path.replace(/\.shape$/, '') === attributes.of)) return [];
  const value = results.at(attributes.of ?? '');
  // A result that is not there now must not keep the number of another state.
  if (value === undefined)
    return readNumber(text) ? [`<${tag} of="${attributes.of}"> shows ${text}, but there is no such result`] : [];
  const right = typeof value === 'number' ? shows(text, value) : text === textOf(value);
  return right ? [] : [`<${tag} of="${attributes.of}"> shows ${text}, but is ${textOf(value)}`];
}

function productFaults({ attributes, steps }: Figure, results: Results, asked: readonly string[]): string[] {
  const path = attributes.of ?? '';
  const [row, column] = /^\d/.test(attributes.cell ?? '') ? attributes.cell!.split(',').map(Number) : [1, 1];
  const matrix = results.at(path);
  if (!isMatrix(matrix)) return [];
  // A cell that this matrix does not have cannot be opened.
  if (row! >= matrix.rows || column! >= matrix.columns) return [];
  const value = at(matrix, row!, column!);
  const last = steps.at(-1);
  const faults =
    last &&
    (shows(last.result, value) || (last.result === questionMark && asked.includes(`${path}(${row}, ${column})`)))
      ? []
      : [`the product of ${path}(${row}, ${column}) ends in ${last?.result}, but is ${value}`];
  const weights = last?.rows.map((cells) => cells.at(-1) ?? '') ?? [];
  const wrong = weights.filter((text, key) => !shows(text, at(matrix, row!, key)));
  return [...faults, ...wrong.map((text) => `a softmax in the product of ${path} shows the weight ${text}`)];
}

function shapesFaults({ attributes, boxes }: Figure, results: Results, asked: readonly string[]): string[] {
  const names = (attributes.of ?? '').split(/\s+/).filter((word) => /\w/.test(word));
  const expected = names.map((name) => results.at(`shapes.${name}`) as [number, number] | undefined);
  const shown = boxes.map(({ rows, columns, drawn }) => {
    const size = (text: string) => /(\d+)$/.exec(text)?.[1];
    const [, drawnRows, drawnColumns] = /--rows: ?(\d+); ?--columns: ?(\d+)/.exec(drawn) ?? [];
    if (rows === questionMark && columns === questionMark && asked.some((path) => path.endsWith('.shape')))
      return `${drawnRows} × ${drawnColumns}`;
    const told = `${size(rows)} × ${size(columns)}`;
    return told === `${drawnRows} × ${drawnColumns}` ? told : `${told}, drawn as ${drawnRows} × ${drawnColumns}`;
  });
  const wanted = expected.map((shape) => textOf(shape));
  return shown.join(' ') === wanted.join(' ')
    ? []
    : [`the shapes of ${attributes.of} are ${shown.join('; ')}, but should be ${wanted.join('; ')}`];
}

/** The counts of a product by hand: parameters and multiply-adds of these heads, and of one. */
function projectionFaults({ text }: Figure, results: Results): string[] {
  if (text.includes('more than this picture holds')) return [];
  const counts = /parameters ([\d,]+) ([\d,]+) multiply-adds ([\d,]+) ([\d,]+)$/.exec(text)?.slice(1);
  const expected = ['cost.parameters', 'cost.oneHead.parameters', 'cost.multiplyAdds', 'cost.oneHead.multiplyAdds'];
  const wrong = expected.filter((path, index) => Number(counts?.[index]?.replaceAll(',', '')) !== results.at(path));
  return wrong.map((path) => `${path} is ${String(results.at(path))}, but a product by hand says ${String(counts)}`);
}

function histogramFaults({ attributes, counts }: Figure, results: Results): string[] {
  const histogram = results.at(attributes.of ?? '') as { counts: Float64Array } | undefined;
  const told = /counts ([\d, ]+)/.exec(counts)?.[1];
  const expected = [...(histogram?.counts ?? [])].join(', ');
  return told === expected ? [] : [`the histogram ${attributes.of} has the counts ${told}, but they are ${expected}`];
}

/** Where each element of the wide product goes: token and head of every cell. */
function microscopeFaults({ tables }: Figure, results: Results): string[] {
  const [n, h] = [results.tokens.length, Number(results.at('heads.length'))];
  const p = Number((results.at('heads[0].queries.shape') as number[])[1]);
  const name = (origin: number) => `${results.tokens[Math.floor(origin / (h * p))]}${(Math.floor(origin / p) % h) + 1}`;
  const table = (rows: number, columns: number, origin: (row: number, column: number) => number) =>
    Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => name(origin(row, column))));
  const each = (origin: (head: number, row: number, column: number) => number) =>
    Array.from({ length: h }, (_, head) => table(n, p, (row, column) => origin(head, row, column)));
  const wide = table(n, h * p, (row, column) => row * h * p + column);
  const expected = [
    wide,
    ...each((head, row, column) => row * h * p + head * p + column),
    ...each((head, row, column) => (head * n + row) * p + column),
    wide,
    // Reading order through the heads, one after the other, laid into rows of full width.
    table(n, h * p, (row, column) => {
      const place = row * h * p + column;
      const [head, within] = [Math.floor(place / (n * p)), place % (n * p)];
      return Math.floor(within / p) * h * p + head * p + (within % p);
    }),
  ];
  return expected.flatMap((wanted, index) =>
    JSON.stringify(tables[index]) === JSON.stringify(wanted)
      ? []
      : [`table ${index + 1} of the microscope is ${JSON.stringify(tables[index])}`],
  );
}

const checks: Readonly<Record<string, (figure: Figure, results: Results, asked: readonly string[]) => string[]>> = {
  'hw-matrix': matrixFaults,
  'hw-comparison': comparisonFaults,
  'hw-difference': differenceFaults,
  'hw-number': textFaults,
  'hw-shape': textFaults,
  'hw-text': textFaults,
  'hw-product': productFaults,
  'hw-shapes': shapesFaults,
  'hw-projection': projectionFaults,
  'hw-histogram': histogramFaults,
  'hw-microscope': microscopeFaults,
};

/** What the engine calls a size, and what its control is called. */
const pageWords: readonly [engine: RegExp, page: string][] = [
  [/\bnum_kv_heads\b/g, '“key and value heads”'],
  [/\bnum_heads\b/g, '“heads”'],
  [/\bd_q\b/g, '“width d”'],
];

/** A refusal as the page tells it. */
export function inPageWords(refusal: string): string {
  if (refusal.includes('tokens is empty')) return 'Type at least one word.';
  return pageWords.reduce((text, [engine, page]) => text.replace(engine, page), refusal);
}

/** All that is wrong with what a bench displays for the state in the address. */
export function faultsOf(engine: Headwise, bench: DisplayedBench): string[] {
  const results = resultsFor(engine, bench);
  if (results.refusal !== undefined) {
    return bench.notice === inPageWords(results.refusal)
      ? []
      : [`the bench says “${bench.notice}”, but the engine “${results.refusal}”`];
  }
  if (bench.notice !== '') return [`the bench says “${bench.notice}”, but the engine refuses nothing`];
  return bench.figures.flatMap((figure) => {
    if (figure.tag === 'hw-when') {
      const holds = results.holds(figure.attributes.test ?? '');
      return holds === (figure.attributes.hidden === undefined)
        ? []
        : [`<hw-when test="${figure.attributes.test}"> is shown wrongly`];
    }
    return checks[figure.tag]!(figure, results, bench.asked);
  });
}
