// Everything the page's HTML is made of: reads lessons and pages from disk, checks and renders them, and fills their figures.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Headwise } from 'headwise';
import {
  courseMap,
  dropDanglingLinks,
  fill,
  lessonArticle,
  lessonLinks,
  pageArticle,
  polishAttributes,
} from './articles.ts';
import { checkLesson, type Source } from './check/lesson.ts';
import { advice, Faults } from './faults.ts';
import { fillFigures } from './fill-figures.ts';
import { htmlOf, parseHtml } from './html.ts';
import { orderLessons, renderLesson, type SiteContext } from './lesson.ts';
import { renderMarkdown } from './markdown.ts';

export interface Site {
  /** Lesson links for the bar at the top. */
  readonly navigation: string;
  readonly articles: readonly string[];
  /** What an author should know though the page can be built, a sentence each. */
  readonly warnings: readonly string[];
}

/** Ids that the page's own frame uses (index.html). */
const frameIds = [
  'bar',
  'lessons',
  'menu',
  'theme',
  'copy-link',
  'go-on',
  'main',
  'announcement',
  'needs-server',
  'load-notice',
  'route-notice',
];
const pages = ['home', 'names', 'about'] as const;

export function lessonFiles(webRoot: string): string[] {
  const folder = join(webRoot, 'lessons');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => join(folder, name));
}

function checkFillings({ file, elements }: Source, names: readonly string[], faults: Faults): void {
  for (const element of elements) {
    const mark = element.attributes.get('data-fill');
    if (mark && !names.includes(mark.value))
      faults.add(
        file,
        mark.line,
        `data-fill="${mark.value}": nothing has this name; ${advice(mark.value, names, 'it can be')}`,
      );
  }
}

/** Throws SourceError with all that is wrong in lessons and pages. */
export function renderSite(webRoot: string, version: string, engine: Headwise): Site {
  const faults = new Faults();
  const ids = new Map(frameIds.map((id) => [id, "the page's own frame"]));
  const site: SiteContext = { ids, faults };
  const read = (path: string): [file: string, text: string] => {
    return [`web/${relative(webRoot, path).replaceAll('\\', '/')}`, readFileSync(path, 'utf8')];
  };

  for (const page of pages) ids.set(page, `web/pages/${page}.md`);
  const rendered = lessonFiles(webRoot).map((path) => renderLesson(...read(path), site));
  const lessons = orderLessons(
    rendered.filter((lesson) => lesson !== undefined),
    faults,
  );
  for (const lesson of lessons) ids.set(`${lesson.id}--sources`, lesson.file);
  const first = lessons[0];
  const filling = {
    'course-map': courseMap(lessons),
    'first-lesson': first
      ? `<a id="go-on" class="button primary" href="#${first.id}">Start with lesson ${first.number}</a>`
      : '',
    'lesson-count': String(lessons.length),
    version,
    // Known only after bundling.
    'third-party': '<!-- headwise:third-party -->',
  };
  const [home, ...others] = pages.map((page) => {
    const [file, text] = read(join(webRoot, 'pages', `${page}.md`));
    const { html, elements } = renderMarkdown(text, { ...site, file, firstLine: 1, articleId: page, ownTitle: true });
    checkFillings({ file, elements }, Object.keys(filling), faults);
    return { file, elements, html: pageArticle(page, html) };
  });
  const lessonArticles = lessons.map((lesson, index) => ({
    ...lesson,
    html: lessonArticle(lesson, lessons[index - 1], lessons[index + 1]),
  }));

  const articles = [home!, ...lessonArticles, ...others];
  const benches = articles.map((article) => checkLesson(article, engine, faults));
  faults.stop();

  const warnings: string[] = [];
  const finished = articles.map(({ file, html }, index) => {
    const article = parseHtml(html);
    fill(article, filling);
    polishAttributes(article);
    dropDanglingLinks(article, ids, (href) =>
      warnings.push(`${file}: nothing here has the id of the link ${href}; only its text stays`),
    );
    fillFigures(article, benches[index]!, engine);
    return htmlOf(article);
  });
  return { navigation: lessonLinks(lessons), articles: finished, warnings };
}
