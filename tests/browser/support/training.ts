// Lesson 6's runs as a reader has them: buttons, bar, numbers, maps; and the engine's own trainers to hold them against.

import type { Locator, Page } from '@playwright/test';
import type { Trainer } from 'headwise';
import { engine } from './engine.ts';
import { expect } from './test.ts';

export const lesson = 'heads-that-specialise';
export const lastStep = 300;

/** The six runs as the lesson describes them. */
export const runs = {
  single: { headCount: 1, headSize: 12 },
  unique: { headCount: 2, headSize: 6 },
  shared: { headCount: 2, headSize: 6, sharing: 'all' },
  equalStart: { headCount: 2, headSize: 6, initialisation: 'equalHeads' },
  equalForever: { headCount: 2, headSize: 6, initialisation: 'equalHeadsAndOutput' },
  twelve: { headCount: 12, headSize: 1 },
} as const;
export type Run = keyof typeof runs;
export const runNames = Object.keys(runs) as Run[];

export class Training {
  constructor(private readonly page: Page) {}

  get element(): Locator {
    return this.page.locator('.training');
  }
  button(name: string): Locator {
    return this.element.getByRole('button', { name, exact: true });
  }
  /** The session starts when it comes near the screen. */
  async appears(): Promise<void> {
    await this.page.locator('hw-training').scrollIntoViewIfNeeded();
    await this.is('paused');
  }
  async is(state: string): Promise<void> {
    await expect(this.element).toHaveAttribute('data-state', state, { timeout: 50_000 });
  }
  /** The step that is looked at. */
  async step(): Promise<number> {
    return Number(await this.element.getAttribute('data-step'));
  }
  async trained(): Promise<number> {
    return Number(await this.element.getAttribute('data-trained'));
  }
  async reaches(step: number): Promise<void> {
    await expect.poll(() => this.step(), { timeout: 50_000 }).toBeGreaterThanOrEqual(step);
  }
  async pace(name: 'slow' | 'fast' | 'at once'): Promise<void> {
    await this.element.getByRole('radio', { name, exact: true }).check();
  }
  get nudge(): Locator {
    return this.element.getByRole('button', { name: /^Nudge one number/ });
  }
  get bar(): Locator {
    return this.element.getByRole('slider', { name: 'step of the film' });
  }
  /** Takes the bar to a step, as a drag does. */
  async goTo(step: number): Promise<void> {
    await this.bar.fill(String(step));
    await expect(this.element).toHaveAttribute('data-step', String(step));
  }
  async playToTheEnd(): Promise<void> {
    await this.pace('at once');
    await this.button('Play').click();
    await this.is('done');
  }
  /** Losses of a run, as they are and not as they are written: of both look-ups, of the previous token, of the first. */
  async losses(row: string): Promise<number[]> {
    const cells = this.element.locator(`tr${row} td`);
    return (await cells.evaluateAll((all) =>
      all.map((cell) => Number((cell as HTMLElement).dataset.value)),
    )) as number[];
  }
  async watch(run: Run): Promise<void> {
    await this.element.locator(`.watched input[value=${run}]`).check();
    await expect(this.element.locator('.training-maps')).toHaveAttribute('data-run', run);
    const { headCount } = runs[run];
    await expect(this.element.locator('[data-without]')).toHaveCount(headCount > 1 ? headCount : 0);
  }
  /** What the maps show, as text. */
  maps(): Promise<string[]> {
    return this.element.locator('.training-maps .grid').allInnerTexts();
  }
}

/** The lesson with its session ready to play. */
export async function opened(page: Page, open: (hash: string) => Promise<void>, hash = lesson): Promise<Training> {
  await open(hash);
  const training = new Training(page);
  await training.appears();
  return training;
}

export async function trainersOf(seed: number): Promise<Record<Run, Trainer>> {
  const { createTrainer } = await engine();
  return Object.fromEntries(runNames.map((run) => [run, createTrainer({ ...runs[run], seed })])) as Record<
    Run,
    Trainer
  >;
}
