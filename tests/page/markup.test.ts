// The table of what lessons may write (web/src/markup.ts) beside the elements' own code and the document for authors.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commonAttributes, elementNames, ruleOf } from '../../web/src/markup.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const registry = read('web/src/elements.ts');

/** Class and file of an element, as elements.ts registers it. */
function definitionOf(name: string): { className: string; file: string } {
  const className = new RegExp(`'${name}': (\\w+),`).exec(registry)?.[1] ?? expect.fail(`${name} is not registered`);
  const path = new RegExp(`import \\{[^}]*\\b${className}\\b[^}]*\\} from '\\./([^']+)'`).exec(registry)![1]!;
  return { className, file: `web/src/${path}` };
}

interface Reading {
  readonly file: string;
  /** The class, if it reads an attribute of its own element. */
  readonly className: string | undefined;
  readonly attribute: string;
}

// What is read by name in code that an element runs; the shell and the build read other things.
const readings: Reading[] = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `web/src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts') && !/^web\/src\/(?:build|shell)\//.test(file))
  .flatMap((file) => {
    const source = read(file);
    const call = /(\w+)\??\.(?:get|has)Attribute\('([\w-]+)'\)|numberAttribute\((\w+), '([\w-]+)'\)/g;
    return [...source.matchAll(call)].map(({ 1: owner, 2: name, 3: element, 4: number, index }): Reading => {
      const own = (owner ?? element) === 'this';
      const className = own
        ? /class (\w+)[^]*$/.exec(
            source
              .slice(0, index)
              .split(/^(?=export |abstract )/m)
              .at(-1)!,
          )?.[1]
        : undefined;
      return { file, className, attribute: name ?? number! };
    });
  });

describe.each([...elementNames])('%s', (name) => {
  const { className, file } = definitionOf(name);
  const attributes = Object.keys(ruleOf(name)!.attributes);
  const source = read(file);
  // <hw-text> is a <hw-shape> by another name.
  const base = new RegExp(`class ${className} extends (\\w+)`).exec(source)?.[1];

  it('reads only what the table lists', () => {
    const own = readings.filter((reading) => reading.className === className).map(({ attribute }) => attribute);
    expect([...attributes, ...Object.keys(commonAttributes)]).toEqual(expect.arrayContaining(own));
  });

  it('reads all that the table lists', () => {
    const read = readings
      .filter((reading) => [className, base, undefined].includes(reading.className))
      .map(({ attribute }) => attribute);
    const unread = attributes.filter(
      (attribute) => attribute !== 'id' && !read.includes(attribute) && !source.includes(`'${attribute}'`),
    );
    expect(unread).toEqual([]);
  });

  it('is in the document for authors with all its attributes', () => {
    const document = read('docs/writing-a-lesson.md');
    expect(document).toContain(name);
    const missing = attributes.filter(
      (attribute) => !new RegExp(`\`${attribute}[\`=]|[\\s<]${attribute}="`).test(document),
    );
    expect(missing).toEqual([]);
  });
});

it('an attribute that is read of another element is in the table of one', () => {
  const all = [
    ...Object.keys(commonAttributes),
    ...elementNames.flatMap((name) => Object.keys(ruleOf(name)!.attributes)),
  ];
  const others = readings.filter(({ className }) => className === undefined).map(({ attribute }) => attribute);
  expect(others.length).toBeGreaterThan(0);
  expect(all).toEqual(expect.arrayContaining(others));
  expect(others).toContain('bench');
  expect(read('web/src/tasks/covers.ts')).toContain('[after=');
});
