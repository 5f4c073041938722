// One lesson file: read, checked and rendered.

import { basename } from 'node:path';
import { parseFrontMatter, splitFrontMatter, type FrontMatter } from './front-matter.ts';
import { renderInline, renderMarkdown, type MarkdownContext } from './markdown.ts';
import { claimId } from './markup-check.ts';
import { SourceError } from './source-error.ts';

/** A lesson whose Markdown has become HTML; `title` stays plain text. */
export interface Lesson extends FrontMatter {
  readonly file: string;
  readonly body: string;
}

export interface SiteContext {
  readonly knownElements: ReadonlySet<string> | undefined;
  readonly ids: Map<string, string>;
}

/** `file` is the name to show in errors. Throws SourceError. */
export function renderLesson(file: string, text: string, site: SiteContext): Lesson {
  const { frontMatter, body, bodyLine } = splitFrontMatter(file, text);
  const facts = parseFrontMatter(file, frontMatter);
  const number = /^(\d+)-.+\.md$/.exec(basename(file))?.[1];
  if (number === undefined) {
    throw new SourceError(file, 1, `name the file by number and topic, like ${facts.number}-${facts.id}.md`);
  }
  if (Number(number) !== facts.number) {
    throw new SourceError(
      file,
      1,
      `the file name says lesson ${number}, its front matter ${facts.number}; make them agree`,
    );
  }
  const context: MarkdownContext = { ...site, file, firstLine: bodyLine, articleId: facts.id };
  claimId(context, facts.id, 1);
  claimId(context, `${facts.id}--title`, 1);
  const inline = (markdown: string): string => renderInline(markdown, { ...context, firstLine: 1 });
  return {
    ...facts,
    file,
    summary: inline(facts.summary),
    outcomes: facts.outcomes.map(inline),
    before: inline(facts.before),
    sources: facts.sources.map(inline),
    body: renderMarkdown(body, context),
  };
}

/** In order of number. Throws SourceError if two have the same. */
export function orderLessons(lessons: readonly Lesson[]): Lesson[] {
  const ordered = lessons.toSorted((a, b) => a.number - b.number);
  ordered.forEach((lesson, index) => {
    const earlier = ordered[index - 1];
    if (earlier?.number === lesson.number) {
      throw new SourceError(lesson.file, 1, `lesson ${lesson.number} is also ${earlier.file}; give one another number`);
    }
  });
  return ordered;
}
