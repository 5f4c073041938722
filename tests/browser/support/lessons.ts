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

const folder = fileURLToPath(new URL('../../../web/lessons/', import.meta.url));

function idsOf(source: string, element: string): string[] {
  return [...source.matchAll(new RegExp(`<${element}\\b[^>]*?\\bid="([^"]+)"`, 'g'))].map((match) => match[1] ?? '');
}

function frontMatter(source: string, key: string): string {
  return new RegExp(`^${key}: (.*)$`, 'm').exec(source)?.[1]?.trim() ?? '';
}

export const lessons: readonly Lesson[] = readdirSync(folder)
  .filter((name) => /^\d.*\.md$/.test(name))
  .map((name) => readFileSync(folder + name, 'utf8'))
  .map((source) => ({
    id: frontMatter(source, 'id'),
    title: frontMatter(source, 'title'),
    benches: idsOf(source, 'hw-bench'),
    exercises: idsOf(source, 'hw-exercise'),
    predictions: idsOf(source, 'hw-prediction'),
  }));

/** Every address with a text of its own. */
export const articles: readonly string[] = ['home', ...lessons.map(({ id }) => id), 'about'];

export function lesson(id: string): Lesson {
  const found = lessons.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`there is no lesson ${id}`);
  return found;
}
