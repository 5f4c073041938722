// The heading of a card: what it is, which of the lesson it is, and what about.

/** Names the element's group, too. `kind`: “Exercise”, “Bet”. */
export function titleOf(task: HTMLElement, kind: string): HTMLElement {
  const article = task.closest('article');
  const all = article ? [...article.querySelectorAll(task.tagName)] : [];
  const lesson = article?.dataset.number;
  const number = all.length > 1 || lesson ? ` ${lesson ? `${lesson}.` : ''}${all.indexOf(task) + 1}` : '';
  const title = document.createElement('p');
  title.className = 'task-title';
  title.id = `${task.id}--title`;
  const which = document.createElement('span');
  which.className = 'task-number';
  which.textContent = `${kind}${number}`;
  title.append(which);
  const about = task.getAttribute('heading');
  if (about) title.append(' ', about);
  task.setAttribute('role', 'group');
  task.setAttribute('aria-labelledby', title.id);
  return title;
}
