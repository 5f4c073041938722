// Checks the tags an author wrote: every one closed where it was opened, every hw- element known, no id twice.

import type { Token } from 'markdown-it';
import { linesBefore, tagsOf, voidElements, type Tag } from './html-tags.ts';
import { nearestName, SourceError } from './source-error.ts';

export interface MarkupContext {
  readonly file: string;
  /** Line of the file on which the Markdown starts, from 1. */
  readonly firstLine: number;
  /** Names of the custom elements there are; undefined leaves them unchecked. */
  readonly knownElements: ReadonlySet<string> | undefined;
  /** Ids of the whole page so far, each with the place that took it; this check adds to it. */
  readonly ids: Map<string, string>;
}

interface Opened {
  readonly name: string;
  readonly line: number;
  /** Markdown's own (a list, a quotation), not a tag in the source. */
  readonly fromMarkdown: boolean;
}

const foreign = new Set(['svg', 'math']);

export function claimId(context: Pick<MarkupContext, 'file' | 'ids'>, id: string, line: number): void {
  const taken = context.ids.get(id);
  if (taken !== undefined) {
    throw new SourceError(context.file, line, `the id "${id}" is taken by ${taken}; ids are unique in the whole page`);
  }
  context.ids.set(id, `${context.file}:${line}`);
}

/** Lines that come before a child of an inline token, counted from the token's first line. */
export function inlineLine(children: readonly Token[], index: number): number {
  let line = 0;
  for (const child of children.slice(0, index)) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') line++;
    else line += linesBefore(child.content, child.content.length);
  }
  return line;
}

export function checkMarkup(tokens: readonly Token[], context: MarkupContext): void {
  const stack: Opened[] = [];
  const fail = (line: number, message: string): never => {
    throw new SourceError(context.file, line, message);
  };
  let line = context.firstLine;

  const close = (name: string, fromMarkdown: boolean): void => {
    const top = stack.at(-1);
    if (top?.name === name && top.fromMarkdown === fromMarkdown) {
      stack.pop();
    } else if (!top || (top.fromMarkdown && !fromMarkdown)) {
      fail(
        line,
        `</${name}> closes nothing that was opened here; take it out, or open it outside the paragraph or list`,
      );
    } else {
      const end = fromMarkdown ? `its paragraph, list or quotation` : `</${name}> on line ${line}`;
      fail(top.line, `<${top.name}> is still open at the end of ${end}; put </${top.name}> before that`);
    }
  };

  const readTag = (tag: Tag): void => {
    const { name } = tag;
    if (name.startsWith('hw-') && tag.kind !== 'close') checkElement(name);
    const id = tag.attributes.get('id');
    if (id !== undefined && tag.kind !== 'close') claimId(context, id, line);
    if (name === 'script' || name === 'style') fail(line, `a lesson cannot hold <${name}>; the page refuses to run it`);
    if (voidElements.has(name)) {
      if (tag.kind === 'close') fail(line, `<${name}> has no end tag; take </${name}> out`);
    } else if (tag.kind === 'open') {
      stack.push({ name, line, fromMarkdown: false });
    } else if (tag.kind === 'close') {
      close(name, false);
    } else if (!stack.some((opened) => foreign.has(opened.name)) && !foreign.has(name)) {
      fail(line, `<${name} …/> does not close itself in HTML; write <${name} …></${name}>`);
    }
  };

  const checkElement = (name: string): void => {
    const known = context.knownElements;
    if (!known || known.has(name)) return;
    const meant = nearestName(name, known);
    const advice = meant ? `did you mean <${meant}>?` : `the elements are ${[...known].sort().join(', ')}`;
    fail(line, `there is no element <${name}>; ${advice}`);
  };

  const walk = (list: readonly Token[], startLine: number): void => {
    list.forEach((token, index) => {
      if (token.type === 'html_block' || token.type === 'html_inline') {
        const blockLine = token.map ? context.firstLine + token.map[0] : startLine + inlineLine(list, index);
        for (const tag of tagsOf(token.content)) {
          line = blockLine + linesBefore(token.content, tag.start);
          readTag(tag);
        }
        return;
      }
      if (token.map) line = context.firstLine + token.map[0];
      if (token.type === 'inline') walk(token.children ?? [], line);
      else if (token.nesting === 1) stack.push({ name: token.tag, line, fromMarkdown: true });
      else if (token.nesting === -1) close(token.tag, true);
    });
  };
  walk(tokens, context.firstLine);

  const open = stack.at(-1);
  if (open) fail(open.line, `<${open.name}> is never closed; put </${open.name}> where it ends`);
}
