// The benches of a lesson as they start: their recipes, values and results.

import { nearestName, type Headwise } from 'headwise';
import { readEdits } from '../../bench/edits.ts';
import {
  attributeName,
  parseValue,
  run,
  settle,
  startValues,
  withChanges,
  type Parameter,
  type Recipe,
  type State,
  type Value,
} from '../../bench/parameters.ts';
import { recipes } from '../../bench/recipes/index.ts';
import type { Results } from '../../bench/results.ts';
import { advice } from '../faults.ts';
import type { AuthoredElement } from '../markup-check.ts';

export interface LessonBench {
  readonly engine: Headwise;
  readonly recipe: Recipe;
  readonly start: State;
  /** As it starts. */
  readonly results: Results;
  /** What it has after a learner has set these. */
  set(settings: ReadonlyMap<string, string>): Outcome;
}

interface Outcome {
  readonly results?: Results;
  /** Why there are none. */
  readonly refusal?: string;
}

function outside(parameter: Parameter): string {
  const { min, max } = parameter;
  if (min === undefined || max === undefined) return `it is ${max === undefined ? `${min} or more` : `at most ${max}`}`;
  return `it goes from ${min} to ${max}`;
}

function numberFault(parameter: Parameter, text: string, value: Value | undefined): string | undefined {
  const whole = parameter.kind !== 'number';
  if (text.trim() === '' || !Number.isFinite(Number(text))) return `this is no ${whole ? 'whole ' : ''}number`;
  if (whole && !Number.isInteger(Number(text))) return 'this is no whole number';
  return value === Number(text) ? undefined : outside(parameter);
}

function wordsFault(text: string, kept: readonly string[]): string | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length > kept.length) return `these are ${words.length} words; it takes ${kept.length} at most`;
  const cut = words.findIndex((word, at) => word !== kept[at]);
  return cut < 0 ? undefined : `"${words[cut]}" is too long; a word has ${[...kept[cut]!].length} letters at most`;
}

/** Why a text is no value of this parameter; undefined if it is one. */
export function valueFault(parameter: Parameter, text: string): string | undefined {
  const value = parseValue(parameter, text);
  switch (parameter.kind) {
    case 'integer':
    case 'seed':
    case 'number':
      return numberFault(parameter, text, value);
    case 'choice': {
      const choices = (parameter.choices ?? []).map((choice) => choice.value);
      const named = choices.filter((choice) => choice !== '');
      return value === undefined ? `this is none of its values; ${advice(text, named, 'it can be')}` : undefined;
    }
    case 'flag':
      return value === undefined ? 'it can be on or off' : undefined;
    case 'words':
      return wordsFault(text, value as readonly string[]);
    case 'edits': {
      const [wrong] = readEdits(text).wrong;
      return wrong === undefined
        ? undefined
        : `"${wrong}" is no edit; write it like q.0.2:1.5, q/1:0, q/1:k/0 or q/0*0.5, with numbers up to a million`;
    }
    case 'text':
      return undefined;
  }
}

/** Why a value does not go with the others; undefined if it does. */
function misfit(parameter: Parameter, engine: Headwise, state: State): string | undefined {
  const allowed = parameter.allowed?.(engine, state);
  const value = state[parameter.name];
  if (!allowed || allowed.includes(value as number)) return undefined;
  return `beside the other values it can be ${allowed.join(', ')}`;
}

/** What is wrong with settings on top of a state, a sentence each. */
export function settingFaults(bench: LessonBench, settings: ReadonlyMap<string, string>): string[] {
  const { engine, recipe } = bench;
  const names = recipe.parameters.map(({ name }) => name);
  const state = withChanges(recipe, bench.start, settings);
  const faults = [...settings].flatMap(([name, text]) => {
    const parameter = recipe.parameters.find((candidate) => candidate.name === name);
    if (!parameter) return [`there is no parameter ${name}; ${advice(name, names, 'there are')}`];
    const fault = valueFault(parameter, text) ?? misfit(parameter, engine, state);
    return fault === undefined ? [] : [`${name}=${text}: ${fault}`];
  });
  if (faults.length > 0) return faults;
  const { refusal } = bench.set(settings);
  return refusal === undefined ? [] : [`with ${[...settings].map((pair) => pair.join('=')).join(' ')} ${refusal}`];
}

function compute(recipe: Recipe, engine: Headwise, state: State): Outcome {
  try {
    return { results: run(recipe, engine, settle(recipe, engine, state)) };
  } catch (error) {
    return { refusal: `it cannot be computed: ${(error as Error).message}` };
  }
}

type Fail = (message: string, attribute?: string) => void;

/** Start values from the attributes. For a faulty one the recipe's own stands in, so that it makes no other faults. */
function startOf(
  element: AuthoredElement,
  recipe: Recipe,
  engine: Headwise,
  fail: Fail,
): { start: State; sound: boolean } {
  const textOf = (attribute: string) => element.attributes.get(attribute)?.value;
  const wrong = new Set<string>();
  const judge = (faultOf: (parameter: Parameter, text: string) => string | undefined): void => {
    for (const parameter of recipe.parameters) {
      const attribute = attributeName(parameter.name);
      const text = textOf(attribute);
      const fault = text === undefined || wrong.has(attribute) ? undefined : faultOf(parameter, text);
      if (fault === undefined) continue;
      wrong.add(attribute);
      fail(`${attribute}="${text}": ${fault}`, attribute);
    }
  };
  judge(valueFault);
  const start = startValues(recipe, (attribute) => (wrong.has(attribute) ? undefined : textOf(attribute)));
  judge((parameter) => misfit(parameter, engine, start));
  return { start, sound: wrong.size === 0 };
}

/** Reads a bench; `fail` is told what is wrong with it. undefined if there is nothing to go on with. */
export function readBench(element: AuthoredElement, engine: Headwise, fail: Fail): LessonBench | undefined {
  const name = element.attributes.get('recipe')?.value ?? '';
  const known = [...recipes.keys()];
  if (name !== '' && !recipes.has(name))
    fail(`recipe="${name}": there is no such recipe; ${advice(name, known, 'there are')}`, 'recipe');
  // With what was meant the rest can be checked at once.
  const recipe = recipes.get(name) ?? recipes.get(nearestName(name, known) ?? '');
  if (!recipe) return undefined;
  const { start, sound } = startOf(element, recipe, engine, fail);

  const computed = new Map<string, Outcome>();
  const set = (settings: ReadonlyMap<string, string>): Outcome => {
    const key = JSON.stringify([...settings]);
    const outcome = computed.get(key) ?? compute(recipe, engine, withChanges(recipe, start, settings));
    computed.set(key, outcome);
    return outcome;
  };
  const { results, refusal } = set(new Map());
  if (results) {
    for (const note of results.notes) fail(note, 'edits');
    return { engine, recipe, start, results, set };
  }
  if (sound) fail(`as this bench starts ${refusal}`);
  return undefined;
}
