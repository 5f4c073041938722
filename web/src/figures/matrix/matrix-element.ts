// <hw-matrix of>: a matrix as a coloured table. Choosing a cell lights what made it, in every figure of the bench.

import { nothing, type TemplateResult } from 'lit';
import type { BenchNews } from '../../bench/bench-element.ts';
import type { Highlight } from '../../bench/described.ts';
import { FigureElement } from '../figure-element.ts';
import { watchWidth } from '../width.ts';
import { paintCells } from './canvas.ts';
import { CellPointer, type DrawnCell } from './cell-pointer.ts';
import { sharedScale, type Grid } from './grid.ts';
import { turned, type GridState } from './grid-template.ts';
import { applySize, operatorWidth, place, termOf, type Placed, type Term } from './layout.ts';
import { gridsOf, matrixTemplate, scaledBy, type Scaled } from './matrix.ts';

export class MatrixElement extends FigureElement {
  static override readonly properties = { lead: { attribute: false } };
  /** Sign before the matrix; an equation sets it. */
  declare lead: string;
  private grids: Grid[] = [];
  private lit = '';
  private stopWatching: (() => void) | undefined;
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
    this.stopWatching = watchWidth(this, (width) => {
      this.width = width;
      this.fit();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  protected override benchChanged(news: BenchNews): void {
    if (news === 'results' || news === 'covers') this.requestUpdate();
    if (news === 'selection' && JSON.stringify(this.ownHighlights()) !== this.lit) this.requestUpdate();
  }

  get drawn(): readonly Grid[] {
    return this.grids;
  }

  /** The matrices drawn here, for those that share their colours. */
  scaled(): Scaled[] {
    return this.context ? scaledBy(this.context) : [];
  }

  /** What an equation needs to lay the drawn matrices out. */
  terms(): Term[] {
    if (!this.hasUpdated) return this.builtTerms();
    const join = this.getAttribute('join') ?? '';
    return this.grids.map((grid, index) => termOf(grid, (index === 0 ? this.lead : join) !== ''));
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

  /** All matrices that share one colour range with this one. */
  private sharers(): MatrixElement[] {
    const group = this.getAttribute('range-group');
    const scope = group ? (this.closest('article') ?? document) : this.closest('hw-equation');
    if (!scope) return [this];
    return [...scope.querySelectorAll('hw-matrix')].filter(
      (other): other is MatrixElement => other instanceof MatrixElement && other.getAttribute('range-group') === group,
    );
  }

  private ownHighlights(): Highlight[] {
    const ids = new Set(this.scaled().map(({ matrix }) => matrix.id));
    return (this.bench?.highlights ?? []).filter(({ id }) => ids.has(id));
  }

  private stateOf(grid: Grid, highlights: readonly Highlight[]): GridState {
    const selection = this.bench?.selection;
    return {
      highlights: highlights.filter(({ id }) => id === grid.id).map((lit) => turned(lit, grid)),
      active: this.pointer.activeIn(grid.path),
      chosen: selection?.path === grid.path ? turned(selection, grid) : undefined,
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { context } = this;
    if (!context) return nothing;
    const highlights = this.ownHighlights();
    this.lit = JSON.stringify(highlights);
    this.grids = gridsOf(context, sharedScale(this.sharers().flatMap((other) => other.scaled())));
    return matrixTemplate(context, this.grids, this.lead, (grid) => this.stateOf(grid, highlights));
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
    const grid = this.grids.find(({ path }) => path === cell?.path);
    this.bench?.select(cell && (grid ? turned(cell, grid) : cell));
  }
}
