// Everything the page's HTML is made of: reads lessons and pages from disk and renders them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { courseMap, fill, lessonArticle, lessonLinks, pageArticle, withoutDanglingLinks } from './articles.ts';
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
const pages = ['home', 'about'] as const;

/** Names of the custom elements there are, read from the sources that define them; undefined while there are none. */
export function elementNames(webRoot: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const folder of ['src']) {
    const path = join(webRoot, folder);
    if (!existsSync(path)) continue;
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(join(path, file), 'utf8');
      for (const [, name] of source.matchAll(/\b(hw-[a-z]+(?:-[a-z]+)*)\b/g)) names.add(name!);
    }
  }
  return names.size > 0 ? names : undefined;
}

export function lessonFiles(webRoot: string): string[] {
  const folder = join(webRoot, 'lessons');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => join(folder, name));
}

export function renderSite(webRoot: string, version: string): Site {
  const ids = new Map(frameIds.map((id) => [id, "the page's own frame"]));
  const site: SiteContext = { knownElements: elementNames(webRoot), ids };
  const warnings: string[] = [];
  const read = (path: string): [file: string, text: string] => {
    return [`web/${relative(webRoot, path).replaceAll('\\', '/')}`, readFileSync(path, 'utf8')];
  };

  for (const page of pages) ids.set(page, `web/pages/${page}.md`);
  const lessons = orderLessons(lessonFiles(webRoot).map((path) => renderLesson(...read(path), site)));
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
  const pageArticles = pages.map((page) => {
    const [file, text] = read(join(webRoot, 'pages', `${page}.md`));
    const body = renderMarkdown(text, { ...site, file, firstLine: 1, articleId: page, ownTitle: true });
    return { file, html: pageArticle(page, fill(body, filling)) };
  });
  const lessonArticles = lessons.map((lesson, index) => {
    return { file: lesson.file, html: lessonArticle(lesson, lessons[index - 1], lessons[index + 1]) };
  });

  const articles = [pageArticles[0]!, ...lessonArticles, pageArticles[1]!].map(({ file, html }) =>
    withoutDanglingLinks(html, ids, (href) =>
      warnings.push(`${file}: nothing here has the id of the link ${href}; only its text stays`),
    ),
  );
  return { navigation: lessonLinks(lessons), articles, warnings };
}
