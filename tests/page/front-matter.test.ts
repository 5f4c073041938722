import { describe, expect, it } from 'vitest';
import { Faults } from '../../web/src/build/faults.ts';
import { parseFrontMatter, splitFrontMatter } from '../../web/src/build/front-matter.ts';

const sound = `id: same-matrices
number: 4
title: Same matrices, different output
minutes: 12
summary: "Why: is it so?"
outcomes:
  - say why
before: matrix products
sources:
  - "*A book*, 2017"`;

/** What `read` gives; throws what it finds wrong. */
function whole<Result>(read: (faults: Faults) => Result): Result {
  const faults = new Faults();
  const result = read(faults);
  faults.stop();
  return result;
}

const parse = (text: string) => whole((faults) => parseFrontMatter('web/lessons/4-x.md', text, faults));
const split = (text: string) => whole((faults) => splitFrontMatter('f.md', text, faults));
const without = (key: string): string => sound.replace(new RegExp(`^${key}:.*(\\n  - .*)*\\n?`, 'm'), '');

describe('front matter', () => {
  it('is read whole', () => {
    expect(parse(sound)).toEqual({
      id: 'same-matrices',
      number: 4,
      title: 'Same matrices, different output',
      minutes: 12,
      summary: 'Why: is it so?',
      outcomes: ['say why'],
      before: 'matrix products',
      sources: ['*A book*, 2017'],
    });
  });

  it.each(['id', 'number', 'title', 'minutes', 'summary', 'outcomes', 'before', 'sources'])('has to have %s', (key) => {
    expect(() => parse(without(key))).toThrow(
      new RegExp(`^web/lessons/4-x\\.md:1: the front matter lacks a value for "${key}"; write it like ${key}: `),
    );
    expect(() => parse(without(key).concat(`\n${key}:`))).toThrow(/lacks a value/);
  });

  it('names the line and the key that was meant', () => {
    expect(() => parse(sound.replace('minutes:', 'minuts:'))).toThrow(
      /4-x\.md:5: the front matter has no key "minuts"; did you mean "minutes"\?/,
    );
    expect(() => parse(`${sound}\ncolour: red`)).toThrow(/no key "colour"; the keys are id, number/);
  });

  it.each([
    ['number: 4', 'number: four', /:3: "number" is not a whole number/],
    ['number: 4', 'number: 0', /not a whole number/],
    ['minutes: 12', 'minutes: 1.5', /not a whole number/],
    ['id: same-matrices', 'id: Same Matrices', /:2: id "Same Matrices" is not made of small letters/],
    ['id: same-matrices', 'id: a--b', /is not made of/],
    ['title: Same matrices, different output', 'title: 7', /"title" is not a text/],
    ['outcomes:\n  - say why', 'outcomes: say why', /:7: "outcomes" is not a list of texts/],
    ['outcomes:\n  - say why', 'outcomes: []', /not a list/],
    ['  - "*A book*, 2017"', '  - 2017', /"sources" is not a list of texts/],
  ])('refuses %s as %s', (from, to, message) => {
    expect(() => parse(sound.replace(from, to))).toThrow(message);
  });

  it('tells all that is wrong, in order of line', () => {
    const text = sound
      .replace('number: 4', 'number: four')
      .replace('minutes: 12', 'minuts: 12')
      .replace(/before:.*\n/, '');
    expect(() => parse(text)).toThrow(
      /^\S+:1: .* lacks a value for "before"; .*\n\S+:3: "number" is not a whole number .*\n\S+:5: .* no key "minuts"; [^\n]*$/,
    );
  });

  it('tells a YAML fault with its line', () => {
    expect(() => parse(sound.replace('"Why: is it so?"', 'Why: is it so?'))).toThrow(
      /4-x\.md:6: the front matter is not valid YAML: .*between quotes/,
    );
    expect(() => parse('- a\n- b')).toThrow(/"key: value" lines/);
    expect(() => parse('')).toThrow(/"key: value" lines/);
  });

  it('is cut from the text, with the line where the text starts', () => {
    expect(split('---\r\nid: a\r\n---\r\n\r\nText')).toEqual({ frontMatter: 'id: a', body: '\nText', bodyLine: 4 });
  });

  it('has to start and to end', () => {
    expect(() => split('Text')).toThrow(/^f\.md:1: a lesson starts with front matter/);
    expect(() => split('---\nid: a')).toThrow(/never ends/);
  });
});
