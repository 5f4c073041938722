// Teaches markdown-it $…$ and $$…$$.

import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { renderMath } from './math.ts';

// As Pandoc has it: no space inside the dollars, no digit after the second, so that "$5 and $6" stays money.
const inlinePattern = /\$(?!\s|\$)((?:\\[\s\S]|[^\\$])+?)(?<!\s)\$(?!\d)/y;

export function formula(tex: string): string {
  return `<div class="formula">${renderMath(tex, true)}</div>`;
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '$') return false;
  inlinePattern.lastIndex = state.pos;
  const match = inlinePattern.exec(state.src);
  if (!match) return false;
  if (!silent) {
    const token = state.push('math_inline', 'math', 0);
    token.content = match[1]!;
  }
  state.pos += match[0].length;
  return true;
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineText = (line: number): string =>
    state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
  const first = lineText(startLine);
  if (!first.startsWith('$$')) return false;
  const lines = [first.slice(2)];
  let line = startLine;
  while (!lines.at(-1)!.trimEnd().endsWith('$$')) {
    line++;
    if (line >= endLine || lineText(line).trim() === '') return false;
    lines.push(lineText(line));
  }
  if (silent) return true;
  const token = state.push('math_block', 'math', 0);
  token.content = lines.join('\n').trimEnd().slice(0, -2);
  token.map = [startLine, line + 1];
  state.line = line + 1;
  return true;
}

/** The rules only find formulas; `math_inline` and `math_block` tokens are rendered by markdown.ts, which knows the file and line. */
export function markdownMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math_inline', inlineMath);
  markdown.block.ruler.before('fence', 'math_block', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}
