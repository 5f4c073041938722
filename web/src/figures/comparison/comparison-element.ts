// <hw-comparison left right>: two matrices with the cells that differ marked, side by side or in the same place by turns.

import { nothing, type TemplateResult } from 'lit';
import type { BenchNews } from '../../bench/bench-element.ts';
import { FigureElement } from '../figure-element.ts';
import { watchWidth } from '../width.ts';
import { CellPointer } from '../matrix/cell-pointer.ts';
import type { Grid } from '../matrix/grid.ts';
import type { GridState } from '../matrix/grid-template.ts';
import { applySize, place, termOf } from '../matrix/layout.ts';
import { compared, comparisonTemplate, gridsIn, type View } from './comparison.ts';

export class ComparisonElement extends FigureElement {
  private grids: readonly Grid[] = [];
  private view: View = 'beside';
  private width = 0;
  private stopWatching: (() => void) | undefined;
  private readonly pointer = new CellPointer(this, {
    grid: (path) => this.grids.find((grid) => grid.path === path),
    choose: (cell) => this.bench?.select(cell),
    redraw: () => this.requestUpdate(),
  });

  override connectedCallback(): void {
    super.connectedCallback();
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
    if (news !== 'state') this.requestUpdate();
  }

  private readonly show = (view: View): void => {
    this.view = view;
    this.requestUpdate();
  };

  private readonly stateOf = (grid: Grid): GridState => {
    const { selection, highlights = [] } = this.bench ?? {};
    return {
      highlights: highlights.filter(({ id }) => id === grid.id),
      active: this.pointer.activeIn(grid.path),
      chosen: selection?.path === grid.path ? selection : undefined,
    };
  };

  protected override render(): TemplateResult | typeof nothing {
    const both = this.context && compared(this.context);
    if (!both) return nothing;
    this.grids = gridsIn(this.view, both.grids);
    return comparisonTemplate(both, { view: this.view, show: this.show, stateOf: this.stateOf });
  }

  protected override updated(): void {
    this.fit();
  }

  private fit(): void {
    if (this.width === 0) return;
    const sizes = place(
      this.grids.map((grid, index) => termOf(grid, index > 0)),
      this.width,
    );
    this.querySelectorAll<HTMLElement>('.grid').forEach((drawn, index) => {
      const size = sizes[index];
      if (size) applySize(drawn, size);
    });
  }
}
