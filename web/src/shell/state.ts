// The state of the open article's benches, mirrored in the address so that a link restores it.
// Elements see readState, writeState, onStateChange and hiddenControls, through the page's host; the router uses the rest.

import { formatHash, type BenchValues, type HashLocation } from './hash.ts';

type Benches = Map<string, BenchValues>;

let target = '';
let openArticle = '';
const benchesByArticle = new Map<string, Benches>();
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

// Browsers refuse or ignore replaceState when it comes too often (Safari: more than 100 times in 10 s).
const shortestPause = 100;
const pauseAfterRefusal = 1000;
let lastWrite = -Infinity;
let pendingWrite: ReturnType<typeof setTimeout> | undefined;

function articleOf(benchId: string): string {
  return document.getElementById(benchId)?.closest('article')?.id ?? openArticle;
}

function benchesOf(articleId: string): Benches {
  let benches = benchesByArticle.get(articleId);
  if (!benches) benchesByArticle.set(articleId, (benches = new Map<string, BenchValues>()));
  return benches;
}

/** The values of a bench that differ from its defaults, as the address spells them. Check them: anyone can write an address. */
export function readState(benchId: string): ReadonlyMap<string, string> {
  return new Map(benchesOf(articleOf(benchId)).get(benchId));
}

/** Replaces what the address says about one bench; keep out values that equal the bench's defaults. No new entry for Back. */
export function writeState(benchId: string, changedValues: ReadonlyMap<string, string>): void {
  const articleId = articleOf(benchId);
  const benches = benchesOf(articleId);
  if (changedValues.size > 0) benches.set(benchId, new Map(changedValues));
  else benches.delete(benchId);
  if (articleId === openArticle) scheduleWrite(shortestPause);
}

/** Called after the learner went to other state: a link, Back or an edited address. Returns the function that stops it. */
export function onStateChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names of controls not to show; they keep their values. Also reported through onStateChange. */
export function hiddenControls(): ReadonlySet<string> {
  return hidden;
}

/** The hash that restores the page as it is now. */
export function currentHash(): string {
  return formatHash(target, benchesOf(openArticle), hidden);
}

/** For the router: the address now names this target. Without a state part the article keeps what it had, unless Back went there. */
export function adoptLocation(articleId: string, location: HashLocation, literally: boolean): void {
  clearTimeout(pendingWrite);
  pendingWrite = undefined;
  target = location.target;
  openArticle = articleId;
  if (location.hasState || literally) {
    benchesByArticle.set(articleId, new Map(location.benches));
    hidden = location.hidden;
  }
  for (const listener of [...listeners]) listener();
}

/** Writes the state into the address now, without waiting for the pause between writes. */
export function flushState(): void {
  clearTimeout(pendingWrite);
  pendingWrite = undefined;
  // An empty target is the bare address of the home page: leave it without #.
  const hash = currentHash();
  if (hash === (location.hash || '#')) return;
  lastWrite = performance.now();
  try {
    history.replaceState(history.state, '', hash);
  } catch {
    scheduleWrite(pauseAfterRefusal);
  }
}

function scheduleWrite(pause: number): void {
  if (pendingWrite !== undefined) return;
  const wait = lastWrite + pause - performance.now();
  if (wait <= 0) flushState();
  else pendingWrite = setTimeout(flushState, wait);
}
