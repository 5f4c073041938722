import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { themeKey } from '../../web/src/shell/theme.ts';

const read = (file: string): string => readFileSync(new URL(`../../web/${file}`, import.meta.url), 'utf8');
const css = read('src/styles/tokens.css');

function palette(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  expect(start).toBeGreaterThanOrEqual(0);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

const light = palette('/* The palettes: light; dark by choice; dark because the system says so. */\n:root');
const dark = palette(":root[data-theme='dark']");
const darkBySystem = palette('  :root:not([data-theme])');

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

describe('the palettes', () => {
  it('are the same dark by choice and by the system', () => {
    expect(darkBySystem).toEqual(dark);
    expect([...dark.keys()]).toEqual([...light.keys()]);
  });

  const names = [
    '--ink',
    '--ink-soft',
    '--correct',
    '--wrong',
    ...[...light.keys()].filter((name) => name.startsWith('--role-')),
  ];
  describe.each([
    ['light', light],
    ['dark', dark],
  ])('%s', (_, colours) => {
    it.each(names)('%s is readable on paper and on panels', (name) => {
      for (const ground of ['--paper', '--panel', '--paper-raised']) {
        expect(contrast(colours.get(name)!, colours.get(ground)!), `on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    });

    it.each(['--value-positive', '--value-negative', '--value-zero', '--probability'])(
      'ink is readable on a cell of %s',
      (name) => {
        expect(contrast(colours.get('--ink')!, colours.get(name)!)).toBeGreaterThanOrEqual(4.5);
      },
    );

    it('draws the edges of controls so that they can be seen', () => {
      for (const ground of ['--paper', '--panel']) {
        expect(contrast(colours.get('--line-strong')!, colours.get(ground)!)).toBeGreaterThanOrEqual(3);
      }
    });
  });
});

describe('the lines before the first paint', () => {
  it('look where the theme is stored', () => {
    expect(read('public/first-paint.js')).toContain(`getItem('${themeKey}')`);
  });
});
