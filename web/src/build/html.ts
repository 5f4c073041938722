// Reading and changing HTML with parse5: the tags of a piece as they were written, or all of it as the tree that a browser makes of it.

import {
  defaultTreeAdapter as adapter,
  parseFragment,
  serialize,
  Tokenizer,
  TokenizerMode,
  type DefaultTreeAdapterTypes,
  type Token,
} from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

export interface TagAttribute {
  readonly value: string;
  /** Of the text, from 0. */
  readonly line: number;
}

export interface Tag {
  readonly kind: 'open' | 'close';
  /** Written with a slash at its end. */
  readonly selfClosing: boolean;
  /** In small letters. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, TagAttribute>;
  /** Line on which it starts, from 0. */
  readonly line: number;
}

export interface TagError {
  /** parse5's name of it: "duplicate-attribute". */
  readonly code: string;
  readonly line: number;
}

export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

/** The tags of a piece of HTML, whole or not, and what the tokenizer had to say about it. */
export function tagsOf(html: string): { tags: Tag[]; errors: TagError[] } {
  const tags: Tag[] = [];
  const errors: TagError[] = [];
  const read = (kind: Tag['kind'], token: Token.TagToken): void => {
    const place = token.location;
    const attributes = token.attrs.map(({ name, value }): [string, TagAttribute] => [
      name,
      { value, line: (place?.attrs?.[name]?.startLine ?? 1) - 1 },
    ]);
    tags.push({
      kind,
      selfClosing: token.selfClosing,
      name: token.tagName,
      attributes: new Map(attributes),
      line: (place?.startLine ?? 1) - 1,
    });
  };
  const ignore = (): void => undefined;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        read('open', token);
        // What stands in these is text whatever it looks like.
        if (token.tagName === 'textarea' || token.tagName === 'title') tokenizer.state = TokenizerMode.RCDATA;
        if (token.tagName === 'script' || token.tagName === 'style') tokenizer.state = TokenizerMode.RAWTEXT;
      },
      onEndTag: (token) => read('close', token),
      onParseError: ({ code, startLine }) => errors.push({ code, line: startLine - 1 }),
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
  return { tags, errors };
}

/** Number of line ends in a text. */
export function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function parseHtml(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  return parseFragment(html);
}

/** HTML of what is inside. */
export function htmlOf(parent: Parent): string {
  return serialize(parent);
}

export function isElement(node: Node): node is Element {
  return adapter.isElementNode(node);
}

export function childElements(parent: Parent): Element[] {
  return parent.childNodes.filter(isElement);
}

/** Every element inside, in the order of the text. */
export function elementsIn(parent: Parent, found: Element[] = []): Element[] {
  for (const element of childElements(parent)) {
    found.push(element);
    elementsIn(element, found);
  }
  return found;
}

export function textOf(parent: Parent): string {
  return parent.childNodes
    .map((node) => (adapter.isTextNode(node) ? node.value : isElement(node) ? textOf(node) : ''))
    .join('');
}

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

export function setAttribute(element: Element, name: string, value: string): void {
  const own = element.attrs.find((attribute) => attribute.name === name);
  if (own) own.value = value;
  else element.attrs.push({ name, value });
}

export function removeAttribute(element: Element, name: string): void {
  element.attrs = element.attrs.filter((attribute) => attribute.name !== name);
}

/** The element itself, or the nearest around it, that fits. */
export function closest(element: Element, fits: (element: Element) => boolean): Element | undefined {
  let at: Element | undefined = element;
  while (at && !fits(at))
    at = at.parentNode && isElement(at.parentNode as Node) ? (at.parentNode as Element) : undefined;
  return at;
}

/** Puts HTML into an element, before `next` or at the end. */
export function insert(parent: Parent, html: string, next?: Node): void {
  for (const node of [...parseHtml(html).childNodes]) {
    adapter.detachNode(node);
    if (next) adapter.insertBefore(parent, node, next);
    else adapter.appendChild(parent, node);
  }
}

export function setContent(element: Element, html: string): void {
  element.childNodes = [];
  insert(element, html);
}

/** Takes the element away and leaves what was in it. */
export function unwrap(element: Element): void {
  const parent = element.parentNode!;
  for (const node of [...element.childNodes]) {
    adapter.detachNode(node);
    adapter.insertBefore(parent, node, element);
  }
  adapter.detachNode(element);
}
