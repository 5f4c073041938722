// Scroll positions of the articles the reader comes back to. Browsers restore them too early for a page whose figures
// are laid out once their article is shown, so the router does it, and holds the place until the figures have settled.

const storeKey = 'headwise.scroll';
const positions = new Map<number, number>();

const patience = 700;
const patienceOnLoad = 2000;
const readerActions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
let stopHolding: (() => void) | undefined;

/** Goes somewhere, and goes there again when the page's length changes, until the reader does something. */
function hold(go: () => void, duration: number): void {
  stopHolding?.();
  const end = performance.now() + duration;
  let frame = 0;
  let length = -1;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    for (const action of readerActions) removeEventListener(action, stop, true);
    stopHolding = undefined;
  };
  const again = (): void => {
    if (length !== document.documentElement.scrollHeight) go();
    length = document.documentElement.scrollHeight;
    if (performance.now() < end) frame = requestAnimationFrame(again);
    else stop();
  };
  for (const action of readerActions) addEventListener(action, stop, { capture: true, passive: true });
  stopHolding = stop;
  again();
}

/** Notes where the reader is in this entry of the history. */
export function rememberScroll(entry: number): void {
  positions.set(entry, scrollY);
}

export function largestRememberedEntry(): number {
  return Math.max(-1, ...positions.keys());
}

export function restoreScroll(entry: number, onLoad: boolean): void {
  const position = positions.get(entry) ?? 0;
  hold(() => scrollTo(0, position), onLoad ? patienceOnLoad : patience);
}

/** Goes to a part of an article, or to its start. */
export function scrollToPart(part: HTMLElement | undefined, onLoad: boolean): void {
  hold(() => (part ? part.scrollIntoView() : scrollTo(0, 0)), onLoad ? patienceOnLoad : patience);
}

// Anyone can write into the store, and a number that cannot be counted up would keep Back from being told from a new visit.
function isSane(number: number | undefined): boolean {
  return Number.isInteger(number) && number! >= 0 && number! < 1e6;
}

/** Takes scrolling over from the browser. `currentEntry` is asked when the page goes away, for a reload. */
export function startScroll(currentEntry: () => number): void {
  history.scrollRestoration = 'manual';
  try {
    const [entry, position] = (sessionStorage.getItem(storeKey) ?? '').split(' ').map(Number);
    if (isSane(entry) && isSane(position)) positions.set(entry!, position!);
  } catch {
    // Storage is blocked: a reload starts at the top.
  }
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(storeKey, `${currentEntry()} ${Math.round(scrollY)}`);
    } catch {
      // As above.
    }
  });
}
