// Going through the page by Tab, with a look at each stop: can one see where one is?

import { expect, type Locator, type Page } from '@playwright/test';

export interface Stop {
  /** What it is, for messages. */
  readonly name: string;
  /** Whether an outline or a shadow marks it. */
  readonly marked: boolean;
  /** Whether it is on the screen, not below another thing. */
  readonly inSight: boolean;
}

export async function focused(page: Page): Promise<Stop> {
  const stop = await page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const text = (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim();
    // A radio button's own box may be invisible; what stands for it carries the mark.
    const bearers = [element, element.nextElementSibling, element.closest('label')].filter((bearer) => bearer !== null);
    const marked = bearers.some((bearer) => {
      const style = getComputedStyle(bearer);
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
    });
    const boxes = [...element.getClientRects()];
    const inSight = boxes.some((box) => {
      const [x, y] = [box.left + Math.min(box.width, 20) / 2, box.top + box.height / 2];
      const hit = document.elementFromPoint(x, y);
      return hit !== null && bearers.some((bearer) => bearer.contains(hit) || hit.contains(bearer));
    });
    return { name: `${element.tagName.toLowerCase()} ${text.slice(0, 40)}`, marked, inSight };
  });
  return stop.marked ? stop : { ...stop, marked: await looksFocused(page) };
}

// No style tells whether the knob of a slider is marked, so the pixels have to.
async function looksFocused(page: Page): Promise<boolean> {
  const slider = page.locator('input[type=range]:focus');
  const box = (await slider.count()) === 1 ? await slider.boundingBox() : null;
  if (!box) return false;
  const clip = { x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8 };
  const marked = await page.screenshot({ clip });
  const element = await slider.elementHandle();
  await element?.evaluate((input) => (input as HTMLElement).blur());
  const plain = await page.screenshot({ clip });
  await element?.focus();
  return !marked.equals(plain);
}

/** Tab until this has the focus, which must then be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const reached = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 400; ++presses) {
    await page.keyboard.press(key);
    if (!(await reached())) continue;
    expect(await focused(page), 'the focus can be seen').toMatchObject({ marked: true, inSight: true });
    return;
  }
  throw new Error('400 times Tab, and it was not reached');
}
