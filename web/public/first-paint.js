// Runs before anything is painted, so that neither the other theme nor the other lessons flash up. Kept apart from the
// program because the page's policy allows no script inside the HTML.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('headwise.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system's theme will do.
  }
  // From a file no module starts: leave the whole text in sight, and the notice that says what is missing.
  if (location.protocol === 'file:') return;

  root.classList.add('scripted');
  let id = location.hash.slice(1).split('?')[0].split('--')[0] || 'home';
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not worth more: the program opens the right article a moment later.
  }
  const style = document.createElement('style');
  style.id = 'first-paint';
  style.textContent = `main > article:not(#${CSS.escape(id)}) { display: none }`;
  document.head.append(style);

  // Has the module fetched before the program asks for it: once the whole page is here, since earlier it would take half of
  // a slow line from the program. Not by a link in the page, which would fetch it also where no program runs.
  document.addEventListener(
    'readystatechange',
    () => {
      const module = document.querySelector('meta[name="headwise-module"]');
      if (!module) return;
      const link = document.createElement('link');
      Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href: module.content });
      link.setAttribute('fetchpriority', 'low');
      document.head.append(link);
    },
    { once: true },
  );

  // What did not arrive is told from what did and was not understood.
  let isFetched = true;
  addEventListener(
    'error',
    ({ target }) => {
      if (target.tagName === 'SCRIPT') isFetched = false;
    },
    true,
  );

  // Modules run before this event. If the program did not, give the text back.
  addEventListener('load', () => {
    if (root.classList.contains('started')) return;
    style.remove();
    root.classList.remove('scripted');
    const cause = self.origin === 'null' ? '.in-frame' : isFetched ? '.not-understood' : '.not-fetched';
    for (const paragraph of document.querySelectorAll('#needs-server > p'))
      paragraph.hidden = !paragraph.matches(cause);
    const address = document.querySelector('#needs-server .own-address');
    address.href = location.href;
    address.textContent = location.href;
  });
})();
