import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHeadwise, type Headwise } from 'headwise';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderSite } from '../../web/src/build/site.ts';

let root: string;
let engine: Headwise;

beforeAll(async () => {
  engine = await loadHeadwise();
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwise-site-'));
  for (const folder of ['lessons', 'pages']) mkdirSync(join(root, folder), { recursive: true });
  write('pages/home.md', '# Home\n\n<div data-fill="course-map"></div>');
  write('pages/names.md', '# Names');
  write('pages/about.md', '# About\n\nVersion <span data-fill="version"></span>');
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

const lesson = (number: number, id: string, body: string): string => `---
id: ${id}
number: ${number}
title: Lesson & "${id}"
minutes: ${number}
summary: What about $d$?
outcomes: [do *this*]
before: nothing
sources: [A book]
---
${body}
`;

describe('the site', () => {
  it('has home, the lessons in order, and the other pages', () => {
    write('lessons/10-later.md', lesson(10, 'later', 'Ten.'));
    write('lessons/2-first.md', lesson(2, 'first', 'Two.\n\n## Part'));
    const { navigation, ...site } = renderSite(root, '1.2.3', engine);
    const articles = site.articles.join('');
    expect([...articles.matchAll(/<article id="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'home',
      'first',
      'later',
      'names',
      'about',
    ]);
    expect(navigation).toMatch(/href="#first".*href="#later"/);
    expect(articles).toContain('<h1 id="first--title" tabindex="-1">Lesson &amp; "first"</h1>');
    expect(articles).toContain('id="first--part"');
    expect(articles).toMatch(/<a class="next" rel="next" href="#later">/);
    expect(articles).toMatch(/<a class="prev" rel="prev" href="#first">/);
    expect(articles).toContain('Version <span>1.2.3</span>');
    expect(articles).toContain('<li>do <em>this</em></li>');
  });

  it('is whole without any lesson', () => {
    const { navigation, ...site } = renderSite(root, '1', engine);
    const articles = site.articles.join('');
    expect(articles).toContain('<article id="home"');
    expect(navigation).toBe('<ol></ol>');
  });

  it('keeps only the text of a link to what is not there, and says so', () => {
    write('lessons/1-a.md', lesson(1, 'a', 'See [lesson 9](#nine), [home](#home) and [this](#a?v=1&b.c=2).'));
    const { warnings, ...site } = renderSite(root, '1', engine);
    const articles = site.articles.join('');
    expect(articles).toContain('See lesson 9, <a href="#home">home</a> and <a href="#a?v=1&amp;b.c=2">this</a>.');
    expect(warnings).toEqual(['web/lessons/1-a.md: nothing here has the id of the link #nine; only its text stays']);
  });

  it('refuses two lessons with one number, one id, or another number than the file says', () => {
    write('lessons/1-a.md', lesson(1, 'a', 'A.'));
    write('lessons/1-b.md', lesson(1, 'b', 'B.'));
    expect(() => renderSite(root, '1', engine)).toThrow(/lesson 1 is also web\/lessons\/1-/);
    write('lessons/1-b.md', lesson(2, 'b', 'B.'));
    expect(() => renderSite(root, '1', engine)).toThrow(/1-b\.md:1: the file name says lesson 1, its front matter 2/);
    rmSync(join(root, 'lessons/1-b.md'));
    write('lessons/2-b.md', lesson(2, 'a', 'B.'));
    expect(() => renderSite(root, '1', engine)).toThrow(/2-b\.md:1: the id "a" is taken by web\/lessons\/1-a\.md/);
  });

  it.each(['home', 'names', 'about', 'main'])('refuses the id %s, which the page itself has', (id) => {
    write('lessons/1-a.md', lesson(1, id, 'A.'));
    expect(() => renderSite(root, '1', engine)).toThrow(new RegExp(`the id "${id}" is taken by`));
  });

  it('knows the elements that there are', () => {
    write('lessons/1-a.md', lesson(1, 'a', 'A.\n\n<hw-matrx></hw-matrx>'));
    expect(() => renderSite(root, '1', engine)).toThrow(
      /1-a\.md:13: there is no element <hw-matrx>; did you mean <hw-matrix>\?/,
    );
  });

  it('tells the faults of all lessons and pages at once, by file and line', () => {
    write(
      'lessons/1-a.md',
      lesson(1, 'a', 'A.\n\n<hw-bench recipe="layer"></hw-bench>\n\n$\\nosuch$').replace('minutes: 1', 'minutes: few'),
    );
    write('lessons/2-b.md', lesson(2, 'b', '# B\n\n<hw-hint>B'));
    write('pages/home.md', '# Home\n\n<p data-fill="corse-map"></p>');
    expect(() => renderSite(root, '1', engine)).toThrow(
      new RegExp(
        [
          /^web\/lessons\/1-a\.md:5: "minutes" is not a whole number .*/,
          /web\/lessons\/1-a\.md:13: <hw-bench> lacks its id.*/,
          /web\/lessons\/1-a\.md:15: the formula \$\\nosuch\$ does not work.*/,
          /web\/lessons\/2-b\.md:11: the title is in the front matter.*/,
          /web\/lessons\/2-b\.md:13: <hw-hint> is never closed.*/,
          /web\/lessons\/2-b\.md:13: <hw-hint> stands outside of <hw-exercise>.*/,
          /web\/pages\/home\.md:3: data-fill="corse-map": nothing has this name; did you mean "course-map"\?$/,
        ]
          .map(({ source }) => source)
          .join('\\n'),
      ),
    );
  });

  it('puts what a lesson promises after its first paragraph, and ends its parts as sentences', () => {
    write(
      'lessons/1-a.md',
      lesson(1, 'a', 'Why *so*?\n\nText.').replace('before: nothing', 'before: "[this](#home), *that*"'),
    );
    const article = renderSite(root, '1', engine).articles[1]!;
    expect(article).toMatch(
      /<p class="lead">Why <em>so<\/em>\?<\/p><aside class="terms"[\s\S]*<\/aside>\s*<p>Text\.<\/p>/,
    );
    expect(article).toContain('<p><a href="#home">this</a>, <em>that</em>.</p>');
    expect(article).toContain('<li>A book.</li>');
  });

  it('has addresses in any script, and links that find them', () => {
    write(
      'lessons/1-a.md',
      lesson(
        1,
        'a',
        '[На ту часть](#a--часть-2), [αρχή](#a--start), [fort](#a--fort)\n\n## Часть 2\n\n## Αρχή {#start}',
      ),
    );
    const { articles, warnings } = renderSite(root, '1', engine);
    expect(articles[1]).toContain('<h2 id="a--часть-2">Часть 2</h2>');
    expect(articles[1]).toContain('<h2 id="a--start">Αρχή</h2>');
    expect(articles[1]!.match(/<a href="#a--[^f]/g)).toHaveLength(2);
    expect(warnings).toEqual(['web/lessons/1-a.md: nothing here has the id of the link #a--fort; only its text stays']);
  });
});
