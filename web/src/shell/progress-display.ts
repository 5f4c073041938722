// Shows progress in the bar and in the course map, and the button on the About page that forgets it.

import { announce } from './announce.ts';
import type { Progress } from '../tasks/progress.ts';

/** What counts as an exercise of the article it stands in. */
const exerciseSelector = 'hw-exercise[id]';

function exerciseIds(lessonId: string): string[] {
  const article = document.getElementById(lessonId);
  return [...(article?.querySelectorAll(exerciseSelector) ?? [])].map((element) => element.id);
}

function phrase(solved: number, count: number): string {
  if (count === 0 || solved === 0) return '';
  return solved === count ? 'all exercises solved' : `${solved} of ${count} exercises solved`;
}

function show(progress: Progress): void {
  showNextStep(progress);
  for (const element of document.querySelectorAll<HTMLElement>('[data-progress-of]')) {
    const lessonId = element.dataset.progressOf ?? '';
    const ids = exerciseIds(lessonId);
    const fraction = progress.fractionSolved(lessonId, ids);
    element.textContent = phrase(Math.round(fraction * ids.length), ids.length);
    const link = element.closest('a');
    link?.style.setProperty('--progress', String(fraction));
    link?.toggleAttribute('data-done', fraction === 1);
  }
}

/** The button on the home page leads a reader who comes back to the first lesson that is not done. */
function showNextStep(progress: Progress): void {
  const button = document.getElementById('go-on');
  const lessons = [...document.querySelectorAll<HTMLElement>('article.lesson')];
  const fractions = lessons.map((lesson) => progress.fractionSolved(lesson.id, exerciseIds(lesson.id)));
  const next = lessons[fractions.findIndex((fraction) => fraction < 1)] ?? lessons[0];
  if (!button || !next) return;
  const begun = fractions.some((fraction) => fraction > 0);
  button.setAttribute('href', `#${next.id}`);
  button.textContent = `${begun ? 'Go on' : 'Start'} with lesson ${next.dataset.number ?? ''}`;
}

function startReset(progress: Progress): void {
  const button = document.querySelector<HTMLButtonElement>('[data-action="reset-progress"]');
  if (!button) return;
  button.addEventListener('click', () => {
    progress.reset();
    button.textContent = 'Forgotten';
    announce('Your answers are forgotten');
  });
}

export function startProgressDisplay(progress: Progress): void {
  progress.onChange(() => show(progress));
  startReset(progress);
  show(progress);
}
