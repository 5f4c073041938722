// Results of a bench by the paths and conditions that a lesson writes.

import type { Headwise } from 'headwise';
import { wordsOf, type Read } from './layers.ts';
import { at, isMatrix } from './matrices.ts';
import { recipes, type Tree } from './recipes.ts';

export class Results {
  private constructor(
    private readonly tree: Tree,
    private readonly read: Read,
    /** The engine's sentence if it refuses this state. */
    readonly refusal: string | undefined,
  ) {}

  static of(engine: Headwise, recipe: string, read: Read): Results {
    const run = recipes[recipe];
    if (!run) throw new Error(`the tests do not know the recipe ${recipe}: add it to support/recipes.ts`);
    try {
      return new Results(run(engine, read), read, undefined);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'HeadwiseError') throw error;
      return new Results({}, read, error.message);
    }
  }

  get tokens(): string[] {
    return wordsOf(this.read('tokens'));
  }
  get keyTokens(): string[] {
    const own = wordsOf(this.read('keyTokens'));
    return own.length > 0 ? own : this.tokens;
  }

  private stateOf(name: string): unknown {
    const text = this.read(name);
    if (/^(?:tokens|keyTokens)$/.test(name)) return wordsOf(text);
    return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  }

  /** heads[0].queries, heads[0].attentionWeights(sat, on), state.width …; undefined for what is not there now. */
  at(path: string): unknown {
    const [, own = '', cell] = /^([^(]*)(?:\((.*)\))?$/.exec(path.trim()) ?? [];
    const state = /^state\.(\w+)$/.exec(own);
    if (state) return this.stateOf(state[1] ?? '');
    let value: unknown = this.tree;
    for (const name of own.split(/[.[\]]+/).filter((part) => part !== '')) {
      if (isMatrix(value) && name === 'shape') value = [value.rows, value.columns];
      else value = typeof value === 'object' && value !== null ? (value as Tree)[name] : undefined;
    }
    if (cell === undefined) return value;
    const [row, column] = cell
      .split(',')
      .map((part, axis) => this.indexOf(part.trim(), axis === 0 ? this.tokens : this.keyTokens));
    if (!isMatrix(value) || row === undefined || column === undefined) return undefined;
    return row < value.rows && column < value.columns ? at(value, row, column) : undefined;
  }

  /** A number worked out of paths: "heads[0].rawScores(2, 1) / 2". */
  valueOf(expression: string): number {
    const numbers = expression.replace(/[A-Za-z][\w.[\]]*(?:\([^)]*\))?/g, (path) => `(${Number(this.at(path))})`);
    if (!/^[-+*/()\d.e\s]+$/.test(numbers)) throw new Error(`${expression} is no number, but ${numbers}`);
    return (0, eval)(numbers) as number;
  }

  private indexOf(name: string, names: readonly string[]): number {
    return names.includes(name) ? names.indexOf(name) : Number(name);
  }

  /** "comparison.output.equal=true and state.heads>1" */
  holds(condition: string): boolean {
    return condition.split(/\s+and\s+/).every((term) => {
      const [, path = '', sign, wanted = ''] = /^(.*?)(!=|=|<|>)(.*)$/s.exec(term) ?? [];
      const value = this.at(path);
      const limit = this.at(wanted);
      const number = typeof limit === 'number' ? limit : Number(wanted);
      if (sign === '<') return typeof value === 'number' && value < number;
      if (sign === '>') return typeof value === 'number' && value > number;
      return (textOf(value) === (wanted.trim() || 'none')) === (sign === '=');
    });
  }
}

/** A result as a lesson spells it. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (isMatrix(value)) return `${value.rows} × ${value.columns}`;
  if (Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)) return value.join(' × ');
  if (Array.isArray(value)) return value.join(', ');
  return String(value);
}
