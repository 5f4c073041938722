// Fills figures with their first numbers when the page is built, so that it can be read and printed without JavaScript, and so that
// figures have their size before the engine is there. The markup is that of the elements; they replace it once they have results.

import type { Headwise } from 'headwise';
import { escapeHtml, tagsOf, type Tag } from './html-tags.ts';
import { appearanceOf } from '../figures/appearance.ts';
import { conditionHolds } from '../bench/conditions.ts';
import { decimalsFor } from '../text/format.ts';
import { boxesHtml, gridHtml, legendHtml, meterHtml, microscopeHtml, workingHtml } from './figure-html.ts';
import { gridOf, pathsOf, rangeOf, type Grid, type GridOptions } from '../figures/matrix/grid.ts';
import { meterOf, numberText, shapeOrText } from '../text/inline.ts';
import { layoutFigures } from '../figures/layouts/layouts.ts';
import { microscopeStages } from '../figures/microscope/microscope.ts';
import { settle, startValues } from '../bench/parameters.ts';
import { recipes } from '../bench/recipes/index.ts';
import { isMatrix, resolvePath, type Results } from '../bench/results.ts';
import { shapeBoxes } from '../figures/shapes/shape-boxes.ts';
import { startingCell, workingOf } from '../figures/product/working.ts';

const mostColumns = 16;

interface Bench {
  readonly results: Results | undefined;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function attribute(tag: Tag, name: string): string | undefined {
  const value = tag.attributes.get(name);
  return value === undefined ? undefined : decoded(value);
}

function benchFrom(tag: Tag, engine: Headwise): Bench {
  const recipe = recipes.get(attribute(tag, 'recipe') ?? '');
  if (!recipe) return { results: undefined };
  const state = settle(
    recipe,
    engine,
    startValues(recipe, (name) => attribute(tag, name)),
  );
  try {
    const results = recipe.run(engine, state);
    results.state = state;
    return { results };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`bench "${attribute(tag, 'id') ?? ''}" cannot be computed as it starts: ${message}`, {
      cause: error,
    });
  }
}

function optionsOf(tag: Tag, path: string): GridOptions {
  const digits = attribute(tag, 'digits');
  return {
    path,
    label: attribute(tag, 'label'),
    tone: attribute(tag, 'tone'),
    rows: attribute(tag, 'rows'),
    columns: attribute(tag, 'columns'),
    scale: attribute(tag, 'scale'),
    blocks: attribute(tag, 'blocks'),
    rowBlocks: attribute(tag, 'row-blocks'),
    note: attribute(tag, 'note'),
    digits: digits === undefined || digits === '' ? undefined : Number(digits),
    transposed: tag.attributes.has('transposed'),
  };
}

interface Sharing {
  readonly range: number;
  readonly signed: number;
  readonly probability: number;
}

function scaleOf(tag: Tag, path: string): string {
  return attribute(tag, 'scale') ?? appearanceOf(path).scale;
}

function gridsOf(tag: Tag, results: Results, sharing: Sharing): Grid[] {
  return pathsOf(results, attribute(tag, 'of') ?? '', attribute(tag, 'each')).flatMap((path) => {
    const decimals = scaleOf(tag, path) === 'probability' ? sharing.probability : sharing.signed;
    return gridOf(results, { ...optionsOf(tag, path), range: sharing.range, decimals }) ?? [];
  });
}

function matrixHtml(tag: Tag, results: Results, sharing: Sharing): string {
  const join = attribute(tag, 'join') ?? '';
  return gridsOf(tag, results, sharing)
    .map((grid, index) => {
      const compact = tag.attributes.has('compact') || grid.matrix.columns > mostColumns;
      const sign = index > 0 && join ? `<hw-operator>${escapeHtml(join)}</hw-operator>` : '';
      return `<div class="term">${sign}${gridHtml(grid, compact)}</div>`;
    })
    .join('');
}

/** Matrices of one equation share colours and decimals, as on the page. */
function sharingOf(tags: readonly { tag: Tag; results: Results }[]): Sharing {
  const all = tags.flatMap(({ tag, results }) =>
    pathsOf(results, attribute(tag, 'of') ?? '', attribute(tag, 'each')).flatMap((path) => {
      const matrix = resolvePath(results, path);
      return isMatrix(matrix) ? [{ matrix, probability: scaleOf(tag, path) === 'probability' }] : [];
    }),
  );
  const signed = all.filter(({ probability }) => !probability).map(({ matrix }) => matrix);
  const probabilities = all.filter(({ probability }) => probability).map(({ matrix }) => matrix);
  return { range: rangeOf(signed), signed: decimalsFor(signed), probability: decimalsFor(probabilities, true) };
}

function comparisonHtml(tag: Tag, results: Results): string {
  const [left, right] = [attribute(tag, 'left') ?? '', attribute(tag, 'right') ?? ''];
  const [a, b] = [resolvePath(results, left), resolvePath(results, right)];
  if (!isMatrix(a) || !isMatrix(b)) return '';
  const shared = {
    range: rangeOf([a, b]),
    decimals: decimalsFor([a, b]),
    scale: 'signed',
    blocks: attribute(tag, 'blocks'),
  };
  const grids = [
    gridOf(results, { path: left, label: attribute(tag, 'left-label'), ...shared }),
    gridOf(results, { path: right, label: attribute(tag, 'right-label'), ...shared }),
  ];
  const terms = grids.map((grid) =>
    grid ? `<div class="term">${gridHtml(grid, grid.matrix.columns > mostColumns)}</div>` : '',
  );
  const legend = legendHtml(grids.filter((grid) => grid !== undefined));
  return `<div class="comparison">${terms.join('<hw-operator></hw-operator>')}</div><div class="comparison-foot"></div>${legend}`;
}

function productHtml(tag: Tag, results: Results, engine: Headwise): string {
  const path = attribute(tag, 'of') ?? '';
  const working = workingOf(engine, results, path, startingCell(results, path, attribute(tag, 'cell') ?? null));
  return working ? workingHtml(working) : '';
}

function differenceHtml(tag: Tag, results: Results): string {
  const meter = meterOf(results, attribute(tag, 'of') ?? '');
  return meter ? meterHtml(meter, attribute(tag, 'label') ?? 'largest difference') : '';
}

function layoutsHtml(results: Results, engine: Headwise): string {
  const matrices = layoutFigures(engine, results).map(({ path, note, names }) => {
    const attributes = new Map(Object.entries({ of: path, note, 'range-group': 'layouts', ...names }));
    const tag: Tag = { kind: 'open', name: 'hw-matrix', attributes, start: 0, end: 0 };
    const written = [...attributes].map(([name, value]) => `${name}="${escapeHtml(value)}"`).join(' ');
    return `<hw-matrix ${written}>${matrixHtml(tag, results, sharingOf([{ tag, results }]))}</hw-matrix>`;
  });
  return `<div class="layouts">${matrices.join('')}</div>`;
}

function contentOf(tag: Tag, results: Results, engine: Headwise, sharing: Sharing): string {
  const of = attribute(tag, 'of') ?? '';
  switch (tag.name) {
    case 'hw-matrix':
      return matrixHtml(tag, results, sharing);
    case 'hw-comparison':
      return comparisonHtml(tag, results);
    case 'hw-difference':
      return differenceHtml(tag, results);
    case 'hw-product':
      return productHtml(tag, results, engine);
    case 'hw-shapes':
      return boxesHtml(shapeBoxes(results, of, attribute(tag, 'symbols') ?? ''));
    case 'hw-microscope':
      return microscopeHtml(microscopeStages(engine, results));
    case 'hw-layouts':
      return layoutsHtml(results, engine);
    case 'hw-number':
      return escapeHtml(numberText(results, of, attribute(tag, 'digits') ?? null) ?? '');
    case 'hw-shape':
    case 'hw-text':
      return escapeHtml(shapeOrText(results, of) ?? '');
    default:
      return '';
  }
}

// Questions are attributes, and what the learner should not see at once is folded by the elements; here as plain HTML can.
function foldings(tag: Tag): Insertion[] {
  const question = attribute(tag, 'question');
  if (tag.name === 'hw-prediction' && tag.kind === 'open' && question !== undefined) {
    return [{ at: tag.end, text: `<p class="task-question">${escapeHtml(question)}</p>` }];
  }
  const summary = tag.name === 'hw-hint' ? 'Hint' : tag.name === 'hw-reason' ? 'Why' : undefined;
  if (summary === undefined) return [];
  return tag.kind === 'open'
    ? [{ at: tag.end, text: `<details class="folded"><summary>${summary}</summary>` }]
    : [{ at: tag.start, text: '</details>' }];
}

/** HTML of the lessons with the first numbers of every bench in its figures. Throws if a bench cannot be computed as it starts. */
export function renderFallback(html: string, engine: Headwise): string {
  const tags = tagsOf(html);
  const benches = new Map<Tag, Bench>();
  const byId = new Map<string, Tag>();
  for (const tag of tags) {
    if (tag.name === 'hw-bench' && tag.kind === 'open') byId.set(attribute(tag, 'id') ?? '', tag);
  }
  const computed = (tag: Tag | undefined): Results | undefined => {
    if (!tag) return undefined;
    let bench = benches.get(tag);
    if (!bench) benches.set(tag, (bench = benchFrom(tag, engine)));
    return bench.results;
  };

  const insertions: Insertion[] = [];
  const around: Tag[] = [];
  let equation: Tag | undefined;
  let members: { tag: Tag; results: Results }[] = [];
  const finishEquation = (end: Tag) => {
    const sharing = sharingOf(members);
    for (const { tag, results } of members) insertions.push({ at: tag.end, text: matrixHtml(tag, results, sharing) });
    const grids = members.flatMap(({ tag, results }) => gridsOf(tag, results, sharing));
    const caption = equation && attribute(equation, 'caption');
    const legend =
      equation?.attributes.get('legend') === 'none' ? '' : `<div class="equation-legend">${legendHtml(grids)}</div>`;
    insertions.push({
      at: end.start,
      text: legend + (caption ? `<p class="equation-caption">${escapeHtml(caption)}</p>` : ''),
    });
    equation = undefined;
    members = [];
  };
  for (const tag of tags) {
    if (!tag.name.startsWith('hw-')) continue;
    insertions.push(...foldings(tag));
    if (tag.name === 'hw-bench') {
      if (tag.kind === 'close') around.pop();
      else around.push(tag);
      continue;
    }
    if (tag.name === 'hw-equation') {
      if (tag.kind === 'open') equation = tag;
      else finishEquation(tag);
      continue;
    }
    if (tag.kind !== 'open') continue;
    const named = attribute(tag, 'bench');
    const results = computed(named === undefined ? around.at(-1) : byId.get(named));
    if (!results) continue;
    if (tag.name === 'hw-when') {
      if (!conditionHolds(results, attribute(tag, 'test') ?? '')) insertions.push({ at: tag.end - 1, text: ' hidden' });
    } else if (tag.name === 'hw-matrix' && equation) {
      members.push({ tag, results });
    } else {
      const sharing =
        tag.name === 'hw-matrix' ? sharingOf([{ tag, results }]) : { range: 1, signed: 1, probability: 2 };
      const text = contentOf(tag, results, engine, sharing);
      if (text !== '') insertions.push({ at: tag.end, text });
    }
  }

  let filled = '';
  let done = 0;
  for (const { at, text } of insertions.sort((a, b) => a.at - b.at)) {
    filled += html.slice(done, at) + text;
    done = at;
  }
  return filled + html.slice(done);
}
