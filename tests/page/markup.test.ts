// The table of what lessons may write (web/src/markup.ts) beside the elements' own code and the document for authors.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commonAttributes, elementNames, ruleOf } from '../../web/src/markup.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const registry = read('web/src/elements.ts');
const figures = read('web/src/figures/registry.ts');
const kinds = 'web/src/tasks/kinds';

/** The file that a module imports a name from. */
function importOf(name: string, folder: string, module: string): string {
  const path = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '\\./([^']+)'`).exec(module)?.[1];
  return `${folder}/${path ?? expect.fail(`${name} is imported from nowhere`)}`;
}

/** The code of an element: its class, if it has one of its own, and the files of the class and of what it draws. */
function definitionOf(name: string): { className: string | undefined; files: readonly string[] } {
  const [, figure, ownClass] =
    new RegExp(`'${name}': (?:drawnBy\\((\\w+)\\)|(\\w+)),`).exec(registry) ?? expect.fail(`${name} is not registered`);
  const drawing = new RegExp(`\\['${name}', (?:\\(context\\) => )?(\\w+)`).exec(figures)?.[1];
  expect(figure ?? drawing).toBe(drawing);
  return {
    className: ownClass,
    files: [
      ...(ownClass === undefined ? [] : [importOf(ownClass, 'web/src', registry)]),
      ...(drawing === undefined ? [] : [importOf(drawing, 'web/src/figures', figures)]),
      // What an exercise asks for is read by its kind.
      ...(name === 'hw-exercise' ? readdirSync(join(root, kinds)).map((file) => `${kinds}/${file}`) : []),
    ],
  };
}

interface Reading {
  readonly file: string;
  /** The class, if it reads an attribute of its own element. A figure reads its own too, and has no class. */
  readonly className: string | undefined;
  readonly attribute: string;
  readonly byFigure: boolean;
}

// What is read by name in code that an element runs; the shell and the build read other things.
const readings: Reading[] = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `web/src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts') && !/^web\/src\/(?:build|shell)\//.test(file))
  .flatMap((file) => {
    const source = read(file);
    const call =
      /(\w+)\??\.(?:get|has)Attribute\('([\w-]+)'\)|numberAttribute\((\w+), '([\w-]+)'\)|\battribute\('([\w-]+)'\)/g;
    return [...source.matchAll(call)].map(({ 1: owner, 2: name, 3: element, 4: number, 5: drawn, index }): Reading => {
      const own = (owner ?? element) === 'this';
      const className = own
        ? /class (\w+)[^]*$/.exec(
            source
              .slice(0, index)
              .split(/^(?=export |abstract )/m)
              .at(-1)!,
          )?.[1]
        : undefined;
      return { file, className, attribute: name ?? number ?? drawn!, byFigure: drawn !== undefined };
    });
  });

describe.each([...elementNames])('%s', (name) => {
  const { className, files } = definitionOf(name);
  const attributes = Object.keys(ruleOf(name)!.attributes);
  const source = files.map(read).join('');
  // <hw-text> is a <hw-shape> by another name.
  const base = new RegExp(`class ${className} extends (\\w+)`).exec(source)?.[1];
  const isOwn = (reading: Reading) =>
    reading.byFigure
      ? files.includes(reading.file)
      : reading.className !== undefined && [className, base].includes(reading.className);

  it('reads only what the table lists', () => {
    const own = readings.filter(isOwn).map(({ attribute }) => attribute);
    expect([...attributes, ...Object.keys(commonAttributes)]).toEqual(expect.arrayContaining(own));
  });

  it('reads all that the table lists', () => {
    const ofOthers = ({ className, byFigure }: Reading) => className === undefined && !byFigure;
    const read = readings.filter((reading) => isOwn(reading) || ofOthers(reading)).map(({ attribute }) => attribute);
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
  const others = readings
    .filter(({ className, byFigure }) => className === undefined && !byFigure)
    .map(({ attribute }) => attribute);
  expect(others.length).toBeGreaterThan(0);
  expect(all).toEqual(expect.arrayContaining(others));
  expect(others).toContain('bench');
  expect(read('web/src/tasks/covers.ts')).toContain('[after=');
});
