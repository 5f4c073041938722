// Paints a matrix of thousands of cells, one pixel a cell; the stylesheet enlarges it.

import type { Grid } from './grid.ts';

type Colour = readonly [red: number, green: number, blue: number];

// The browser resolves whatever a stylesheet may say about a colour.
function colourOf(element: HTMLElement, property: string): Colour {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!probe) return [128, 128, 128];
  probe.fillStyle = getComputedStyle(element).getPropertyValue(property).trim() || '#888';
  probe.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

export function paintCells(canvas: HTMLCanvasElement, grid: Grid): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const zero = colourOf(canvas, '--value-zero');
  const positive = colourOf(canvas, grid.scale === 'probability' ? '--probability' : '--value-positive');
  const negative = colourOf(canvas, '--value-negative');
  const image = context.createImageData(grid.matrix.columns, grid.matrix.rows);
  grid.matrix.data.forEach((value, cell) => {
    const full = value < 0 ? negative : positive;
    const fill = Number.isFinite(value) ? Math.min(1, Math.abs(value) / grid.range) : 0;
    for (let channel = 0; channel < 3; ++channel) {
      const from = zero[channel] ?? 0;
      image.data[cell * 4 + channel] = from + ((full[channel] ?? 0) - from) * fill;
    }
    image.data[cell * 4 + 3] = 255;
  });
  context.putImageData(image, 0, 0);
}
