// Light, dark, or as the system says. public/first-paint.js applies what is stored here before the page is painted.

import { announce } from './announce.ts';

export const themeKey = 'headwise.theme';

export type Theme = 'auto' | 'light' | 'dark';

const names: Record<Theme, string> = { auto: 'as the system', light: 'light', dark: 'dark' };

/** Away from the system's theme first, so that the first press is seen to do something. */
export function nextTheme(theme: Theme, systemIsDark: boolean): Theme {
  const order: readonly Theme[] = systemIsDark ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light'];
  return order[(order.indexOf(theme) + 1) % order.length]!;
}

function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'auto') localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function startTheme(): void {
  const button = document.getElementById('theme');
  if (!button) return;
  const next = (): Theme => nextTheme(currentTheme(), matchMedia('(prefers-color-scheme: dark)').matches);
  const show = (): void => {
    const theme = currentTheme();
    button.dataset.shows = theme;
    button.setAttribute('aria-label', `Colours: ${names[theme]}. Change to ${names[next()]}`);
    button.title = `Colours: ${names[theme]}`;
  };
  button.addEventListener('click', () => {
    apply(next());
    show();
    announce(`Colours: ${names[currentTheme()]}`);
  });
  show();
}
