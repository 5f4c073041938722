// Every exercise grades wrong and right answers, which the tests compute for the numbers that the page shows; every prediction too.

import type { Locator, Page } from '@playwright/test';
import { authored, type Task } from './support/authored.ts';
import { faultsOf, resultsFor } from './support/compare.ts';
import { readBench } from './support/displayed.ts';
import { engine } from './support/engine.ts';
import { lessons } from './support/lessons.ts';
import { isMatrix } from './support/matrices.ts';
import type { Results } from './support/results.ts';
import { solutions } from './support/solutions.ts';
import { expect, test } from './support/test.ts';

async function resultsOf(page: Page, task: Task): Promise<Results> {
  const hash = await page.evaluate(() => location.hash);
  return resultsFor(await engine(), { attributes: task.bench, hash });
}

function verdictOf(exercise: Locator): Locator {
  return exercise.locator('.task-verdict');
}

async function type(exercise: Locator, values: readonly string[]): Promise<void> {
  const fields = exercise.locator('input[type=text]');
  for (const [index, value] of values.entries()) await fields.nth(index).fill(value);
  await exercise.getByRole('button', { name: 'Check' }).click();
}

/** Reasons that belong to the exercise, not to one of its options. */
function reasonsOf(exercise: Locator): Locator {
  return exercise.locator('hw-reason:not(.options *)');
}

function shapeAt(results: Results, path: string | undefined): readonly number[] {
  const found = results.at(path ?? '');
  if (isMatrix(found)) return [found.rows, found.columns];
  if (Array.isArray(found)) return found as number[];
  // A slip may lead nowhere with some numbers, such as a width that does not divide.
  if (found === undefined) return [];
  throw new Error(`there is no shape ${path}`);
}

/** A typed answer: wrong, for each slip that has feedback of its own, and right. */
async function answerFields(exercise: Locator, task: Task, results: Results): Promise<void> {
  const { kind, digits = '2', 'answer-of': path } = task.attributes;
  const right =
    kind === 'shape'
      ? shapeAt(results, path).map(String)
      : [(results.at(path ?? '') as number).toFixed(Number(digits))];
  const wrong = right.map((text) => String(Number(text) + 1));

  await type(
    exercise,
    right.map(() => 'many'),
  );
  await expect(verdictOf(exercise), 'what is no number is neither right nor wrong').toContainText(/number/);
  await type(exercise, wrong);
  await expect(verdictOf(exercise)).toHaveText(/✗/);

  const slips = exercise.locator('hw-feedback');
  const seen = new Set([right.join()]);
  for (const [index, { whenIs }] of task.feedback.entries()) {
    if (whenIs === null) continue;
    const slip =
      kind === 'shape' ? shapeAt(results, whenIs).map(String) : [results.valueOf(whenIs).toFixed(Number(digits))];
    // It may also lead to the very answer, or to where another slip leads.
    if (slip.length === 0 || seen.has(slip.join())) continue;
    seen.add(slip.join());
    await type(exercise, slip);
    await expect(verdictOf(exercise)).toHaveText(/✗/);
    await expect(slips.nth(index), `the feedback for ${whenIs}`).toBeVisible();
  }
  await type(exercise, right);
}

async function answerCell(page: Page, exercise: Locator, task: Task, results: Results): Promise<void> {
  const right = results.at(task.attributes['answer-of'] ?? '') as { row: number; column: number };
  const grid = page.locator(`#${task.bench.id} .grid[data-path="${task.attributes.in}"]`).first();
  const cell = (row: number, column: number) => grid.locator(`td[data-row="${row}"][data-column="${column}"]`);
  const start = exercise.getByRole('button', { name: 'Choose a cell' });
  // Looking is no answer.
  await cell(right.row, right.column).click();
  await expect(verdictOf(exercise)).toHaveText('');
  await start.click();
  await cell(right.row === 0 ? 1 : 0, right.column).click();
  await expect(verdictOf(exercise)).toHaveText(/✗/);
  await start.click();
  await cell(right.row, right.column).click();
}

/** Gaps: one left open, each slip that has a reply, and what is right. */
async function fillSlots(exercise: Locator, task: Task): Promise<void> {
  const gaps = exercise.locator('hw-slot > select');
  const check = exercise.getByRole('button', { name: 'Check' });
  await check.click();
  await expect(verdictOf(exercise)).toHaveText('Fill every gap first.');
  const fill = async (values: readonly string[]) => {
    for (const [index, value] of values.entries()) await gaps.nth(index).selectOption(value);
    await check.click();
  };
  const slips = exercise.locator('hw-feedback');
  for (const [index, { when }] of task.feedback.entries()) {
    const values = (when ?? '').split(';').map((value) => value.trim());
    await fill(values.map((value, gap) => (value === '…' ? task.slots[gap]!.answer : value)));
    await expect(verdictOf(exercise)).toHaveText(/✗/);
    await expect(slips.nth(index), `the reply to ${when}`).toBeVisible();
  }
  await fill(task.slots.map(({ answer }) => answer));
}

/** By the buttons: first as it stands, which is wrong, then step by step, of which it says how many stand. */
async function putInOrder(exercise: Locator, task: Task): Promise<void> {
  const check = exercise.getByRole('button', { name: 'Check' });
  const items = exercise.locator('.order > li');
  await expect(items).toHaveCount(task.steps.length);
  await check.click();
  await expect(verdictOf(exercise)).toHaveText(/✗/);
  for (const [place, step] of task.steps.entries()) {
    const earlier = exercise.getByRole('button', { name: `${step}: earlier` });
    for (let at = (await items.locator('span').allInnerTexts()).indexOf(step); at > place; --at) await earlier.click();
    if (place !== 1) continue;
    await check.click();
    await expect(verdictOf(exercise)).toHaveText(/✗ Not yet\. The first \d stand where they belong\./);
    await expect(exercise.locator('.order > .placed').first()).toHaveText(new RegExp(task.steps[0]!));
  }
  await check.click();
}

/** Each line with a reply of its own, by the mouse; the right one by the keyboard. */
async function chooseLine(exercise: Locator, task: Task): Promise<void> {
  const lines = exercise.locator('pre code .code-line');
  const replies = exercise.locator('hw-feedback');
  for (const [index, { when }] of task.feedback.entries()) {
    await lines.nth(Number(when) - 1).click();
    await expect(verdictOf(exercise)).toHaveText(/✗/);
    await expect(replies.nth(index), `the reply to line ${when}`).toBeVisible();
  }
  await lines.nth(Number(task.attributes.answer) - 1).press('Enter');
}

async function answerChoice(exercise: Locator, task: Task, results: Results): Promise<void> {
  const options = exercise.locator('.options > button');
  await expect(options).toHaveCount(task.options.length);
  const isRight = task.options.map(
    ({ correct, correctWhen }) => correct || (correctWhen !== null && results.holds(correctWhen)),
  );
  expect(isRight.filter(Boolean), 'one option is right').toHaveLength(1);
  const reasons = exercise.locator('.options > hw-reason');
  let reason = 0;
  for (const [index, option] of task.options.entries()) {
    const own = option.hasReason ? reasons.nth(reason++) : undefined;
    if (isRight[index]) continue;
    await options.nth(index).click();
    await expect(options.nth(index)).toHaveClass(/wrong/);
    if (own) await expect(own).toBeVisible();
  }
  await options.nth(isRight.indexOf(true)).click();
  await expect(options.nth(isRight.indexOf(true))).toHaveClass(/right/);
}

async function meet(page: Page, exercise: Locator, task: Task): Promise<void> {
  const solution = solutions[task.id];
  if (!solution) throw new Error(`the tests do not know how to solve ${task.id}: add it to support/solutions.ts`);
  const check = exercise.getByRole('button', { name: 'Check' });
  await check.click();
  await expect(verdictOf(exercise)).toHaveText(/✗/);
  if (solution.wrong) {
    await solution.wrong.act(page);
    await check.click();
    await expect(verdictOf(exercise)).toHaveText(/✗/);
    const said = exercise.locator('hw-feedback, .task-verdict').filter({ visible: true });
    await expect(said.filter({ hasText: solution.wrong.says })).toHaveCount(1);
  }
  await solution.right(page);
}

async function solve(page: Page, exercise: Locator, task: Task): Promise<void> {
  const results = await resultsOf(page, task);
  switch (task.attributes.kind) {
    case 'number':
    case 'shape':
      await answerFields(exercise, task, results);
      break;
    case 'cell':
      await answerCell(page, exercise, task, results);
      break;
    case 'condition':
      await meet(page, exercise, task);
      break;
    case 'slots':
      await fillSlots(exercise, task);
      break;
    case 'order':
      await putInOrder(exercise, task);
      break;
    case 'line':
      await chooseLine(exercise, task);
      break;
    default:
      await answerChoice(exercise, task, results);
      return;
  }
  await expect(verdictOf(exercise)).toHaveText(/✓/);
}

for (const lesson of lessons) {
  for (const id of lesson.exercises) {
    test(`${lesson.id}: “${id}” grades wrong and right answers`, async ({ page, open }) => {
      await open(lesson.id);
      const exercise = page.locator(`#${id}`);
      const task = await authored(page, id);
      await expect(reasonsOf(exercise).filter({ visible: true })).toHaveCount(0);
      await expect(exercise.locator('hw-feedback').filter({ visible: true })).toHaveCount(0);

      await solve(page, exercise, task);
      await expect(reasonsOf(exercise).filter({ visible: true }), 'the reason unfolds').toHaveCount(task.reasons);
      await expect(page.locator(`[data-progress-of="${lesson.id}"]`).first()).toContainText('1 of');

      if (task.hints > 0) {
        await exercise.getByText('Hint', { exact: true }).click();
        await expect(exercise.locator('hw-hint').first()).toBeVisible();
      }
      // Other numbers, another answer.
      const another = exercise.getByRole('button', { name: 'Another' });
      if (task.attributes.another === undefined) return;
      const before = page.url();
      await another.click();
      await page.waitForURL((url) => url.href !== before);
      await expect(verdictOf(exercise), 'the old verdict is gone').toHaveText('');
      const headwise = await engine();
      await expect.poll(async () => faultsOf(headwise, await readBench(page, task.bench.id ?? ''))).toEqual([]);
      await solve(page, exercise, task);
    });
  }

  for (const id of lesson.predictions) {
    test(`${lesson.id}: the bet “${id}” is marked, and then shows what it covered`, async ({ page, open }) => {
      await open(lesson.id);
      const prediction = page.locator(`#${id}`);
      const task = await authored(page, id);
      const covered = page.locator(`[after="${id}"]`);
      for (const element of await covered.all()) await expect(element).toHaveAttribute('inert');
      await expect(prediction.locator('.after').filter({ visible: true })).toHaveCount(0);

      await answerChoice(prediction, task, await resultsOf(page, task));
      for (const element of await covered.all()) await expect(element).not.toHaveAttribute('inert');
      const unfolding = prediction.locator('.after');
      await expect(unfolding.filter({ visible: true })).toHaveCount(await unfolding.count());

      await page.reload();
      await expect(prediction).toContainText('You have bet on this before');
      for (const element of await covered.all()) await expect(element).not.toHaveAttribute('inert');
    });
  }
}

test('“Another” after the last seed is the first, in the link as in the figures', async ({ page, open }) => {
  const exercise = page.locator('#steps hw-exercise[another="seed"]').first();
  await open('one-head?v=1&steps.seed=9999');
  await exercise.getByRole('button', { name: 'Another' }).click();
  await expect(page).toHaveURL(/steps\.seed=0/);
  const headwise = await engine();
  await expect.poll(async () => faultsOf(headwise, await readBench(page, 'steps'))).toEqual([]);
  await expect(page.locator('#steps hw-control[name=seed] input')).toHaveValue('0');
});

test('a number copied from the page is read as the page prints it', async ({ page, open }) => {
  await open('weight-sharing?v=1&count.width=24&count.heads=2');
  const exercise = page.locator('#count hw-exercise[kind=number]').first();
  await type(exercise, ['1,152']);
  await expect(verdictOf(exercise)).toHaveText('✓ Right: 1,152.');
  await type(exercise, ['1,153']);
  await expect(verdictOf(exercise)).toHaveText(/✗/);
});
