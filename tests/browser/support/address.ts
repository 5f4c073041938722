// What an address says, read by the tests' own few lines and not by the page's.

/** Start values of a bench (its attributes) and changes (from the address), both by parameter name. */
export type Texts = ReadonlyMap<string, string>;

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** #lesson?v=1&cut.heads=3&… → { heads: "3" } for bench "cut" */
export function changesIn(hash: string, benchId: string): Texts {
  const changes = new Map<string, string>();
  const [, query = ''] = hash.split('?');
  for (const part of query.split('&')) {
    const [name = '', value = ''] = part.split('=').map(decoded);
    if (name.startsWith(`${benchId}.`)) changes.set(name.slice(benchId.length + 1), value);
  }
  return changes;
}

/** key-tokens → keyTokens */
export function parameterName(attribute: string): string {
  return attribute.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function benchTexts(attributes: Readonly<Record<string, string>>, hash: string): Map<string, string> {
  const texts = new Map(Object.entries(attributes).map(([name, value]) => [parameterName(name), value]));
  for (const [name, value] of changesIn(hash, attributes.id ?? '')) texts.set(name, value);
  return texts;
}
