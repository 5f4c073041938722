// Opens the article that the address names, one at a time, and looks after focus, scroll position and title.

import { BenchElement } from '../bench/bench-element.ts';
import { parseHash, type HashLocation } from './hash.ts';
import { linkFaults, linkNotice, longest, type Addressable } from './link-faults.ts';
import { shortened } from '../text/letters.ts';
import { largestRememberedEntry, rememberScroll, restoreScroll, scrollToPart, startScroll } from './scroll.ts';
import { adoptLocation, currentHash } from './state.ts';

interface Destination {
  readonly article: HTMLElement;
  /** A heading or other part of the article to go to; undefined for its start. */
  readonly part: HTMLElement | undefined;
}

interface EntryState {
  readonly headwiseEntry: number;
}

const siteName = 'Headwise';
let open: HTMLElement | undefined;
let homeTitle = '';
// Back and forward are told from new visits by this mark, which history keeps with each entry.
let currentEntry = -1;

function entryOf(state: unknown): number | undefined {
  const entry = (state as Partial<EntryState> | null)?.headwiseEntry;
  return typeof entry === 'number' ? entry : undefined;
}

function articles(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main > article')];
}

function destinationOf(target: string): Destination | undefined {
  if (target === '') {
    const first = articles()[0];
    return first && { article: first, part: undefined };
  }
  const element = document.getElementById(target);
  const article = element?.closest<HTMLElement>('main > article');
  if (!element || !article) return undefined;
  return { article, part: element === article ? undefined : element };
}

function headingOf(article: HTMLElement): HTMLElement | null {
  return article.querySelector('h1');
}

function titleOf(article: HTMLElement): string {
  if (article === articles()[0]) return homeTitle;
  const title = article.dataset.title ?? headingOf(article)?.textContent ?? article.id;
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

function markCurrent(article: HTMLElement): void {
  let name = 'Lessons';
  for (const link of document.querySelectorAll<HTMLElement>('#bar [data-lesson]')) {
    const isCurrent = link.dataset.lesson === article.id;
    if (isCurrent) {
      link.setAttribute('aria-current', 'page');
      const number = link.querySelector('.chip-number')?.lastChild?.textContent;
      name = number ? `${number} · ${article.dataset.title ?? ''}` : link.textContent;
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const label = document.querySelector('#menu .menu-label > span');
  if (label) label.textContent = name;
}

function showArticle(article: HTMLElement, adopt: () => void): void {
  const previous = open;
  if (previous !== article) {
    if (previous) previous.hidden = true;
    previous?.dispatchEvent(new CustomEvent('hw-close', { bubbles: true }));
    for (const other of articles()) other.hidden = other !== article;
    open = article;
    document.title = titleOf(article);
    markCurrent(article);
  }
  // State first: benches that open read it.
  adopt();
  if (previous !== article) article.dispatchEvent(new CustomEvent('hw-open', { bubbles: true }));
}

function addressableIn(article: HTMLElement): Addressable {
  const benches = [...article.querySelectorAll('hw-bench')].filter((bench) => bench instanceof BenchElement);
  const controls = [...article.querySelectorAll('hw-control, hw-controls, hw-choices')];
  return {
    benches: new Map(benches.map((bench) => [bench.id, bench.parameters])),
    controls: controls.flatMap((control) =>
      ['name', 'names', 'set'].flatMap((attribute) => (control.getAttribute(attribute) ?? '').split(/\s+/)),
    ),
  };
}

function notice(text: string): void {
  const place = document.getElementById('route-notice');
  if (!place) return;
  place.replaceChildren();
  if (text === '') return;
  const box = document.createElement('p');
  box.className = 'notice';
  box.textContent = text;
  place.append(box);
}

function moveFocus(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  const focus = (): void => element.focus({ preventScroll: true });
  focus();
  // After a click on a link the browser looks for the address too, and takes the focus away from what it does not mean.
  setTimeout(() => {
    if (document.activeElement === document.body) focus();
  });
}

/** Goes where the address points. `first` is the page's start, when the reader's focus is left alone. */
function follow(first: boolean): void {
  const known = entryOf(history.state);
  const returning = known !== undefined;
  if (returning && known === currentEntry) return;
  // Still the position in the article that is being left, as the browser restores none.
  if (returning && !first) rememberScroll(currentEntry);
  currentEntry = known ?? Math.max(currentEntry, largestRememberedEntry()) + 1;

  let place: HashLocation = parseHash(location.hash);
  let destination = destinationOf(place.target);
  let message = '';
  if (!destination) {
    message = `Nothing here is called “${shortened(place.target, longest)}”. These are the lessons there are.`;
    place = parseHash('#home');
    destination = destinationOf('home');
  } else if (place.fromOtherVersion) {
    message = 'This link was made by another version of the page, so its settings are left out.';
  } else if (!returning) {
    message = linkNotice(linkFaults(place, addressableIn(destination.article)));
  }
  if (!destination) return;

  const reached = destination;
  const changed = open !== reached.article;
  notice(message);
  showArticle(reached.article, () => adoptLocation(reached.article.id, place, returning));

  if (!returning) {
    const entry: EntryState = { headwiseEntry: currentEntry };
    history.replaceState(entry, '', place.target === '' ? undefined : currentHash());
  }
  if (!first) {
    const heading = headingOf(reached.article);
    const focusTarget = reached.part ?? heading;
    if (focusTarget && (changed || !returning)) moveFocus(focusTarget);
  }
  if (returning) restoreScroll(currentEntry, first);
  else if (place.target !== '' || !first) scrollToPart(reached.part, first);
}

export function startRouter(): void {
  homeTitle = document.title;
  startScroll(() => currentEntry);
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
      if (!link) return;
      rememberScroll(currentEntry);
      const isSkipLink = link.classList.contains('skip-link');
      // A link to where the reader already is makes no history entry, so nothing else would answer it.
      const again =
        link.getAttribute('href') === location.hash ? destinationOf(parseHash(location.hash).target) : undefined;
      if (!isSkipLink && !again) return;
      event.preventDefault();
      const heading = open && headingOf(open);
      const focusTarget = again?.part ?? heading;
      if (again) scrollToPart(again.part, false);
      if (focusTarget) moveFocus(focusTarget);
    },
    true,
  );
  addEventListener('popstate', () => follow(false));
  addEventListener('hashchange', () => follow(false));
  follow(true);
}
