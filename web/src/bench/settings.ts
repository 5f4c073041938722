// Lists of "name=value" that lessons write in attributes.

/** "width=512 heads=8" → values by name. `wrong`: words that are no such pair, which the page passes over. */
export function parsePairs(text: string): { pairs: Map<string, string>; wrong: string[] } {
  const pairs = new Map<string, string>();
  const wrong: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const equals = word.indexOf('=');
    if (equals > 0) pairs.set(word.slice(0, equals), word.slice(equals + 1));
    else wrong.push(word);
  }
  return { pairs, wrong };
}

/** "width=512 heads=8; width=768" → settings to go through. */
export function parseSettings(text: string): Record<string, string>[] {
  return text
    .split(';')
    .map((setting) => Object.fromEntries(parsePairs(setting).pairs))
    .filter((setting) => Object.keys(setting).length > 0);
}
