import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { elementNames, renderSite } from '../../web/src/build/site.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwise-site-'));
  for (const folder of ['lessons', 'pages', 'src/figures']) mkdirSync(join(root, folder), { recursive: true });
  write('pages/home.md', '# Home\n\n<div data-fill="course-map"></div>');
  write('pages/about.md', '# About\n\nVersion <span data-fill="version"></span>');
  write('src/figures/matrix.ts', "customElements.define('hw-matrix', Matrix);");
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
  it('has home, the lessons in order, and about', () => {
    write('lessons/10-later.md', lesson(10, 'later', 'Ten.'));
    write('lessons/2-first.md', lesson(2, 'first', 'Two.\n\n## Part'));
    const { navigation, ...site } = renderSite(root, '1.2.3');
    const articles = site.articles.join('');
    expect([...articles.matchAll(/<article id="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'home',
      'first',
      'later',
      'about',
    ]);
    expect(navigation).toMatch(/href="#first".*href="#later"/);
    expect(articles).toContain('<h1 id="first--title" tabindex="-1">Lesson &amp; &quot;first&quot;</h1>');
    expect(articles).toContain('id="first--part"');
    expect(articles).toMatch(/<a class="next" rel="next" href="#later">/);
    expect(articles).toMatch(/<a class="prev" rel="prev" href="#first">/);
    expect(articles).toContain('Version <span>1.2.3</span>');
    expect(articles).toContain('<li>do <em>this</em></li>');
  });

  it('is whole without any lesson', () => {
    const { navigation, ...site } = renderSite(root, '1');
    const articles = site.articles.join('');
    expect(articles).toContain('<article id="home"');
    expect(navigation).toBe('<ol></ol>');
  });

  it('keeps only the text of a link to what is not there, and says so', () => {
    write('lessons/1-a.md', lesson(1, 'a', 'See [lesson 9](#nine), [home](#home) and [this](#a?v=1&b.c=2).'));
    const { warnings, ...site } = renderSite(root, '1');
    const articles = site.articles.join('');
    expect(articles).toContain('See lesson 9, <a href="#home">home</a> and <a href="#a?v=1&amp;b.c=2">this</a>.');
    expect(warnings).toEqual(['web/lessons/1-a.md: nothing here has the id of the link #nine; only its text stays']);
  });

  it('refuses two lessons with one number, one id, or another number than the file says', () => {
    write('lessons/1-a.md', lesson(1, 'a', 'A.'));
    write('lessons/1-b.md', lesson(1, 'b', 'B.'));
    expect(() => renderSite(root, '1')).toThrow(/lesson 1 is also web\/lessons\/1-/);
    write('lessons/1-b.md', lesson(2, 'b', 'B.'));
    expect(() => renderSite(root, '1')).toThrow(/1-b\.md:1: the file name says lesson 1, its front matter 2/);
    rmSync(join(root, 'lessons/1-b.md'));
    write('lessons/2-b.md', lesson(2, 'a', 'B.'));
    expect(() => renderSite(root, '1')).toThrow(/2-b\.md:1: the id "a" is taken by web\/lessons\/1-a\.md/);
  });

  it.each(['home', 'about', 'main'])('refuses the id %s, which the page itself has', (id) => {
    write('lessons/1-a.md', lesson(1, id, 'A.'));
    expect(() => renderSite(root, '1')).toThrow(new RegExp(`the id "${id}" is taken by`));
  });

  it('knows the elements that are defined', () => {
    expect(elementNames(root)).toEqual(new Set(['hw-matrix']));
    write('lessons/1-a.md', lesson(1, 'a', 'A.\n\n<hw-matrx></hw-matrx>'));
    expect(() => renderSite(root, '1')).toThrow(
      /1-a\.md:13: there is no element <hw-matrx>; did you mean <hw-matrix>\?/,
    );
  });
});
