// Choosing cells of drawn matrices by mouse, finger and keyboard.

import type { Grid } from './grid.ts';

/** A cell as it is drawn: of a transposed figure, the row on the screen. */
export interface DrawnCell {
  readonly path: string;
  readonly row: number;
  readonly column: number;
}

export interface CellHost {
  grid(path: string): Grid | undefined;
  choose(cell: DrawnCell | undefined): void;
  redraw(): void;
}

const moves: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

function clamp(value: number, count: number): number {
  return Math.min(Math.max(value, 0), count - 1);
}

/** Sends `hw-cell`, with the cell as its detail, when one is clicked or entered. */
export class CellPointer {
  private active: DrawnCell | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly host: CellHost,
  ) {
    element.addEventListener('pointerover', (event) => {
      const cell = this.cellAt(event.target, event);
      if (cell) host.choose(cell);
    });
    element.addEventListener('pointermove', (event) => {
      if (event.target instanceof HTMLCanvasElement) host.choose(this.cellAt(event.target, event));
    });
    element.addEventListener('pointerleave', () => this.left());
    element.addEventListener('focusout', () => this.left());
    element.addEventListener('focusin', (event) => this.focused(event));
    element.addEventListener('click', (event) => this.clicked(event));
    element.addEventListener('keydown', (event) => this.pressed(event));
  }

  /** The cell of this matrix that Tab goes to. */
  activeIn(path: string): DrawnCell | undefined {
    return this.active?.path === path ? this.active : undefined;
  }

  private cellAt(target: EventTarget | null, event?: MouseEvent): DrawnCell | undefined {
    if (!(target instanceof HTMLElement)) return undefined;
    const path = target.closest<HTMLElement>('[data-path]')?.dataset.path;
    if (path === undefined) return undefined;
    if (target instanceof HTMLCanvasElement) {
      if (!event) return this.activeIn(path);
      const box = target.getBoundingClientRect();
      const row = Math.floor(((event.clientY - box.top) / box.height) * target.height);
      const column = Math.floor(((event.clientX - box.left) / box.width) * target.width);
      return { path, row: clamp(row, target.height), column: clamp(column, target.width) };
    }
    const cell = target.closest<HTMLElement>('td[data-row]');
    return cell ? { path, row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : undefined;
  }

  private left(): void {
    if (!this.element.contains(document.activeElement) || document.activeElement?.matches(':not(td, canvas)'))
      this.host.choose(undefined);
  }

  private focused(event: FocusEvent): void {
    const cell = this.cellAt(event.target);
    if (!cell) return;
    this.active = cell;
    this.host.choose(cell);
    this.host.redraw();
  }

  private clicked(event: MouseEvent): void {
    const cell = this.cellAt(event.target, event);
    if (!cell) return;
    this.active = cell;
    const target = event.target as HTMLElement;
    target.closest<HTMLElement>('td, canvas')?.focus({ preventScroll: true });
    this.host.choose(cell);
    this.enter(cell);
  }

  private enter(cell: DrawnCell): void {
    this.element.dispatchEvent(new CustomEvent<DrawnCell>('hw-cell', { bubbles: true, detail: cell }));
  }

  private pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const path = target.closest<HTMLElement>('[data-path]')?.dataset.path;
    const grid = path === undefined ? undefined : this.host.grid(path);
    if (!grid || path === undefined || !target.matches('td, canvas')) return;
    const from = this.cellAt(target) ?? { path, row: 0, column: 0 };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.enter(from);
    } else if (event.key === 'Escape') {
      target.blur();
      this.host.choose(undefined);
    }
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const to = {
      path,
      row: clamp(from.row + move[0], grid.matrix.rows),
      column: clamp(from.column + move[1], grid.matrix.columns),
    };
    if (target instanceof HTMLCanvasElement) {
      this.active = to;
      this.host.choose(to);
      this.host.redraw();
    } else {
      target
        .closest('table')
        ?.querySelector<HTMLElement>(`td[data-row="${to.row}"][data-column="${to.column}"]`)
        ?.focus();
    }
  }
}
