import { HeadwiseError } from 'headwise';
import { describe, expect, it } from 'vitest';
import { missingWords, refusalOf } from '../../web/src/bench/refusal.ts';
import { recipes } from '../../web/src/bench/recipes/index.ts';
import type { Parameter } from '../../web/src/bench/parameters.ts';

const { parameters } = recipes.get('layer')!;
const refused = (message: string, argument?: string) =>
  refusalOf(
    Object.assign(new HeadwiseError('invalidDimension', message), argument !== undefined && { argument }),
    parameters,
  );

describe('a refusal', () => {
  it('is told in the words of the controls, with the control it is about', () => {
    expect(refused('num_heads 5 does not divide d_q 12; it can be 1, 2, 3, 4, 6 or 12.', 'num_heads')).toEqual({
      message: '“heads” 5 does not divide “width d” 12; it can be 1, 2, 3, 4, 6 or 12.',
      parameter: 'heads',
    });
    expect(refused('request.dims.num_kv_heads 2 does not divide num_heads 3.', 'dims.num_kv_heads')).toEqual({
      message: '“key and value heads” 2 does not divide “heads” 3.',
      parameter: 'keyValueHeads',
    });
  });

  it('is about the first thing it names, if the engine names none', () => {
    expect(refused('It needs as many: keyValueHeadCount is 2 and headCount is 4.')).toEqual({
      message: 'It needs as many: “key and value heads” is 2 and “heads” is 4.',
      parameter: 'keyValueHeads',
    });
  });

  it('keeps words that only look like the engine’s, and ordinary ones', () => {
    const message = 'my_num_heads, num_heads2 and d_q_ stay; so do tokens, heads and columns.';
    expect(refused(message)).toEqual({ message });
  });

  it('takes an argument that is a parameter’s own name', () => {
    expect(refused('request.tokens is empty.', 'request.tokens')).toMatchObject({ parameter: 'tokens' });
    expect(refused('The seed is odd.', 'seed')).toEqual({ message: 'The seed is odd.', parameter: 'seed' });
  });

  it('is none of an error that is not the engine’s', () => {
    expect(refusalOf(new TypeError('x is undefined'), parameters)).toBeUndefined();
    expect(refusalOf('num_heads', parameters)).toBeUndefined();
  });

  it('has no words of which one stands for two parameters', () => {
    for (const { name, parameters } of recipes.values()) {
      const words = parameters.flatMap(({ stands }: Parameter) => stands ?? []);
      expect(new Set(words).size, name).toBe(words.length);
    }
  });
});

describe('words', () => {
  const state = (tokens: readonly string[], keyTokens: readonly string[] = []) => ({ tokens, keyTokens });

  it('are missed where the recipe starts with some', () => {
    expect(missingWords(parameters, state([]))).toEqual({ message: 'Type at least one word.', parameter: 'tokens' });
    expect(missingWords(parameters, state(['tea']))).toBeUndefined();
  });
});
