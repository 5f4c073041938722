// The HTML around the lessons: header and foot of each, the map of the course, the bar at the top.

import { ruleOf } from '../markup.ts';
import {
  attributeOf,
  childElements,
  elementsIn,
  escapeHtml,
  htmlOf,
  insert,
  parseHtml,
  removeAttribute,
  setAttribute,
  setContent,
  textOf,
  unwrap,
  type Parent,
} from './html.ts';
import type { Lesson } from './lesson.ts';
import { polish } from './markdown.ts';

const title = (lesson: Lesson): string => escapeHtml(polish(lesson.title));

// A full stop is added where the author left it out, so that the parts of the header read as sentences.
const sentence = (html: string): string => (/[.!?…”]$/.test(textOf(parseHtml(html))) ? html : `${html}.`);

const minutes = (count: number): string => `${count}\u00a0minute${count === 1 ? '' : 's'}`;

function withoutLinks(html: string): string {
  const tree = parseHtml(html);
  for (const element of elementsIn(tree)) if (element.tagName === 'a') unwrap(element);
  return htmlOf(tree);
}

function list(tag: 'ul' | 'ol', items: readonly string[]): string {
  return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
}

function lessonHeader(lesson: Lesson): string {
  return `<header class="lesson-header">
<p class="kicker">Lesson ${lesson.number} <span aria-hidden="true">·</span> ${minutes(lesson.minutes)}</p>
<h1 id="${lesson.id}--title" tabindex="-1">${title(lesson)}</h1>
</header>`;
}

function terms(lesson: Lesson): string {
  return `<aside class="terms" aria-label="About this lesson">
<div><p class="terms-name">You will be able to</p>${list('ul', lesson.outcomes)}</div>
<div><p class="terms-name">Before you start, know</p><p>${sentence(lesson.before)}</p></div>
</aside>`;
}

/** The first paragraph is the question that draws the reader in: it comes before what the lesson promises. */
function withTerms(lesson: Lesson): string {
  const body = parseHtml(lesson.body);
  const [first] = childElements(body);
  const hook = first?.tagName === 'p' ? first : undefined;
  if (hook) setAttribute(hook, 'class', 'lead');
  insert(body, terms(lesson), body.childNodes[hook ? body.childNodes.indexOf(hook) + 1 : 0]);
  return htmlOf(body);
}

function neighbour(lesson: Lesson, relation: 'prev' | 'next'): string {
  const name = relation === 'prev' ? 'Previous' : 'Next';
  return `<a class="${relation}" rel="${relation}" href="#${lesson.id}"><span class="neighbour-name">${name}</span> <span class="neighbour-title">${lesson.number} · ${title(lesson)}</span></a>`;
}

function lessonFooter(lesson: Lesson, previous: Lesson | undefined, next: Lesson | undefined): string {
  const home = `<a class="next" href="#home"><span class="neighbour-name">Done</span> <span class="neighbour-title">All lessons</span></a>`;
  return `<footer class="lesson-footer">
<section class="sources" aria-labelledby="${lesson.id}--sources"><h2 id="${lesson.id}--sources">Sources</h2>${list('ol', lesson.sources.map(sentence))}</section>
<nav class="neighbours" aria-label="Next to this lesson">${previous ? neighbour(previous, 'prev') : ''}${next ? neighbour(next, 'next') : home}</nav>
</footer>`;
}

export function lessonArticle(lesson: Lesson, previous: Lesson | undefined, next: Lesson | undefined): string {
  return `<article id="${lesson.id}" class="lesson" data-number="${lesson.number}" data-title="${title(lesson)}" aria-labelledby="${lesson.id}--title">
${lessonHeader(lesson)}
${withTerms(lesson)}
${lessonFooter(lesson, previous, next)}
</article>`;
}

export function pageArticle(id: string, body: string): string {
  return `<article id="${id}" class="page" aria-labelledby="${id}--title">\n${body}\n</article>`;
}

/** JavaScript writes the learner's progress into the elements with data-progress-of. */
export function courseMap(lessons: readonly Lesson[]): string {
  const items = lessons.map(
    (lesson) => `<li><a href="#${lesson.id}">
<span class="map-number" aria-hidden="true">${lesson.number}</span>
<span class="map-title"><span class="visually-hidden">Lesson ${lesson.number}: </span>${title(lesson)}</span>
<span class="map-question">${withoutLinks(lesson.summary)}</span>
<span class="map-facts">${minutes(lesson.minutes)}<span class="map-progress" data-progress-of="${lesson.id}"></span></span>
</a></li>`,
  );
  return `<ol class="course-map">${items.join('\n')}</ol>`;
}

/** The lessons in the bar: numbers, of which the stylesheet opens the current one to its title. */
export function lessonLinks(lessons: readonly Lesson[]): string {
  const items = lessons.map(
    (lesson) =>
      `<li><a href="#${lesson.id}" data-lesson="${lesson.id}"><span class="chip"><span class="chip-number"><span class="visually-hidden">Lesson </span>${lesson.number}</span><span class="chip-title">${title(lesson)}</span></span><span class="visually-hidden" data-progress-of="${lesson.id}"></span></a></li>`,
  );
  return `<ol>${items.join('')}</ol>`;
}

/** Puts into each element with data-fill="<name>" what `content` has under that name. */
export function fill(article: Parent, content: Readonly<Record<string, string>>): void {
  for (const element of elementsIn(article)) {
    const filling = content[attributeOf(element, 'data-fill') ?? ''];
    if (filling === undefined) continue;
    removeAttribute(element, 'data-fill');
    setContent(element, filling);
  }
}

/**
 * A link `#…` to an id that is not in the page keeps only its text: a lesson may speak of one that this copy of the
 * course leaves out. The part of an address after ? is the reader's state and no part of the id.
 */
export function dropDanglingLinks(
  article: Parent,
  ids: ReadonlyMap<string, string>,
  report: (href: string) => void,
): void {
  for (const element of elementsIn(article)) {
    const href = element.tagName === 'a' ? attributeOf(element, 'href') : undefined;
    if (!href?.startsWith('#') || ids.has(decodeURIComponent(href.slice(1).split('?')[0]!))) continue;
    report(href);
    unwrap(element);
  }
}

/** What a reader sees in an attribute gets the typography of the text. */
export function polishAttributes(article: Parent): void {
  for (const element of elementsIn(article)) {
    const attributes = ruleOf(element.tagName)?.attributes ?? {};
    for (const { name, value } of element.attrs) {
      if (attributes[name]?.holds.is === 'text')
        setAttribute(element, name, polish(value).replace(/(?<=\p{L})'/gu, '’'));
    }
  }
}
