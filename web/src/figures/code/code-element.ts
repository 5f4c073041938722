// <hw-code lines="1-3: heads[0].queries">: a listing whose lines light the figures they compute.

import { benchOf, keepFromTranslator } from '../figure-element.ts';
import { linesOf } from './lines.ts';

interface LineTarget {
  readonly first: number;
  readonly last: number;
  readonly paths: readonly string[];
}

function parseLines(text: string): LineTarget[] {
  return text.split(';').flatMap((part) => {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*:\s*(.+?)\s*$/s.exec(part);
    if (!match) return [];
    return [{ first: Number(match[1]), last: Number(match[2] ?? match[1]), paths: (match[3] ?? '').split(/\s+/) }];
  });
}

export class CodeElement extends HTMLElement {
  private built = false;

  connectedCallback(): void {
    keepFromTranslator(this);
    if (this.built) return;
    this.built = true;
    const code = this.querySelector('pre code') ?? this.querySelector('pre');
    if (!code) return;
    const targets = parseLines(this.getAttribute('lines') ?? '');
    linesOf(code).forEach((line, index) => {
      const target = targets.find(({ first, last }) => index + 1 >= first && index + 1 <= last);
      if (target) this.connect(line, target.paths);
    });
  }

  private connect(line: HTMLElement, paths: readonly string[]): void {
    line.classList.add('linked');
    line.tabIndex = 0;
    line.title = 'lights the figures that show it';
    const light = (on: boolean) => {
      line.classList.toggle('lit', on);
      for (const figure of this.figures(paths)) figure.classList.toggle('lit-figure', on);
    };
    for (const event of ['pointerenter', 'focus']) line.addEventListener(event, () => light(true));
    for (const event of ['pointerleave', 'blur']) line.addEventListener(event, () => light(false));
  }

  // By path among the figures of the same bench, or by id.
  private figures(paths: readonly string[]): Element[] {
    const bench = benchOf(this);
    const drawn = [...(this.closest('article') ?? document).querySelectorAll<HTMLElement>('.grid[data-path]')];
    const byPath = drawn.filter((grid) => benchOf(grid) === bench && paths.includes(grid.dataset.path ?? ''));
    const byId = paths.flatMap((path) => (/^[\w-]+$/.test(path) ? (document.getElementById(path) ?? []) : []));
    return [...byPath, ...byId];
  }
}
