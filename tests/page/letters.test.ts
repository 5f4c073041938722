import { describe, expect, it } from 'vitest';
import { splitWords } from '../../web/src/bench/parameters.ts';
import { firstLetters, shortened, wellFormed } from '../../web/src/text/letters.ts';

const family = '👨‍👩‍👧‍👦';

describe('a text that is cut', () => {
  it.each([
    ['aaaaaaaaaaaaa😀', 14, 'aaaaaaaaaaaaa😀'],
    ['aaaaaaaaaaaaa😀b', 14, 'aaaaaaaaaaaaa😀'],
    ['aaaaaaaaaaaaaa😀', 14, 'aaaaaaaaaaaaaa'],
    [family.repeat(3), 2, family.repeat(2)],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301'],
    ['🇩🇪🇫🇷🇮🇹', 2, '🇩🇪🇫🇷'],
    ['שלום', 2, 'של'],
    ['', 3, ''],
  ])('ends between two letters: %s, %i', (text, count, start) => expect(firstLetters(text, count)).toBe(start));

  it('is short whatever it is made of', () => {
    for (const text of ['a'.repeat(1e6), '\u0301'.repeat(1e6), '😀'.repeat(1e6), '\uD83D'.repeat(1e6)])
      expect(firstLetters(text, 14).length).toBeLessThanOrEqual(14 * 16);
  });

  it('has a sign that there was more, and only then', () => {
    expect(shortened('abcdef', 3)).toBe('abc…');
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened(family, 1)).toBe(family);
  });

  it('has no half of a letter’s code', () => {
    expect(wellFormed('a\uD83Db\uDE00c')).toBe('a\uFFFDb\uFFFDc');
    expect(wellFormed('a😀')).toBe('a😀');
    expect(firstLetters('a\uD83D', 14)).toBe('a\uFFFD');
    expect(splitWords(`${'a'.repeat(13)}😀 b`)).toEqual([`${'a'.repeat(13)}😀`, 'b']);
  });
});
