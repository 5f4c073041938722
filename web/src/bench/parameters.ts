// A bench's parameters: what they are, and how their values are spelled in attributes and in the address.

import type { CompleteCase, Headwise } from 'headwise';
import type { BenchLayer, DescribedMatrix, Highlight } from './described.ts';
import { firstLetters } from '../text/letters.ts';
import type { Results } from './results.ts';

export type Value = number | string | boolean | readonly string[];
export type State = Readonly<Record<string, Value>>;

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly help?: string;
}

export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly kind: 'integer' | 'number' | 'seed' | 'choice' | 'flag' | 'words' | 'edits' | 'text';
  /** The recipe's own start value; a bench's attribute overrides it, the address overrides both. */
  readonly start: Value;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Where a slider ends, though the address may say more. */
  readonly usualMax?: number;
  readonly choices?: readonly Choice[];
  readonly help?: string;
  /** What the engine's messages call it: num_heads. */
  readonly stands?: readonly string[];
  /** What a number that means "the usual" is called: 0 → "d / h". */
  readonly zeroMeans?: string;
  /** Its control is there only while it has an effect. */
  readonly shownWhen?: (state: State) => boolean;
  /** The only integers that make sense beside the other values. */
  readonly allowed?: (engine: Headwise, state: State) => readonly number[];
}

/** What a recipe publishes; `run` adds the state. */
export type Published = Omit<Results, 'state' | 'layers' | 'notes'> & { readonly notes?: readonly string[] };

export interface Recipe {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Throws HeadwiseError if the engine refuses the numbers. `open` keeps a layer in the module for as long as the results are shown. */
  publish(engine: Headwise, state: State, open: (layer: CompleteCase) => BenchLayer): Published;
  /** Other cells that show the same thing as this one: the same cell in another layout or layer. */
  links?(
    engine: Headwise,
    results: Results,
    matrix: DescribedMatrix,
    row: number,
    column: number,
  ): readonly Highlight[];
}

/** The results of a recipe in a state. */
export function run(recipe: Recipe, engine: Headwise, state: State): Results {
  const layers: BenchLayer[] = [];
  const open = (layer: CompleteCase): BenchLayer => {
    const opened = engine.openLayer(layer);
    layers.push(opened);
    return opened;
  };
  try {
    // Published members may be computed later: they must stay what they are.
    const published = recipe.publish(engine, state, open);
    const properties = { layers, state, notes: published.notes ?? [] };
    return Object.assign(published, properties) as unknown as Results;
  } catch (error) {
    for (const layer of layers) layer.dispose();
    throw error;
  }
}

const mostWords = 12;
/** In letters as a reader counts them. */
const longestWord = 14;
// Of a seed that has no bounds of its own.
const largestSeed = 9999;

export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => firstLetters(word, longestWord));
}

/** What the address may say for a number. */
export function boundsOf({ kind, min, max }: Parameter): { readonly min: number; readonly max: number } {
  const [least, most] = kind === 'seed' ? [0, largestSeed] : [-Infinity, Infinity];
  return { min: min ?? least, max: max ?? most };
}

function clamp(value: number, parameter: Parameter): number {
  const { min, max } = boundsOf(parameter);
  return Math.min(Math.max(value, min), max);
}

/** A value within bounds; undefined for a text that spells none. */
export function valueFor(parameter: Parameter, value: Value): Value | undefined {
  if (typeof value === 'string') return parseValue(parameter, value);
  return typeof value === 'number' ? clamp(value, parameter) : value;
}

/** The number after the present one, and after the last the first. */
export function nextValue(parameter: Parameter, engine: Headwise | undefined, state: State): number {
  const value = integer(state, parameter.name);
  const allowed = engine && parameter.allowed?.(engine, state);
  if (allowed) return allowed.find((candidate) => candidate > value) ?? allowed[0] ?? value;
  const { min, max } = boundsOf(parameter);
  return value + 1 <= max ? value + 1 : min;
}

/** The value that this text spells; undefined if it spells none, since anyone can write an address. */
export function parseValue(parameter: Parameter, text: string): Value | undefined {
  switch (parameter.kind) {
    case 'integer':
    case 'seed':
      return /^-?\d{1,6}$/.test(text.trim()) ? clamp(Number(text), parameter) : undefined;
    case 'number': {
      const value = Number(text);
      return text.trim() === '' || !Number.isFinite(value) ? undefined : clamp(value, parameter);
    }
    case 'choice':
      return parameter.choices?.some((choice) => choice.value === text) ? text : undefined;
    case 'flag':
      if (['', 'on', 'true', '1'].includes(text)) return true;
      return ['off', 'false', '0'].includes(text) ? false : undefined;
    case 'words':
      return splitWords(text);
    case 'edits':
    case 'text':
      return text.trim();
  }
}

export function formatValue(parameter: Parameter, value: Value): string {
  if (parameter.kind === 'flag') return value === true ? 'on' : 'off';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** keyTokens → key-tokens */
export function attributeName(parameterName: string): string {
  return parameterName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Values at the start: the recipe's, overridden by the bench's attributes. */
export function startValues(recipe: Recipe, attribute: (name: string) => string | null | undefined): State {
  return Object.fromEntries(
    recipe.parameters.map((parameter) => {
      const text = attribute(attributeName(parameter.name));
      const own = text === null || text === undefined ? undefined : parseValue(parameter, text);
      return [parameter.name, own ?? parameter.start];
    }),
  );
}

/** Start values with what the address says; entries that make no sense are left out. */
export function withChanges(recipe: Recipe, start: State, changes: ReadonlyMap<string, string>): State {
  const state: Record<string, Value> = { ...start };
  for (const parameter of recipe.parameters) {
    const text = changes.get(parameter.name);
    const value = text === undefined ? undefined : parseValue(parameter, text);
    if (value !== undefined) state[parameter.name] = value;
  }
  return state;
}

/** What the address has to say: only what differs from the start. */
export function changesBetween(recipe: Recipe, start: State, state: State): Map<string, string> {
  const changes = new Map<string, string>();
  for (const parameter of recipe.parameters) {
    const from = formatValue(parameter, start[parameter.name] ?? parameter.start);
    const to = formatValue(parameter, state[parameter.name] ?? parameter.start);
    if (from !== to) changes.set(parameter.name, to);
  }
  return changes;
}

/** Moves integers that do not fit beside the others to the nearest allowed one below (2 heads of 3 → width 4: 2 heads). */
export function settle(recipe: Recipe, engine: Headwise, state: State): State {
  const settled: Record<string, Value> = { ...state };
  for (const parameter of recipe.parameters) {
    const allowed = parameter.allowed?.(engine, settled);
    const value = settled[parameter.name];
    if (!allowed || typeof value !== 'number' || allowed.includes(value)) continue;
    settled[parameter.name] = allowed.filter((candidate) => candidate <= value).at(-1) ?? allowed[0] ?? value;
  }
  return settled;
}

export function integer(state: State, name: string): number {
  const value = state[name];
  return typeof value === 'number' ? value : 0;
}

export function text(state: State, name: string): string {
  const value = state[name];
  return typeof value === 'string' ? value : '';
}

export function flag(state: State, name: string): boolean {
  return state[name] === true;
}

export function words(state: State, name: string): readonly string[] {
  const value = state[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
