// How Markdown and the page's elements go together.

import type { MarkdownIt, StateBlock } from 'markdown-it';
import { ruleOf } from '../markup.ts';

const elementAtStart = /^<\/?(hw-[a-z][a-z-]*)/;

/**
 * A line that begins with a block element's tag is HTML, up to the next empty line, even if text follows on the line.
 * (Plain Markdown takes `<hw-hint>Look at the row.</hw-hint>` for a paragraph, and with it the line after.)
 */
function elementBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const text = state.src.slice(state.bMarks[startLine]! + state.tShift[startLine]!, state.eMarks[startLine]);
  const name = elementAtStart.exec(text)?.[1];
  if (name === undefined || ruleOf(name)?.inline) return false;
  if (silent) return true;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line++;
  const token = state.push('html_block', '', 0);
  token.map = [startLine, line];
  token.content = state.getLines(startLine, line, state.blkIndent, true);
  state.line = line;
  return true;
}

export function markdownElements(markdown: MarkdownIt): void {
  markdown.block.ruler.before('html_block', 'hw_element', elementBlock, {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
}
