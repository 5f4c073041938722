// Reads the tags an author wrote: checks that every one is closed where it was opened, that every hw- element is known and no id given
// twice, and hands the elements on, with their lines, to the check of what they say.

import type { Token } from 'markdown-it';
import { elementNames, ruleOf } from '../markup.ts';
import { nearestName } from 'headwise';
import type { Faults } from './faults.ts';
import { lineEnds, tagsOf, voidElements, type Tag } from './html.ts';

export interface MarkupContext {
  readonly file: string;
  /** Line of the file on which the Markdown starts, from 1. */
  readonly firstLine: number;
  /** Ids of the whole page so far, each with the place that took it; this check adds to it. */
  readonly ids: Map<string, string>;
  readonly faults: Faults;
}

export interface AuthoredAttribute {
  readonly value: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/** An element as its author wrote it, plain HTML's as well. */
export interface AuthoredElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, AuthoredAttribute>;
  readonly parent: AuthoredElement | undefined;
  /** Lines of the listing that stands in it. */
  listing?: number;
}

interface Opened {
  readonly name: string;
  readonly line: number;
  /** undefined: Markdown's own (a list, a quotation), not a tag in the source. */
  readonly element: AuthoredElement | undefined;
}

const foreign = new Set(['svg', 'math']);

// What parse5 says about a single tag, in words for those who wrote it. What it mends without loss is left out.
const tagErrors: Readonly<Record<string, string>> = {
  'duplicate-attribute': 'an attribute is given twice in one tag; keep one of them',
  'missing-whitespace-between-attributes': 'between two attributes there is no space; put one after the quotation mark',
  'unexpected-character-in-attribute-name':
    'an attribute has a quotation mark or < in its name; a quotation mark before it is missing or one too many',
  'unexpected-equals-sign-before-attribute-name': 'an attribute begins with =; put its name before it',
  'missing-attribute-value': 'an attribute has no value after its =; write it between quotation marks',
  'unexpected-character-in-unquoted-attribute-value':
    'an attribute has no quotation marks around its value; write name="value"',
  'eof-in-tag': 'a tag never ends; a quotation mark or > is missing before the next empty line',
  'eof-in-comment': 'a comment never ends; put --> after it',
};

export function claimId(context: Pick<MarkupContext, 'file' | 'ids' | 'faults'>, id: string, line: number): void {
  const taken = context.ids.get(id);
  if (taken === undefined) context.ids.set(id, `${context.file}:${line}`);
  else context.faults.add(context.file, line, `the id "${id}" is taken by ${taken}; ids are unique in the whole page`);
}

/** Lines on which the children of an inline token start, if it starts on `first`; blocks know theirs. */
export function linesOf(tokens: readonly Token[], first: number, firstLine: number): number[] {
  let line = first;
  return tokens.map((token) => {
    const start = token.map ? firstLine + token.map[0] : line;
    line += token.type === 'softbreak' || token.type === 'hardbreak' ? 1 : lineEnds(token.content);
    return start;
  });
}

export function readMarkup(tokens: readonly Token[], context: MarkupContext): AuthoredElement[] {
  const elements: AuthoredElement[] = [];
  const stack: Opened[] = [];
  const fail = (line: number, message: string) => context.faults.add(context.file, line, message);

  const close = (name: string, fromMarkdown: boolean, line: number): void => {
    const fits = (opened: Opened) => opened.name === name && (opened.element === undefined) === fromMarkdown;
    const top = stack.at(-1);
    if (top && fits(top)) {
      stack.pop();
    } else if (!top || (top.element === undefined && !fromMarkdown)) {
      fail(
        line,
        `</${name}> closes nothing that was opened here; take it out, or open it outside the paragraph or list`,
      );
    } else {
      const end = fromMarkdown ? `its paragraph, list or quotation` : `</${name}> on line ${line}`;
      fail(top.line, `<${top.name}> is still open at the end of ${end}; put </${top.name}> before that`);
      // Goes on as a browser would, so that one slip is told once.
      const own = stack.findLastIndex(fits);
      if (own >= 0) stack.length = own;
    }
  };

  const open = (tag: Tag, line: number, firstLine: number): AuthoredElement => {
    const attributes = [...tag.attributes].map(
      ([name, { value, line: at }]) => [name, { value, line: firstLine + at }] as const,
    );
    const parent = stack.findLast((opened) => opened.element !== undefined)?.element;
    const element = { name: tag.name, line, attributes: new Map(attributes), parent };
    elements.push(element);
    return element;
  };

  const readTag = (tag: Tag, firstLine: number): void => {
    const { name } = tag;
    const line = firstLine + tag.line;
    if (name === 'script' || name === 'style') fail(line, `a lesson cannot hold <${name}>; the page refuses to run it`);
    if (tag.kind === 'close') {
      if (voidElements.has(name)) fail(line, `<${name}> has no end tag; take </${name}> out`);
      else close(name, false, line);
      return;
    }
    if (name.startsWith('hw-')) checkElement(name, line);
    const id = tag.attributes.get('id');
    if (id) claimId(context, id.value, firstLine + id.line);
    const element = open(tag, line, firstLine);
    if (voidElements.has(name)) return;
    if (!tag.selfClosing) stack.push({ name, line, element });
    else if (!stack.some((opened) => foreign.has(opened.name)) && !foreign.has(name))
      fail(line, `<${name} …/> does not close itself in HTML; write <${name} …></${name}>`);
  };

  const checkElement = (name: string, line: number): void => {
    if (ruleOf(name)) return;
    // Without what all of them begin with, which would make every name look near.
    const meant = nearestName(
      name.replace(/^hw-/, ''),
      elementNames.map((known) => known.slice('hw-'.length)),
    );
    const advice = meant ? `did you mean <hw-${meant}>?` : `the elements are ${elementNames.toSorted().join(', ')}`;
    fail(line, `there is no element <${name}>; ${advice}`);
  };

  const walk = (list: readonly Token[], startLine: number): void => {
    const lines = linesOf(list, startLine, context.firstLine);
    list.forEach((token, index) => {
      const line = lines[index]!;
      if (token.type === 'html_block' || token.type === 'html_inline') {
        const { tags, errors } = tagsOf(token.content);
        for (const tag of tags) readTag(tag, line);
        for (const { code, line: at } of errors) if (tagErrors[code]) fail(line + at, tagErrors[code]);
      } else if (token.type === 'text') {
        // Markdown takes a tag that is not whole for text.
        const broken = /<\/?hw-[\w-]*/.exec(token.content);
        if (broken) {
          const at = line + lineEnds(token.content.slice(0, broken.index));
          fail(at, `the tag ${broken[0]} is not whole; a quotation mark or > is missing, or one too many`);
        }
      } else if (token.type === 'inline') {
        walk(token.children ?? [], line);
      } else if (token.type === 'fence') {
        const around = stack.findLast(({ element }) => element !== undefined)?.element;
        if (around) around.listing = lineEnds(token.content);
      } else if (token.nesting === 1) {
        stack.push({ name: token.tag, line, element: undefined });
      } else if (token.nesting === -1) {
        close(token.tag, true, line);
      }
    });
  };
  walk(tokens, context.firstLine);

  for (const opened of stack) {
    if (opened.element) fail(opened.line, `<${opened.name}> is never closed; put </${opened.name}> where it ends`);
  }
  return elements;
}
