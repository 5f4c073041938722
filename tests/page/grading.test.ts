import { describe, expect, it } from 'vitest';
import { answerText, fitsShape, gradeNumber, gradeShape } from '../../web/src/tasks/grading.ts';

describe('a typed number', () => {
  it.each([
    ['1,152', 1152],
    ['1152', 1152],
    ['2,359,296', 2359296],
    ['2359296', 2359296],
  ])('%s is right where the answer is %d', (typed, answer) => expect(gradeNumber(typed, answer, 2)).toBe('right'));

  it('is right as the page prints the answer, whatever the answer is', () => {
    for (const answer of [0, 3, 0.269, -1.25, 1152, 2359296, 77309411328, 1e-12, -Infinity])
      expect(gradeNumber(answerText('number', answer, 2), answer, 2), String(answer)).toBe('right');
  });

  it('is exact to half a unit of the decimals asked for', () => {
    expect(gradeNumber('2.42', 2.4157, 2)).toBe('right');
    expect(gradeNumber('2,4157', 2.4157, 2)).toBe('right');
    expect(gradeNumber('2.41', 2.4157, 2)).toBe('wrong');
    expect(gradeNumber('−0.55', -0.5512, 2)).toBe('right');
    expect(gradeNumber('many', 2, 2)).toBe('unreadable');
    expect(gradeNumber('2.5', 2.4157, 1, 0.15)).toBe('right');
    expect(gradeNumber('2.6', 2.4157, 1, 0.15)).toBe('wrong');
  });

  it('is not right for being large, nor near infinity', () => {
    expect(gradeNumber('1,153', 1152, 2)).toBe('wrong');
    expect(gradeNumber('7.74·10¹⁰', 77309411328, 2)).toBe('wrong');
    expect(gradeNumber('1e300', Infinity, 2)).toBe('wrong');
    expect(gradeNumber('∞', -Infinity, 2)).toBe('wrong');
    expect(gradeNumber('∞', Infinity, 2)).toBe('right');
  });
});

describe('a typed shape', () => {
  it('wants both sides', () => {
    expect(gradeShape(['512', '64'], [512, 64])).toBe('right');
    expect(gradeShape(['64', '512'], [512, 64])).toBe('wrong');
    expect(gradeShape(['64', ''], [512, 64])).toBe('unreadable');
  });

  it('may be written with separators', () => {
    expect(gradeShape(['1,024', '64'], [1024, 64])).toBe('right');
    expect(gradeShape([' 1024 ', '64'], [1024, 64])).toBe('right');
    expect(gradeShape(['64', '1,024'], [1024, 64])).toBe('wrong');
  });

  it.each([
    ['5', ''],
    ['5', 'x'],
    ['5', '2.5'],
    ['-5', '3'],
    ['∞', '3'],
  ])('is none as %s by “%s”', (rows, columns) => expect(gradeShape([rows, columns], [5, 3])).toBe('unreadable'));

  it('finds the feedback for a slip, by its value or its path', () => {
    const results = { names: { tokens: [], keyTokens: [] }, layers: [], notes: [], state: {}, turned: [64, 1024] };
    const slip = (attributes: { when?: string; 'when-is'?: string }) => ({
      getAttribute: (name: 'when' | 'when-is') => attributes[name] ?? null,
    });
    expect(fitsShape(results, ['64', '1,024'], slip({ 'when-is': 'turned' }))).toBe(true);
    expect(fitsShape(results, ['1,024', '64'], slip({ 'when-is': 'turned' }))).toBe(false);
    expect(fitsShape(results, ['512', '8'], slip({ when: '512 8' }))).toBe(true);
    expect(fitsShape(results, ['512', '8'], slip({ when: '8 512' }))).toBe(false);
  });
});
