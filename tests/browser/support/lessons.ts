// The lessons there are, read from their sources, so that a new lesson is tested without a change here.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Lesson {
  readonly id: string;
  readonly title: string;
  readonly benches: readonly string[];
  readonly exercises: readonly string[];
  readonly predictions: readonly string[];
}

const web = fileURLToPath(new URL('../../../web/', import.meta.url));

function idsOf(source: string, element: string): string[] {
  return [...source.matchAll(new RegExp(`<${element}\\b[^>]*?\\bid="([^"]+)"`, 'g'))].map((match) => match[1] ?? '');
}

function frontMatter(source: string, key: string): string {
  return new RegExp(`^${key}: (.*)$`, 'm').exec(source)?.[1]?.trim() ?? '';
}

function parts(source: string): Pick<Lesson, 'benches' | 'exercises' | 'predictions'> {
  return {
    benches: idsOf(source, 'hw-bench'),
    exercises: idsOf(source, 'hw-exercise'),
    predictions: idsOf(source, 'hw-prediction'),
  };
}

export const lessons: readonly Lesson[] = readdirSync(`${web}lessons`)
  .filter((name) => /^\d.*\.md$/.test(name))
  .map((name) => readFileSync(`${web}lessons/${name}`, 'utf8'))
  .map((source) => ({ id: frontMatter(source, 'id'), title: frontMatter(source, 'title'), ...parts(source) }));

const pages: readonly Lesson[] = readdirSync(`${web}pages`).map((name) => ({
  id: name.replace(/\.md$/, ''),
  title: name.replace(/\.md$/, ''),
  ...parts(readFileSync(`${web}pages/${name}`, 'utf8')),
}));

/** The lessons, and the other pages, which may hold benches too. */
export const texts: readonly Lesson[] = [...lessons, ...pages];

/** Every address with a text of its own. */
export const articles: readonly string[] = texts.map(({ id }) => id);

export function lesson(id: string): Lesson {
  const found = lessons.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`there is no lesson ${id}`);
  return found;
}
