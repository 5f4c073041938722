// Light, dark, or as the system says. public/first-paint.js applies what is stored here before the page is painted.

import { announce } from './announce.ts';

export const themeKey = 'headwise.theme';

export type Theme = 'auto' | 'light' | 'dark';

const order: readonly Theme[] = ['auto', 'light', 'dark'];
const names: Record<Theme, string> = { auto: 'as the system', light: 'light', dark: 'dark' };

export function nextTheme(theme: Theme): Theme {
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
  const show = (): void => {
    const theme = currentTheme();
    button.dataset.shows = theme;
    button.setAttribute('aria-label', `Colours: ${names[theme]}. Change to ${names[nextTheme(theme)]}`);
    button.title = `Colours: ${names[theme]}`;
  };
  button.addEventListener('click', () => {
    apply(nextTheme(currentTheme()));
    show();
    announce(`Colours: ${names[currentTheme()]}`);
  });
  show();
}
