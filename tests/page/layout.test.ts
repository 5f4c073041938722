import { describe, expect, it } from 'vitest';
import { namesWidth, place, textWidth, type Term } from '../../web/src/figures/matrix/layout.ts';

const term = (change: Partial<Term> = {}): Term => ({
  lead: 0,
  columns: 5,
  blockGaps: 0,
  names: ['the', 'cat', 'sat', 'on', 'mats'],
  textWidth: textWidth('−1.27'),
  compact: false,
  ...change,
});

describe('lines of matrices', () => {
  it('of three maps fit a text column, with the names of the rows once', () => {
    const sizes = place([term(), term({ lead: 26 }), term({ lead: 26 })], 640);
    expect(sizes.map(({ continues }) => continues)).toEqual([false, true, true]);
    expect(sizes[0]?.cell).toBeGreaterThanOrEqual(textWidth('−1.27'));
  });

  it('fill the width that they have', () => {
    const [narrow] = place([term()], 300);
    const [wide] = place([term()], 640);
    expect(wide!.cell).toBe(46);
    expect(narrow!.cell).toBeGreaterThan(40);
  });

  it('break on a phone and name their rows again', () => {
    const sizes = place([term(), term({ lead: 26 })], 350);
    expect(sizes.map(({ continues }) => continues)).toEqual([false, false]);
  });

  it('put two maps of weights side by side on a phone', () => {
    const weights = term({ textWidth: textWidth('.22') });
    expect(place([weights, { ...weights, lead: 26 }], 350)[1]?.continues).toBe(true);
  });

  it('repeat names that are not the same', () => {
    expect(place([term(), term({ names: ['a', 'b'] })], 900)[1]?.continues).toBe(false);
  });

  it('shrink cells without numbers to the width', () => {
    const [size] = place([term({ columns: 512, compact: true, names: [] })], 640);
    expect(size!.cell * 512).toBeLessThanOrEqual(640);
  });
});

it('names take their room, up to a limit', () => {
  expect(namesWidth([])).toBe(0);
  expect(namesWidth(['a'])).toBeLessThan(namesWidth(['mats']));
  expect(namesWidth(['internationalisation'])).toBe(76);
});
