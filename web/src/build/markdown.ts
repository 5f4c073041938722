// Markdown to HTML for lessons and pages: formulas, heading ids, typography, and custom elements passed through.

import MarkdownIt, { type Token } from 'markdown-it';
import { lineEnds } from './html.ts';
import { claimId, linesOf, readMarkup, type AuthoredElement, type MarkupContext } from './markup-check.ts';
import { markdownElements } from './markdown-elements.ts';
import { formula, markdownMath } from './markdown-math.ts';
import { renderMath } from './math.ts';

export interface MarkdownContext extends MarkupContext {
  /** Id of the article; its headings get `<articleId>--<name>`. */
  readonly articleId: string;
  /** Whether the text has its title as its first heading (#), rather than in front matter. */
  readonly ownTitle?: boolean;
}

export interface Rendered {
  readonly html: string;
  /** The elements that stand in it as tags of the author's. */
  readonly elements: readonly AuthoredElement[];
}

// What stands in these is not Markdown, not even within a line.
const verbatimElements = /(<(?:pre|code|math|svg|textarea)\b[\s\S]*?<\/(?:pre|code|math|svg|textarea)>)/;

const markdown = new MarkdownIt({ html: true, typographer: true, quotes: '“”‘’' })
  .use(markdownMath)
  .use(markdownElements);
markdown.renderer.rules.math_inline = (tokens, index) => tokens[index]!.content;
markdown.renderer.rules.math_block = (tokens, index) => `${tokens[index]!.content}\n`;
// Wide tables scroll inside themselves; the page never does.
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

/** Real minus signs, and a product sign that does not leave its numbers at the end of a line. */
export function polish(text: string): string {
  return text
    .replace(/(^|[\s([{=,:;±<>≤≥≈])-(?=\d|\.\d|∞)/g, '$1−')
    .replace(/(?<=[\p{L}\p{N})]) × (?=[\p{L}\p{N}(])/gu, '\u00a0×\u00a0');
}

/** A heading's address, of letters and digits in any script; accents fall away. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFC');
}

/** Markdown with block structure. Faults go into the context; what is rendered beside one is not to be shipped. */
export function renderMarkdown(source: string, context: MarkdownContext): Rendered {
  const parsed = markdown.parse(source, {});
  const elements = readMarkup(parsed, context);
  nameHeadings(parsed, context);
  const tokens = expandHtml(parsed);
  refine(tokens, context);
  return { html: markdown.renderer.render(tokens, markdown.options, {}), elements };
}

/** One line of Markdown, without a paragraph around it. */
export function renderInline(source: string, context: MarkdownContext): Rendered {
  const tokens = markdown.parseInline(source, {});
  const elements = readMarkup(tokens, context);
  refine(tokens, context);
  return { html: markdown.renderer.render(tokens, markdown.options, {}), elements };
}

// "## Heading {#name}": the name that the author gives it, so that links need not change with its words.
const ownName = /\s*\{#([^{}]*)\}\s*$/;

function takeOwnName(children: readonly Token[]): string | undefined {
  const last = children.at(-1);
  const match = last?.type === 'text' ? ownName.exec(last.content) : null;
  if (!last || !match) return undefined;
  last.content = last.content.slice(0, match.index);
  return match[1]!;
}

function nameHeadings(tokens: readonly Token[], context: MarkdownContext): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const line = context.firstLine + (token.map?.[0] ?? 0);
    const fail = (message: string) => context.faults.add(context.file, line, message);
    if (token.tag === 'h1' && !context.ownTitle) {
      fail('the title is in the front matter; start the headings of the text with ##');
      return;
    }
    const children = tokens[index + 1]?.children ?? [];
    const own = takeOwnName(children);
    if (own !== undefined && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(own)) {
      fail(`the name {#${own}} of this heading is not made of small letters and digits joined by single hyphens`);
      return;
    }
    const text = children.map((child) => (child.type === 'html_inline' ? '' : child.content)).join('');
    const name = own ?? slug(text);
    if (name === '') {
      fail('this heading has no letters to make its address from; give it a name, like "## … {#the-experiment}"');
      return;
    }
    const id = `${context.articleId}--${token.tag === 'h1' ? 'title' : name}`;
    claimId(context, id, line);
    token.attrSet('id', id);
    if (token.tag === 'h1') token.attrSet('tabindex', '-1');
  });
}

/** Text in raw HTML gets what text in Markdown gets within a line: formulas, emphasis, code, quotation marks. */
function expandHtml(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => {
    if (token.type !== 'html_block') return [token];
    let line = token.map?.[0] ?? 0;
    return token.content.split(verbatimElements).map((part, index) => {
      const verbatim = index % 2 === 1;
      const piece = verbatim
        ? Object.assign(new MarkdownIt.Token('html_block', '', 0), { content: part })
        : markdown.parseInline(part, {})[0]!;
      piece.map = [line, line];
      line += lineEnds(part);
      return piece;
    });
  });
}

function refine(tokens: readonly Token[], context: MarkdownContext): void {
  const refineAll = (list: readonly Token[], startLine: number): void => {
    // Counted first, because a formula that has been rendered no longer has the line ends of its source.
    const lines = linesOf(list, startLine, context.firstLine);
    list.forEach((token, index) => {
      const line = lines[index]!;
      if (token.children) refineAll(token.children, line);
      try {
        if (token.type === 'text') token.content = polish(token.content);
        else if (token.type === 'math_inline') token.content = renderMath(token.content, false);
        else if (token.type === 'math_block') token.content = formula(token.content);
      } catch (error) {
        context.faults.add(context.file, line, error instanceof Error ? error.message : String(error));
      }
    });
  };
  refineAll(tokens, context.firstLine);
}
