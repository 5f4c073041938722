// Follows a path step by step, to say where it stops.

import { nearestName } from 'headwise';
import { isHistogram } from '../../bench/recipes/scale.ts';
import { isMatrix, parseCell, shapeOf, splitCellPath, type Results } from '../../bench/results.ts';
import type { Target } from '../../markup.ts';
import { isComparison } from '../../text/inline.ts';

export type Followed = { readonly value: unknown } | { readonly fault: string };

const pathPattern = /^\w+(?:\.\w+|\[\d+\])*$/;
// What recipes keep beside their results.
const inner = ['layers', 'names', 'notes'];

function membersOf(value: unknown): string[] {
  if (isMatrix(value)) return ['shape', 'rows', 'columns'];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.keys(value).filter((name) => !inner.includes(name));
}

export function describe(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (isMatrix(value)) return `a matrix of ${value.rows} × ${value.columns}`;
  if (Array.isArray(value)) return shapeOf(value) ? 'a shape' : `a list of ${value.length}`;
  if (isHistogram(value)) return 'a histogram';
  if (isComparison(value)) return 'a comparison';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'string') return `the text "${value}"`;
  return `a group of results (${membersOf(value).join(', ')})`;
}

function named(value: unknown, name: string, owner: string): Followed {
  if (Array.isArray(value)) {
    if (name === 'length') return { value: value.length };
    const list: readonly unknown[] = value;
    const meant = nearestName(name, [...membersOf(list[0]), 'length']);
    const advice =
      meant === 'length' ? `did you mean "length"?` : `write ${owner}[0].${meant ?? name} for its first member`;
    return { fault: `${owner} is a list of ${list.length}; ${advice}` };
  }
  const members = membersOf(value);
  if (!members.includes(name)) {
    const of = owner === '' ? 'there is no result' : `${owner} has no`;
    const meant = nearestName(name, members);
    if (meant !== null) return { fault: `${of} ${name}; did you mean "${meant}"?` };
    return {
      fault:
        members.length === 0
          ? `${owner} is ${describe(value)} and has no ${name}`
          : `${of} ${name}; there are ${members.join(', ')}`,
    };
  }
  if (isMatrix(value) && name === 'shape') return { value: shapeOf(value) };
  try {
    return { value: (value as Record<string, unknown>)[name] };
  } catch (error) {
    return { fault: `${owner === '' ? '' : `${owner}.`}${name} cannot be computed: ${(error as Error).message}` };
  }
}

function cellOf(value: unknown, cell: string, owner: string, results: Results): Followed {
  if (!isMatrix(value)) return { fault: `${owner} is ${describe(value)}; only a matrix has cells` };
  const fault = cellFault(cell, value, results);
  if (fault !== undefined) return { fault };
  const { row, column } = parseCell(cell, results.names)!;
  return { value: value.data[row * value.columns + column] };
}

/** Why "2, 3" or "sat, on" is no cell of this matrix; undefined if it is one. */
export function cellFault(
  cell: string,
  matrix: { rows: number; columns: number },
  results: Results,
): string | undefined {
  const parts = cell.split(',').map((part) => part.trim());
  if (parts.length !== 2 || parts.includes('')) return `a cell is written as row, column; "${cell}" is not`;
  const sides = [
    ['row', parts[0]!, matrix.rows, results.names.tokens],
    ['column', parts[1]!, matrix.columns, results.names.keyTokens],
  ] as const;
  for (const [side, name, count, tokens] of sides) {
    const index = tokens.includes(name) ? tokens.indexOf(name) : /^\d+$/.test(name) ? Number(name) : undefined;
    if (index === undefined) {
      const tokensAre =
        tokens.length > 0 ? `the tokens are ${[...new Set(tokens)].join(', ')}` : `write its number, from 0`;
      return `there is no ${side} "${name}"; ${tokensAre}`;
    }
    if (index >= count) return `there is no ${side} ${name}; they are counted from 0 to ${count - 1}`;
  }
  return undefined;
}

/**
 * What a path leads to. A list may be shorter than the path asks for, since learners make it longer: such a member
 * stands for the first.
 */
export function follow(results: Results, path: string): Followed {
  const { path: own, cell } = splitCellPath(path);
  const closed = cell === undefined || path.trim().endsWith(')');
  if (!pathPattern.test(own) || !closed)
    return { fault: `"${path}" is no path; write it like heads[0].queries or heads[0].queries(2, 0)` };
  let value: unknown = results;
  let owner = '';
  for (const [step, index] of own.matchAll(/\[(\d+)\]|\w+/g)) {
    if (value === undefined || value === null)
      return { fault: `${owner} is empty with these settings, so it has no ${step}` };
    if (index !== undefined) {
      if (!Array.isArray(value)) return { fault: `${owner} is ${describe(value)}, not a list; take ${step} out` };
      const list: readonly unknown[] = value;
      if (list.length === 0) return { fault: `${owner} is an empty list with these settings` };
      value = list[Number(index)] ?? list[0];
      owner += step;
    } else {
      const found = named(value, step, owner);
      if ('fault' in found) return found;
      value = found.value;
      owner += owner === '' ? step : `.${step}`;
    }
  }
  return cell === undefined ? { value } : cellOf(value, cell, own, results);
}

const targets: Readonly<Record<Target, { readonly name: string; readonly fits: (value: unknown) => boolean }>> = {
  matrix: { name: 'a matrix', fits: isMatrix },
  list: { name: 'a list', fits: (value) => Array.isArray(value) && !shapeOf(value) },
  number: { name: 'a number', fits: (value) => typeof value === 'number' },
  shape: { name: 'a matrix or a shape', fits: (value) => shapeOf(value) !== undefined },
  value: {
    name: 'a number, a text, a shape or a list of them',
    fits: (value) =>
      value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value) || isMatrix(value)),
  },
  comparison: { name: 'a comparison, such as comparison.output', fits: isComparison },
  histogram: { name: 'a histogram', fits: isHistogram },
  place: {
    name: 'a place with row and column, such as largest.attention',
    fits: (value) =>
      typeof value === 'object' && value !== null && !isMatrix(value) && 'row' in value && 'column' in value,
  },
};

/** Why a path does not lead to what is wanted; undefined if it does. */
export function pathFault(results: Results, path: string, to: Target): string | undefined {
  const found = follow(results, path);
  if ('fault' in found) return found.fault;
  return targets[to].fits(found.value)
    ? undefined
    : `${path} is ${describe(found.value)}; here goes the path of ${targets[to].name}`;
}
