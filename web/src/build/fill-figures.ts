// Fills figures with their first numbers when the page is built, so that it can be read and printed without JavaScript, and so that
// figures have their size before the engine is there. The markup is that of the elements; they replace it once they have results.

import type { Headwise } from 'headwise';
import {
  attributeOf,
  closest,
  elementsIn,
  escapeHtml,
  insert,
  htmlOf,
  setAttribute,
  setContent,
  type Element,
  type Parent,
} from './html.ts';
import { appearanceOf } from '../figures/appearance.ts';
import { conditionHolds } from '../bench/conditions.ts';
import { decimalsFor } from '../text/format.ts';
import { boxesHtml, gridHtml, legendHtml, meterHtml, microscopeHtml, workingHtml } from './figure-html.ts';
import { gridOf, pathsOf, rangeOf, type Grid, type GridOptions } from '../figures/matrix/grid.ts';
import { meterOf, numberText, shapeOrText } from '../text/inline.ts';
import { layoutFigures } from '../figures/layouts/layouts.ts';
import { microscopeStages } from '../figures/microscope/microscope.ts';
import { isMatrix, resolvePath, type Results } from '../bench/results.ts';
import { shapeBoxes } from '../figures/shapes/shape-boxes.ts';
import { startingCell, workingOf } from '../figures/product/working.ts';

const mostColumns = 16;

/** An attribute's value; undefined if the element has none of this name. */
type Attribute = (name: string) => string | undefined;

interface Figure {
  readonly attribute: Attribute;
  readonly results: Results;
}

function optionsOf(attribute: Attribute, path: string): GridOptions {
  const digits = attribute('digits');
  return {
    path,
    label: attribute('label'),
    tone: attribute('tone'),
    rows: attribute('rows'),
    columns: attribute('columns'),
    scale: attribute('scale'),
    blocks: attribute('blocks'),
    rowBlocks: attribute('row-blocks'),
    note: attribute('note'),
    digits: digits === undefined || digits === '' ? undefined : Number(digits),
    transposed: attribute('transposed') !== undefined,
  };
}

interface Sharing {
  readonly range: number;
  readonly signed: number;
  readonly probability: number;
}

function scaleOf(attribute: Attribute, path: string): string {
  return attribute('scale') ?? appearanceOf(path).scale;
}

function pathsIn({ attribute, results }: Figure): string[] {
  return pathsOf(results, attribute('of') ?? '', attribute('each'));
}

function gridsOf(figure: Figure, sharing: Sharing): Grid[] {
  const { attribute, results } = figure;
  return pathsIn(figure).flatMap((path) => {
    const decimals = scaleOf(attribute, path) === 'probability' ? sharing.probability : sharing.signed;
    return gridOf(results, { ...optionsOf(attribute, path), range: sharing.range, decimals }) ?? [];
  });
}

function matrixHtml(figure: Figure, sharing: Sharing): string {
  const { attribute } = figure;
  const join = attribute('join') ?? '';
  return gridsOf(figure, sharing)
    .map((grid, index) => {
      const compact = attribute('compact') !== undefined || grid.matrix.columns > mostColumns;
      const sign = index > 0 && join ? `<hw-operator>${escapeHtml(join)}</hw-operator>` : '';
      return `<div class="term">${sign}${gridHtml(grid, compact)}</div>`;
    })
    .join('');
}

/** Matrices of one equation share colours and decimals, as on the page. */
function sharingOf(figures: readonly Figure[]): Sharing {
  const all = figures.flatMap((figure) =>
    pathsIn(figure).flatMap((path) => {
      const matrix = resolvePath(figure.results, path);
      return isMatrix(matrix) ? [{ matrix, probability: scaleOf(figure.attribute, path) === 'probability' }] : [];
    }),
  );
  const signed = all.filter(({ probability }) => !probability).map(({ matrix }) => matrix);
  const probabilities = all.filter(({ probability }) => probability).map(({ matrix }) => matrix);
  return { range: rangeOf(signed), signed: decimalsFor(signed), probability: decimalsFor(probabilities, true) };
}

function comparisonHtml({ attribute, results }: Figure): string {
  const [left, right] = [attribute('left') ?? '', attribute('right') ?? ''];
  const [a, b] = [resolvePath(results, left), resolvePath(results, right)];
  if (!isMatrix(a) || !isMatrix(b)) return '';
  const shared = {
    range: rangeOf([a, b]),
    decimals: decimalsFor([a, b]),
    scale: 'signed',
    blocks: attribute('blocks'),
  };
  const grids = [
    gridOf(results, { path: left, label: attribute('left-label'), ...shared }),
    gridOf(results, { path: right, label: attribute('right-label'), ...shared }),
  ];
  const terms = grids.map((grid) =>
    grid ? `<div class="term">${gridHtml(grid, grid.matrix.columns > mostColumns)}</div>` : '',
  );
  const legend = legendHtml(grids.filter((grid) => grid !== undefined));
  return `<div class="comparison">${terms.join('<hw-operator></hw-operator>')}</div><div class="comparison-foot"></div>${legend}`;
}

function productHtml({ attribute, results }: Figure, engine: Headwise): string {
  const path = attribute('of') ?? '';
  const working = workingOf(engine, results, path, startingCell(results, path, attribute('cell') ?? null));
  return working ? workingHtml(working) : '';
}

function differenceHtml({ attribute, results }: Figure): string {
  const meter = meterOf(results, attribute('of') ?? '');
  return meter ? meterHtml(meter, attribute('label') ?? 'largest difference') : '';
}

function layoutsHtml(results: Results, engine: Headwise): string {
  const matrices = layoutFigures(engine, results).map(({ path, note, names }) => {
    const attributes = new Map(Object.entries({ of: path, note, 'range-group': 'layouts', ...names }));
    const figure: Figure = { attribute: (name) => attributes.get(name), results };
    const written = [...attributes].map(([name, value]) => `${name}="${escapeHtml(value)}"`).join(' ');
    return `<hw-matrix ${written}>${matrixHtml(figure, sharingOf([figure]))}</hw-matrix>`;
  });
  return `<div class="layouts">${matrices.join('')}</div>`;
}

function contentOf(name: string, figure: Figure, engine: Headwise): string {
  const { attribute, results } = figure;
  const of = attribute('of') ?? '';
  switch (name) {
    case 'hw-matrix':
      return matrixHtml(figure, sharingOf([figure]));
    case 'hw-comparison':
      return comparisonHtml(figure);
    case 'hw-difference':
      return differenceHtml(figure);
    case 'hw-product':
      return productHtml(figure, engine);
    case 'hw-shapes':
      return boxesHtml(shapeBoxes(results, of, attribute('symbols') ?? ''));
    case 'hw-microscope':
      return microscopeHtml(microscopeStages(engine, results));
    case 'hw-layouts':
      return layoutsHtml(results, engine);
    case 'hw-number':
      return escapeHtml(numberText(results, of, attribute('digits') ?? null) ?? '');
    case 'hw-shape':
    case 'hw-text':
      return escapeHtml(shapeOrText(results, of) ?? '');
    default:
      return '';
  }
}

// Questions are attributes, and what the learner should not see at once is folded by the elements; here as plain HTML can.
function fillTask(element: Element): void {
  const question = attributeOf(element, 'question');
  if (element.tagName === 'hw-prediction' && question !== undefined)
    insert(element, `<p class="task-question">${escapeHtml(question)}</p>`, element.childNodes[0]);
  const summary = { 'hw-hint': 'Hint', 'hw-reason': 'Why' }[element.tagName];
  if (summary !== undefined)
    setContent(element, `<details class="folded"><summary>${summary}</summary>${htmlOf(element)}</details>`);
}

function fillEquation(equation: Element, figureOf: (element: Element) => Figure | undefined): void {
  const figures = elementsIn(equation)
    .filter(({ tagName }) => tagName === 'hw-matrix')
    .flatMap((element) => {
      const figure = figureOf(element);
      return figure ? [{ element, figure }] : [];
    });
  const sharing = sharingOf(figures.map(({ figure }) => figure));
  for (const { element, figure } of figures) insert(element, matrixHtml(figure, sharing), element.childNodes[0]);
  const grids = figures.flatMap(({ figure }) => gridsOf(figure, sharing));
  if (attributeOf(equation, 'legend') !== 'none')
    insert(equation, `<div class="equation-legend">${legendHtml(grids)}</div>`);
  const caption = attributeOf(equation, 'caption');
  if (caption) insert(equation, `<p class="equation-caption">${escapeHtml(caption)}</p>`);
}

/** Puts the first numbers of the benches (by id) into what shows them. */
export function fillFigures(root: Parent, benches: ReadonlyMap<string, Results>, engine: Headwise): void {
  const figureOf = (element: Element): Figure | undefined => {
    const own = closest(element, (at) => at.tagName === 'hw-bench' || attributeOf(at, 'bench') !== undefined);
    const results = own && benches.get(attributeOf(own, own.tagName === 'hw-bench' ? 'id' : 'bench') ?? '');
    return results && { attribute: (name) => attributeOf(element, name), results };
  };
  // What is inside comes first: a fold is made anew with what it holds.
  for (const element of elementsIn(root).reverse()) {
    const { tagName } = element;
    if (!tagName.startsWith('hw-')) continue;
    fillTask(element);
    if (tagName === 'hw-equation') fillEquation(element, figureOf);
    const figure = figureOf(element);
    const inEquation = closest(element, (at) => at.tagName === 'hw-equation') !== undefined;
    if (!figure || (tagName === 'hw-matrix' && inEquation)) continue;
    if (tagName === 'hw-when') {
      if (!conditionHolds(figure.results, figure.attribute('test') ?? '')) setAttribute(element, 'hidden', '');
    } else {
      insert(element, contentOf(tagName, figure, engine), element.childNodes[0]);
    }
  }
}
