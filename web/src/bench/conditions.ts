// Conditions that lessons write in attributes: "comparison.output.equal=true and heads.length>1".

import { groupThousands, parseNumber, shapeText } from '../text/format.ts';
import { resolvePath, shapeOf, type Results } from './results.ts';

export type Sign = '=' | '!=' | '<' | '>';

export interface Term {
  readonly path: string;
  readonly sign: Sign;
  readonly value: string;
}

export interface Condition {
  readonly terms: readonly Term[];
  /** What cannot be read, a sentence each; the page makes of the rest what it can, the build stops. */
  readonly faults: readonly string[];
}

function faultOf(part: string, { path, sign, value }: Term): string | undefined {
  if (path === part.trim()) return `"${path}" has no sign and value; write it like heads.length>1`;
  if (path === '') return `nothing stands before the ${sign}; put a path there`;
  if (/^[=<>!]/.test(value)) return `"${sign}${value[0]}" is no sign; the signs are =, !=, < and >`;
  if (/[=<>]/.test(value)) return `there is a second sign in "${value}"; join two conditions with " and "`;
  if (value === '' && (sign === '<' || sign === '>'))
    return `nothing stands after the ${sign}; put a number or a path there`;
  return undefined;
}

function parseTerm(part: string): Term {
  const match = /^(.*?)(!=|=|<|>)(.*)$/s.exec(part);
  if (!match) return { path: part.trim(), sign: '=', value: 'true' };
  return { path: (match[1] ?? '').trim(), sign: match[2] as Sign, value: (match[3] ?? '').trim() };
}

// Conditions are few, and asked again whenever a number changes.
const parsed = new Map<string, Condition>();

export function parseCondition(text: string): Condition {
  let condition = parsed.get(text);
  if (!condition) {
    const parts = text.split(/\s+and\s+/);
    const terms = parts.map(parseTerm);
    condition = { terms, faults: parts.flatMap((part, index) => faultOf(part, terms[index]!) ?? []) };
    parsed.set(text, condition);
  }
  return condition;
}

/** A result as a condition or a sentence spells it. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  const shape = shapeOf(value);
  if (shape) return shapeText(...shape);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'number') return Number.isInteger(value) ? groupThousands(value) : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return 'none';
}

/** "5 x 3" and "5 3" mean the same shape as "5 × 3". */
export function parseShape(text: string): [number, number] | undefined {
  const match = /^\s*(\d+)\s*(?:[×x*,]|\s)\s*(\d+)\s*$/i.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

function holds(results: Results, term: Term): boolean {
  const value = resolvePath(results, term.path);
  if (term.sign === '<' || term.sign === '>') {
    const limit = parseNumber(term.value) ?? resolvePath(results, term.value);
    if (typeof value !== 'number' || typeof limit !== 'number') return false;
    return term.sign === '<' ? value < limit : value > limit;
  }
  const equal =
    typeof value === 'number' ? value === parseNumber(term.value) : valueText(value) === normalised(term.value, value);
  return term.sign === '=' ? equal : !equal;
}

function normalised(text: string, beside: unknown): string {
  const shape = shapeOf(beside) && parseShape(text);
  return shape ? shapeText(...shape) : text === '' ? 'none' : text;
}

/** A condition about something that is not there does not hold, except != . */
export function conditionHolds(results: Results, condition: string): boolean {
  return parseCondition(condition).terms.every((term) => holds(results, term));
}
