import { loadHeadwise, type Headwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextValue, parseValue, valueFor, type Parameter } from '../../web/src/bench/parameters.ts';

const seed: Parameter = { name: 'seed', label: 'seed', kind: 'seed', start: 7 };
const heads: Parameter = { name: 'heads', label: 'heads', kind: 'integer', start: 2, min: 1, max: 16 };
const divisor: Parameter = { ...heads, allowed: (engine, state) => engine.divisorsOf(Number(state.width)) };

let engine: Headwise;
beforeAll(async () => {
  engine = await loadHeadwise();
});

describe('a value', () => {
  it('is within bounds, as a number and as a text', () => {
    for (const [given, taken] of [
      [99, 16],
      [0, 1],
      [5, 5],
    ] as const) {
      expect(valueFor(heads, given)).toBe(taken);
      expect(valueFor(heads, String(given))).toBe(taken);
    }
    expect(valueFor(seed, 10000)).toBe(9999);
    expect(valueFor(seed, -1)).toBe(0);
    expect(parseValue({ ...seed, max: 99 }, '100')).toBe(99);
  });

  it('is none for a text that spells none', () => expect(valueFor(heads, 'many')).toBeUndefined());
});

describe('counting up', () => {
  it('starts again after the last', () => {
    expect(nextValue(seed, undefined, { seed: 7 })).toBe(8);
    expect(nextValue(seed, undefined, { seed: 9999 })).toBe(0);
    expect(nextValue(heads, undefined, { heads: 16 })).toBe(1);
  });

  it('goes through what is allowed beside the other values', () => {
    const visited = [2];
    for (let step = 0; step < 4; ++step)
      visited.push(nextValue(divisor, engine, { width: 12, heads: visited.at(-1)! }));
    expect(visited).toEqual([2, 3, 4, 6, 12]);
    expect(nextValue(divisor, engine, { width: 12, heads: 12 })).toBe(1);
  });
});
