// Finds the tags in a piece of HTML, with their places, without building a document.

export interface Tag {
  readonly kind: 'open' | 'close' | 'selfClosing';
  /** In small letters. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Where the tag starts and ends in the text. */
  readonly start: number;
  readonly end: number;
}

export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

const tagPattern =
  /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][^\s/>]*)((?:\s+|\/(?!>)|[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)(\/?)>/g;
const attributePattern = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

export function tagsOf(html: string): Tag[] {
  const tags: Tag[] = [];
  for (const match of html.matchAll(tagPattern)) {
    const [text, slash, name, attributeText, selfClosing] = match;
    if (name === undefined) continue;
    const attributes = new Map<string, string>();
    for (const [, attribute, double, single, bare] of (attributeText ?? '').matchAll(attributePattern)) {
      attributes.set(attribute!.toLowerCase(), double ?? single ?? bare ?? '');
    }
    tags.push({
      kind: slash ? 'close' : selfClosing ? 'selfClosing' : 'open',
      name: name.toLowerCase(),
      attributes,
      start: match.index,
      end: match.index + text.length,
    });
  }
  return tags;
}

/** Number of line ends in `text` before `offset`. */
export function linesBefore(text: string, offset: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
