// <hw-matrix of>: a matrix as a coloured table. Choosing a cell lights what made it, in every figure of the bench.

import type { Matrix } from 'headwise';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { appearanceOf } from '../appearance.ts';
import { decimalsFor } from '../../text/format.ts';
import { gridOf, pathsOf, rangeOf, type Grid, type GridOptions } from './grid.ts';
import type { Highlight } from '../../bench/parameters.ts';
import { isMatrix } from '../../bench/results.ts';
import type { BenchNews } from '../../bench/bench-element.ts';
import { paintCells } from './canvas.ts';
import { CellPointer, type DrawnCell } from './cell-pointer.ts';
import { FigureElement, numberAttribute } from '../figure-element.ts';
import { gridTemplate, turned } from './grid-template.ts';
import { applySize, operatorWidth, place, termOf, type Placed, type Term } from './layout.ts';
import { legendTemplate } from './legend.ts';

// Above this many columns numbers do not fit.
const mostColumns = 16;

export class MatrixElement extends FigureElement {
  static override readonly properties = { lead: { attribute: false } };
  /** Sign before the matrix; an equation sets it. */
  declare lead: string;
  private grids: Grid[] = [];
  private lit = '';
  private observer: ResizeObserver | undefined;
  private width = 0;
  private readonly pointer = new CellPointer(this, {
    grid: (path) => this.grids.find((grid) => grid.path === path),
    choose: (cell) => this.choose(cell),
    redraw: () => this.requestUpdate(),
  });

  constructor() {
    super();
    this.lead = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.closest('hw-equation')) return;
    this.observer = new ResizeObserver(([entry]) => {
      this.width = entry?.contentRect.width ?? 0;
      this.fit();
    });
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override benchChanged(news: BenchNews): void {
    if (news === 'results') this.requestUpdate();
    if (news === 'selection' && JSON.stringify(this.ownHighlights()) !== this.lit) this.requestUpdate();
  }

  get drawn(): readonly Grid[] {
    return this.grids;
  }

  /** The matrices drawn here, for those that share their colours. */
  matrices(): { matrix: Matrix; probability: boolean }[] {
    return this.paths().flatMap((path) => {
      const matrix = this.resolve(path);
      return isMatrix(matrix) ? [{ matrix, probability: this.scaleOf(path) === 'probability' }] : [];
    });
  }

  /** What an equation needs to lay the drawn matrices out. */
  terms(): Term[] {
    if (!this.hasUpdated) return this.builtTerms();
    const join = this.getAttribute('join') ?? '';
    return this.grids.map((grid, index) => termOf(grid, (index === 0 ? this.lead : join) !== '', this.isCompact(grid)));
  }

  // Of what the build put here, so that it has its place before there are results.
  private builtTerms(): Term[] {
    return [...this.querySelectorAll<HTMLElement>('.grid[data-term]')].map((grid) => {
      const term = JSON.parse(grid.dataset.term ?? '{}') as Term;
      return grid.previousElementSibling ? { ...term, lead: operatorWidth } : term;
    });
  }

  setSizes(sizes: readonly Placed[]): void {
    const drawn = this.querySelectorAll<HTMLElement>('.grid');
    sizes.forEach((size, index) => {
      const grid = drawn[index];
      if (grid) applySize(grid, size);
    });
  }

  private paths(): string[] {
    const { results } = this;
    return results ? pathsOf(results, this.getAttribute('of') ?? '', this.getAttribute('each') ?? undefined) : [];
  }

  private scaleOf(path: string): string {
    return this.getAttribute('scale') ?? appearanceOf(path).scale;
  }

  /** All matrices that share one colour range with this one. */
  private sharers(): MatrixElement[] {
    const group = this.getAttribute('range-group');
    const scope = group ? this.closest('article') : this.closest('hw-equation');
    if (!scope) return [this];
    return [...scope.querySelectorAll('hw-matrix')].filter(
      (other): other is MatrixElement => other instanceof MatrixElement && other.getAttribute('range-group') === group,
    );
  }

  private isCompact(grid: Grid): boolean {
    return this.hasAttribute('compact') || grid.matrix.columns > mostColumns;
  }

  private ownHighlights(): Highlight[] {
    const paths = this.paths().map((path) => this.bench?.canonical(path));
    return (this.bench?.highlights ?? []).filter((highlight) => paths.includes(highlight.path));
  }

  private options(path: string, range: number, decimals: number): GridOptions {
    const text = (name: string) => this.getAttribute(name) ?? undefined;
    return {
      path,
      label: text('label'),
      tone: text('tone'),
      rows: text('rows'),
      columns: text('columns'),
      scale: this.scaleOf(path),
      blocks: text('blocks'),
      rowBlocks: text('row-blocks'),
      note: text('note'),
      digits: numberAttribute(this, 'digits'),
      transposed: this.hasAttribute('transposed'),
      range,
      decimals,
    };
  }

  protected override render(): TemplateResult {
    const { results } = this;
    if (!results) return html``;
    const shared = this.sharers().flatMap((other) => other.matrices());
    const signed = shared.filter(({ probability }) => !probability).map(({ matrix }) => matrix);
    const probabilities = shared.filter(({ probability }) => probability).map(({ matrix }) => matrix);
    const range = rangeOf(signed);
    const decimals = { signed: decimalsFor(signed), probability: decimalsFor(probabilities, true) };
    const highlights = this.ownHighlights();
    this.lit = JSON.stringify(highlights);
    this.grids = this.paths().flatMap((path) => {
      const scale = this.scaleOf(path) === 'probability' ? 'probability' : 'signed';
      return gridOf(results, this.options(path, range, decimals[scale])) ?? [];
    });
    return html`
      ${repeat(
        this.grids,
        (grid) => grid.path,
        (grid, index) => this.termTemplate(grid, index, highlights),
      )}
      ${this.hasAttribute('legend') ? legendTemplate(this.grids) : nothing}
    `;
  }

  private termTemplate(grid: Grid, index: number, highlights: readonly Highlight[]): TemplateResult {
    const sign = index === 0 ? this.lead : (this.getAttribute('join') ?? '');
    const selection = this.bench?.selection;
    const drawing = gridTemplate(grid, {
      highlights: highlights
        .filter(({ path }) => path === this.bench?.canonical(grid.path))
        .map((lit) => turned(lit, grid)),
      compact: this.isCompact(grid),
      active: this.pointer.activeIn(grid.path),
      chosen: selection?.path === grid.path ? turned(selection, grid) : undefined,
    });
    return html`<div class="term">${sign ? html`<hw-operator>${sign}</hw-operator>` : nothing}${drawing}</div>`;
  }

  protected override updated(): void {
    for (const grid of this.grids) {
      const canvas = this.querySelector<HTMLCanvasElement>(`[data-path="${CSS.escape(grid.path)}"] canvas`);
      if (canvas) paintCells(canvas, grid);
    }
    this.fit();
    this.dispatchEvent(new CustomEvent('hw-drawn', { bubbles: true }));
  }

  // In an equation the equation does it, for all of its matrices.
  private fit(): void {
    if (this.width > 0) this.setSizes(place(this.terms(), this.width));
  }

  private choose(cell: DrawnCell | undefined): void {
    if (!cell) {
      this.bench?.select(undefined);
      return;
    }
    const grid = this.grids.find(({ path }) => path === cell.path);
    this.bench?.select(grid ? turned(cell, grid) : cell);
  }
}
