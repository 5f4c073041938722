// What the tests need of a browser, whoever drives it.

export interface Driver {
  /** Opens an address; a change of what follows # stays in the same document. */
  goto(url: string): Promise<void>;
  /** Runs a function in the page; it must not refer to anything outside of itself. */
  evaluate<Argument, Result>(run: (argument: Argument) => Result, argument: Argument): Promise<Result>;
  /** Presses a key on the first element that fits; keys are called as in KeyboardEvent.key. */
  press(selector: string, key: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** As near to it as the browser's window goes. */
  resize(width: number, height: number): Promise<void>;
  /** Errors of the console and what nobody caught, since the last call. */
  errors(): Promise<string[]>;
  screenshot(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Waits until something is so in the page. */
export async function until<Argument>(
  driver: Driver,
  what: string,
  holds: (argument: Argument) => boolean,
  argument: Argument,
  seconds = 60,
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await driver.evaluate(holds, argument))) {
    if (Date.now() > end) throw new Error(`${what}: not so after ${seconds} s`);
    // Asking without a pause would keep the page from getting there.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
