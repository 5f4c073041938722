import { describe, expect, it } from 'vitest';
import { formatHash, parseHash } from '../../web/src/shell/hash.ts';

const none: ReadonlySet<string> = new Set();

describe('the hash', () => {
  it('is a plain anchor without a question mark', () => {
    const place = parseHash('#same-matrices');
    expect(place.target).toBe('same-matrices');
    expect(place.hasState).toBe(false);
    expect(place.benches.size).toBe(0);
  });

  it('gives back what was put into it', () => {
    const benches = new Map([
      [
        'cut',
        new Map([
          ['heads', '3'],
          ['tokens', 'a & b = c? 100% #1 ünï + é'],
        ]),
      ],
      ['own', new Map([['edits', 'q/1:q/0,k.0.2:1.5,v/0*2']])],
    ]);
    const hash = formatHash('same-matrices', benches, new Set(['seed', 'width']));
    const place = parseHash(hash);
    expect(place.target).toBe('same-matrices');
    expect(place.benches).toEqual(benches);
    expect([...place.hidden]).toEqual(['seed', 'width']);
  });

  it('stays readable', () => {
    const benches = new Map([
      [
        'own',
        new Map([
          ['tokens', 'the cat sat'],
          ['edits', 'q/1:q/0,k.0.2:1.5'],
        ]),
      ],
    ]);
    expect(formatHash('l', benches, none)).toBe('#l?v=1&own.tokens=the+cat+sat&own.edits=q/1:q/0,k.0.2:1.5');
  });

  it('has no state part when nothing differs', () => {
    expect(formatHash('same-matrices', new Map(), none)).toBe('#same-matrices');
    expect(formatHash('same-matrices', new Map([['cut', new Map<string, string>()]]), none)).toBe('#same-matrices');
  });

  it('keeps a dot in a key, and the last of a repeated key', () => {
    const place = parseHash('#l?v=1&cut.a.b=1&cut.heads=2&cut.heads=3');
    expect(place.benches.get('cut')).toEqual(
      new Map([
        ['a.b', '1'],
        ['heads', '3'],
      ]),
    );
  });

  it('reads a state without a version as of this one, and leaves out one of another', () => {
    expect(parseHash('#l?cut.heads=3').benches.get('cut')?.get('heads')).toBe('3');
    const other = parseHash('#l?v=2&cut.heads=3&hide=seed');
    expect(other.fromOtherVersion).toBe(true);
    expect(other.target).toBe('l');
    expect(other.benches.size).toBe(0);
    expect(other.hidden.size).toBe(0);
  });

  it.each([
    '',
    '#',
    '#?',
    '#?v',
    '#??',
    '#&',
    '#l?',
    '#l?&&&',
    '#l?=',
    '#l?=3',
    '#l?.',
    '#l?.heads=3',
    '#l?cut.=3',
    '#l?cut=3',
    '#%',
    '#%E0%A4%A',
    '#l?cut.heads=%',
    '#l?%=%&%.%=%',
    '#l?v=1&v=&hide=,,',
    '#l?hide=',
    '#__proto__?__proto__.__proto__=1',
    '#l?constructor.prototype=x',
    '#\u0000\uD800',
    `#${'a'.repeat(100_000)}?${'b.c=d&'.repeat(10_000)}`,
    'no-hash-mark',
    '#l#m?n.o=p',
  ])('never throws: %.40s', (hash) => {
    const place = parseHash(hash);
    expect(typeof place.target).toBe('string');
    for (const [benchId, values] of place.benches) {
      expect(benchId).not.toBe('');
      for (const key of values.keys()) expect(key).not.toBe('');
    }
    expect(place.hidden.has('')).toBe(false);
  });

  it('is written also with halves of a letter’s code in it', () => {
    const half = 'a\uD83D';
    const hash = formatHash(half, new Map([[half, new Map([[half, half]])]]), new Set([half]));
    const place = parseHash(hash);
    expect(place.target).toBe('a\uFFFD');
    expect(place.benches).toEqual(new Map([['a\uFFFD', new Map([['a\uFFFD', 'a\uFFFD']])]]));
  });

  it('is read to a length that no learner reaches, and what was not read is told', () => {
    const { benches, unread } = parseHash(`#l?v=1&cut.heads=3&${'own.edits=q/0:0&'.repeat(10_000)}cut.width=8`);
    expect(benches.get('cut')).toEqual(new Map([['heads', '3']]));
    expect(unread[0]).toMatch(/^… and 140,0\d\d more letters$/);
  });

  it('does not let an address reach into objects', () => {
    parseHash('#l?__proto__.polluted=yes');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
