// Reads from the page what a bench displays: every figure and every number in a sentence, as the texts a learner sees.

import type { Page } from '@playwright/test';

export interface DrawnGrid {
  readonly shape: string;
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** Cells marked as different, as "row,column". */
  readonly marked: readonly string[];
  /** A picture has no cells to read. */
  readonly picture: boolean;
}

export interface Step {
  readonly line: string;
  readonly result: string;
  /** Texts of a softmax's table. */
  readonly rows: readonly (readonly string[])[];
}

export interface Figure {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly visible: boolean;
  readonly text: string;
  readonly grids: readonly DrawnGrid[];
  readonly steps: readonly Step[];
  readonly boxes: readonly { readonly rows: string; readonly columns: string; readonly drawn: string }[];
  readonly counts: string;
  /** Of a comparison: 0 shows both matrices, 1 and 2 one of them. */
  readonly view: number;
  readonly tables: readonly (readonly (readonly string[])[])[];
}

export interface DisplayedBench {
  readonly hash: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What the bench says instead of new numbers. */
  readonly notice: string;
  /** Paths of what its exercises ask for: figures may show a question mark there. */
  readonly asked: readonly string[];
  readonly figures: readonly Figure[];
}

const figureTags = [
  'hw-matrix',
  'hw-comparison',
  'hw-difference',
  'hw-number',
  'hw-shape',
  'hw-text',
  'hw-when',
  'hw-product',
  'hw-shapes',
  'hw-projection',
  'hw-histogram',
  'hw-microscope',
];

export function readBench(page: Page, benchId: string): Promise<DisplayedBench> {
  return page.evaluate(
    ({ benchId, figureTags }) => {
      const bench = document.getElementById(benchId)!;
      const attributesOf = (element: Element) =>
        Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
      const texts = (elements: Iterable<Element>) => [...elements].map(textOf);
      // Indices and the like stand in the texts of labels; white space between tags says nothing.
      function textOf(element: Element | null): string {
        return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
      }
      const belongs = (element: Element) => {
        const named = element.closest('[bench], hw-bench');
        return named === bench || named?.getAttribute('bench') === benchId;
      };
      const gridOf = (grid: Element) => ({
        shape: textOf(grid.querySelector('.figure-shape')),
        rowNames: texts(grid.querySelectorAll('tbody th')),
        columnNames: texts(grid.querySelectorAll('thead th')),
        cells: [...grid.querySelectorAll('tbody tr')].map((row) => texts(row.querySelectorAll('td'))),
        marked: [...grid.querySelectorAll<HTMLElement>('td.marked')].map(
          ({ dataset }) => `${dataset.row},${dataset.column}`,
        ),
        picture: grid.querySelector('canvas') !== null,
      });
      const stepOf = (step: Element) => ({
        line: textOf(step.querySelector('.step-line')),
        result: textOf([...step.querySelectorAll('.step-line .strong')].at(-1) ?? null),
        rows: [...step.querySelectorAll('table.softmax tbody tr')].map((row) => texts(row.children)),
      });
      const boxOf = (box: Element) => ({
        rows: textOf(box.querySelector('.shape-rows')),
        columns: textOf(box.querySelector('.shape-columns')),
        drawn: box.querySelector('.shape-box')?.getAttribute('style') ?? '',
      });
      const figures = [...(bench.closest('article')?.querySelectorAll(figureTags.join(',')) ?? [])]
        .filter(belongs)
        // A comparison or an editor draws matrices of its own, read with it or as they are.
        .map((element) => ({
          tag: element.tagName.toLowerCase(),
          attributes: attributesOf(element),
          // An element of display: contents has no box of its own.
          visible: [element, ...element.children].some((part) => part.checkVisibility()),
          text: textOf(element),
          grids: [...element.querySelectorAll('.grid')].map(gridOf),
          steps: [...element.querySelectorAll('.step')].map(stepOf),
          boxes: [...element.querySelectorAll('.shape')].map(boxOf),
          counts: element.querySelector('svg')?.getAttribute('aria-label') ?? '',
          view: [...element.querySelectorAll('.views button')].findIndex(
            (button) => button.getAttribute('aria-pressed') === 'true',
          ),
          tables: [...element.querySelectorAll('table.origins')].map((table) =>
            [...table.querySelectorAll('tr')].map((row) => texts(row.children)),
          ),
        }));
      const notice = bench.querySelector(':scope > .bench-notice');
      return {
        hash: location.hash,
        attributes: attributesOf(bench),
        notice: notice?.checkVisibility() ? textOf(notice) : '',
        asked: [...(bench.closest('article')?.querySelectorAll('hw-exercise[answer-of]') ?? [])]
          .filter(belongs)
          .map((exercise) => exercise.getAttribute('answer-of') ?? ''),
        figures,
      };
    },
    { benchId, figureTags },
  );
}

/** What of it can be seen, as one text: two that are equal look the same. */
export function seen(bench: DisplayedBench): string {
  const visible = bench.figures.filter((figure) => figure.visible);
  return JSON.stringify([
    bench.notice,
    visible.map(({ text, grids, boxes, counts, view }) => [text, grids, boxes, counts, view]),
  ]);
}
