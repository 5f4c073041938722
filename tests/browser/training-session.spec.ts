// Lesson 6's session: that it can be paused, left, put back, killed and hidden.

import { expect, test } from './support/test.ts';
import { lesson, opened, Training } from './support/training.ts';

test('play, pause, step and reset: the same start gives the same maps, to the last digit shown', async ({
  page,
  open,
}) => {
  const training = await opened(page, open);
  const start = await training.maps();
  const threeSteps = async () => {
    for (const step of [1, 2, 3]) {
      await training.button('Step').click();
      await training.reaches(step);
    }
    return training.maps();
  };
  const trained = await threeSteps();
  expect(trained).not.toEqual(start);
  await training.button('Reset').click();
  await training.is('paused');
  expect(await training.step()).toBe(0);
  expect(await training.maps()).toEqual(start);
  expect(await threeSteps()).toEqual(trained);

  await training.button('Play').click();
  await training.is('playing');
  await training.reaches(8);
  // Pressed while it plays, reset does not wait.
  await training.button('Reset').click();
  await training.is('paused');
  expect(await training.step()).toBe(0);
  expect(await training.maps()).toEqual(start);
});

test('while it trains, the page answers: another run is looked at, the seed changes, the window changes its size', async ({
  page,
  open,
}) => {
  const training = await opened(page, open);
  await training.pace('slow');
  await training.button('Play').click();
  await training.reaches(2);
  await training.watch('single');
  await expect(training.element.locator('.training-maps .grid')).toHaveCount(1);
  // Paused and gone on with while a step is under way: still one step at a time, by one loop.
  await training.element.evaluate((element) => {
    const toggle = () => element.querySelector<HTMLButtonElement>('button.primary')!.click();
    for (let press = 0; press < 6; ++press) toggle();
  });
  await training.is('playing');
  const steps = await training.element.evaluate(async (element: HTMLElement) => {
    const seen: number[] = [];
    const watch = new MutationObserver(() => seen.push(Number(element.dataset.step)));
    watch.observe(element, { attributeFilter: ['data-step'] });
    while (seen.length < 12) await new Promise((resolve) => requestAnimationFrame(resolve));
    watch.disconnect();
    return seen;
  });
  expect(steps.slice(1).map((step, index) => step - steps[index]!)).toEqual(steps.slice(1).map(() => 1));

  const canvas = training.element.locator('.chart-host canvas');
  const wide = (await canvas.boundingBox())?.width ?? 0;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeLessThan(Math.min(wide, 390));
  await training.reaches((await training.step()) + 2);
  await training.is('playing');

  await page.locator('#runs').getByRole('button', { name: 'New numbers' }).click();
  await training.appears();
  expect(await training.step()).toBe(0);
});

test('leaving the lesson ends the worker; coming back trains to where the reader was', async ({ page, open }) => {
  const training = await opened(page, open);
  await training.button('Play').click();
  await training.reaches(5);
  await training.button('Pause').click();
  await training.is('paused');
  const left = (await training.element.getAttribute('data-step')) ?? '';
  expect(page.workers()).toHaveLength(1);
  await page.getByRole('link', { name: 'Headwise' }).first().click();
  await expect.poll(() => page.workers().length).toBe(0);
  await page.goBack();
  await page.locator('hw-training').scrollIntoViewIfNeeded();
  await training.is('paused');
  await expect(training.element).toHaveAttribute('data-step', left);
  expect(page.workers()).toHaveLength(1);
});

test('fifty starts and stops leave one worker and no heap behind', async ({ page, open }) => {
  test.setTimeout(150_000);
  const training = await opened(page, open);
  const session = await page.context().newCDPSession(page);
  const heapInUse = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const seed = page.locator('#runs hw-control[name=seed] input');
  const round = async (number: number) => {
    await seed.fill(String(number));
    await seed.press('Enter');
    await page.locator('hw-training').scrollIntoViewIfNeeded();
    await expect(training.element).toHaveAttribute('data-seed', String(number));
    await training.is('paused');
    await training.button('Play').click();
    await training.reaches(1);
  };
  for (let number = 2; number < 12; ++number) await round(number);
  const before = await heapInUse();
  for (let number = 12; number < 52; ++number) await round(number);
  await training.button('Pause').click();
  expect(page.workers()).toHaveLength(1);
  // A session's reports and maps are some 100 kB: forty that stay would be 4 MB.
  expect((await heapInUse()) - before).toBeLessThan(1_000_000);
});

test('a worker that dies is replaced by “Reset”', async ({ page, open }) => {
  const training = await opened(page, open);
  await training.button('Play').click();
  await training.reaches(5);
  await page.workers()[0]!.evaluate(() => {
    close();
  });
  await training.button('Reset').click();
  await training.is('paused');
  expect(await training.step()).toBe(0);
  await training.button('Step').click();
  await training.reaches(1);
});

test('a worker that cannot be fetched gets a sentence, and “Reset” tries again', async ({
  page,
  open,
  site,
  watch,
}) => {
  watch.expect(/Failed to load resource|Failed to fetch a worker script/);
  site.misbehave(/training-worker/, (response) => void response.writeHead(404).end());
  await open(lesson);
  const training = new Training(page);
  await page.locator('hw-training').scrollIntoViewIfNeeded();
  await training.is('failed');
  await expect(training.element.getByRole('alert')).toContainText('did not start');
  site.recover();
  await training.button('Reset').click();
  await training.is('paused');
});

test('of several sightings that waited, the last one counts', async ({ page, open }) => {
  // Sightings are told only when the test says so.
  await page.addInitScript(() => {
    const waiting: { element: Element; tell: (sightings: readonly boolean[]) => void }[] = [];
    class Observer {
      constructor(private readonly callback: (entries: readonly { isIntersecting: boolean }[]) => void) {}
      observe(element: Element): void {
        const tell = (sightings: readonly boolean[]) =>
          this.callback(sightings.map((isIntersecting) => ({ isIntersecting })));
        waiting.push({ element, tell });
      }
      disconnect(): void {
        // Nothing is told by itself.
      }
    }
    Object.assign(globalThis, {
      IntersectionObserver: Observer,
      sight: (...sightings: boolean[]) => {
        for (const { element, tell } of waiting) if (element.tagName === 'HW-TRAINING') tell(sightings);
      },
    });
  });
  await open(lesson);
  const training = new Training(page);
  const sight = (...sightings: boolean[]) =>
    page.evaluate(
      (sightings) => (globalThis as unknown as { sight: (...sightings: boolean[]) => void }).sight(...sightings),
      sightings,
    );
  await sight(true, false);
  await training.is('idle');
  expect(page.workers()).toHaveLength(0);
  await sight(false, true);
  await training.is('paused');
});

test('a hidden page does not go on training', async ({ page, open }) => {
  // A hidden page gets no frames. Held back here by hand, since a headless browser's page is never hidden.
  await page.addInitScript(() => {
    const held: FrameRequestCallback[] = [];
    const ask = requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) =>
      document.documentElement.dataset.test === 'hidden' ? held.push(callback) : ask(callback);
    addEventListener('test-shown', () => held.splice(0).forEach((callback) => ask(callback)));
  });
  const training = await opened(page, open);
  await training.pace('slow');
  await training.button('Play').click();
  await training.reaches(2);
  await page.evaluate(() => (document.documentElement.dataset.test = 'hidden'));
  // The worker answers in order: after two rounds nothing is under way.
  const workerAnswers = async () => {
    await page.workers()[0]!.evaluate(() => 0);
    return training.step();
  };
  await workerAnswers();
  await workerAnswers();
  const step = await workerAnswers();
  for (let round = 0; round < 20; ++round) expect(await workerAnswers()).toBe(step);

  await page.evaluate(() => {
    delete document.documentElement.dataset.test;
    dispatchEvent(new Event('test-shown'));
  });
  await training.reaches(step + 2);
});
