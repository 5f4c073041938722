// What a bench itself says, in boxes at its end.

/** Made when it is first needed. */
export function boxIn(bench: HTMLElement, className: string): HTMLElement {
  const existing = bench.querySelector<HTMLElement>(`:scope > .${className}`);
  if (existing) return existing;
  const box = document.createElement('div');
  box.className = className;
  bench.append(box);
  return box;
}

/** One paragraph a sentence; without sentences no box. */
export function say(bench: HTMLElement, className: string, sentences: readonly string[]): void {
  if (sentences.length === 0 && !bench.querySelector(`:scope > .${className}`)) return;
  const box = boxIn(bench, className);
  box.setAttribute('role', 'status');
  box.hidden = sentences.length === 0;
  box.replaceChildren(
    ...sentences.map((sentence) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = sentence;
      return paragraph;
    }),
  );
}
