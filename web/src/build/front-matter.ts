// The front matter of a lesson: read, checked, and every fault told with its line.

import { parseDocument, isMap, isScalar, LineCounter, type YAMLMap } from 'yaml';
import { nearestName } from 'headwise';
import type { Faults } from './faults.ts';

export interface FrontMatter {
  /** Id of the article and first part of its address. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly minutes: number;
  /** The question the lesson answers, as Markdown; the course map shows it. */
  readonly summary: string;
  /** What the learner will be able to do, each as Markdown. */
  readonly outcomes: readonly string[];
  /** What to know before, as Markdown. */
  readonly before: string;
  /** Where the material comes from, each as Markdown. */
  readonly sources: readonly string[];
}

export interface SplitSource {
  readonly frontMatter: string;
  /** The Markdown below the front matter. */
  readonly body: string;
  /** Line of the file on which `body` starts, from 1. */
  readonly bodyLine: number;
}

const keys = ['id', 'number', 'title', 'minutes', 'summary', 'outcomes', 'before', 'sources'] as const;
type Key = (typeof keys)[number];

const example: Record<Key, string> = {
  id: 'id: same-matrices',
  number: 'number: 4',
  title: 'title: Same matrices, different output',
  minutes: 'minutes: 12',
  summary: 'summary: Why does cutting one head in two change its numbers?',
  outcomes: 'outcomes: followed by lines such as "  - say why the outputs differ"',
  before: 'before: what a head computes ([lesson 2](#one-head))',
  sources: 'sources: followed by lines such as "  - Vaswani et al. (2017), section 3.2"',
};

const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** undefined if there is no front matter to split off. */
export function splitFrontMatter(file: string, text: string, faults: Faults): SplitSource | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines[0]?.trim() !== '---') {
    faults.add(file, 1, 'a lesson starts with front matter; make the first line "---"');
    return undefined;
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  if (end < 0) {
    faults.add(file, 1, 'the front matter never ends; put a line "---" after it');
    return undefined;
  }
  return { frontMatter: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

/** undefined if it cannot be read at all; a single value that is wrong is left empty, a number 0. */
export function parseFrontMatter(file: string, text: string, faults: Faults): FrontMatter | undefined {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  // The first line of the file is "---", so the front matter starts on line 2.
  const lineAt = (offset: number | undefined): number => (offset === undefined ? 1 : counter.linePos(offset).line + 1);

  const fault = document.errors[0];
  if (fault) {
    const sentence = fault.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
    faults.add(
      file,
      lineAt(fault.pos[0]),
      `the front matter is not valid YAML: ${sentence}. A text with a colon, "#" or quotes in it goes between quotes`,
    );
    return undefined;
  }
  if (!isMap(document.contents)) {
    faults.add(file, 2, `the front matter is a list of "key: value" lines with the keys ${keys.join(', ')}`);
    return undefined;
  }
  const map = document.contents as YAMLMap;

  const lineOf = new Map<string, number>();
  const misspelt = new Set<string>();
  for (const pair of map.items) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const line = lineAt(isScalar(pair.key) ? pair.key.range?.[0] : undefined);
    lineOf.set(name, line);
    if (!(keys as readonly string[]).includes(name)) {
      const meant = nearestName(name, keys);
      const advice = meant ? `did you mean "${meant}"?` : `the keys are ${keys.join(', ')}`;
      faults.add(file, line, `the front matter has no key "${name}"; ${advice}`);
      if (meant) misspelt.add(meant);
    }
  }

  const values = document.toJS() as Record<Key, unknown>;
  const fail = (key: Key, what: string) =>
    faults.add(file, lineOf.get(key) ?? 1, `${what}; write it like ${example[key]}`);
  const given = (key: Key): boolean => {
    if (values[key] !== undefined && values[key] !== null) return true;
    if (!misspelt.has(key)) fail(key, `the front matter lacks a value for "${key}"`);
    return false;
  };
  const string = (key: Key): string => {
    const value = values[key];
    if (!given(key)) return '';
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    fail(key, `"${key}" is not a text`);
    return '';
  };
  const positiveInteger = (key: Key): number => {
    const value = values[key];
    if (!given(key)) return 0;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
    fail(key, `"${key}" is not a whole number from 1 on`);
    return 0;
  };
  const list = (key: Key): string[] => {
    const value = values[key];
    if (!given(key)) return [];
    const isList = Array.isArray(value) && value.length > 0;
    if (isList && value.every((entry) => typeof entry === 'string' && entry.trim() !== ''))
      return (value as string[]).map((entry) => entry.trim());
    fail(key, `"${key}" is not a list of texts`);
    return [];
  };

  const id = string('id');
  if (id !== '' && !idPattern.test(id))
    fail('id', `id "${id}" is not made of small letters and digits joined by single hyphens`);
  return {
    id,
    number: positiveInteger('number'),
    title: string('title'),
    minutes: positiveInteger('minutes'),
    summary: string('summary'),
    outcomes: list('outcomes'),
    before: string('before'),
    sources: list('sources'),
  };
}
