// Markdown to HTML for lessons and pages: formulas, heading ids, typography, and custom elements passed through.

import MarkdownIt, { type Token } from 'markdown-it';
import { linesBefore } from './html-tags.ts';
import { checkMarkup, claimId, inlineLine, type MarkupContext } from './markup-check.ts';
import { markdownElements } from './markdown-elements.ts';
import { formula, markdownMath } from './markdown-math.ts';
import { renderMath } from './math.ts';
import { SourceError } from './source-error.ts';

export interface MarkdownContext extends MarkupContext {
  /** Id of the article; its headings get `<articleId>--<slug>`. */
  readonly articleId: string;
  /** Whether the text has its title as its first heading (#), rather than in front matter. */
  readonly ownTitle?: boolean;
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

// Attributes that a reader sees get the typography of the text; the others are for the program.
const readAttribute = /(\s(?:question|caption|label|left-label|right-label|note|unit)=")([^"]*)(?=")/g;

function polishTag(tag: string): string {
  if (!tag.startsWith('<hw-')) return tag;
  return tag.replace(
    readAttribute,
    (_, start: string, text: string) => start + polish(text).replace(/(?<=\p{L})'/gu, '’'),
  );
}

export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Markdown with block structure. Throws SourceError. */
export function renderMarkdown(source: string, context: MarkdownContext): string {
  const parsed = markdown.parse(source, {});
  checkMarkup(parsed, context);
  nameHeadings(parsed, context);
  const tokens = expandHtml(parsed);
  refine(tokens, context);
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** One line of Markdown, without a paragraph around it. Throws SourceError. */
export function renderInline(source: string, context: MarkdownContext): string {
  const tokens = markdown.parseInline(source, {});
  checkMarkup(tokens, context);
  refine(tokens, context);
  return markdown.renderer.render(tokens, markdown.options, {});
}

function nameHeadings(tokens: readonly Token[], context: MarkdownContext): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const line = context.firstLine + (token.map?.[0] ?? 0);
    if (token.tag === 'h1' && !context.ownTitle) {
      throw new SourceError(
        context.file,
        line,
        'the title is in the front matter; start the headings of the text with ##',
      );
    }
    const children = tokens[index + 1]?.children ?? [];
    const text = children.map((child) => (child.type === 'html_inline' ? '' : child.content)).join('');
    const name = slug(text);
    if (name === '')
      throw new SourceError(context.file, line, 'this heading has no letters to make its address from; add some');
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
      line += linesBefore(part, part.length);
      return piece;
    });
  });
}

function refine(tokens: readonly Token[], context: MarkdownContext): void {
  const refineAll = (list: readonly Token[], startLine: number): void => {
    // Counted first, because a formula that has been rendered no longer has the line ends of its source.
    const lines = list.map((token, index) =>
      token.map ? context.firstLine + token.map[0] : startLine + inlineLine(list, index),
    );
    list.forEach((token, index) => {
      const line = lines[index]!;
      if (token.children) refineAll(token.children, line);
      try {
        if (token.type === 'html_inline') token.content = polishTag(token.content);
        else if (token.type === 'text') token.content = polish(token.content);
        else if (token.type === 'math_inline') token.content = renderMath(token.content, false);
        else if (token.type === 'math_block') token.content = formula(token.content);
      } catch (error) {
        throw new SourceError(context.file, line, error instanceof Error ? error.message : String(error));
      }
    });
  };
  refineAll(tokens, context.firstLine);
}
