// Fills figures with their first numbers when the page is built, so that it can be read and printed without JavaScript, and so that
// figures have their size before the engine is there. The markup is that of the elements; they replace it once they have results.

import type { Headwise } from 'headwise';
import { conditionHolds } from '../bench/conditions.ts';
import { run, settle, startValues } from '../bench/parameters.ts';
import { recipes } from '../bench/recipes/index.ts';
import type { Results } from '../bench/results.ts';
import type { FigureContext } from '../figures/figure.ts';
import { numberText, shapeOrText } from '../text/inline.ts';
import { escapeHtml, tagsOf, type Tag } from './html-tags.ts';
import { renderEquation, renderFigure } from './render-figure.ts';

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
    return { results: run(recipe, engine, state) };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`bench "${attribute(tag, 'id') ?? ''}" cannot be computed as it starts: ${message}`, {
      cause: error,
    });
  }
}

function contextOf(tag: Tag, results: Results, engine: Headwise): FigureContext {
  return { engine, results, attribute: (name) => attribute(tag, name) ?? null };
}

// A figure may be made of others, which are filled in turn.
function contentOf(tag: Tag, results: Results, engine: Headwise): string {
  const of = attribute(tag, 'of') ?? '';
  if (tag.name === 'hw-number') return escapeHtml(numberText(results, of, attribute(tag, 'digits') ?? null) ?? '');
  if (tag.name === 'hw-shape' || tag.name === 'hw-text') return escapeHtml(shapeOrText(results, of) ?? '');
  const drawn = renderFigure(tag.name, contextOf(tag, results, engine));
  let filled = '';
  let done = 0;
  for (const inner of tagsOf(drawn)) {
    if (inner.kind !== 'open' || inner.name !== 'hw-matrix') continue;
    filled += drawn.slice(done, inner.end) + contentOf(inner, results, engine);
    done = inner.end;
  }
  return filled + drawn.slice(done);
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
    const { matrices, legend } = renderEquation(members.map(({ tag, results }) => contextOf(tag, results, engine)));
    members.forEach(({ tag }, index) => insertions.push({ at: tag.end, text: matrices[index] ?? '' }));
    const caption = equation && attribute(equation, 'caption');
    const shown = equation?.attributes.get('legend') === 'none' ? '' : `<div class="equation-legend">${legend}</div>`;
    insertions.push({
      at: end.start,
      text: shown + (caption ? `<p class="equation-caption">${escapeHtml(caption)}</p>` : ''),
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
      const text = contentOf(tag, results, engine);
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
