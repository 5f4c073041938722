// What is wrong with the value of an attribute, by what markup.ts says that it holds.

import { nearestName } from 'headwise';
import { parseShape } from '../../bench/conditions.ts';
import { expressionPaths } from '../../bench/expressions.ts';
import type { Parameter } from '../../bench/parameters.ts';
import { isMatrix, type Results } from '../../bench/results.ts';
import { parsePairs } from '../../bench/settings.ts';
import type { Content, Target } from '../../markup.ts';
import { parseNumber } from '../../text/format.ts';
import { advice } from '../faults.ts';
import type { AuthoredElement } from '../markup-check.ts';
import { around, attribute, exerciseKind } from './authored.ts';
import { settingFaults, valueFault, type LessonBench } from './benches.ts';
import { conditionFault } from './conditions.ts';
import { cellFault, describe, follow, pathFault } from './paths.ts';

/** An attribute that belongs to a bench, and the bench. */
export interface Spot {
  readonly element: AuthoredElement;
  readonly name: string;
  readonly value: string;
  readonly bench: LessonBench;
  /** Settings that the hw-when around it ask for. */
  readonly settings: ReadonlyMap<string, string>;
  /** Ids of the lesson's elements. */
  readonly ids: ReadonlySet<string>;
}

// As the bench starts; what is shown only with other settings may also fit these.
function inResults(spot: Spot, check: (results: Results) => string | undefined): string | undefined {
  const fault = check(spot.bench.results);
  if (fault === undefined || spot.settings.size === 0) return fault;
  const { results } = spot.bench.set(spot.settings);
  return results ? check(results) : fault;
}

function path(spot: Spot, to: Target, from?: string): string | undefined {
  const list = from && attribute(spot.element, from);
  if (!list) return inResults(spot, (results) => pathFault(results, spot.value, to));
  return inResults(spot, (results) => {
    // What is wrong with the list is told at its own attribute.
    const found = follow(results, list);
    if ('fault' in found || !Array.isArray(found.value) || found.value.length === 0) return undefined;
    return pathFault(results, spot.value === '' ? `${list}[0]` : `${list}[0].${spot.value}`, to);
  });
}

function cell(spot: Spot, matrixPath: string | undefined): string | undefined {
  return inResults(spot, (results) => {
    const found = follow(results, matrixPath ?? '');
    const matrix = 'fault' in found ? undefined : found.value;
    return isMatrix(matrix) ? cellFault(spot.value, matrix, results) : undefined;
  });
}

/** By what an exercise asks for. */
const answers: Readonly<Record<string, Target>> = { number: 'number', shape: 'shape', cell: 'place' };

function answer(spot: Spot): string | undefined {
  const to = answers[exerciseKind(spot.element) ?? ''];
  return to && path(spot, to);
}

function slipPath(spot: Spot): string | undefined {
  if (exerciseKind(spot.element) !== 'number') return answer(spot);
  const paths = expressionPaths(spot.value);
  if (!paths) return 'this is no path, and nothing worked out of paths; write it like heads[0].queries(2, 0) * 2';
  return inResults(spot, (results) => {
    for (const one of paths) {
      const fault = pathFault(results, one, 'number');
      if (fault !== undefined) return fault;
    }
    return undefined;
  });
}

function chosen(spot: Spot, of: string): string | undefined {
  return exerciseKind(spot.element) === 'cell' ? cell(spot, attribute(spot.element, of)) : undefined;
}

function slip(spot: Spot): string | undefined {
  const { value } = spot;
  switch (exerciseKind(spot.element)) {
    case 'number':
      return parseNumber(value) === undefined ? 'this is no number; for a result write when-is="its path"' : undefined;
    case 'shape':
      return parseShape(value)
        ? undefined
        : 'this is no shape; write it like 5 × 3, or when-is="its path" for a result';
    case 'cell':
      return cell(spot, attribute(around(spot.element, 'hw-exercise')!, 'in'));
    case 'condition':
      return inResults(spot, (results) => conditionFault(spot.bench, results, value));
    default:
      // Of slots and lines, which need no bench, the whole is checked (whole.ts).
      return undefined;
  }
}

// A list's path, whole or going on from a part of the matrix's own: heads beside multi.heads[0].queries is multi.heads.
function blocks(spot: Spot): string | undefined {
  if (/^\d+$/.test(spot.value)) return undefined;
  const own = attribute(spot.element, 'of') ?? attribute(spot.element, 'left') ?? '';
  const owners = [...own.matchAll(/\./g)].map(({ index }) => own.slice(0, index + 1));
  return inResults(spot, (results) => {
    const fits = (candidate: string) => {
      const found = follow(results, candidate);
      return 'value' in found && (Array.isArray(found.value) || typeof found.value === 'number');
    };
    if (['', ...owners].some((owner) => fits(owner + spot.value))) return undefined;
    const found = follow(results, spot.value);
    const why = 'fault' in found ? found.fault : `${spot.value} is ${describe(found.value)}`;
    return `this is neither a number of blocks nor the path of a list: ${why}`;
  });
}

function naming(value: string, choices: readonly string[]): string | undefined {
  if (choices.includes(value) || value.includes(',')) return undefined;
  const meant = nearestName(value, choices);
  const can = `it can be ${choices.join(', ')}, or your own words with commas between`;
  return meant === null ? can : `did you mean "${meant}"? Otherwise ${can}`;
}

function shapes(spot: Spot): string[] {
  const words = spot.value.split(/\s+/).filter((word) => /[A-Za-z]/.test(word));
  if (words.length === 0) return ['there is no name of a shape; write it like input · W_q = queries'];
  return words.flatMap((word) => {
    const fault = inResults(spot, (results) =>
      pathFault(results, `shapes.${word}`, 'shape') === undefined ? undefined : pathFault(results, word, 'shape'),
    );
    if (fault === undefined) return [];
    const known = follow(spot.bench.results, 'shapes');
    const names = 'value' in known ? Object.keys(known.value as object) : [];
    const meant = nearestName(word, names);
    return [meant === null ? fault : `there is no shape ${word}; did you mean "${meant}"?`];
  });
}

function lines(spot: Spot): string[] {
  return spot.value.split(';').flatMap((part): string[] => {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*:\s*(.+?)\s*$/s.exec(part);
    if (!match) return [`"${part.trim()}" is not written like 1-3: heads[0].queries`];
    const [, first, last = first, targets = ''] = match;
    const { listing } = spot.element;
    if (Number(last) < Number(first) || Number(first) === 0) return [`there are no lines ${first}-${last}`];
    if (listing !== undefined && Number(last) > listing)
      return [`there is no line ${last}; the listing has ${listing}`];
    return targets.split(/\s+/).flatMap((target) => {
      if (spot.ids.has(target)) return [];
      return inResults(spot, (results) => pathFault(results, target, 'matrix')) ?? [];
    });
  });
}

/** Why the weights of a layer among the results ('': the only one) cannot be edited. */
export function layerFault(results: Results, layer: string): string | undefined {
  return pathFault(results, layer === '' ? 'weights.W_q[0]' : `${layer}.weights.W_q[0]`, 'matrix');
}

function parameterOf(spot: Spot, name: string): Parameter | undefined {
  return spot.bench.recipe.parameters.find((parameter) => parameter.name === name);
}

function parameter(spot: Spot, name: string): string | undefined {
  const { recipe } = spot.bench;
  if (parameterOf(spot, name)) return undefined;
  const names = recipe.parameters.map((candidate) => candidate.name);
  return `recipe ${recipe.name} has no parameter ${name}; ${advice(name, names, 'it has')}`;
}

function words(value: string): string[] {
  return value.split(/\s+/).filter((word) => word !== '');
}

function bound(spot: Spot): string | undefined {
  const owner = parameterOf(spot, attribute(spot.element, 'name') ?? '');
  if (!owner) return undefined;
  if (owner.kind !== 'integer' && owner.kind !== 'number') return `only sliders have one, and ${owner.name} has none`;
  if (spot.name === 'step') return Number(spot.value) > 0 ? undefined : 'a step is a number above 0';
  return valueFault({ ...owner, kind: 'number' }, spot.value);
}

function value(spot: Spot): string | undefined {
  const choices = around(spot.element, 'hw-choices');
  if (!choices) return 'this belongs to an answer inside hw-choices; take it out here';
  const set = parameterOf(spot, attribute(choices, 'set') ?? '');
  return set && valueFault(set, spot.value);
}

function another(spot: Spot): string[] {
  if (!spot.value.includes('=')) {
    return words(spot.value).flatMap((name) => {
      const counted = ['integer', 'number', 'seed'].includes(parameterOf(spot, name)?.kind ?? 'seed');
      return parameter(spot, name) ?? (counted ? [] : `${name} is no number that could be counted up`);
    });
  }
  return spot.value.split(';').flatMap((text) => {
    const { pairs, wrong } = parsePairs(text);
    if (wrong.length > 0) return [`"${wrong[0]}" is not written like width=512`];
    return settingFaults(spot.bench, pairs);
  });
}

type Faults = string | readonly string[] | undefined;
type Checks = { readonly [Kind in Content['is']]?: (spot: Spot, holds: Extract<Content, { is: Kind }>) => Faults };

const benchChecks: Checks = {
  path: (spot, { to, from }) => path(spot, to, from),
  answer,
  condition: (spot) => inResults(spot, (results) => conditionFault(spot.bench, results, spot.value)),
  cell: (spot, { of }) => cell(spot, attribute(spot.element, of)),
  slip,
  slipPath,
  chosen: (spot, { of }) => chosen(spot, of),
  blocks,
  shapes,
  lines,
  layer: (spot) => inResults(spot, (results) => layerFault(results, spot.value)),
  parameter: (spot) => parameter(spot, spot.value),
  parameters: (spot) => words(spot.value).flatMap((name) => parameter(spot, name) ?? []),
  bound,
  value,
  another,
};

/** What is wrong with a value beside its bench, a sentence each. */
export function benchFaults(holds: Content, spot: Spot): string[] {
  const check = benchChecks[holds.is] as ((spot: Spot, holds: Content) => Faults) | undefined;
  return [check?.(spot, holds) ?? []].flat();
}

/** Whether a value of this kind says nothing without a bench. What hangs on another attribute, which says so, is not asked. */
export function asksBench({ is }: Content): boolean {
  return is in benchChecks && is !== 'slip' && is !== 'chosen' && is !== 'value';
}

/** What is wrong with a value whatever the bench. */
export function plainFault(holds: Content, value: string): string | undefined {
  switch (holds.is) {
    case 'id':
      return /^[A-Za-z][\w-]*$/.test(value) ? undefined : 'an id is made of letters, digits and hyphens';
    case 'flag':
      return value === '' ? undefined : 'this has no values; write its name alone, or take it out';
    case 'number': {
      const { min, max, whole } = holds;
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return 'this is no number';
      if (whole && !Number.isInteger(number)) return 'this is no whole number';
      const outside = number < min || number > (max ?? Infinity);
      return outside ? (max === undefined ? `it is at least ${min}` : `it goes from ${min} to ${max}`) : undefined;
    }
    case 'choice':
      return holds.choices.includes(value)
        ? undefined
        : `this is none of its values; ${advice(value, holds.choices, 'it can be')}`;
    case 'naming':
      return naming(value, holds.choices);
    case 'symbols': {
      const { pairs, wrong } = parsePairs(value);
      if (wrong.length > 0) return `"${wrong[0]}" is not written like p_q=d/τ`;
      const unknown = [...pairs.keys()].find((side) => !holds.choices.includes(side));
      return unknown && `no side is called ${unknown}; ${advice(unknown, holds.choices, 'they are')}`;
    }
    default:
      return undefined;
  }
}
