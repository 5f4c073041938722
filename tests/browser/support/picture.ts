// What is painted: a screenshot as pixels.

import type { Locator } from '@playwright/test';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, 0 to 255 each. */
  colourAt(x: number, y: number): readonly [red: number, green: number, blue: number];
}

/** Taken apart by the browser, which can read what it has painted. */
export async function pictureOf(locator: Locator): Promise<Picture> {
  // A reader who does something: from then on the page no longer holds the place that was asked for.
  await locator.page().keyboard.press('Shift');
  // Clear of what stays at the head and at the foot of the screen.
  await locator.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const png = (await locator.screenshot()).toString('base64');
  const { width, height, pixels } = await locator.page().evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, pixels: Array.from(data, (byte) => String.fromCharCode(byte)).join('') };
  }, png);
  const colourAt = (x: number, y: number) => {
    const at = 4 * (y * width + x);
    return [pixels.charCodeAt(at), pixels.charCodeAt(at + 1), pixels.charCodeAt(at + 2)] as const;
  };
  return { width, height, colourAt };
}
