// WebKitGTK's MiniBrowser on a screen of its own, by WebDriver.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Builder, By, Capabilities, Key, type WebDriver } from 'selenium-webdriver';
import { programOf } from './program.ts';
import type { Driver } from './driver.ts';

const miniBrowsers = ['4.1', '4.0', '6.0'].map(
  (version) =>
    `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
);
const keys: Readonly<Record<string, string>> = {
  ArrowRight: Key.ARROW_RIGHT,
  ArrowLeft: Key.ARROW_LEFT,
  Home: Key.HOME,
  End: Key.END,
  Enter: Key.ENTER,
};

/** A line of what a process says, as soon as one fits. */
function lineOf(child: ChildProcess, stream: 'stdout' | 'stderr' | 3, pattern: RegExp, what: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const source = stream === 3 ? child.stdio[3] : child[stream];
    const lines = createInterface({ input: source as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      const match = pattern.exec(line);
      if (match) resolve(match[1] ?? match[0]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${what} ended with ${code} before it was ready`)));
  });
}

/** A screen that nobody sees; its number is the first free one. */
async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const screen = spawn(
    programOf('HEADWISE_XVFB', ['Xvfb']),
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  return { process: screen, display: `:${await lineOf(screen, 3, /^(\d+)$/, 'Xvfb')}` };
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Until it answers: it says nothing when it is ready. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; ++tries) {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}`);
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('WebKitWebDriver does not answer');
}

// Listens in the page, where no driver does; a document has to be told once.
function listen(): void {
  const page = window as Window & { headwiseErrors?: string[] };
  if (page.headwiseErrors) return;
  const told: string[] = (page.headwiseErrors = []);
  addEventListener('error', (event) => {
    // Not an error: what an observer changed is observed in the next frame. Only consoles keep this to themselves.
    if (!event.message.startsWith('ResizeObserver loop')) told.push(event.message);
  });
  addEventListener('unhandledrejection', (event) => told.push(String(event.reason)));
  const { error } = console;
  console.error = (...values: unknown[]) => {
    told.push(values.map(String).join(' '));
    error(...values);
  };
}

export async function startWebKit(): Promise<Driver> {
  const binary = process.env.HEADWISE_MINIBROWSER ?? miniBrowsers.find((path) => existsSync(path));
  if (!binary)
    throw new Error(
      'no MiniBrowser of WebKitGTK: install webkit2gtk-driver, or leave it out with tests/run --without webkit',
    );
  const screen = await startScreen();
  const port = await freePort();
  const server = spawn(programOf('HEADWISE_WEBKIT_DRIVER', ['WebKitWebDriver']), [`--port=${port}`], {
    stdio: 'ignore',
    // Its own process is not kept from the root user, and needs no graphics card.
    env: {
      ...process.env,
      DISPLAY: screen.display,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      GDK_BACKEND: 'x11',
    },
  });
  await answers(`http://127.0.0.1:${port}/status`, server);
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  });
  const driver: WebDriver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .disableEnvironmentOverrides()
    .withCapabilities(capabilities)
    .build();
  await driver.manage().setTimeouts({ script: 120_000 });
  const evaluate: Driver['evaluate'] = (run, argument) =>
    driver.executeScript(`return (${run.toString()})(arguments[0])`, argument);
  const found = async (selector: string) => {
    const element = await driver.findElement(By.css(selector));
    await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
    return element;
  };
  const resize = async (width: number, height: number) => {
    await driver.manage().window().setRect({ x: 0, y: 0, width, height });
  };
  await resize(1280, 1000);
  return {
    async goto(url) {
      await driver.get(url);
      await evaluate(listen, undefined);
    },
    evaluate,
    async press(selector, key) {
      await (await found(selector)).sendKeys(keys[key] ?? key);
    },
    async click(selector) {
      await (await found(selector)).click();
    },
    resize,
    errors: () =>
      evaluate(() => {
        const page = window as Window & { headwiseErrors?: string[] };
        return page.headwiseErrors?.splice(0) ?? [];
      }, undefined),
    async screenshot(file) {
      await writeFile(file, Buffer.from(await driver.takeScreenshot(), 'base64'));
    },
    async close() {
      await driver.quit();
      server.kill();
      screen.process.kill();
    },
  };
}
