// Numbers worked out of results, for slips: "heads[0].queries(2, 0) * keyValueHeads[0].keys(0, 0)".

import { parseNumber } from '../text/format.ts';
import { resolvePath, type Results } from './results.ts';

type Node =
  | { readonly kind: 'path'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'operation'; readonly sign: '+' | '-' | '*' | '/'; readonly left: Node; readonly right: Node };

// A path with its cell, a number, or a sign.
const token = /\s*(?:([A-Za-z][\w.[\]]*(?:\([^)]*\))?)|(\d+(?:\.\d+)?)|([-+*/()]))/y;

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const match = token.exec(text);
    if (!match) return undefined;
    tokens.push((match[1] ?? match[2] ?? match[3])!);
  }
  return tokens;
}

class Reader {
  private at = 0;
  constructor(private readonly tokens: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  sum(): Node | undefined {
    return this.chain(['+', '-'], () => this.chain(['*', '/'], () => this.factor()));
  }

  private chain(signs: readonly string[], member: () => Node | undefined): Node | undefined {
    let left = member();
    while (left && signs.includes(this.tokens[this.at] ?? '')) {
      const sign = this.tokens[this.at++] as '+' | '-' | '*' | '/';
      const right = member();
      left = right && { kind: 'operation', sign, left, right };
    }
    return left;
  }

  private factor(): Node | undefined {
    const next = this.tokens[this.at++];
    if (next === undefined) return undefined;
    if (next === '-') {
      const right = this.factor();
      return right && { kind: 'operation', sign: '-', left: { kind: 'number', value: 0 }, right };
    }
    if (next === '(') {
      const inner = this.sum();
      return this.tokens[this.at++] === ')' ? inner : undefined;
    }
    if (/^[A-Za-z]/.test(next)) return { kind: 'path', text: next };
    const value = parseNumber(next);
    return value === undefined ? undefined : { kind: 'number', value };
  }
}

function parse(text: string): Node | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const node = reader.sum();
  return reader.isAtEnd ? node : undefined;
}

function worth(node: Node, results: Results): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'path') {
    const value = resolvePath(results, node.text);
    return typeof value === 'number' ? value : undefined;
  }
  const [left, right] = [worth(node.left, results), worth(node.right, results)];
  if (left === undefined || right === undefined) return undefined;
  switch (node.sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

function pathsIn(node: Node): string[] {
  if (node.kind === 'path') return [node.text];
  return node.kind === 'operation' ? [...pathsIn(node.left), ...pathsIn(node.right)] : [];
}

/** undefined if it cannot be read, or asks for what is not there. */
export function valueOf(results: Results, text: string): number | undefined {
  const node = parse(text);
  return node && worth(node, results);
}

/** The paths an expression asks for; undefined if it cannot be read. */
export function expressionPaths(text: string): string[] | undefined {
  const node = parse(text);
  return node && pathsIn(node);
}
