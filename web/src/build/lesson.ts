// One lesson file: read, checked as far as that needs no numbers, and rendered.

import { basename } from 'node:path';
import { parseFrontMatter, splitFrontMatter, type FrontMatter } from './front-matter.ts';
import type { Faults } from './faults.ts';
import { renderInline, renderMarkdown, type MarkdownContext } from './markdown.ts';
import { claimId, type AuthoredElement } from './markup-check.ts';

/** A lesson whose Markdown has become HTML; `title` stays plain text. */
export interface Lesson extends FrontMatter {
  readonly file: string;
  readonly body: string;
  readonly elements: readonly AuthoredElement[];
}

export interface SiteContext {
  /** Ids of the whole page, each with the place that took it. */
  readonly ids: Map<string, string>;
  readonly faults: Faults;
}

/** `file` is the name to show in faults; undefined if its front matter cannot be read. */
export function renderLesson(file: string, text: string, site: SiteContext): Lesson | undefined {
  const split = splitFrontMatter(file, text, site.faults);
  const facts = split && parseFrontMatter(file, split.frontMatter, site.faults);
  if (!facts) return undefined;
  const number = /^(\d+)-.+\.md$/.exec(basename(file))?.[1];
  if (number === undefined) {
    site.faults.add(file, 1, `name the file by number and topic, like ${facts.number}-${facts.id}.md`);
  } else if (facts.number > 0 && Number(number) !== facts.number) {
    site.faults.add(file, 1, `the file name says lesson ${number}, its front matter ${facts.number}; make them agree`);
  }
  const context: MarkdownContext = { ...site, file, firstLine: split.bodyLine, articleId: facts.id };
  if (facts.id !== '') for (const id of [facts.id, `${facts.id}--title`]) claimId(context, id, 1);
  const elements: AuthoredElement[] = [];
  const inline = (markdown: string): string => {
    const rendered = renderInline(markdown, { ...context, firstLine: 1 });
    elements.push(...rendered.elements);
    return rendered.html;
  };
  const body = renderMarkdown(split.body, context);
  return {
    ...facts,
    file,
    summary: inline(facts.summary),
    outcomes: facts.outcomes.map(inline),
    before: inline(facts.before),
    sources: facts.sources.map(inline),
    body: body.html,
    elements: [...elements, ...body.elements],
  };
}

/** In order of number; no two may have the same. */
export function orderLessons(lessons: readonly Lesson[], faults: Faults): Lesson[] {
  const ordered = lessons.toSorted((a, b) => a.number - b.number);
  ordered.forEach((lesson, index) => {
    const earlier = ordered[index - 1];
    if (earlier?.number === lesson.number && lesson.number > 0)
      faults.add(lesson.file, 1, `lesson ${lesson.number} is also ${earlier.file}; give one another number`);
  });
  return ordered;
}
