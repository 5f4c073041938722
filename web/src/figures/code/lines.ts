// A listing's lines, each an element of its own.

/** Listings are plain text. What an element held before is put into its lines. */
export function linesOf(code: Element): HTMLElement[] {
  const texts = code.textContent.replace(/\n$/, '').split('\n');
  const lines = texts.map((text) => {
    const line = document.createElement('span');
    line.className = 'code-line';
    line.textContent = `${text}\n`;
    return line;
  });
  code.replaceChildren(...lines);
  return lines;
}
