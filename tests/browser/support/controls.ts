// Finds every control of a bench in the page and operates each of its parts, by keyboard, so that no mouse rests on a figure.

import type { Locator, Page } from '@playwright/test';

const controlTags = 'hw-control, hw-choices, hw-editor, hw-comparison .views';

/** Visible controls of this bench, also those that appear only in some states; a control is told from others by its key. */
export async function controlsOf(page: Page, benchId: string): Promise<{ key: string; control: Locator }[]> {
  const found = await page.evaluate(
    ({ controlTags, benchId }) =>
      [...document.querySelectorAll(controlTags)].flatMap((element, index) => {
        const named = element.closest('[bench], hw-bench');
        const belongs = named?.id === benchId || named?.getAttribute('bench') === benchId;
        const name = element.getAttribute('name') ?? element.getAttribute('set') ?? '';
        const key = `${element.tagName.toLowerCase()} ${name}`.trim();
        return belongs && element.checkVisibility() ? [{ index, key }] : [];
      }),
    { controlTags, benchId },
  );
  const all = page.locator(controlTags);
  return found.map(({ index, key }) => ({ key, control: all.nth(index) }));
}

export interface Move {
  /** What was operated, such as "input range"; every part must have an effect at least once. */
  readonly part: string;
  readonly act: () => Promise<void>;
  /** One choice of several may look like another. */
  readonly oneOfSeveral?: boolean;
}

async function value(input: Locator): Promise<number> {
  return Number(await input.inputValue());
}

async function* rangeMoves(range: Locator, [less, more]: readonly Locator[]): AsyncGenerator<Move> {
  const limit = async (name: string) => Number(await range.getAttribute(name));
  for (const [key, end] of [
    ['End', 'max'],
    ['Home', 'min'],
    ['ArrowRight', 'max'],
  ] as const) {
    if ((await value(range)) !== (await limit(end))) yield { part: 'slider', act: () => range.press(key) };
  }
  // The slider stands one step above its least value: there is room below, and then above.
  if (less) yield { part: 'less', act: () => less.press('Enter') };
  if (more) yield { part: 'more', act: () => more.press('Enter') };
}

async function* numberMoves(field: Locator, buttons: readonly Locator[]): AsyncGenerator<Move> {
  const from = await value(field);
  const type = (to: number) => async () => {
    await field.fill(String(to));
    await field.press('Enter');
  };
  yield { part: 'number', act: type(from + 2) };
  for (const button of buttons) yield { part: await button.innerText(), act: () => button.press('Enter') };
}

async function* choiceMoves(
  choices: readonly Locator[],
  key: string,
  isChosen: (choice: Locator) => Promise<boolean>,
): AsyncGenerator<Move> {
  for (const choice of choices) {
    if (await isChosen(choice)) continue;
    yield { part: 'choices', act: () => choice.press(key), oneOfSeveral: true };
  }
  // Back to the first: what was chosen at the start has to work as well.
  const [first] = choices;
  if (first && !(await isChosen(first))) yield { part: 'choices', act: () => first.press(key), oneOfSeveral: true };
}

async function* editorMoves(editor: Locator): AsyncGenerator<Move> {
  const press = (name: string) => () => editor.getByRole('button', { name, exact: true }).press('Enter');
  const matrix = (index: number) => editor.getByRole('group', { name: 'Matrix' }).getByRole('button').nth(index);
  for (const index of [1, 2, 0]) yield { part: 'matrix', act: () => matrix(index).press('Enter') };
  yield {
    part: 'cell',
    act: async () => {
      const grid = editor.getByRole('grid');
      await grid.locator('td[tabindex="0"]').press('ArrowRight');
      await grid.locator('td:focus').press('Enter');
      await editor.locator('.cell-value').fill('1.25');
      await editor.locator('.cell-value').press('Enter');
    },
  };
  yield { part: 'Set to 0', act: press('Set to 0') };
  yield { part: 'Undo', act: press('Undo') };
  yield {
    part: 'Multiply by',
    act: async () => {
      await editor.getByLabel('Factor').fill('-2');
      await editor.getByLabel('Factor').press('Enter');
    },
  };
  // Chooses the other block, then copies the first one over it.
  yield {
    part: 'Copy from',
    act: async () => {
      await editor.getByRole('button', { name: 'block 2' }).press('Enter');
      await editor.getByLabel('Block to copy from').selectOption({ label: 'W_q, block 1' });
      await press('Copy from')();
    },
  };
  yield { part: 'Undo all', act: press('Undo all') };
}

/** Everything this control can do, each part at least once. */
export async function* movesOf(key: string, control: Locator): AsyncGenerator<Move> {
  const buttons = await control.getByRole('button').all();
  const pressed = async (button: Locator) => (await button.getAttribute('aria-pressed')) === 'true';
  if (key.startsWith('hw-editor')) yield* editorMoves(control);
  else if (!key.startsWith('hw-control')) yield* choiceMoves(buttons, 'Enter', pressed);
  else if ((await control.locator('input[type=range]').count()) > 0) {
    yield* rangeMoves(control.locator('input[type=range]'), buttons);
  } else if ((await control.locator('input[type=number]').count()) > 0) {
    yield* numberMoves(control.locator('input[type=number]'), buttons);
  } else if ((await control.locator('input[type=radio]').count()) > 0) {
    yield* choiceMoves(await control.locator('input[type=radio]').all(), 'Space', (radio) => radio.isChecked());
  } else if ((await control.locator('input[type=checkbox]').count()) > 0) {
    const box = control.locator('input[type=checkbox]');
    for (let times = 0; times < 2; ++times) yield { part: 'switch', act: () => box.press('Space') };
  } else {
    const field = control.locator('input[type=text]');
    for (const words of ['we drink tea', 'all of us drink green tea'])
      yield { part: 'words', act: () => field.fill(words) };
  }
}
