// Fills figures with their first numbers when the page is built, so that it can be read and printed without JavaScript, and so that
// figures have their size before the engine is there. The markup is that of the elements; they replace it once they have results.

import type { Headwise } from 'headwise';
import { conditionHolds } from '../bench/conditions.ts';
import { nothingAsked } from '../bench/covers.ts';
import type { Results } from '../bench/results.ts';
import type { FigureContext } from '../figures/figure.ts';
import { numberText, shapeOrText } from '../text/inline.ts';
import {
  attributeOf,
  closest,
  elementsIn,
  escapeHtml,
  htmlOf,
  insert,
  setAttribute,
  setContent,
  type Element,
  type Parent,
} from './html.ts';
import { renderEquation, renderFigure } from './render-figure.ts';

// Questions are attributes, and what the learner should not see at once is folded by the elements; here as plain HTML can.
function fillTask(element: Element): void {
  const question = attributeOf(element, 'question');
  if (element.tagName === 'hw-prediction' && question !== undefined)
    insert(element, `<p class="task-question">${escapeHtml(question)}</p>`, element.childNodes[0]);
  const summary = { 'hw-hint': 'Hint', 'hw-reason': 'Why' }[element.tagName];
  if (summary !== undefined)
    setContent(element, `<details class="folded"><summary>${summary}</summary>${htmlOf(element)}</details>`);
}

function fillEquation(equation: Element, contextOf: (element: Element) => FigureContext | undefined): void {
  const figures = elementsIn(equation)
    .filter(({ tagName }) => tagName === 'hw-matrix')
    .flatMap((element) => {
      const context = contextOf(element);
      return context ? [{ element, context }] : [];
    });
  const { matrices, legend } = renderEquation(figures.map(({ context }) => context));
  figures.forEach(({ element }, index) => insert(element, matrices[index] ?? '', element.childNodes[0]));
  if (attributeOf(equation, 'legend') !== 'none') insert(equation, `<div class="equation-legend">${legend}</div>`);
  const caption = attributeOf(equation, 'caption');
  if (caption) insert(equation, `<p class="equation-caption">${escapeHtml(caption)}</p>`);
}

function textOf(name: string, { results, attribute }: FigureContext): string | undefined {
  const of = attribute('of') ?? '';
  if (name === 'hw-number') return numberText(results, of, attribute('digits'));
  return name === 'hw-shape' || name === 'hw-text' ? shapeOrText(results, of) : undefined;
}

/** Puts the first numbers of the benches (by id) into what shows them. */
export function fillFigures(root: Parent, benches: ReadonlyMap<string, Results>, engine: Headwise): void {
  const contextOf = (element: Element): FigureContext | undefined => {
    const own = closest(element, (at) => at.tagName === 'hw-bench' || attributeOf(at, 'bench') !== undefined);
    const results = own && benches.get(attributeOf(own, own.tagName === 'hw-bench' ? 'id' : 'bench') ?? '');
    return (
      results && { engine, results, covers: nothingAsked, attribute: (name) => attributeOf(element, name) ?? null }
    );
  };
  const fill = (element: Element): void => {
    const { tagName } = element;
    if (!tagName.startsWith('hw-')) return;
    fillTask(element);
    if (tagName === 'hw-equation') fillEquation(element, contextOf);
    const context = contextOf(element);
    const inEquation = closest(element, (at) => at.tagName === 'hw-equation') !== undefined;
    if (!context || (tagName === 'hw-matrix' && inEquation)) return;
    if (tagName === 'hw-when') {
      if (!conditionHolds(context.results, context.attribute('test') ?? '')) setAttribute(element, 'hidden', '');
      return;
    }
    const written = elementsIn(element);
    const drawn = escapeHtml(textOf(tagName, context) ?? '') || renderFigure(tagName, context);
    insert(element, drawn, element.childNodes[0]);
    // A figure may be made of others.
    for (const inner of elementsIn(element)) if (!written.includes(inner) && inner.tagName === 'hw-matrix') fill(inner);
  };
  // What is inside comes first: a fold is made anew with what it holds.
  for (const element of elementsIn(root).reverse()) fill(element);
}
