// <hw-comparison left right>: two matrices with the cells that differ marked, side by side or in the same place by turns.

import { html, nothing, type TemplateResult } from 'lit';
import { decimalsFor } from '../../text/format.ts';
import { gridOf, rangeOf, type Grid } from '../matrix/grid.ts';
import { isMatrix } from '../../bench/results.ts';
import type { BenchNews } from '../../bench/bench-element.ts';
import { CellPointer } from '../matrix/cell-pointer.ts';
import { FigureElement } from '../figure-element.ts';
import { gridTemplate } from '../matrix/grid-template.ts';
import { applySize, place, termOf } from '../matrix/layout.ts';
import { legendTemplate } from '../matrix/legend.ts';

type View = 'beside' | 'left' | 'right';
const mostColumns = 16;
// Differences below this share of the largest number are rounding (see trace.ts).
const visibleDifference = 1e-9;

export class ComparisonElement extends FigureElement {
  private grids: Grid[] = [];
  private view: View = 'beside';
  private width = 0;
  private observer: ResizeObserver | undefined;
  private readonly pointer = new CellPointer(this, {
    grid: (path) => this.grids.find((grid) => grid.path === path),
    choose: (cell) => this.bench?.select(cell),
    redraw: () => this.requestUpdate(),
  });

  override connectedCallback(): void {
    super.connectedCallback();
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
    if (news !== 'state') this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { results } = this;
    const [left, right] = [this.getAttribute('left') ?? '', this.getAttribute('right') ?? ''];
    const [a, b] = [this.resolve(left), this.resolve(right)];
    if (!results || !isMatrix(a) || !isMatrix(b)) return nothing;
    const range = rangeOf([a, b]);
    const decimals = decimalsFor([a, b]);
    const blocks = this.getAttribute('blocks') ?? undefined;
    const grid = (path: string, label: string) =>
      gridOf(results, { path, label: this.getAttribute(label) ?? undefined, blocks, range, decimals, scale: 'signed' });
    const both = [grid(left, 'left-label'), grid(right, 'right-label')].filter((drawn) => drawn !== undefined);
    const [first, second] = both;
    if (!first || !second) return nothing;
    this.grids = this.view === 'left' ? [first] : this.view === 'right' ? [second] : both;
    const sameShape = a.rows === b.rows && a.columns === b.columns;
    const differing = sameShape
      ? a.data.reduce((count, value, at) => count + (this.differs(value, b.data[at], range) ? 1 : 0), 0)
      : a.data.length;
    const differs = (row: number, column: number) =>
      !sameShape || this.differs(a.data[row * a.columns + column], b.data[row * b.columns + column], range);
    const sign = differing === 0 ? '=' : '≠';
    return html`
      <div class="comparison">
        ${this.grids.map((drawn, index) => html`<div class="term">${index > 0 ? html`<hw-operator>${sign}</hw-operator>` : nothing}${this.gridTemplate(drawn, differs)}</div>`)}
      </div>
      <div class="comparison-foot">
        <p class="comparison-count" aria-live="polite">
          ${differing === 0 ? 'All cells agree.' : `${differing} of ${a.data.length} cells differ.`}
        </p>
        <div class="views" role="group" aria-label="Show">
          ${this.viewButton('beside', 'side by side')} ${this.viewButton('left', first.label)}
          ${this.viewButton('right', second.label)}
        </div>
      </div>
      ${legendTemplate(this.grids)}
    `;
  }

  private viewButton(view: View, text: string): TemplateResult {
    const show = () => {
      this.view = view;
      this.requestUpdate();
    };
    return html`<button type="button" aria-pressed=${this.view === view ? 'true' : 'false'} @click=${show}>
      ${text}
    </button>`;
  }

  private differs(a: number | undefined, b: number | undefined, range: number): boolean {
    return a !== b && (a === undefined || b === undefined || Math.abs(a - b) > visibleDifference * range);
  }

  private gridTemplate(grid: Grid, differs: (row: number, column: number) => boolean): TemplateResult {
    const { selection } = this.bench ?? {};
    return gridTemplate(grid, {
      highlights: (this.bench?.highlights ?? []).filter(({ path }) => path === this.bench?.canonical(grid.path)),
      compact: grid.matrix.columns > mostColumns,
      active: this.pointer.activeIn(grid.path),
      chosen: selection?.path === grid.path ? selection : undefined,
      marked: differs,
    });
  }

  protected override updated(): void {
    this.fit();
  }

  private fit(): void {
    if (this.width === 0) return;
    const sizes = place(
      this.grids.map((grid, index) => termOf(grid, index > 0, grid.matrix.columns > mostColumns)),
      this.width,
    );
    this.querySelectorAll<HTMLElement>('.grid').forEach((drawn, index) => {
      const size = sizes[index];
      if (size) applySize(drawn, size);
    });
  }
}
