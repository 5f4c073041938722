// What a bench says when the engine refuses to compute something: in the words of its controls.

import { HeadwiseError } from 'headwise';
import type { Parameter, State } from './parameters.ts';

export interface Refusal {
  readonly message: string;
  /** Name of the parameter that it is about, if there is one. */
  readonly parameter?: string;
}

const inWords = ({ label }: Parameter): string => `“${label}”`;

/** The engine's words for what the parameters set, wherever one stands by itself or at the end of a path: num_heads, request.dims.num_heads. */
function wordsOf(parameters: readonly Parameter[]): {
  pattern: RegExp;
  meant: (word: string) => Parameter | undefined;
} {
  const meant = new Map(parameters.flatMap((parameter) => (parameter.stands ?? []).map((word) => [word, parameter])));
  const alternatives = [...meant.keys()].join('|') || '(?!)';
  return {
    pattern: new RegExp(String.raw`(?<![\w.])(?:\w+\.)*(${alternatives})(?!\w)`, 'g'),
    meant: (word) => meant.get(word.split('.').at(-1) ?? ''),
  };
}

/** undefined for an error that is none of the engine's. */
export function refusalOf(error: unknown, parameters: readonly Parameter[]): Refusal | undefined {
  if (!(error instanceof HeadwiseError)) return undefined;
  const { pattern, meant } = wordsOf(parameters);
  const message = error.message.replace(pattern, (word) => {
    const parameter = meant(word);
    return parameter ? inWords(parameter) : word;
  });
  const argument = (error.argument ?? '').split('.').at(-1) ?? '';
  // Where the engine names none, the first it speaks of.
  const about =
    meant(argument) ??
    parameters.find(({ name }) => name === argument) ??
    meant(error.message.match(pattern)?.[0] ?? '');
  return about ? { message, parameter: about.name } : { message };
}

/** A sentence is wanted, and none of its words is there. */
export function missingWords(parameters: readonly Parameter[], state: State): Refusal | undefined {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const empty = parameters.find(({ kind, name, start }) => kind === 'words' && isEmpty(state[name]) && !isEmpty(start));
  return empty && { message: 'Type at least one word.', parameter: empty.name };
}
